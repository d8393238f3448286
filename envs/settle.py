"""World time in the browser, and when a page is settled: nothing that the action began is still under way."""

from __future__ import annotations

import asyncio
import json
import math
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

from playwright.async_api import Error

from ..errors import EnvironmentFault
from . import sight

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from playwright.async_api import Frame

    from .tabs import Tabs

SPAN_MS = 500
"""World time that every action takes."""

CHAIN_MS = 3000
"""World time that timers begun by an action may take beyond the span (chains of debounces, delayed redirects)."""

HANG_S = 30.0
"""Real time after which a page that answers nothing at all is a fault."""

_PARTS = (
    "clock.js", "network.js", "events.js", "check.js", "lists.js", "aim.js", "still.js", "clipboard.js", "files.js",
    "branch.js",
)  # fmt: skip
_RELEASE = "() => globalThis.__sitegym ? globalThis.__sitegym.release() : false"
_SETTLE = "(args) => globalThis.__sitegym ? globalThis.__sitegym.settle(...args) : null"


@cache
def init_script() -> str:
    """The script that every document runs before its own: virtual time, counters, checks, no motion."""
    folder = files(__package__) / "static"
    parts = "\n".join((folder / part).read_text("utf-8") for part in _PARTS)
    share = 'if (window.__sitegym) return; const sg = {}; Object.defineProperty(window, "__sitegym", { value: sg });'
    return f"(() => {{ {share}\nconst WORD = {json.dumps(sight.WORD)};\n{parts}\n}})()"


@dataclass(frozen=True)
class State:
    """Where a document stands after a run; `due` and `chained` are world times of timers, or None.

    `opened` are the tabs that it asked for, `led` those of them that lead to a document of a server.
    """

    settled: bool = True
    opened: int = 0
    led: int = 0
    due: float | None = None
    chained: float | None = None
    title: str = ""
    stale: bool = False
    missed: dict[str, str] | None = None
    """Why the mouse did not reach what it was meant for, where that was asked: then nothing was run."""
    news: dict[str, Any] | None = None
    """What the harness must hand on: `clip` as in `Tabs.clip` or None, how many downloads have been begun (`saved`),
    whether the page asked for files (`asked`), and whether it is a PDF in the browser's viewer (`paper`)."""


@dataclass(frozen=True)
class Asking:
    """Whether the mouse did to the element `ref` of a document what it was to do (`how`, as in `Checker.aimed`)."""

    frame: Frame
    how: str
    ref: str


