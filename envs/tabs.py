"""The tabs of an episode: which there are, which one is active, and which page of the site each shows."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from playwright.async_api import Error

from ..errors import EnvironmentFault
from .arrivals import Arrivals
from .downloads import Downloads
from .host import forget
from .strays import Strays

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Frame, Page, Request, Response

    from .dialogs import Dialogs

CLOSE_S = 5.0
"""Real time in which a tab that an action closed must be gone."""

MOST_TABS = 32
"""Tabs that can be open at a time; what pages open beyond them is closed at once."""

VIEW_HEADER = "x-view"
"""Response header with the number under which the server recorded what it rendered."""


class Tabs:
    """All tabs of one browser context, in the order in which they were opened.

    A tab that a page opens becomes the active one, as in a browser; when the active tab closes, the one before it does.
    """

    def __init__(self, context: BrowserContext, dialogs: Dialogs) -> None:
        self.context = context
        self.pages: list[Page] = []
        self.titles: dict[Page, str] = {}
        self.views: dict[Page, int | None] = {}
        """The server's record of the document that each tab shows."""
        self.arrivals = Arrivals()
        self.downloads = Downloads()
        self.strays = Strays(context)
        """Addresses of no server that pages tried to open."""
        self.clip: dict[str, str] | None = None
        """What was copied last, as `text` and `html`; None where nothing was."""
        self.touched = False
        """Mouse or keyboard have done something during this action."""
        self.asked = False
        """A page asked for files during this action."""
        self.framed: set[Page] = set()
        """Tabs whose pages have ever had frames."""
        self.posted: set[Page] = set()
        """Tabs that have shown the answer to a form, which no address leads to."""
        self.immutable: set[str] = set()
        """Addresses of files that never change, which another context may load ahead."""
        self.shown = 0
        """Grows whenever a document is shown, or another address of one, in a tab or a frame."""
        self.fault: EnvironmentFault | None = None
        self._dialogs = dialogs
        self._active: Page | None = None
        self._sessions: dict[Page, CDPSession] = {}
        self._coming: dict[Page, int | None] = {}
        self._saving: set[Page] = set()
        context.on("page", self.add)
        context.on("requestfailed", self.arrivals.failed)

    @property
    def active(self) -> Page:
        """The tab that the agent looks at; raises `EnvironmentFault` where there is none."""
        if self.fault is not None:
            raise self.fault
        if self._active is None:
            raise EnvironmentFault("no tab is open", cause="no_tab")
        return self._active

    def is_front(self, frame: Frame) -> bool:
        """Whether `frame` is the main document of the active tab; raises the fault of a page that crashed."""
        if self.fault is not None:
            raise self.fault
        return self._active is not None and frame == self._active.main_frame

    async def keep_one(self) -> None:
        """Open a blank tab where a page has closed the last one, since an agent without any could do nothing more."""
        if not self.pages:
            self.own(await self.context.new_page())

    def switch(self, page: Page) -> None:
        """Make `page` the active tab."""
        self._active = page

    def frames(self) -> list[Frame]:
        """All documents of all tabs that can run: the active tab first, those with an open dialog left out."""
        pages = sorted(self.pages, key=lambda page: page is not self._active)
        return [frame for page in pages if not self._dialogs.on(page) for frame in page.frames]

    def begin(self) -> None:
        """An action begins."""
        self.arrivals.begin()
        self.touched = False

    def own(self, page: Page) -> None:
        """Take in a tab that the harness has opened."""
        self.add(page)
        self.arrivals.own(page)

    def add(self, page: Page) -> None:
        """Take in a tab that appeared."""
        if page in self.pages:
            return
        if len(self.pages) >= MOST_TABS:
            self.strays.crowded(page.url)
        if not page.url or len(self.pages) >= MOST_TABS:
            task = asyncio.ensure_future(self._shut(page))
            task.add_done_callback(forget)
            return
        self.pages.append(page)
        self.views[page] = None
        self._active = page
        self.arrivals.appear(page)
        page.on("close", self._remove)
        page.on("crash", self._crashed)
        page.on("dialog", self._dialogs.add)
        page.on("response", self._answered)
        page.on("requestfailed", lambda request: self._failed(page, request))
        page.on("framenavigated", self._navigated)
        page.on("frameattached", lambda frame: self.framed.add(frame.page))
        page.on("download", self.downloads.add)

    async def _shut(self, page: Page) -> None:
        """Close a tab that was opened for a download, as browsers do, or is one too many; it has then arrived."""
        await page.close()
        self.arrivals.shut()

    async def protocol(self, page: Page) -> CDPSession:
        """The DevTools session of a tab, opened once."""
        if page not in self._sessions:
            self._sessions[page] = await self.context.new_cdp_session(page)
        return self._sessions[page]

    def closing(self, page: Page) -> asyncio.Future[None]:
        """Done when `page` has closed."""
        closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        page.once("close", lambda _: None if closed.done() else closed.set_result(None))
        return closed

    async def closed(self, page: Page, error: Error) -> bool:
        """Whether an action broke off because it made its tab close, as pickers do at a choice."""
        if "has been closed" not in str(error):
            return False
        try:
            async with asyncio.timeout(CLOSE_S):
                if not page.is_closed():
                    await self.closing(page)
        except TimeoutError:
            return False
        return True

    def _remove(self, page: Page) -> None:
        if page not in self.pages:
            return
        index = self.pages.index(page)
        self.pages.remove(page)
        self.arrivals.land(page)
        self.framed.discard(page)
        self.posted.discard(page)
        self._dialogs.drop(page)
        if self._active is page:
            self._active = self.pages[max(0, index - 1)] if self.pages else None

    def _crashed(self, page: Page) -> None:
        self.fault = EnvironmentFault(f"the page {page.url} crashed", cause="page_crashed")

    def _answered(self, response: Response) -> None:
        """Remember the record of a document under way; `_navigated` says whether it is shown."""
        request = response.request
        if "immutable" in response.headers.get("cache-control", ""):
            self.immutable.add(response.url)
        if not request.is_navigation_request() or request.frame.parent_frame is not None:
            return
        if response.headers.get("content-disposition", "").lower().startswith("attachment"):
            self._saving.add(request.frame.page)
        else:
            self._saving.discard(request.frame.page)
        if request.method != "GET" and not 300 <= response.status < 400:
            self.posted.add(request.frame.page)
        view = response.headers.get(VIEW_HEADER, "")
        self._coming[request.frame.page] = int(view) if view.isdecimal() else None

    def _navigated(self, frame: Frame) -> None:
        """A document is shown; moves within one (hash, history.pushState) keep its record."""
        self.shown += 1
        if frame.parent_frame is None:
            self.arrivals.land(frame.page)
            # Have what a snapshot needs compiled now, while the document still waits for its files.
            task = asyncio.ensure_future(frame.query_selector("html"))
            task.add_done_callback(forget)
        elsewhere = self.strays.shown(frame)
        if frame.parent_frame is None and (elsewhere or frame.page in self._coming):
            self.views[frame.page] = self._coming.pop(frame.page, None)

    def _failed(self, page: Page, request: Request) -> None:
        """A navigation that came to nothing (a download, an empty answer, mail to somebody) leaves the document."""
        if not request.is_navigation_request() or request.frame.parent_frame is not None:
            return
        if page in self._coming or not request.url.startswith(("http:", "https:")):
            self._coming.pop(page, None)
            if page in self._saving:
                self._saving.remove(page)
                self.downloads.begun += 1
            task = asyncio.ensure_future(self._stay(request.frame))
            task.add_done_callback(forget)

    async def _stay(self, frame: Frame) -> None:
        await self.downloads.arrive()
        await frame.evaluate("() => globalThis.__sitegym?.stay()")
