"""Set-of-marks pictures: a frame and a number around each element, drawn on a copy of the picture, never in the page.

Source of the idea: Yang et al., "Set-of-Mark Prompting Unleashes Extraordinary Visual Grounding in GPT-4V" (2023).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

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


def draw(pixels: NDArray[np.uint8], boxes: Mapping[str, Box]) -> NDArray[np.uint8]:
    """A copy of `pixels` (height x width x 3) with a mark around each box: x, y, width, height by reference."""
    image = Image.fromarray(pixels, "RGB") if not len(boxes) else Image.fromarray(pixels.copy(), "RGB")
    canvas, font = ImageDraw.Draw(image), ImageFont.load_default(FONT_PX)
    ordered = sorted(boxes.items(), key=lambda item: (item[1][1], item[1][0], *_number(item[0])))
    corners = np.array([_corners(box) for _, box in ordered], dtype=np.float64).reshape(-1, 4)
    colors = [COLORS[_number(ref)[1] % len(COLORS)] for ref, _ in ordered]
    for box, color in zip(corners, colors, strict=True):
        canvas.rectangle(
            [*box[:2], box[2] - 1, box[3] - 1], outline=color, width=1 if min(box[2:] - box[:2]) < 12 else 2
        )
    places = _Places(pixels, corners)
    for (ref, _), box, color in zip(ordered, corners, colors, strict=True):
        width, height = round(font.getlength(ref)) + 2 * _PAD, FONT_PX + 2 * _PAD
        x, y = places.best(box, width, height)
        canvas.rectangle([x, y, x + width - 1, y + height - 1], fill=color)
        canvas.text((x + _PAD, y + height / 2), ref, fill="white", font=font, anchor="lm")
    return cast("NDArray[np.uint8]", np.asarray(image, dtype=np.uint8).copy())


def _number(ref: str) -> tuple[int, int]:
    """Document and number of a reference."""
    document, _, number = ref.rpartition("e")
    return int(re.sub(r"\D", "", document) or 0), int(number)


def _corners(box: Box) -> tuple[int, int, int, int]:
    x, y, width, height = box
    return round(x), round(y), max(round(x + width), round(x) + 2), max(round(y + height), round(y) + 2)


class _Places:
    """Finds each label a place beside its element: over nothing that is written there, no label and no element."""

    def __init__(self, pixels: NDArray[np.uint8], boxes: NDArray[np.float64]) -> None:
        self._grey = pixels.mean(axis=2)
        self._boxes = boxes
        self._labels = np.zeros((0, 4))

    def best(self, box: NDArray[np.float64], width: int, height: int) -> tuple[int, int]:
        """The upper left corner of the label of `box`."""
        tried = [
            (self._cost(x, y, width, height) + 0.01 * rank, x, y)
            for rank, (x, y) in enumerate(_around(box, width, height))
        ]
        bottom, right = self._grey.shape
        inside = [one for one in tried if 0 <= one[1] <= right - width and 0 <= one[2] <= bottom - height]
        if inside:
            _, x, y = min(inside)
        else:
            x, y = int(min(max(box[0], 0), right - width)), int(min(max(box[1], 0), bottom - height))
        self._labels = np.vstack([self._labels, [x, y, x + width, y + height]])
        return x, y

    def _cost(self, x: int, y: int, width: int, height: int) -> float:
        label = np.array([x, y, x + width, y + height])
        area = width * height
        over = 4.0 * _overlap(label, self._labels) + 0.6 * _overlap(label, self._boxes)
        under = self._grey[max(y, 0) : y + height, max(x, 0) : x + width]
        written = np.mean(np.abs(under - np.median(under)) > _CONTRAST) if under.size else 0.0
        return float(over / area + 3.0 * written)


def _around(box: NDArray[np.float64], width: int, height: int) -> Iterator[tuple[int, int]]:
    """Where a label may stand, the best looking first."""
    left, top, right, bottom = (int(side) for side in box)
    middle = (top + bottom - height) // 2
    yield from ((left, top - height), (left - width, top), (right - width, top - height), (right, top))
    yield from ((right - width, top), (left, top), (left - width, middle), (right, middle))
    yield from ((left, bottom), (right - width, bottom), (right - width, middle), (right - width, bottom - height))
    yield from ((left, bottom - height), (left, middle), (left - width, bottom - height), (right, bottom - height))


def _overlap(label: NDArray[np.float64], others: NDArray[np.float64]) -> float:
    """Pixels that a label shares with other rectangles, in sum."""
    if not len(others):
        return 0.0
    across = np.minimum(label[2], others[:, 2]) - np.maximum(label[0], others[:, 0])
    down = np.minimum(label[3], others[:, 3]) - np.maximum(label[1], others[:, 1])
    return float((np.clip(across, 0, None) * np.clip(down, 0, None)).sum())
