"""An agent's browser session: a context with tabs, clock, hands and eyes; it knows no tasks and no grading."""

from __future__ import annotations

import asyncio
import html
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.async_api import Error

from ..errors import EnvironmentFault
from . import actions
from .check import Checker, Ledger, find
from .dialogs import DialogOpened, Dialogs
from .hands import Hands
from .keyboard import Keyboard
from .look import Eyes
from .observation import Dialog, Observation, Tab
from .pointer import Pointer
from .refusal import Refusal
from .settle import SPAN_MS, Asking, PageClock, init_script, moved_on
from .tabs import Tabs
from .travel import Travel
from .upload import Uploads

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, FilePayload, Page

    from .host import BrowserHost
    from .table import Action

ACT_S = 60.0
"""Real time after which an action that the page does not take is a fault: its script runs without end, say."""

_ANSWERS = ("accept_dialog", "dismiss_dialog")
_DRAWN = (
    "scroll", "scroll_to", "hover", "drag", "drag_by", "mouse_move", "mouse_down", "mouse_up", "mouse_drag",
    "mouse_scroll",
)  # fmt: skip
"""Actions whose effect reaches the picture only with the next frames."""


@dataclass
class Prepared:
    """A context with an empty tab, made ahead of the episode that will use it."""

    context: BrowserContext
    page: Page
    dialogs: Dialogs
    tabs: Tabs


async def prepare(
    host: BrowserHost, proxy: str, viewport: tuple[int, int], site: str | None = None, files: Collection[str] = ()
) -> Prepared:
    """Open a context that reaches nothing but the world at `proxy`.

    `site` is the address of the site that will be opened in it, `files` are addresses of files there that never change:
    both make the first page fast, and neither is a page of the site or touches what the world records.
    """
    context = await host.browser.new_context(
        viewport={"width": viewport[0], "height": viewport[1]},
        proxy={"server": proxy, "bypass": "<-loopback>"},
        locale="en-US",
        timezone_id="UTC",
        color_scheme="light",
        reduced_motion="reduce",
        service_workers="block",
    )
    dialogs = Dialogs()
    tabs = Tabs(context, dialogs)
    await context.add_init_script(init_script())
    page = await context.new_page()
    tabs.add(page)
    if site is not None:
        await _warm(page, site, files)
    await tabs.protocol(page)
    return Prepared(context, page, dialogs, tabs)


async def _warm(page: Page, address: str, files: Collection[str]) -> None:
    """Start the site's renderer, on a page that never reaches the server, and have it read the site's files.

    Style sheets and scripts are taken in as a page takes them in, so that they are parsed; nothing of them is run.
    """
    links = {".css": "stylesheet", ".js": "modulepreload"}
    kinds = ((file, links.get(Path(file).suffix)) for file in sorted(files))
    head = "".join(f'<link rel="{kind}" href="{html.escape(file)}">' for file, kind in kinds if kind)
    body = f"<!doctype html>{head}<p>ready"
    await page.route(address, lambda route: route.fulfill(content_type="text/html", body=body))
    await page.goto(address)
    await page.unroute(address)
    await page.evaluate("files => Promise.allSettled(files.map(f => fetch(f).then(r => r.arrayBuffer())))", [*files])


