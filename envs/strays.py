"""Addresses that a page tried to lead to and the browser did not open: files, the browser's own pages, made-up ones."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, ConsoleMessage, Frame, Request

KEPT = 50
"""Addresses that are remembered of one context for each thing that befell them."""
LONGEST = 300
"""Characters that are kept of an address."""

_BLOCKED = re.compile(
    r"(?:Not allowed to|Refused to) .*?((?:file|data|chrome|devtools|view-source|javascript|blob|https?|about):.*)",
    re.S,
)
"""How Chromium says in the console that it did not follow an address; so does our own script of new tabs."""
_SERVED = re.compile(r"(?:https?|about):|$")


class Strays:
    """What pages of one context tried to open beside pages of a server, oldest first; for the record alone."""

    def __init__(self, context: BrowserContext) -> None:
        self.found: list[str] = []
        self._kept: Counter[str] = Counter()
        context.on("console", self._said)
        context.on("requestfailed", self._failed)

    def shown(self, frame: Frame) -> bool:
        """Note a document that no server gave; whether it is one."""
        if _SERVED.match(frame.url):
            return False
        if frame.url.startswith("chrome-error:"):
            return True  # the world has noted what failed
        self._note(frame.url, "shown, but no page of a site")
        return True

    def crowded(self, url: str) -> None:
        """Note a tab that was closed at once, since there are too many."""
        self._note(url, "one tab too many, closed")

    def _said(self, message: ConsoleMessage) -> None:
        if message.type == "error" and (blocked := _BLOCKED.match(message.text)):
            self._note(blocked[1], "not opened by the browser")

    def _failed(self, request: Request) -> None:
        """A navigation to a program of the system (mailto: …), which there is none of here."""
        if request.is_navigation_request() and not re.match("https?:", request.url):
            self._note(request.url, "not opened by the browser")

    def _note(self, address: str, what: str) -> None:
        """Keep a line; many of one thing leave room for the others."""
        self._kept[what] += 1
        if self._kept[what] <= KEPT:
            cut = address if len(address) <= LONGEST else f"{address[:LONGEST]}… ({len(address):,} characters)"
            self.found.append(f"{cut}: {what}")
