"""Pages for what went wrong: forbidden, not there, changed meanwhile, too large, broken; each says what to do next."""

from __future__ import annotations

import json

from flask import Response, g, request
from werkzeug.exceptions import RequestEntityTooLarge

from ...kit import csrf
from ...kit.rules import Forbidden, RuleError, Stale
from . import conflict as comparison
from . import frame

ABOUT = {
    400: ("exclamation-triangle", "This request was not understood", "Go back and try again."),
    403: ("lock", "You may not do this", "Your role does not include it. A manager or the owner can help."),
    404: ("signpost-split", "This page does not exist", "It may have been moved, or the address may be mistyped."),
    405: ("exclamation-triangle", "This address cannot be used like that", "Open it from its page instead."),
    409: ("people", "Somebody was faster", "The record changed after you opened it. Nothing was saved."),
    413: ("file-earmark-x", "This is too large", "Send less at once."),
    422: ("exclamation-triangle", "This is not possible", "Nothing was saved."),
    500: ("bug", "Something went wrong on our side", "Nothing was saved. Try again; if it stays, call support."),
}


def refusal(error: RuleError) -> Response:
    """The page for a `RuleError`; scripts get JSON."""
    if isinstance(error, Stale):
        return conflict(error)
    return answer(error.status, error.message, code=error.code, retry=not isinstance(error, Forbidden))


def failure(status: int) -> Response:
    """The page for an HTTP error."""
    known = status if status in ABOUT else (500 if status >= 500 else 400)
    return answer(status, ABOUT[known][2], code=f"HTTP_{status}", retry=status >= 500)


def answer(status: int, text: str, *, code: str, retry: bool) -> Response:
    """An error page inside the frame if somebody is signed in, else a bare one."""
    if "application/json" in request.headers.get("Accept", ""):
        return Response(f'{{"code": "{code}"}}', status, mimetype="application/json")
    icon_name, title, _ = ABOUT.get(status, ABOUT[500])
    template = "admin/error.html" if frame.signed_in() else "admin/error_bare.html"
    return frame.page(
        template,
        status=status,
        status_code=status,
        error_icon=icon_name,
        title=title,
        text=text,
        code=code,
        retry=retry,
        fields=kept_fields(),
        method=request.method,
        back=frame.local_path(here()) if request.method == "POST" else "",
    )


def conflict(error: Stale) -> Response:
    """The 409 page: who changed it and when, both values per field, and the ways on; scripts get JSON."""
    known = error.conflict
    if "application/json" in request.headers.get("Accept", ""):
        about = {"by": known.by, "at": known.at, "v": known.version} if known else {}
        return jsonify_409({"code": error.code, "message": error.message, **about})
    back = frame.local_path(request.form.get("back", "") or here())
    both = comparison.compare(back)
    return frame.page(
        "admin/conflict.html",
        status=409,
        error=error,
        conflict=known,
        both=both,
        sent=comparison.sent(),
        version=known.version if known else (both.version if both else ""),
        back=both.back if both else back,
        may_overwrite=g.actor is not None and g.actor.role in ("owner", "manager"),
    )


def jsonify_409(about: dict[str, object]) -> Response:
    """A conflict for scripts."""
    return Response(json.dumps(about, sort_keys=True), 409, mimetype="application/json")


def kept_fields() -> list[tuple[str, str]]:
    """What was sent, so that Retry can send it again without typing; nothing where it was too large to be read."""
    if request.method != "POST":
        return []
    try:
        sent = request.form
    except RequestEntityTooLarge:
        return []
    return [(name, value) for name, value in sent.items(multi=True) if name != csrf.FIELD]


def here() -> str:
    """The page a form was on: where the browser says it came from, if that was ours, else the path itself."""
    referrer = request.headers.get("Referer", "")
    prefix = f"http://{request.host}"
    return referrer.removeprefix(prefix) if referrer.startswith(f"{prefix}/") else request.path
