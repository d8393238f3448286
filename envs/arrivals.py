"""Waits for the tabs that pages open during an action, and for the documents that these lead to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from playwright.async_api import Error

if TYPE_CHECKING:
    from playwright.async_api import Page, Request

ARRIVE_S = 5.0
"""Real time in which a tab that a page opened must appear."""

LAND_S = 20.0
"""Real time in which it must show the document that it leads to."""


class Arrivals:
    """The tabs of one action: how many its pages have opened, and what has come of them."""

    def __init__(self) -> None:
        self._opened = self._appeared = 0
        self._led = self._landed = 0
        self._blank: set[Page] = set()
        """Tabs that have appeared, and still are the blank ones that all begin as."""
        self._news = asyncio.Event()

    def begin(self) -> None:
        """An action begins; what pages open from now on is expected to appear, however soon it does."""
        self._opened = self._appeared = 0
        self._led = self._landed = 0
        self._blank.clear()

    def expect(self, opened: int, led: int) -> None:
        """Pages have opened so many tabs, `led` of which lead to a document of a server."""
        self._opened += opened
        self._led += led

    def appear(self, page: Page) -> None:
        """A tab is there."""
        self._appeared += 1
        self._blank.add(page)
        if page.url != "about:blank":
            self.land(page)
        self._news.set()

    def shut(self) -> None:
        """A tab was closed at once: no more will come of it."""
        self._appeared += 1
        self._landed += 1
        self._news.set()

    def land(self, page: Page) -> None:
        """A tab shows a document, or never will."""
        if page in self._blank:
            self._blank.remove(page)
            self._landed += 1
            self._news.set()

    def own(self, page: Page) -> None:
        """The harness has opened this tab: no page says where it leads to."""
        self._opened += 1
        self._blank.discard(page)

    def failed(self, request: Request) -> None:
        """Something was not loaded: the document of a new tab, perhaps."""
        if not request.is_navigation_request():
            return
        try:
            frame = request.frame
        except Error:  # the tab has not appeared yet
            self._landed += 1
            self._news.set()
            return
        if frame.parent_frame is None:
            self.land(frame.page)

    async def wait(self) -> bool:
        """Wait until the tabs have appeared, with their documents; false where they do not, and are given up."""
        return await self._until(lambda: self._appeared >= self._opened, ARRIVE_S) and await self._until(
            lambda: self._landed >= self._led or not self._blank, LAND_S
        )

    async def _until(self, there: Callable[[], bool], limit: float) -> bool:
        try:
            async with asyncio.timeout(limit):
                while not there():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            self._opened, self._led = self._appeared, self._landed
            return False
        return True