class PageClock:
    """The one time of a context: all its documents stand still, and are run together.

    `now` is in milliseconds since the epoch. Documents that load later begin at the time of the last `publish`.
    """

    def __init__(self, tabs: Tabs, now: int, seed: str) -> None:
        self.now = now
        self.mouse: tuple[float, float] | None = None
        """Where the mouse rests, in the viewport of the active tab."""
        self.stale = False
        """Something else lies under the mouse than the page was told."""
        self.missed: dict[str, str] | None = None
        """What the last run was told by the page that it was to ask: the mouse did not reach its element."""
        self._tabs = tabs
        self._seed = seed
        self._published: tuple[tuple[int, object], AbstractAsyncContextManager[Any]] | None = None
        self._since = now
        self._asking: Asking | None = None

    async def publish(self) -> None:
        """Let documents that load from now on begin at the present world time."""
        clip, now = self._tabs.clip, self.now
        if self._published is not None and self._published[0] == (now, clip):
            return
        old = self._published
        script = f"window.__sitegym.startAt({now}, {json.dumps(self._seed)})"
        if clip is not None:
            script += f"; window.__sitegym.clip = {json.dumps(clip)}"
        self._published = (now, clip), await self._tabs.context.add_init_script(script)
        if old is not None:
            await old[1].__aexit__(None, None, None)

    async def run(self, span: int, *, draw: bool = False, asking: Asking | None = None) -> bool:
        """Run every document for `span` ms, and on while short timers of this action are due; whether all came to rest.

        A navigation on the way is followed: its document is run as well. What is `asking` is asked before: where the
        mouse missed, `missed` says why, and no time passes.
        """
        self._since, self.missed, self._asking = self.now, None, asking
        target = limit = self.now + span
        while True:
            states, changed = await self._round(limit, draw)
            if self.missed is not None:
                return True
            settled = all(state.settled for state in states)
            last = max((state.chained for state in states if state.chained is not None), default=0.0)
            if settled and last > limit and limit < target + CHAIN_MS:
                limit = min(math.ceil(last), target + CHAIN_MS)
            elif not (changed and settled):
                break
        self.now = limit
        return settled and last <= limit

    async def release(self) -> None:
        """Hand over the server's events that came up since the last time, and let the pages take them in."""
        for frame in self._tabs.frames():
            try:
                async with asyncio.timeout(HANG_S):
                    await frame.evaluate(_RELEASE)
            except TimeoutError:
                raise EnvironmentFault(f"{frame.url} does not take its events", cause="page_hangs") from None
            except Error as error:
                if not (frame.page.is_closed() or frame.is_detached() or moved_on(error)):
                    raise
        await self.run(0)

    async def _round(self, limit: int, draw: bool) -> tuple[list[State], bool]:
        """One run of all documents to `limit`; also whether documents came or went meanwhile."""
        frames = self._tabs.frames()
        if len(frames) == 1:
            states = [await self._settle(frames[0], limit, draw)]
        else:
            states = await self._together(frames, limit, draw)
        known = [state for state in states if state is not None]
        self._tabs.arrivals.expect(sum(state.opened for state in known), sum(state.led for state in known))
        if not await self._tabs.arrivals.wait():
            known.append(State(settled=False))
        return known, len(known) < len(states) or set(self._tabs.frames()) != set(frames)

    async def _together(self, frames: list[Frame], limit: int, draw: bool) -> list[State | None]:
        """Several documents: whichever timer is due first runs first, wherever it is."""
        step = self.now
        opened: dict[Frame, int] = {}
        led: dict[Frame, int] = {}
        while True:
            states = [await self._settle(frame, step, draw) for frame in frames if self.missed is None]
            if self.missed is not None:
                return states
            for frame, state in zip(frames, states, strict=True):
                opened[frame] = opened.get(frame, 0) + (state.opened if state else 0)
                led[frame] = led.get(frame, 0) + (state.led if state else 0)
            if step >= limit:
                both = zip(frames, states, strict=True)
                return [state and replace(state, opened=opened[frame], led=led[frame]) for frame, state in both]
            due = [state.due for state in states if state is not None and state.due is not None]
            step = min([limit, *(max(math.ceil(at), step + 1) for at in due)])

    async def _settle(self, frame: Frame, limit: int, draw: bool) -> State | None:
        """Run one document; None where it went away meanwhile."""
        main = self._tabs.is_front(frame)
        how = None
        if self._asking is not None and self._asking.frame == frame:
            how, self._asking = self._asking.how, None
        try:
            async with asyncio.timeout(HANG_S):
                result = await frame.evaluate(
                    _SETTLE, [limit, self._since, draw and main, self.mouse if main else None, how]
                )
        except TimeoutError:
            raise EnvironmentFault(f"{frame.url} does not answer", cause="page_hangs") from None
        except Error as error:
            if frame.page.is_closed() or frame.is_detached() or moved_on(error):
                return None
            raise
        state = State(**cast("dict[str, Any]", result)) if result else State()
        if state.missed is not None:
            self.missed = state.missed
            return state
        if state.news is not None:
            await self._hand_on(frame, state.news)
        if main:
            self._tabs.titles[frame.page] = state.title
            self.stale = state.stale
        return state

    async def _hand_on(self, source: Frame, news: dict[str, Any]) -> None:
        """What a document copied is in the clipboard of all; what it downloads is waited for."""
        if news["clip"] is not None:
            self._tabs.clip = news["clip"]
            for frame in self._tabs.frames():
                if frame != source:
                    await _tell(frame, "clip => { if (window.__sitegym) window.__sitegym.clip = clip; }", news["clip"])
        self._tabs.asked = self._tabs.asked or news["asked"]
        if news["paper"]:
            self._tabs.downloads.show(source)
        self._tabs.downloads.begun += news["saved"]
        await self._tabs.downloads.arrive()


async def _tell(frame: Frame, script: str, given: object) -> None:
    """Run a script in a document, unless it has just gone away."""
    try:
        await frame.evaluate(script, given)
    except Error as error:
        if not (frame.page.is_closed() or frame.is_detached() or moved_on(error)):
            raise


def moved_on(error: Error) -> bool:
    """Whether an evaluation failed because its document was replaced meanwhile."""
    text = str(error)
    return any(sign in text for sign in ("context was destroyed", "Cannot find context", "navigat", "detached"))
