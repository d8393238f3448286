"""How many orders of each month are complete."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

from ...verifiers import Expectation, Finish, Snapshot
from ...verifiers.answers import Int, List, Month, Record
from ..page import Moves, click, finish, navigate, type_
from ..template import Kind, NearMiss, Params, interleaved
from .admin import AdminTemplate, grid_address
from .lists import count, filtered, long_month, month_ends, months_between

MOST_MONTHS = 5


@dataclass(frozen=True, kw_only=True)
class Months(Params):
    """The first month and the last."""

    first: str
    last: str

    def entities(self) -> tuple[str, ...]:
        """The months: there is nobody whom this task is about."""
        return (f"months:{self.first}..{self.last}",)


class OrdersPerMonth(AdminTemplate[Months]):
    """How many orders placed in each of several months are complete now, as a list from the first month to the last.

    Traps: orders in the last or first second of a month (T16). Also fails: all statuses, a month missing, another
    order of the months, an edge of a month counted on the wrong side.
    """

    id = "store.admin/orders-per-month"
    kind = Kind.RETRIEVE
    tags = ("P16", "P13", "T16")
    max_steps = 60

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Months]:
        """Every two to five months in a row that are over; those with an order on an edge first."""
        placed = [
            row.placed_at for row in db.query("SELECT placed_at FROM orders WHERE status = 'complete' ORDER BY id")
        ]
        months = months_between(min(placed)[:7], max(placed)[:7])[:-1]
        edges = {at[:7] for at in placed if at[11:] in ("23:59:59Z", "00:00:00Z")}
        every = [
            Months(first=months[start], last=months[start + length - 1])
            for length in range(2, MOST_MONTHS + 1)
            for start in range(len(months) - length + 1)
        ]
        trapped = [p for p in every if edges & set(months_between(p.first, p.last))]
        yield from interleaved(rng, trapped, [p for p in every if p not in trapped])

    def intents(self, p: Months) -> Sequence[str]:
        """The month is that of placing; complete is the status now."""
        first, last = long_month(p.first), long_month(p.last)
        how = (
            "An order belongs to the month in which it was placed, and counts if its status is Complete now. Answer"
            ' with a JSON array that has one object a month, the earliest month first: {"month": month as YYYY-MM,'
            ' "orders": number of orders}.'
        )
        return [
            f"How many completed orders do we have for each month from {first} to {last}? {how}",
            f"Give the number of completed orders per month, {first} to {last}, both months included. {how}",
            f"I need a table of completed orders by month, beginning with {first} and ending with {last}. {how}",
            f"Completed orders, month by month, {first} through {last}. {how}",
            f"For a chart I am drawing: how many completed orders were there in each month, beginning with {first} and"
            f" up to and including {last}? {how}",
        ]

    def expected(self, before: Snapshot, p: Months) -> Expectation:
        """Months and numbers."""
        return Expectation(answer=_answer(_counts(before, p)))

    def oracle(self, page: Any, p: Months) -> Moves:
        """Filter by the status and the first month, read how many there are, and go on month by month."""
        counts: dict[str, int] = {}
        for month in months_between(p.first, p.last):
            typed = tuple(zip(("Placed from", "Placed to"), month_ends(month), strict=True))
            if not counts:
                page = yield from filtered(page, "Orders", choices=[("Status", "Complete")], typed=typed)
            else:
                page = yield click(page.find("button", "Filters 2"))
                for name, day in typed:
                    page = yield type_(page.find("textbox", name), day)
                page = yield click(page.find("button", "Apply filters"))
            counts[month] = count(page)
        yield finish(str(_answer(counts)))

    def near_misses(self, before: Snapshot, p: Months) -> Iterator[NearMiss]:
        """Other statuses, other edges, other months."""
        right = _counts(before, p)
        said = {
            "of every status": _counts(before, p, where="1"),
            "canceled ones left out": _counts(before, p, where="status NOT IN ('canceled', 'fraud_review')"),
            "closed ones as well": _counts(before, p, where="status IN ('complete', 'closed')"),
            "months of another time zone": _counts(before, p, month="strftime('%Y-%m', placed_at, '-8 hours')"),
            "the last day of each month left out": _counts(before, p, where=f"{_COMPLETE} AND {_NOT_LAST}"),
            "the last month left out": dict(list(right.items())[:-1]),
            "one more in the first month": {**right, p.first: right[p.first] + 1},
            "of the months before": _moved(before, p),
            "the latest month first": dict(list(right.items())[::-1]),
        }
        for name, counts in said.items():
            if list(counts.items()) != list(right.items()):
                yield NearMiss(name, finish=Finish(str(_answer(counts))))

    def still_right(self, before: Snapshot, p: Months) -> Iterator[NearMiss]:
        """By filters in the address; the months in words."""
        yield NearMiss("by filters in the address", ui=lambda page: self._by_address(page, p))
        words = [{"month": long_month(month), "orders": number} for month, number in _counts(before, p).items()]
        yield NearMiss("months in words, numbers as numbers", finish=Finish(json.dumps(words)))

    def _by_address(self, page: Any, p: Months) -> Moves:
        counts: dict[str, int] = {}
        for month in months_between(p.first, p.last):
            between = "between:{}..{}".format(*month_ends(month))
            page = yield navigate(grid_address("orders", status="in:complete", placed_at=between))
            counts[month] = count(page)
        yield finish(str(_answer(counts)))


_COMPLETE = "status = 'complete'"
_NOT_LAST = "date(placed_at) <> date(placed_at, 'start of month', '+1 month', '-1 day')"


def _counts(
    before: Snapshot, p: Months, *, where: str = _COMPLETE, month: str = "substr(placed_at, 1, 7)"
) -> dict[str, int]:
    """Month to the number of orders."""
    rows = before.query(f"SELECT {month} AS month, count(*) AS n FROM orders WHERE {where} GROUP BY 1 ORDER BY 1")
    found = {row.month: row.n for row in rows}
    return {one: found.get(one, 0) for one in months_between(p.first, p.last)}


def _moved(before: Snapshot, p: Months) -> dict[str, int]:
    """The months asked for, each with the number of the month before it."""
    named = months_between(p.first, p.last)
    first = str(date.fromisoformat(f"{p.first}-01") - timedelta(days=1))[:7]
    return dict(zip(named, _counts(before, Months(first=first, last=named[-1])).values(), strict=False))


def _answer(counts: dict[str, int]) -> List:
    records = [Record({"month": Month(month), "orders": Int(number)}) for month, number in counts.items()]
    return List(records, ordered=True)
