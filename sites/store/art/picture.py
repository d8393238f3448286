"""One picture: which figure, in which colour, with whose mark, seen how; drawn large and made small."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from io import BytesIO

from PIL import Image

from . import camp, things, wear
from .marks import mark
from .pen import ACCENTS, Colour, Pen, Shades, livelier, mix, rgb

SIZES = (48, 96, 320)
"""Sides of the square pictures, in pixels."""

FIGURES = {**wear.FIGURES, **camp.FIGURES, **things.FIGURES}
MARKS = {**wear.MARKS, **camp.MARKS, **things.MARKS}
GROUNDS: tuple[Colour, ...] = ((244, 241, 234), (238, 242, 243), (241, 243, 236), (245, 239, 236), (240, 239, 244))


@lru_cache(maxsize=2048)
def draw(figure: str, colour: str, brand: str, seed: str, view: int, size: int) -> bytes:
    """The PNG of a product: a figure of `FIGURES`, its colour as `5b6b3a`, the brand whose mark it bears.

    `seed` (any text) decides on details, so that two things of one kind and colour differ. `view` 1 is the front, 2
    from the side, 3 in use. `size` is the side in pixels.
    """
    bits = int.from_bytes(hashlib.sha256(f"art:{seed}".encode()).digest()[:8], "big")
    ground = GROUNDS[(bits >> 40) % len(GROUNDS)]
    accent = ACCENTS[(bits >> 44) % len(ACCENTS)]
    base = livelier(rgb(colour))
    if _near(base, accent):
        accent = (240, 232, 214) if sum(base) < 420 else (58, 64, 70)
    times = 4 if size < 100 else 2
    pen = Pen(size * times, ground, Shades(base, accent), bits)
    _stage(pen, view, ground)
    FIGURES.get(figure, things.parcel)(pen)
    mark(pen, brand, *MARKS.get(figure, MARKS["parcel"]))
    out = BytesIO()
    pen.image.resize((size, size), Image.Resampling.BOX).save(out, "PNG", compress_level=4)
    return out.getvalue()


def _stage(pen: Pen, view: int, ground: Colour) -> None:
    """What stands behind and below the thing, and from where it is seen."""
    if view == 3:
        _outdoors(pen)
        pen.zoom, pen.dy = 0.72, 7
    elif view == 2:
        pen.squeeze, pen.mirror, pen.zoom = 0.78, True, 0.86
    else:
        pen.zoom = 0.86
    if view != 3:
        pen.oval(14, 82, 86, 94, mix(ground, (60, 56, 50), 0.12))


def _outdoors(pen: Pen) -> None:
    """A quiet landscape: sky, two rows of hills, a meadow."""
    pen.box(0, 0, 100, 64, (221, 232, 236))
    pen.shape([(0, 50), (18, 30), (34, 46), (56, 24), (78, 46), (100, 32), (100, 70), (0, 70)], (188, 204, 206))
    pen.shape([(0, 62), (30, 48), (60, 60), (100, 46), (100, 80), (0, 80)], (164, 186, 160))
    pen.box(0, 70, 100, 100, (190, 202, 160))


def _near(one: Colour, other: Colour) -> bool:
    """Whether two colours are hardly told apart."""
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) < 110
