"""A chart of sales, laid out by the server for SVG: bars for the span shown, a line for the one before, an axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..sales import Bucket

WIDTH, HEIGHT = 720, 260
LEFT, RIGHT, TOP, BOTTOM = 56, 8, 12, 28
LEAST_TOP = 100_00
"""The axis goes up to this many cents at least: a day without sales has an axis too."""
MOST_LABELS = 9


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One part of the span: its bar, the area that reacts to the pointer, and what is told about it."""

    x: float
    y: float
    width: float
    height: float
    left: float
    slot: float
    bucket: Bucket
    label: str
    """What stands below it; empty where there is no room."""


@dataclass(frozen=True, kw_only=True)
class Tick:
    """A line of the axis."""

    y: float
    cents: int


@dataclass(frozen=True, kw_only=True)
class Chart:
    """Everything that the template draws; coordinates in a box of `WIDTH` by `HEIGHT`."""

    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    line: str
    """Points of the line for the span before."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    floor: int = HEIGHT - BOTTOM


def draw(buckets: Sequence[Bucket], names: Sequence[str]) -> Chart:
    """The chart of these parts; `names` are what they are called on the axis."""
    step = nice_step(max([LEAST_TOP, *(b.now.total for b in buckets), *(b.before.total for b in buckets)]))
    highest = max([LEAST_TOP, *(b.now.total for b in buckets), *(b.before.total for b in buckets)])
    lines = -(-highest // step)
    room = HEIGHT - BOTTOM - TOP

    def y(cents: int) -> float:
        return round(HEIGHT - BOTTOM - room * cents / (lines * step), 1)

    slot = (WIDTH - LEFT - RIGHT) / len(buckets)
    width = min(44.0, max(2.0, slot * 0.68))
    every = -(-len(buckets) // MOST_LABELS)
    bars = tuple(
        Bar(
            x=round(LEFT + slot * at + (slot - width) / 2, 1),
            y=y(bucket.now.total),
            width=round(width, 1),
            height=round(HEIGHT - BOTTOM - y(bucket.now.total), 1),
            left=round(LEFT + slot * at, 1),
            slot=round(slot, 1),
            bucket=bucket,
            label=name if at % every == 0 else "",
        )
        for at, (bucket, name) in enumerate(zip(buckets, names, strict=True))
    )
    points = (f"{round(LEFT + slot * (at + 0.5), 1)},{y(bucket.before.total)}" for at, bucket in enumerate(buckets))
    ticks = tuple(Tick(y=y(step * n), cents=step * n) for n in range(lines + 1))
    return Chart(bars=bars, ticks=ticks, line=" ".join(points))


def nice_step(highest: int) -> int:
    """The distance of the lines, in cents: 1, 2 or 5 times a power of ten, so that there are two to five of them."""
    size = 100
    while True:
        for factor in (1, 2, 5):
            if highest <= 5 * factor * size:
                return factor * size
        size *= 10
