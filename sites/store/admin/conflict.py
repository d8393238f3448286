"""A change that came too late (409): what the person sent beside what is saved now, field by field, for any form.

What is saved now is read from the form itself, as the page it came from shows it at this moment; so a form takes part
by carrying the version it was made from in a hidden field `v`, and needs nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextvars import Context
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from flask import current_app, request
from werkzeug.wrappers import Response as Answer

from ...kit import csrf
from ...kit.page_forms import PageField, PageForm, forms_of
from . import frame

OWN = frozenset({csrf.FIELD, "v", "back", "touched"})
"""Fields that the frame adds to a form; `touched` names what a person changed in it, `*` where nobody knows."""

HOPS = 3
EMPTY = "(empty)"


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One field that differs: what it is called, the values to send for either side, and what people read for them."""

    name: str
    label: str
    mine: tuple[str, ...]
    theirs: tuple[str, ...]
    mine_text: str
    theirs_text: str
    touched: bool
    """Whether the person changed it; what they left alone is theirs to begin with."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Both sides of a form: where they differ, and what was sent beside that. `back` is the page it stands on now."""

    back: str
    differences: tuple[Difference, ...]
    rest: tuple[tuple[str, str], ...]
    version: str


def compare(back: str) -> Comparison | None:
    """Compare the form of this request with the same form as it is now; None where the page no longer has it."""
    shown = look_at(back)
    if shown is None:
        return None
    path, html = shown
    form = best(forms_of(html, path), request.path)
    if form is None:
        return None
    differences = tuple(differing(form))
    names = {each.name for each in differences}
    rest = tuple((name, value) for name, value in sent() if name not in names)
    version = form.fields["v"].values[0] if "v" in form.fields else ""
    return Comparison(back=path, differences=differences, rest=rest, version=version)


def sent() -> list[tuple[str, str]]:
    """What was sent, without the frame's own fields."""
    return [(name, value) for name, value in request.form.items(multi=True) if name not in OWN and not _dropped(name)]


def _dropped(name: str) -> bool:
    """The choices between two sides on the page of a conflict; and passwords, which no page repeats."""
    return name.startswith("pick.") or "password" in name


def look_at(path: str) -> tuple[str, str] | None:
    """The page at a path of ours as the person would get it now, with where it ended up; it counts as no view."""
    app = current_app._get_current_object()  # type: ignore[attr-defined]  # the proxy knows it, its type does not
    for _ in range(HOPS):
        # a context of its own: the request in progress keeps its `g`
        response = Context().run(Answer.from_app, app.wsgi_app, _aside(path), buffered=True)
        if response.status_code in (301, 302, 303, 307, 308):
            path = _local(urljoin(path, response.headers.get("Location", "")))
            continue
        return (path, response.get_data(as_text=True)) if response.status_code == 200 else None
    return None


def _aside(path: str) -> dict[str, Any]:
    """The environment of a request for a page of ours by the person who sent the form."""
    split = urlsplit(path)
    kept = {k: v for k, v in request.environ.items() if not k.startswith("werkzeug.") and k != "CONTENT_TYPE"}
    asked = {"REQUEST_METHOD": "GET", "PATH_INFO": unquote(split.path), "QUERY_STRING": split.query}
    return {
        **kept,
        **asked,
        "CONTENT_LENGTH": "0",
        "HTTP_ACCEPT": "text/html",
        "wsgi.input": BytesIO(),
        frame.ASIDE: True,
    }


def _local(url: str) -> str:
    split = urlsplit(url)
    return f"{split.path}?{split.query}" if split.query else split.path


def best(forms: list[PageForm], action: str) -> PageForm | None:
    """The form that was sent: of those with its address the one that has most of its fields."""
    names = set(request.form)
    right = [form for form in forms if form.action == action and "v" in form.fields]
    return max(right, key=lambda form: len(names & set(form.fields)), default=None)


def differing(form: PageForm) -> Iterator[Difference]:
    """The fields whose values differ, in the order of the form; hidden ones only where they have a label."""
    touched = set(request.form.get("touched", "*").split())
    for field in form.fields.values():
        if field.name in OWN or not field.label:
            continue
        mine = tuple(map(_plain, request.form.getlist(field.name)))
        if not mine and field.kind in ("text", "hidden"):
            continue
        theirs = tuple(map(_plain, field.values))
        if mine != theirs:
            yield Difference(
                name=field.name,
                label=field.label,
                mine=mine,
                theirs=theirs,
                mine_text=_read(field, mine),
                theirs_text=_read(field, theirs),
                touched="*" in touched or field.name in touched,
            )


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def _read(field: PageField, values: tuple[str, ...]) -> str:
    """Values as people read them on the form."""
    if field.kind == "checkbox" and field.controls == 1:
        return "Ticked" if values else "Not ticked"
    texts: Mapping[str, str] = field.texts
    return ", ".join(texts.get(value, value) or EMPTY for value in values) or EMPTY
