"""Instants as seconds and as text, and when people work."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from random import Random

from .plan import DAY, START


def text(instant: int) -> str:
    """`2026-03-18T10:00:00Z`."""
    day, rest = divmod(instant, DAY)
    return f"{date(day * DAY)}T{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}Z"


@lru_cache(maxsize=4096)
def _date(day: int) -> str:
    return datetime.fromtimestamp(day * DAY, UTC).strftime("%Y-%m-%d")


def date(instant: int) -> str:
    """`2026-03-18`."""
    return _date(instant // DAY)


def seconds(written: str) -> int:
    """The instant of a text; for a date the start of the day."""
    instant = written if "T" in written else f"{written}T00:00:00Z"
    return int(datetime.fromisoformat(instant.replace("Z", "+00:00")).timestamp())


def weekday(instant: int) -> int:
    """0 is Monday."""
    return (instant // DAY + 3) % 7


def later(rng: Random, after: int, low_h: float, high_h: float) -> int:
    """An instant so many hours later, moved into working hours (weekdays 7:30 to 18:30 or Saturday morning).

    Where that would be after the start of the world, some point before it.
    """
    instant = after + int(rng.uniform(low_h, high_h) * 3600)
    while not _working(instant):
        opens = instant // DAY * DAY + 27_000
        instant = opens + (DAY if instant >= opens else 0) + rng.randrange(30_000)
    return instant if instant < START - 60 else _squeezed(rng, after, _working)


def anytime(rng: Random, after: int, low_h: float, high_h: float) -> int:
    """An instant so many hours later, at any hour; squeezed before the start of the world where needed."""
    instant = after + int(rng.uniform(low_h, high_h) * 3600)
    return instant if instant < START - 60 else _squeezed(rng, after, _awake)


def by_day(rng: Random, after: int, low_h: float, high_h: float) -> int:
    """An instant so many hours later at which couriers are about, 8:00 to 20:00 on any day."""
    instant = after + int(rng.uniform(low_h, high_h) * 3600)
    while not _awake(instant):
        instant += rng.randrange(1800, 18_000)
    return instant if instant < START - 60 else _squeezed(rng, after, _awake)


def _squeezed(rng: Random, after: int, fits: Callable[[int], bool]) -> int:
    """A point between an instant and the start of the world, at an hour that fits if one is found."""
    points = [after + max(1, int((START - after) * rng.uniform(0.1, 0.9))) for _ in range(16)]
    return next((point for point in points if fits(point)), points[0])


def _awake(instant: int) -> bool:
    """Whether it is day."""
    return 28_800 <= instant % DAY < 72_000


def _working(instant: int) -> bool:
    """Whether somebody is in the office."""
    day, rest = weekday(instant), instant % DAY
    return 27_000 <= rest < 66_600 if day < 5 else day == 5 and 28_800 <= rest < 45_000
