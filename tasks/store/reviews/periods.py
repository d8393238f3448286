"""Spans of days as people speak of them, each with its first and last day."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip


@dataclass(frozen=True)
class Period:
    """`words` completes "received …"; both days belong to it."""

    words: str
    first: str
    last: str


def periods(opened: date, today: date) -> Iterator[Period]:
    """Months, quarters, years, last days, weeks and half months from the opening of the shop until today."""
    for year, month in _months(opened, today):
        first = date(year, month, 1)
        yield _named(f"in {_MONTHS[month - 1]} {year}", first, min(_month_end(first), today))
    for year, month in _months(opened, today):
        if month % 3 == 1 and date(year, month, 1) >= opened:
            first = date(year, month, 1)
            last = _month_end(date(year, month + 2, 1))
            if last <= today:
                yield _named(f"in the {_ORDINAL[month // 3]} quarter of {year}", first, last)
    for days in (7, 10, 14, 21, 30, 45, 60, 90, 120, 180):
        first = today - timedelta(days - 1)
        if first >= opened:
            yield _named(f"in the last {days} days, today included", first, today)
    for year, month in _months(opened, today):
        middle = date(year, month, 15)
        end = _month_end(middle)
        if middle >= opened and end <= today:
            yield _spoken(date(year, month, 1), middle)
            yield _spoken(middle + timedelta(1), end)
    monday = opened + timedelta(-opened.weekday() % 7)
    while monday + timedelta(6) <= today:
        yield _spoken(monday, monday + timedelta(6))
        yield _spoken(monday, min(monday + timedelta(13), today))
        monday += timedelta(7)


_ORDINAL = ("first", "second", "third", "fourth")


def _months(opened: date, today: date) -> Iterator[tuple[int, int]]:
    year, month = opened.year, opened.month
    while (year, month) <= (today.year, today.month):
        yield year, month
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)


def _month_end(day: date) -> date:
    after = date(day.year + day.month // 12, day.month % 12 + 1, 1)
    return after - timedelta(1)


def _named(words: str, first: date, last: date) -> Period:
    return Period(f"{words} ({first} to {last}, both days included)", first.isoformat(), last.isoformat())


def _spoken(first: date, last: date) -> Period:
    return Period(f"from {_day(first)} to {_day(last)}, both days included", first.isoformat(), last.isoformat())


def _day(day: date) -> str:
    return f"{_MONTHS[day.month - 1]} {day.day}, {day.year}"
