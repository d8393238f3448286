"""The marks that brands put on their things: a simple sign and a colour per name."""

from __future__ import annotations

import hashlib

from .pen import ACCENTS, WHITE, Colour, Pen, mix


def mark(pen: Pen, brand: str, x: float, y: float, size: float = 7, *, label: bool = True) -> None:
    """Put a brand's sign on a thing, centred at a place; on a label of its own unless told otherwise."""
    digest = hashlib.sha256(brand.encode()).digest()
    colour = mix(ACCENTS[digest[0] % len(ACCENTS)], (30, 34, 38), 0.35)
    if label:
        pen.box(x - size * 0.8, y - size * 0.6, x + size * 0.8, y + size * 0.6, (250, 248, 243), r=size * 0.18)
        _sign(pen, digest[1] % 8, x, y, size * 0.38, colour)
    else:
        _sign(pen, digest[1] % 8, x, y, size * 0.45, WHITE if sum(pen.c.base) < 420 else colour)


def _sign(pen: Pen, which: int, x: float, y: float, r: float, colour: Colour) -> None:
    """One of eight signs within a radius."""
    if which == 0:
        pen.shape([(x - r, y + r * 0.8), (x, y - r), (x + r, y + r * 0.8)], colour)
    elif which == 1:
        pen.oval(x - r, y - r, x + r, y + r, colour)
    elif which == 2:
        pen.shape([(x, y - r), (x + r, y), (x, y + r), (x - r, y)], colour)
    elif which == 3:
        for k in (-0.7, 0.1, 0.9):
            pen.box(x - r, y + r * k - r * 0.25, x + r, y + r * k + r * 0.15, colour)
    elif which == 4:
        pen.line([(x - r, y + r * 0.5), (x - r * 0.3, y - r * 0.7), (x + r * 0.2, y + r * 0.2), (x + r, y - r * 0.8)],
                 colour, r * 0.5)  # fmt: skip
    elif which == 5:
        pen.box(x - r * 0.25, y - r, x + r * 0.25, y + r, colour)
        pen.box(x - r, y - r * 0.25, x + r, y + r * 0.25, colour)
    elif which == 6:
        pen.shape([(x, y - r), (x + r * 0.8, y - r * 0.1), (x, y + r), (x - r * 0.8, y - r * 0.1)], colour, smooth=True)
    else:
        pen.oval(x - r, y - r * 0.6, x + r * 0.2, y + r * 0.6, colour)
        pen.oval(x - r * 0.2, y - r * 0.6, x + r, y + r * 0.6, mix(colour, WHITE, 0.4))
