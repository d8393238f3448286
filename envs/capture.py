"""Takes the tree and the picture of a tab, without touching the page."""

from __future__ import annotations

import asyncio
import base64
import io
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from PIL import Image

from . import fold, tree

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from playwright.async_api import CDPSession, Page

TREE_S = 20.0
"""Real time in which a page must give its tree."""


async def snapshot(page: Page) -> str:
    """Playwright's accessibility snapshot of the whole page, frames and open shadow roots included."""
    return await page.aria_snapshot(mode="ai", timeout=TREE_S * 1000)


async def picture(session: CDPSession) -> NDArray[np.uint8]:
    """The viewport as uint8 height x width x 3, in a fresh array."""
    options: dict[str, Any] = {"format": "png", "optimizeForSpeed": True}  # lossless, but packed in half the time
    answer = await session.send("Page.captureScreenshot", options)
    return await asyncio.to_thread(decode, answer["data"])


def decode(data: str) -> NDArray[np.uint8]:
    """Pixels of a base64-encoded PNG."""
    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        return cast("NDArray[np.uint8]", np.array(image.convert("RGB"), dtype=np.uint8))


def read(text: str, starts: dict[str, int]) -> tuple[tree.Node, tree.Node]:
    """The whole tree of a snapshot, and what of it is shown when its long lists begin at `starts`."""
    whole = fold.simplify(tree.parse(text))
    return whole, fold.page(whole, starts)
