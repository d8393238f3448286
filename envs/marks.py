"""Set-of-marks pictures: a frame and a number around each element, drawn on a copy of the picture, never in the page.

Source of the idea: Yang et al., "Set-of-Mark Prompting Unleashes Extraordinary Visual Grounding in GPT-4V" (2023).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .observation import Box

COLORS = ("#b3261e", "#0b57d0", "#146c2e", "#8e24aa", "#a14a00", "#00687a", "#5d4037", "#c2185b")
"""Dark enough for white letters (contrast of at least 4.5 : 1, WCAG 2.2 criterion 1.4.3)."""

FONT_PX = 11
_PAD = 2
_CONTRAST = 40
"""A pixel differs from what is behind it by this much (of 255) where something is written there."""
_LINE_PX = 16
"""An upright edge of this length is no letter but a line, or where one area ends and another begins."""
_WRITTEN, _LABEL, _BOX, _RANK = 30.0, 20.0, 0.6, 0.01
"""What speaks against a place, by pixel: that something is written there, another label, an element, a worse look."""


@dataclass(frozen=True)
class Mark:
    """A frame around an element and the label beside it; both left, top, right, bottom in pixels."""

    ref: str
    frame: tuple[int, int, int, int]
    label: tuple[int, int, int, int]

    @property
    def color(self) -> str:
        """A colour that the neighbours have not."""
        return COLORS[_number(self.ref)[1] % len(COLORS)]


def draw(pixels: NDArray[np.uint8], boxes: Mapping[str, Box]) -> NDArray[np.uint8]:
    """A copy of `pixels` (height x width x 3) with a mark around each box: x, y, width, height by reference."""
    image = Image.fromarray(pixels.copy())
    canvas, font = ImageDraw.Draw(image), ImageFont.load_default(FONT_PX)
    marks = layout(pixels, boxes)
    for mark in marks:
        left, top, right, bottom = mark.frame
        canvas.rectangle((left, top, right - 1, bottom - 1), outline=mark.color, width=2)
    for mark in marks:
        left, top, right, bottom = mark.label
        canvas.rectangle((left, top, right - 1, bottom - 1), fill=mark.color)
        canvas.text((left + _PAD, (top + bottom) / 2), mark.ref, fill="white", font=font, anchor="lm")
    return np.array(image, dtype=np.uint8)


def layout(pixels: NDArray[np.uint8], boxes: Mapping[str, Box]) -> list[Mark]:
    """Where frames and labels stand, from top to bottom."""
    font = ImageFont.load_default(FONT_PX)
    ordered = sorted(boxes.items(), key=lambda item: (item[1][1], item[1][0], *_number(item[0])))
    frames = [_frame(box) for _, box in ordered]
    places = _Places(pixels, np.array(frames, dtype=np.float64).reshape(-1, 4))
    height = FONT_PX + 2 * _PAD
    return [
        Mark(ref, frame, places.best(frame, round(font.getlength(ref)) + 2 * _PAD, height))
        for (ref, _), frame in zip(ordered, frames, strict=True)
    ]


def _number(ref: str) -> tuple[int, int]:
    """Document and number of a reference."""
    document, _, number = ref.rpartition("e")
    return int(re.sub(r"\D", "", document) or 0), int(number)


def _frame(box: Box) -> tuple[int, int, int, int]:
    """A frame just around a box, so that it covers nothing of the element."""
    x, y, width, height = box
    return round(x) - 2, round(y) - 2, round(x + width) + 2, round(y + height) + 2


class _Places:
    """Finds each label a place beside its element: over nothing that is written there, no label and no element."""

    def __init__(self, pixels: NDArray[np.uint8], boxes: NDArray[np.float64]) -> None:
        self._height, self._width = pixels.shape[:2]
        self._edges = _edges(pixels[:, :, 1].astype(np.int16))
        self._boxes = boxes
        self._labels = np.zeros((len(boxes), 4))
        self._placed = 0

    def best(self, box: tuple[int, int, int, int], width: int, height: int) -> tuple[int, int, int, int]:
        """The place of the label of `box`."""
        tried = self._within(_around(box, width, height))
        label = tried[int(np.argmin(self._costs(tried) / (width * height) + _RANK * np.arange(len(tried))))]
        self._labels[self._placed] = label
        self._placed += 1
        return int(label[0]), int(label[1]), int(label[2]), int(label[3])

    def _within(self, tried: NDArray[np.float64]) -> NDArray[np.float64]:
        """The places, moved into the picture where they reach over its edge."""
        over = np.maximum(tried[:, 2:] - (self._width, self._height), 0)
        moved = tried - np.tile(over, 2)
        inside: NDArray[np.float64] = moved - np.tile(np.minimum(moved[:, :2], 0), 2)
        return inside

    def _costs(self, tried: NDArray[np.float64]) -> NDArray[np.float64]:
        """What speaks against each place, in pixels."""
        places = tried.astype(int).tolist()
        written = np.array([np.count_nonzero(self._edges[y:to_y, x:to_x]) for x, y, to_x, to_y in places])
        labels, boxes = _overlaps(tried, self._labels[: self._placed]), _overlaps(tried, self._boxes)
        costs: NDArray[np.float64] = _WRITTEN * written + _LABEL * labels + _BOX * boxes
        return costs


def _edges(grey: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Which pixels differ much from the one before, as those of letters do; long upright lines are left out."""
    edges: NDArray[np.bool_] = np.abs(np.diff(grey, axis=1)) > _CONTRAST
    if len(edges) < _LINE_PX:
        return edges
    starts = len(edges) - _LINE_PX + 1
    lines = np.logical_and.reduce([edges[down : down + starts] for down in range(_LINE_PX)])
    letters = edges.copy()
    for down in range(_LINE_PX):
        letters[down : down + starts] &= ~lines
    return letters


def _around(box: tuple[int, int, int, int], width: int, height: int) -> NDArray[np.float64]:
    """Where a label may stand (left, top, right, bottom), the best looking first."""
    left, top, right, bottom = box
    middle = (top + bottom - height) // 2
    corners = [
        (left, top - height), (left - width, top), (right - width, top - height), (right, top), (right - width, top),
        (left, top), (left - width, middle), (right, middle), (left, bottom), (right - width, bottom),
        (right - width, middle), (right - width, bottom - height), (left, bottom - height), (left, middle),
        (left - width, bottom - height), (right, bottom - height), (left + width // 2, top - height),
        (left + width // 2, bottom), (right, top - height), (left - width, top - height), (right, bottom),
        (left - width, bottom),
    ]  # fmt: skip
    return np.array([(x, y, x + width, y + height) for x, y in corners], dtype=np.float64)


def _overlaps(tried: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pixels that each place shares with other rectangles, in sum."""
    across = np.minimum(tried[:, None, 2], others[None, :, 2]) - np.maximum(tried[:, None, 0], others[None, :, 0])
    down = np.minimum(tried[:, None, 3], others[None, :, 3]) - np.maximum(tried[:, None, 1], others[None, :, 1])
    shared: NDArray[np.float64] = (np.clip(across, 0, None) * np.clip(down, 0, None)).sum(axis=1)
    return shared
