"""Takes the tree and the picture of a tab, without touching the page."""

from __future__ import annotations

import asyncio
import base64
import io
import os
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from PIL import Image

from . import fold, sight, tree

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from playwright.async_api import CDPSession, Page


@cache
def _decoders(process: int) -> ThreadPoolExecutor:
    """Few threads, as each keeps memory of the pictures that went through it; a fork has none of those before it."""
    return ThreadPoolExecutor(2, "sitegym-pictures")


TREE_S = 20.0
"""Real time in which a page must give its tree."""


_REFERENCE = re.compile(r"\[ref=((?:f\d+)?e\d+)\]")


async def snapshot(page: Page, *, boxes: bool = False) -> str:
    """Playwright's accessibility snapshot of the whole page, frames and open shadow roots included."""
    if (found := await sight.tree(page, boxes=boxes)) is not None:
        return found
    return await page.aria_snapshot(mode="ai", timeout=TREE_S * 1000, boxes=boxes or None)


async def picture(session: CDPSession) -> NDArray[np.uint8]:
    """The viewport as uint8 height x width x 3, in a fresh array."""
    options: dict[str, Any] = {"format": "png", "optimizeForSpeed": True}  # lossless, but packed in half the time
    answer = await session.send("Page.captureScreenshot", options)
    return await asyncio.get_running_loop().run_in_executor(_decoders(os.getpid()), decode, answer["data"])


def decode(data: str) -> NDArray[np.uint8]:
    """Pixels of a base64-encoded PNG."""
    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        coloured = image if image.mode == "RGB" else image.convert("RGB")  # it would copy what is RGB already
        return cast("NDArray[np.uint8]", np.array(coloured, dtype=np.uint8))


def read(text: str, starts: dict[str, int]) -> tuple[tree.Node, tree.Node]:
    """The tree of a snapshot with entries of long lists left empty, and what is shown when these begin at `starts`.

    A list that has become shorter than where it was to begin is shown from its beginning.
    """
    window = tree.Window(fold.PAGE_SIZES, starts)
    whole = tree.parse(text, window)
    beyond = [node.ref for node in whole.walk() if node.ref in starts and not fold.reaches(node, starts[node.ref])]
    if beyond:
        for ref in beyond:
            del starts[ref]
        return read(text, starts)
    return whole, fold.simplify(fold.page(whole, starts))


def references(text: str) -> Mapping[str, None]:
    """All references of a snapshot, in the order of the page."""
    return dict.fromkeys(_REFERENCE.findall(text))


def limited(text: str, most: int = fold.MAX_CHARS, before: str = "", after: str = "") -> str:
    """A text cut after a whole line where it has more than `most` characters, with a last line that says so."""
    if len(text) <= most:
        return text
    end = max(text.rfind("\n", 0, most), 0) or most
    rest = text.count("\n", end) + (text[end] != "\n")
    words = f"(cut): {rest} more line{'s' * (rest != 1)}; filter or search, or read on in the tree with more"
    return f"{text[:end]}\n{before}{words}{after}"