class Session:
    """Acts in a context and looks at it. World time in the browser moves only through `act`.

    `files` are offered for upload by name; `hosts` are all sites of the world, where the caller knows them.
    """

    def __init__(
        self,
        prepared: Prepared,
        *,
        now: int,
        seed: str,
        files: Mapping[str, FilePayload] | None = None,
        hosts: Collection[str] = (),
    ) -> None:
        self.context = prepared.context
        self.tabs = prepared.tabs
        self.dialogs = prepared.dialogs
        self.clock = PageClock(self.tabs, now, seed)
        self.ledger = Ledger()
        self.settled = True
        self.result = ""
        """What the last action gave to read."""
        self._checker = Checker(self.ledger)
        self._keyboard = Keyboard(self.tabs)
        self._pointer = Pointer(self.tabs, self.clock, self._keyboard)
        hands = Hands(self.tabs, self.clock, self._checker, self._pointer, self._keyboard)
        self._uploads = Uploads(self.tabs, self.clock, self._checker, self._pointer, files or {})
        travel = Travel(self.tabs, hosts)
        self._doers = (travel, hands, self._uploads, self._pointer, self._keyboard, self.tabs.downloads, self)
        self.eyes = Eyes(self.tabs, self.clock, self.ledger)
        self._looked: tuple[frozenset[str], int] | None = None
        """What was looked at ahead, and what was shown by then; the page stands still until something is done."""

    def offer(self, files: Mapping[str, FilePayload]) -> None:
        """Offer other files for upload."""
        self._uploads.files = files

    @property
    def held(self) -> tuple[str, ...]:
        """Keys and mouse buttons that are held down: `("Shift", "left mouse button")`."""
        return (*self._keyboard.held, *(f"{button} mouse button" for button in self._pointer.held))

    async def open(self, url: str) -> None:
        """Open the start page and let it settle."""
        await self.clock.publish()
        try:
            await self.dialogs.race(self._work(actions.navigate(url), SPAN_MS))
        except DialogOpened:
            pass  # the page greets with a dialog, which the agent answers
        except Refusal as refusal:
            raise EnvironmentFault(f"the start page does not open: {refusal}", cause="start_page") from None
        session = await self.tabs.protocol(self.tabs.active)
        await session.send("Page.resetNavigationHistory")  # back does not lead to before the episode

    async def act(self, action: Action) -> str:
        """Take one action and settle; the reason where the page refuses it, else an empty text."""
        self.result, self.tabs.asked, self._looked = "", False, None
        try:
            if action.name in _ANSWERS:
                await self._answer(action)
            elif self.dialogs.open is not None:
                return self._blocked()
            elif action.name == "more":
                self.eyes.more(str(action.args["ref"]), Refusal)
            else:
                await self.dialogs.race(self._work(action, _span(action), action.name in _DRAWN))
        except Refusal as refusal:
            return str(refusal)
        except DialogOpened:
            self.settled = True
        if self.tabs.asked and action.name != "upload":
            return "the page asked for files in a window of the system, which is closed; use upload(ref, files) instead"
        return ""

    async def _work(self, action: Action, span: int, draw: bool = False) -> None:
        self.tabs.begin()
        self._checker.taken.clear()
        self._checker.asking = None
        page = self.tabs.active
        try:
            async with asyncio.timeout(ACT_S):
                await self._do(action)
        except TimeoutError:
            raise EnvironmentFault(f"{page.url} does not take {action.name}", cause="page_hangs") from None
        except Error as error:
            if not await self.tabs.closed(page, error):
                raise
        except Refusal as refusal:
            if refusal.touched or self.tabs.touched:
                await self._settle(0, draw=True)
            raise
        await self._settle(span, draw, self._checker.asking)

    async def _settle(self, span: int, draw: bool = False, asking: Asking | None = None) -> None:
        """Run world time; raises `Refusal`, once the page has come to rest, where the mouse missed its element."""
        self.settled = await self.clock.run(span, draw=draw, asking=asking)
        if asking is not None and self.clock.missed is not None:
            refusal = self._checker.missed(asking.ref, self.clock.missed)
            await self._settle(0, draw=True)
            raise refusal
        await self.tabs.keep_one()
        if self.clock.stale and self.clock.mouse is not None:
            # Something else lies under the mouse now; the browser would notice at some moment of real time.
            await self.tabs.active.mouse.move(*self.clock.mouse)
            self.settled = await self.clock.run(0, draw=True) and self.settled

    async def release(self) -> bool:
        """Let the pages have what the server has to tell them; False where an open dialog keeps them from listening."""
        self._looked = None
        if self.dialogs.open is not None:
            return False
        try:
            await self.dialogs.race(self.clock.release())
        except DialogOpened:
            self.settled = True
        return True

    async def _do(self, action: Action) -> None:
        if action.name == "wait":
            return
        await self._pointer.carry()
        await self._keyboard.carry()
        doer = next(doer for doer in self._doers if hasattr(doer, action.name))
        self.result = await getattr(doer, action.name)(**action.args) or ""

    async def read_clipboard(self) -> str:
        """What was copied last."""
        text = self.tabs.clip["text"] if self.tabs.clip is not None else ""
        if not text:
            raise Refusal("the clipboard is empty: nothing was copied yet")
        return text

    async def _answer(self, action: Action) -> None:
        if self.dialogs.open is None:
            raise Refusal("no dialog is open")
        text = action.args.get("text")
        if text is not None and self.dialogs.open.type != "prompt":
            raise Refusal(f"this is no prompt but {_article(self.dialogs.open.type)}, which takes no text")
        await self.dialogs.answer(action.name == "accept_dialog", str(text) if text is not None else None)
        if not await self.dialogs.resume():
            await self.dialogs.race(self._settle(SPAN_MS))

    def _blocked(self) -> str:
        dialog = self.dialogs.open
        assert dialog is not None
        words = "" if dialog.type == "beforeunload" else f' ("{dialog.message}")'  # browsers show words of their own
        what = f"{_article(dialog.type)} is open{words}"
        return f"{what}: answer it with accept_dialog() or dismiss_dialog() first"

    async def observe(self, kinds: Sequence[str]) -> Observation:
        """Look at the active tab. While a dialog is open, this is the last look before it, marked as stale."""
        looked, self._looked = self._looked, None
        stale = self.dialogs.open is not None
        if not stale and looked != (frozenset(kinds), self.tabs.shown):
            try:
                await self.dialogs.race(self._look_again(kinds))
            except DialogOpened:
                self.dialogs.abandon()
                stale = True
        return self._observation(kinds, stale)

    async def look_ahead(self, kinds: Sequence[str]) -> None:
        """Look now at what `observe` will be asked for next; it looks again where anything happens in between."""
        if kinds and not (await self.observe(kinds)).stale:
            self._looked = frozenset(kinds), self.tabs.shown

    async def _look_again(self, kinds: Sequence[str]) -> None:
        """Look, and once more where the page moved on by itself meanwhile (a redirect by its markup, say)."""
        try:
            await self.eyes.look(kinds)
        except Error as error:
            if not moved_on(error):
                raise
            await self._settle(0)
            await self.eyes.look(kinds)

    def _observation(self, kinds: Sequence[str], stale: bool) -> Observation:
        dialog, active = self.dialogs.open, self.tabs.active
        return Observation(
            tabs=tuple(Tab(self.tabs.titles.get(p, ""), p.url, p is active) for p in self.tabs.pages),
            dialog=Dialog(dialog.type, dialog.message, dialog.default_value) if dialog is not None else None,
            settled=self.settled,
            stale=stale,
            downloads=self.tabs.downloads.names,
            result=self.result,
            held=self.held,
            **self.eyes.seen(kinds, stale=stale),
        )

    async def box(self, ref: str) -> tuple[float, float, float, float] | None:
        """Where an element stands in the viewport; None where it is not there or a dialog is open."""
        if self.dialogs.open is not None:
            return None
        handle = await find(self.tabs.active, ref)
        box = await handle.bounding_box() if handle is not None else None
        return (box["x"], box["y"], box["width"], box["height"]) if box is not None else None

    async def close(self) -> None:
        """Close the context with all its tabs."""
        await self.context.close()


def _span(action: Action) -> int:
    """World time that an action takes."""
    return int(str(action.args["ms"])) if action.name == "wait" else SPAN_MS


def _article(kind: str) -> str:
    name = {
        "beforeunload": '"leave this page?" dialog',
        "alert": "alert",
        "confirm": "confirm dialog",
        "prompt": "prompt",
    }[kind]
    return ("an " if name[0] in "aeiou" else "a ") + name
