"""The first page of an episode, read from the world's server as a signed-in person, without a browser."""

from __future__ import annotations

import http.client
import json
import re
from dataclasses import dataclass
from functools import cached_property
from html.parser import HTMLParser
from urllib.parse import urlsplit

from ..errors import EnvironmentFault
from ..sites.kit.views import View
from ..sites.world.client import World

_UNSEEN = {"script", "style", "template", "noscript", "title"}
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@/-]*")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class FirstPage:
    """What an agent is shown before it has done anything."""

    view: View
    text: str

    @cached_property
    def ids(self) -> str:
        """Every word on it that holds a digit, as a JSON array without repeats."""
        found = dict.fromkeys(word.strip("./-") for word in _ID.findall(self.text) if _DIGIT.search(word))
        return json.dumps(list(found))


def first_page(world: World, role: str, url: str) -> FirstPage:
    """Begin the world anew, sign in, and open `url`. Raises `EnvironmentFault` where no page comes."""
    world.reset()
    cookie, asked = world.sign_in(role), urlsplit(url)
    connection = http.client.HTTPConnection("127.0.0.1", world.port)
    headers = {"Host": asked.netloc, "Cookie": f"{cookie.name}={cookie.value}"}
    path = (asked.path or "/") + (f"?{asked.query}" if asked.query else "")
    try:
        # as a browser asks its proxy: a world elsewhere does not know which port of this machine leads to it
        connection.request("GET", f"http://{asked.netloc}{path}", headers=headers)
        answer = connection.getresponse()
        text, number = answer.read().decode(), answer.headers.get("X-View")
    finally:
        connection.close()
    if answer.status != 200 or number is None:
        raise EnvironmentFault(f"{url} answered with {answer.status} instead of a page", cause="first_page")
    reader = _Reader()
    reader.feed(text)
    return FirstPage(world.view(int(number)), " ".join(" ".join(reader.parts).split()))


class _Reader(HTMLParser):
    """Collects what a page says."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Texts of some elements are never seen."""
        self._hidden += tag in _UNSEEN

    def handle_endtag(self, tag: str) -> None:
        """And those after them are."""
        self._hidden -= tag in _UNSEEN and self._hidden > 0

    def handle_data(self, data: str) -> None:
        """Keep what is seen."""
        if not self._hidden:
            self.parts.append(data)
