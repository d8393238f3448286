"""The stage: a window of its own that shows an episode. It gets pictures and words, and reaches no page of the episode.

The episode runs in its own browser as in any sweep. What a person sees here (goal, steps, pointer, dialogs, verdict) is
drawn in another browser over the picture that the agent was given, so that nothing of it can be in a page's tree,
document or pictures.
"""

from __future__ import annotations

import asyncio
import base64
import io
import queue
from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from PIL import Image
from playwright.async_api import Error

from ..envs.host import BrowserHost
from ..errors import EnvironmentFault

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from playwright.async_api import BrowserContext, Page, Route

SIZE = (1696, 960)
"""Of the stage in pixels: an episode's picture of 1280 x 800 in it is shown pixel by pixel."""
ADDRESS = "http://sitegym.localhost/"
"""Answered from the package's files by the browser itself; nothing listens there."""
FLAGS = ("--test-type", "--no-first-run", f"--window-size={SIZE[0]},{SIZE[1] + 90}")
_SCRIPT = "text/javascript"
_FILES = {"stage.html": "text/html", "stage.css": "text/css", "stage.js": _SCRIPT, "person.js": _SCRIPT}


class Closed(Exception):
    """The person closed the window."""


class Stage:
    """The window. Every method may raise `Closed`; from then on there is nothing to show things on."""

    def __init__(self, *, headless: bool, doing: bool = False, seconds: float = 0.0) -> None:
        self.host = BrowserHost(headless, flags=FLAGS)
        self.gestures: queue.Queue[dict[str, Any]] = queue.Queue()
        """What the person did, oldest first; one of kind `closed` is the last."""
        self.closed = False
        try:
            self.page = self.host.run(self._open(headless))
            self._call("open", {"doing": doing, "seconds": seconds})
        except BaseException:
            self.host.close()
            raise

    async def _open(self, headless: bool) -> Page:
        context = await self._context(headless)
        await context.route(f"{ADDRESS}**", _answer)
        page = await context.new_page()
        page.on("close", lambda _: self._leave())
        self.host.browser.on("disconnected", lambda _: self._leave())
        await page.expose_function("sitegym", self.gestures.put)
        await page.goto(f"{ADDRESS}stage.html")
        return page

    async def _context(self, headless: bool) -> BrowserContext:
        if headless:
            return await self.host.browser.new_context(viewport={"width": SIZE[0], "height": SIZE[1]})
        return await self.host.browser.new_context(no_viewport=True)

    def begin(self, episode: Mapping[str, Any]) -> None:
        """An episode begins: what is asked of whom."""
        self._call("begin", episode)

    def show(self, page: Mapping[str, Any], picture: NDArray[np.uint8] | None) -> None:
        """What the episode's browser shows now."""
        self._call("page", {**page, "picture": None if picture is None else data_url(picture)})

    def settle(self) -> None:
        """Wait until what was given is on the screen: a film begun earlier would open on what was there before."""
        self._call("settle", None)

    def look(self) -> None:
        """Let people read the goal before the first step."""
        self._call("look", None)

    def intend(self, action: Mapping[str, Any]) -> None:
        """What is about to be done; ends when pointer and keys have shown it."""
        self._call("intend", action)

    def offer(self, choice: Mapping[str, Any]) -> None:
        """Let the person choose from a list or in a picker, at an element's place."""
        self._call("offer", choice)

    def verdict(self, end: Mapping[str, Any]) -> None:
        """How it ended."""
        self._call("verdict", end)

    def linger(self, seconds: float) -> None:
        """Let people read."""
        self._call("linger", seconds)

    def close(self) -> None:
        """Close the window and its browser; may be called twice."""
        self.closed = True
        self.host.close()

    def _leave(self) -> None:
        self.closed = True
        self.gestures.put({"kind": "closed"})

    def _call(self, name: str, given: object) -> None:
        if self.closed:
            raise Closed
        try:
            self.host.run(self.page.evaluate("([name, given]) => stage[name](given)", [name, given]))
        except (Error, EnvironmentFault):
            if self.closed or not self.host.works or self.page.is_closed():
                self.closed = True
                raise Closed from None
            raise


def data_url(picture: NDArray[np.uint8]) -> str:
    """A picture as an address that holds it: lossless, packed quickly."""
    packed = io.BytesIO()
    Image.fromarray(picture).save(packed, "PNG", compress_level=1)
    return f"data:image/png;base64,{base64.b64encode(packed.getvalue()).decode()}"


def static(name: str) -> str:
    """A file that is given to the browser."""
    return (files(__package__) / "static" / name).read_text("utf-8")


async def _answer(route: Route) -> None:
    """Give the browser a file of the package."""
    name = route.request.url.removeprefix(ADDRESS).partition("?")[0]
    if name in _FILES:
        await route.fulfill(content_type=f"{_FILES[name]}; charset=utf-8", body=await asyncio.to_thread(static, name))
    else:
        await route.fulfill(status=404, body="")
