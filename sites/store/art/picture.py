"""One picture: which figure, in which colour, with whose mark, seen how; drawn large and made small."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw

SIZES = (48, 96, 320, 800)
"""Sides of the square pictures, in pixels."""


@lru_cache(maxsize=2048)
def draw(figure: str, colour: str, brand: str, seed: str, view: int, size: int) -> bytes:
    """The PNG of a product."""
    image = Image.new("RGB", (size, size), "#f4f1ea")
    ImageDraw.Draw(image).ellipse((size // 6, size // 6, size * 5 // 6, size * 5 // 6), fill=f"#{colour}")
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
