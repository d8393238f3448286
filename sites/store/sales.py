"""Sales as rule R15 counts them: by the day an order was placed, without canceled orders and fraud reviews."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from .models import Order

NO_SALE = ("canceled", "fraud_review")
"""States of orders that are no sales."""

SALE_STATES = ("pending", "processing", "on_hold", "complete", "closed")

MOST_DAYS, MOST_WEEKS = 62, 400
"""The longest spans, in days, that are shown by day and by week; longer ones are shown by month."""


@dataclass(frozen=True, kw_only=True)
class Span:
    """Days from `first` to `last`, both included, as `2026-02-01`."""

    first: str
    last: str

    @property
    def days(self) -> int:
        """How many days it has."""
        return (date.fromisoformat(self.last) - date.fromisoformat(self.first)).days + 1

    def before(self) -> Span:
        """The span of the same length that ends the day before."""
        last = date.fromisoformat(self.first) - timedelta(days=1)
        return Span(first=str(last - timedelta(days=self.days - 1)), last=str(last))

    def each_day(self) -> list[str]:
        """Its days."""
        first = date.fromisoformat(self.first)
        return [str(first + timedelta(days=n)) for n in range(self.days)]


@dataclass(frozen=True, kw_only=True)
class Sum:
    """Number of orders and their totals in cents."""

    orders: int = 0
    total: int = 0

    def __add__(self, other: Sum) -> Sum:
        return Sum(orders=self.orders + other.orders, total=self.total + other.total)

    @property
    def average(self) -> int:
        """The average total, in cents, half a cent up; 0 without orders."""
        return (2 * self.total + self.orders) // (2 * self.orders) if self.orders else 0


@dataclass(frozen=True, kw_only=True)
class Bucket:
    """A part of a span (a day, a week, a month) with its sales, and those of the part as far into the span before."""

    first: str
    last: str
    now: Sum
    before: Sum


DAY = func.substr(Order.placed_at, 1, 10)
BY_DAY = (
    select(DAY, func.count(), func.sum(Order.total))
    .where(Order.placed_at >= bindparam("start"), Order.placed_at < bindparam("end"), Order.status.not_in(NO_SALE))
    .group_by(DAY)
)
"""Put together once, not for each page: it costs more than asking."""


def by_day(db: Session, span: Span) -> dict[str, Sum]:
    """The sales of each day of a span that had any."""
    rows = db.execute(BY_DAY, {"start": f"{span.first}T", "end": f"{span.last}U"})
    return {name: Sum(orders=count, total=total) for name, count, total in rows}


def total(days: dict[str, Sum], span: Span) -> Sum:
    """The sales of a whole span."""
    return add(sales for name, sales in days.items() if span.first <= name <= span.last)


def add(parts: Iterable[Sum]) -> Sum:
    """Sales put together."""
    return sum(parts, Sum())


def buckets(days: dict[str, Sum], span: Span) -> list[Bucket]:
    """A span in parts that fit its length; the parts of the span before are those with the same place in it."""
    own, earlier = span.each_day(), span.before().each_day()
    starts = [at for at, name in enumerate(own) if at == 0 or _begins(name, span.days)]
    ends = [*starts[1:], len(own)]
    return [
        Bucket(
            first=own[start],
            last=own[end - 1],
            now=add(days.get(name, Sum()) for name in own[start:end]),
            before=add(days.get(name, Sum()) for name in earlier[start:end]),
        )
        for start, end in zip(starts, ends, strict=True)
    ]


def _begins(day: str, length: int) -> bool:
    """Whether a part begins on this day: every day, Mondays, or the first of a month."""
    if length <= MOST_DAYS:
        return True
    if length <= MOST_WEEKS:
        return date.fromisoformat(day).weekday() == 0
    return day.endswith("-01")
