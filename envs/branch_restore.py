"""Brings a fresh session to a kept state the fast way: pages loaded anew at their own time, fields filled, scroll set.

History is made of empty pages at the right addresses; each current document is then really loaded at the world time at
which it was loaded first, gets its fields, and time goes on until now. Whether that gave the state is for the caller to
compare: nothing here is taken on trust.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from playwright.async_api import Error

from . import branch_refs
from .branch_state import twin, without_pictures
from .dialogs import DialogOpened
from .settle import SPAN_MS
from .travel import LOAD_S

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Page, Route

    from .branch_state import SessionState, TabState
    from .session import Session

FAST_S = 20.0
"""Real time after which the fast way is given up."""

_MOST_FRAMES = 200
_BLANK = "about:blank"
_CALL = "([name, kept]) => globalThis.__sitegym[name](kept)"
_STORE = "([name, entries]) => { for (const [key, value] of entries) window[name].setItem(key, value); }"
_FRAMES = """count => {
  for (let i = 0; i < count; i += 1) document.documentElement.append(document.createElement("iframe"));
}"""


class Unreachable(Exception):
    """The fast way does not lead there; the message says why."""


class Rebuild:
    """One restoration of `state` in `session`, whose clock stands at the time of its first document.

    `tell(ms)` sets the time of the world, which only goes forward.
    """

    def __init__(self, session: Session, state: SessionState, tell: Callable[[int], Awaitable[None]]) -> None:
        self._session = session
        self._state = state
        self._tell = tell
        self._documents: dict[Page, int] = {}
        """Numbers of documents that Playwright has given out in each tab."""

    async def run(self) -> None:
        """Bring the session there. Raises `Unreachable` where something is in the way."""
        try:
            async with asyncio.timeout(FAST_S):
                await self._session.dialogs.race(self._all())
        except DialogOpened:
            raise Unreachable("a dialog opened") from None
        except TimeoutError:
            raise Unreachable("it took too long") from None
        except Error as error:
            raise Unreachable(error.message.splitlines()[0]) from None

    async def _all(self) -> None:
        session, state = self._session, self._state
        if state.cookies:
            now = time.time()
            cookies: Any = [_dated(cookie, now) for cookie in state.cookies]
            await session.context.add_cookies(cookies)
        pages = [session.tabs.active]
        for number, tab in enumerate(state.tabs):
            if number:
                pages.append(await session.context.new_page())
                session.tabs.own(pages[-1])
            await self._pave(pages[number], tab, {} if number else state.storage)
        for number in sorted(range(len(pages)), key=lambda each: state.tabs[each].page["origin"]):
            await self._load(pages[number], state.tabs[number])
        await self._until(state.now)
        session.tabs.switch(pages[state.active])
        if len(pages) > 1:
            await pages[state.active].bring_to_front()
        session.clock.mouse = state.mouse
        for page, tab in zip(pages, state.tabs, strict=True):
            if tab.page["mouse"] is not None:
                await page.mouse.move(*tab.page["mouse"])
        await self._run(0, draw=True)
        await self._finish(pages)

    async def _finish(self, pages: list[Page]) -> None:
        session, state = self._session, self._state
        for page, tab in zip(pages, state.tabs, strict=True):
            await page.evaluate(_CALL, ["place", dict(tab.page)])
            if not await branch_refs.write(await session.tabs.protocol(page), tab.numbers):
                raise Unreachable("the elements of a page are others")
            session.tabs.views[page] = tab.view
        session.tabs.framed.clear()  # those that stood in for documents
        session.settled, session.result = state.settled, state.result
        assert state.memory is not None
        assert state.ledger is not None
        session.eyes.memory = without_pictures(state.memory)
        for name, value in vars(twin(state.ledger)).items():
            setattr(session.ledger, name, value)  # the session's hands know it too

    # ---- history

    async def _pave(self, page: Page, tab: TabState, storage: Mapping[str, Mapping[str, str]]) -> None:
        """Storage and history of a tab, all but the document that it shows, on empty pages that no server sees."""
        self._documents[page] = 0
        before = tab.entries[: tab.index]
        ahead = tab.entries[tab.index + 1 :]
        own = _origin(tab.page["url"])
        if tab.document == 0:  # only what a new tab opens first has no number
            if {*before, page.url} != {_BLANK} or ahead or storage or tab.page["storage"]:
                raise Unreachable("the tab's first document cannot be made again")
            return
        history = [*before, tab.entries[tab.index], *ahead] if ahead else before
        passed = {_origin(url) for url in (page.url, *history)}
        wanted = [*storage, *([own] if tab.page["storage"] or passed == {_origin(_BLANK)} else [])]
        extra = [f"{origin}/" for origin in dict.fromkeys(wanted) if origin not in passed]
        await self._store(page, tab, storage)
        if extra or history:
            async with _unserved(page):
                for place, url in enumerate([*extra, *history]):
                    await self._visit(page, url)
                    await self._store(page, tab, storage)
                    if place == len(extra):
                        await self._begin_history(page)
        missing = tab.document - 1 - self._documents[page]
        if not 0 <= missing <= _MOST_FRAMES:
            raise Unreachable("the tab has shown fewer documents than its history has")
        if missing:
            await page.evaluate(_FRAMES, missing)  # Playwright numbers them as it does documents

    async def _store(self, page: Page, tab: TabState, storage: Mapping[str, Mapping[str, str]]) -> None:
        """Fill the storage of the site that a tab is at."""
        here = _origin(page.url)
        if entries := storage.get(here):
            await page.evaluate(_STORE, ["localStorage", list(entries.items())])
        if tab.page["storage"] and here == _origin(tab.page["url"]):
            await page.evaluate(_STORE, ["sessionStorage", tab.page["storage"]])

    async def _begin_history(self, page: Page) -> None:
        """Let the history of a tab begin with what it shows."""
        await self._history(page, "Page.resetNavigationHistory")

    async def _history(self, page: Page, method: str) -> dict[str, Any]:
        """Ask the browser about a tab's history, once its renderer has changed places with the one before."""
        protocol = await self._session.tabs.protocol(page)
        while True:
            try:
                return await protocol.send(method)
            except Error as error:
                if "active page" not in error.message:
                    raise
                await page.evaluate("0")

    async def _visit(self, page: Page, url: str) -> None:
        self._documents[page] += page.url != _BLANK
        await page.goto(url, wait_until="commit", timeout=LOAD_S * 1000)
        await self._committed(page, url)

    async def _committed(self, page: Page, url: str) -> None:
        """Wait until the browser knows what the page knows already: a navigation that comes before is taken for one
        from the document before, and replaces an entry where both have one address."""
        while True:
            history = await self._history(page, "Page.getNavigationHistory")
            if history["entries"][history["currentIndex"]]["url"] == url:
                return
            await page.evaluate("0")

    # ---- documents

    async def _load(self, page: Page, tab: TabState) -> None:
        """Load what the tab shows, at the world time of its first load, and fill it."""
        session, origin = self._session, int(tab.page["origin"])
        await self._until(origin)
        await self._tell(origin)
        await session.clock.publish()
        session.tabs.switch(page)
        back = len(tab.entries) - 1 - tab.index
        if back:
            async with page.expect_navigation(wait_until="commit", timeout=LOAD_S * 1000):
                await page.evaluate("back => history.go(-back)", back)
        else:
            referrer = tab.page["referrer"] or None
            await page.goto(tab.page["url"], wait_until="commit", referer=referrer, timeout=LOAD_S * 1000)
        if len(tab.entries) == 1:
            await self._begin_history(page)
        await self._run(min(SPAN_MS, self._state.now - origin))
        await page.evaluate(_CALL, ["refill", dict(tab.page)])

    async def _until(self, now: int) -> None:
        if now > self._session.clock.now:
            await self._run(now - self._session.clock.now)

    async def _run(self, span: int, *, draw: bool = False) -> None:
        if not await self._session.clock.run(span, draw=draw) and self._state.settled:
            raise Unreachable("a page stayed busy")


@asynccontextmanager
async def _unserved(page: Page) -> AsyncIterator[None]:
    """Inside, every address of a tab is an empty page, and nothing reaches the server."""

    async def blank(route: Route) -> None:
        await route.fulfill(content_type="text/html", body="<!doctype html>")

    await page.route("**/*", blank)
    try:
        yield
    finally:
        await page.unroute("**/*", blank)


def _dated(cookie: Mapping[str, Any], now: float) -> dict[str, Any]:
    expires = float(cookie["expires"])
    return {**cookie, "expires": expires if expires < 0 else now + expires}


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
