"""Drawing in units of a hundredth of the picture: shapes with smooth edges, and the shades of one colour."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable, Sequence
from functools import lru_cache

from PIL import Image, ImageDraw

Point = tuple[float, float]
Colour = tuple[int, int, int]

WHITE, INK = (255, 255, 255), (38, 42, 46)
METAL, STEEL, IRON = (196, 201, 206), (150, 157, 164), (84, 90, 97)
WOOD, BARK, PAPER, RUBBER = (190, 146, 96), (142, 102, 62), (240, 233, 217), (52, 54, 58)
ACCENTS = (
    (217, 106, 59), (70, 130, 140), (222, 184, 84), (120, 92, 140), (88, 140, 96), (190, 78, 84), (66, 104, 160),
    (236, 226, 204),
)  # fmt: skip


def rgb(text: str) -> Colour:
    """`5b6b3a` as numbers."""
    return int(text[0:2], 16), int(text[2:4], 16), int(text[4:6], 16)


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """`share` of the other colour in the first."""
    return tuple(round(a + (b - a) * share) for a, b in zip(one, other, strict=True))  # type: ignore[return-value]


class Shades:
    """The colours that a thing of one colour is drawn with; seams of black things are lighter, not darker."""

    def __init__(self, base: Colour, accent: Colour) -> None:
        self.base, self.accent = base, accent
        dark = sum(base) < 200
        self.seam = mix(base, WHITE, 0.26) if dark else mix(base, (0, 0, 0), 0.3)
        self.shade = mix(base, WHITE, 0.1) if dark else mix(base, (0, 0, 0), 0.15)
        self.light = mix(base, WHITE, 0.18)
        self.pale = mix(base, WHITE, 0.5)
        self.soft = mix(base, (250, 246, 238), 0.72)


class Pen:
    """A picture while it is drawn; everything is `scale` times larger than it will be seen."""

    def __init__(self, side: int, ground: Colour, shades: Shades, bits: int) -> None:
        self.image = Image.new("RGB", (side, side), ground)
        self.on = ImageDraw.Draw(self.image)
        self.unit = side / 100
        self.c = shades
        self.bits = bits
        """Numbers drawn from the seed: small differences between things of one kind."""
        self.squeeze, self.mirror, self.dx, self.dy, self.zoom = 1.0, False, 0.0, 0.0, 1.0

    def pick(self, place: int, many: int) -> int:
        """One of `many` ways, the same for the same thing."""
        return (self.bits >> (4 * place)) % many

    def at(self, x: float, y: float) -> Point:
        """A place in pixels."""
        x = 50 + (x - 50) * self.squeeze * self.zoom * (-1 if self.mirror else 1) + self.dx
        return x * self.unit, (50 + (y - 50) * self.zoom + self.dy) * self.unit

    def shape(self, points: Sequence[Point], fill: Colour, *, smooth: bool = False) -> None:
        """A filled shape; smooth ones bend through their points."""
        line = curve(tuple(points), True) if smooth else points
        self.on.polygon([self.at(x, y) for x, y in line], fill=fill)

    def box(self, x0: float, y0: float, x1: float, y1: float, fill: Colour, r: float = 0) -> None:
        """A rectangle, with round corners where `r` says so."""
        (left, top), (right, bottom) = self.at(x0, y0), self.at(x1, y1)
        left, right = min(left, right), max(left, right)
        self.on.rounded_rectangle((left, top, right, bottom), radius=r * self.unit * self.zoom, fill=fill)

    def oval(self, x0: float, y0: float, x1: float, y1: float, fill: Colour) -> None:
        """An ellipse in a rectangle."""
        (left, top), (right, bottom) = self.at(x0, y0), self.at(x1, y1)
        self.on.ellipse((min(left, right), top, max(left, right), bottom), fill=fill)

    def line(self, points: Iterable[Point], fill: Colour, w: float = 1.2, *, smooth: bool = False) -> None:
        """A line of a width, with round joints and ends."""
        path = tuple(points)
        pixels = [self.at(x, y) for x, y in (curve(path, False) if smooth else path)]
        width = max(1, round(w * self.unit * self.zoom))
        self.on.line(pixels, fill=fill, width=width, joint="curve")
        half = width / 2
        for x, y in (pixels[0], pixels[-1]):
            self.on.ellipse((x - half, y - half, x + half, y + half), fill=fill)


@lru_cache(maxsize=1024)
def curve(points: tuple[Point, ...], closed: bool) -> list[Point]:
    """A smooth line through points (Catmull and Rom's), eight steps from one to the next."""
    count = len(points)
    found: list[Point] = []
    for i in range(count if closed else count - 1):
        p0, p1, p2, p3 = (
            points[(i + k) % count] if closed else points[min(max(i + k, 0), count - 1)] for k in (-1, 0, 1, 2)
        )
        for step in range(8):
            t = step / 8
            found.append((_between(p0[0], p1[0], p2[0], p3[0], t), _between(p0[1], p1[1], p2[1], p3[1], t)))
    return found if closed else [*found, points[-1]]


def _between(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t)


def livelier(colour: Colour) -> Colour:
    """A little more colour: swatches are flat, cloth in light is not."""
    hue, light, strength = colorsys.rgb_to_hls(*(part / 255 for part in colour))
    return tuple(round(part * 255) for part in colorsys.hls_to_rgb(hue, light, min(1, strength * 1.1)))  # type: ignore[return-value]
