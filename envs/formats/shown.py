"""What results show of an observation: pictures as base64 PNG, parts of the tree, and news in words."""

from __future__ import annotations

import base64
import io
import re
from typing import TYPE_CHECKING

from ...errors import UsageError
from ..actions import InvalidAction
from ..observation import Observation
from .view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_TEXT = 50_000
"""Characters of a page that one result shows, as `read_page` of Anthropic's browser tools is documented to do."""


def picture(observation: Observation, view: View) -> str:
    """The screenshot as base64 PNG, in the size that the model is sent."""
    return _png(_pixels(observation), view.size)


def part(observation: Observation, view: View, region: tuple[int, int, int, int]) -> str:
    """A region of the picture (left, top, right, bottom), enlarged to fill the picture's size as base64 PNG.

    Raises `InvalidAction` where the region is empty or lies outside the picture.
    """
    left, top, right, bottom = region
    if not (left < right and top < bottom):
        raise InvalidAction(f"the region {list(region)} is empty: it is [left, top, right, bottom]")
    x, y = view.point(left, top)
    to_x, to_y = view.point(right - 1, bottom - 1)
    pixels = _pixels(observation)[y : to_y + 1, x : to_x + 1]
    height, width = pixels.shape[:2]
    factor = min(view.size[0] / width, view.size[1] / height)
    return _png(pixels, (max(1, round(width * factor)), max(1, round(height * factor))))


def _pixels(observation: Observation) -> NDArray[np.uint8]:
    if observation.screenshot is None:
        raise UsageError('the result shows a picture: observe "screenshot" too, as `needs` says')
    return observation.screenshot


def _png(pixels: NDArray[np.uint8], size: tuple[int, int]) -> str:
    from PIL import Image

    image = Image.fromarray(pixels)
    if image.size != size:
        image = image.resize(size, Image.Resampling.LANCZOS)
    stream = io.BytesIO()
    image.save(stream, "PNG", compress_level=1)
    return base64.b64encode(stream.getvalue()).decode("ascii")


def news(observation: Observation, view: View) -> list[str]:
    """What a picture does not show: what an action gave to read, an open dialog, new downloads, the end of time."""
    lines = [observation.result] if observation.result else []
    if (dialog := observation.dialog) is not None:
        keys = "press Enter for OK" + ("" if dialog.kind == "alert" else " or Escape for Cancel")
        lines.append(f"A dialog of the browser is open ({dialog.kind}): {dialog.message!r}; {keys}.")
    fresh = [name for name in observation.downloads if name not in view.observation.downloads]
    lines += [f"Downloaded: {name}" for name in fresh]
    if not observation.settled:
        lines.append("The page is still busy.")
    return lines


def tree(text: str, ref: str | None = None, depth: int | None = None) -> str:
    """A tree, or the part of it that stands beneath an element, so many levels deep, at most `MAX_TEXT` characters.

    Raises `InvalidAction` where the tree shows no such element.
    """
    lines = text.splitlines()
    if ref is not None:
        lines = _beneath(lines, ref)
    if depth is not None:
        lines = [line for line in lines if _indent(line) // 2 < depth]
    return cut("\n".join(lines))


def cut(text: str) -> str:
    """A text, with a marker where it is longer than `MAX_TEXT`."""
    if len(text) <= MAX_TEXT:
        return text
    rest = len(text) - MAX_TEXT
    return f"{text[:MAX_TEXT]}\n… (cut: {rest:,} more characters; ask for a part by ref, or for less depth)"


def found(text: str, pattern: re.Pattern[str], around: int = 2) -> str:
    """The lines of a tree that a pattern matches, with their neighbours and the path above them."""
    lines = text.splitlines()
    hits = [number for number, line in enumerate(lines) if pattern.search(line)]
    shown = {near for hit in hits for near in range(max(0, hit - around), min(len(lines), hit + around + 1))}
    for hit in hits:
        shown |= _above(lines, hit)
    parts = [
        f"{lines[number]}" if number - 1 in shown or number == 0 else f"…\n{lines[number]}" for number in sorted(shown)
    ]
    return cut("\n".join(parts)) if hits else "Nothing matches."


def _above(lines: list[str], number: int) -> set[int]:
    path, level = set(), _indent(lines[number])
    for above in range(number - 1, -1, -1):
        if _indent(lines[above]) < level:
            path.add(above)
            level = _indent(lines[above])
    return path


def _beneath(lines: list[str], ref: str) -> list[str]:
    start = next((number for number, line in enumerate(lines) if f"[ref={ref}]" in line), None)
    if start is None:
        raise InvalidAction(f"the tree shows no {ref}")
    level = _indent(lines[start])
    end = next((n for n in range(start + 1, len(lines)) if _indent(lines[n]) <= level), len(lines))
    return [line[level:] for line in lines[start:end]]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
