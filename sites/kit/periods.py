"""Periods that people name: what "last month" is on a given day; the last N days include today."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, kw_only=True)
class Period:
    """A named span of days, both ends included, as `2026-02-01`."""

    code: str
    label: str
    first: str
    last: str


def periods(today: str) -> list[Period]:
    """The presets of a date range as they are on `today`."""
    day = date.fromisoformat(today)
    month = day.replace(day=1)
    before = month - timedelta(days=1)
    quarter = day.replace(month=3 * ((day.month - 1) // 3) + 1, day=1)
    quarter_end = quarter - timedelta(days=1)
    quarter_start = quarter_end.replace(month=quarter_end.month - 2, day=1)
    last_year = day.year - 1
    spans = [
        ("today", "Today", day, day),
        ("last_7_days", "Last 7 days", day - timedelta(days=6), day),
        ("last_30_days", "Last 30 days", day - timedelta(days=29), day),
        ("this_month", "This month", month, day),
        ("last_month", "Last month", before.replace(day=1), before),
        ("last_quarter", "Last quarter", quarter_start, quarter_end),
        ("last_year", "Last year", date(last_year, 1, 1), date(last_year, 12, 31)),
    ]
    return [Period(code=code, label=label, first=str(first), last=str(last)) for code, label, first, last in spans]
