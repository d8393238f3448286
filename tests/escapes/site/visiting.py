"""A visitor who speaks HTTP by itself: more than an agent can do, so what it can't do no agent can."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from sitegym.sites.world import World

FREE = frozenset({"text", "search", "email", "tel", "url", "hidden", "password", "textarea", "number", "date", ""})
"""Kinds of fields into which anything can be sent."""
OURS = frozenset({"csrf", "v", "password", "new_password", "current_password"})
"""Fields that say where a form comes from, or who one is: attacked in tests of their own."""


@dataclass(frozen=True)
class Answer:
    """What came back over HTTP."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass
class Form:
    """A form of a page: where it goes, and its fields with what they hold."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)

    @property
    def free(self) -> list[str]:
        """Names of fields that take any text."""
        return [name for name, kind in self.kinds.items() if kind in FREE and name not in OURS]

    @property
    def sort(self) -> str:
        """Forms of one sort differ in the record that they are about."""
        return f"{self.method} {pattern(self.action)} {' '.join(sorted(map(pattern, self.kinds)))}"


def pattern(path: str) -> str:
    """A path without the numbers in it, and without the values of its query; all grids are alike."""
    parts = urlsplit(re.sub(r"^/grids/[a-z-]+/(?=views|columns)", "/grids/NAME/", path))
    names = "&".join(sorted(set(re.findall(r"([a-z_]+)=", parts.query))))
    return re.sub(r"\d+", "N", parts.path) + (f"?{names}" if names else "")


class Page(HTMLParser):
    """What a page holds: forms, links, and elements that nobody has put there."""

    def __init__(self, path: str, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.path, self.forms, self.links, self.strange = path, [], [], []  # type: ignore[var-annotated]
        self._by_id: dict[str, Form] = {}
        self._later: list[tuple[str, str, str, str]] = []
        self._form: Form | None = None
        self._area: tuple[str, str] | None = None
        self._select: tuple[str, str] | None = None
        self.feed(text)
        for id, name, kind, value in self._later:
            if id in self._by_id:
                self._put(self._by_id[id], name, kind, value)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in an element."""
        told = {name: value or "" for name, value in attrs}
        if tag.startswith("esc-") or any(name.startswith("esc") for name in told):
            self.strange.append(self.get_starttag_text())
        if tag == "a" and "href" in told:
            self.links.append(urljoin(self.path, told["href"]))
        elif tag == "form":
            self._form = Form(urljoin(self.path, told.get("action", "")), told.get("method", "get").lower())
            self.forms.append(self._form)
            self._by_id[told.get("id", "")] = self._form
        elif tag == "input" and told.get("name"):
            kind = told.get("type", "text")
            if kind not in ("checkbox", "radio") or "checked" in told:
                self._field(told, kind, told.get("value", ""))
        elif tag == "textarea" and told.get("name"):
            self._area = (told["name"], "")
            self._field(told, "textarea", "")
        elif tag == "select" and told.get("name"):
            self._select = (told["name"], told.get("form", ""))
            self._field(told, "select", "")
        elif tag == "option" and self._select and (form := self._of(self._select[1])):
            name = self._select[0]
            if "selected" in told or not form.fields.get(name):
                form.fields[name] = told.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        if tag == "form":
            self._form = None
        elif tag == "textarea":
            self._area = None
        elif tag == "select":
            self._select = None

    def handle_data(self, data: str) -> None:
        """What a text area holds."""
        if self._area and self._form:
            self._form.fields[self._area[0]] = self._form.fields.get(self._area[0], "") + data.removeprefix("\n")

    def _of(self, id: str) -> Form | None:
        return self._by_id.get(id) if id else self._form

    def _field(self, told: Mapping[str, str], kind: str, value: str) -> None:
        form = self._of(told.get("form", ""))
        if form is not None:
            self._put(form, told["name"], kind, value)
        elif told.get("form"):
            self._later.append((told["form"], told["name"], kind, value))

    def _put(self, form: Form, name: str, kind: str, value: str) -> None:
        form.fields.setdefault(name, value)
        form.kinds.setdefault(name, kind)


class Visitor:
    """Somebody who asks a world over one connection, with cookies."""

    def __init__(self, world: World, host: str, role: str | None = None) -> None:
        self.host = host
        self.cookies: dict[str, str] = {}
        if role:
            cookie = world.sign_in(role)
            self.cookies[cookie.name] = cookie.value
        self._connection = http.client.HTTPConnection("127.0.0.1", world.port, timeout=60)

    def ask(self, method: str, path: str, fields: Any = None, **headers: str) -> Answer:
        """One request; redirects are not followed."""
        body = urlencode(fields, doseq=True) if isinstance(fields, Mapping) else fields
        given = {"Host": self.host, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if isinstance(fields, Mapping):
            given["Content-Type"] = "application/x-www-form-urlencoded"
        if self.cookies:
            given.setdefault("Cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        url = path if "://" in path else f"http://{self.host}{path}"
        self._connection.request(method, url, body, given)
        response = self._connection.getresponse()
        text = response.read().decode("utf-8", "replace")
        for line in response.headers.get_all("Set-Cookie") or []:
            name, _, rest = line.partition("=")
            self.cookies[name] = rest.partition(";")[0].strip('"')
        return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, text)

    def get(self, path: str, **headers: str) -> Answer:
        """Open a page, and follow where it leads to within the site."""
        answer = self.ask("GET", path, **headers)
        for _ in range(3):
            to = answer.headers.get("location")
            if to is None:
                break
            answer = self.ask("GET", to.removeprefix(f"http://{self.host}"), **headers)
        return answer

    def page(self, path: str) -> tuple[Answer, Page]:
        """Open a page and read it."""
        answer = self.get(path)
        return answer, Page(path, answer.text)

    def walk(self, start: str = "/", most: int = 400) -> Iterator[tuple[str, Answer, Page]]:
        """One page of each sort that links lead to, in the order in which they are found."""
        known, queue = {pattern(start)}, [start]
        while queue and most:
            path, most = queue.pop(0), most - 1
            answer, page = self.page(path)
            if "text/html" not in answer.headers.get("content-type", ""):
                continue
            yield path, answer, page
            for link in page.links:
                to = link.removeprefix(f"http://{self.host}").partition("#")[0]
                if to.startswith("/") and pattern(to) not in known:
                    known.add(pattern(to))
                    queue.append(to)

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    def __enter__(self) -> Visitor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
