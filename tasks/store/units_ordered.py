"""How many units were ordered with the most recent orders, of all times or of a month."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...verifiers import Expectation, Finish, Row, Snapshot
from ...verifiers.answers import Int
from ..page import Moves, back, click, finish, navigate
from ..template import Kind, NearMiss, Params, interleaved
from .admin import AdminTemplate, grid_address
from .lists import filtered, listed, long_month, month_ends

COUNTS = range(3, 10)


@dataclass(frozen=True, kw_only=True)
class Recent(Params):
    """How many orders, and of which month (empty: of all times)."""

    count: int
    month: str

    def entities(self) -> tuple[str, ...]:
        """The orders that count: there is nobody whom this task is about."""
        return (f"orders:{self.month or 'all'}:last-{self.count}",)


class UnitsOrdered(AdminTemplate[Recent]):
    """The number of units ordered with the last k orders, whatever their status, of all times or of one month.

    Traps: orders in the last or first second of a month (T16), lines of several units. Also fails: counting lines, an
    order more or fewer, leaving canceled ones out.
    """

    id = "store.admin/units-ordered"
    kind = Kind.RETRIEVE
    tags = ("P16", "P18", "P13", "P59", "T16")
    max_steps = 50

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Recent]:
        """Numbers of orders and months, each number of units once, never as many as there are lines."""
        months = [row.month for row in db.query("SELECT DISTINCT substr(placed_at, 1, 7) AS month FROM orders")]
        every = [Recent(count=count, month=month) for month in ("", *sorted(months)) for count in COUNTS]
        seen: set[int] = set()
        trapped: list[Recent] = []
        plain: list[Recent] = []
        for p in rng.sample(every, len(every)):
            orders = _last(db, p, p.count + 1)
            units, lines = _units(orders[: p.count]), sum(order.lines for order in orders[: p.count])
            tied = len(orders) > p.count and orders[-1].placed_at == orders[-2].placed_at
            if len(orders) < p.count or tied or units in seen or units == lines or self._told(units, p):
                continue
            seen.add(units)
            edge = any(order.placed_at[11:] in ("23:59:59Z", "00:00:00Z") for order in orders)
            (trapped if edge or any(order.status == "canceled" for order in orders[:-1]) else plain).append(p)
        yield from interleaved(rng, trapped, plain)

    def _told(self, units: int, p: Recent) -> bool:
        """Whether the number happens to stand in the goal."""
        return any(re.search(rf"\b{units}\b", goal) for goal in self.intents(p))

    def intents(self, p: Recent) -> Sequence[str]:
        """All statuses count; units, not lines."""
        last = f"the last {p.count} orders placed" + (f" in {long_month(p.month)}" if p.month else "")
        how = (
            "Orders of every status count, with the quantities that were ordered, whatever was canceled or returned"
            " since. Answer with a whole number in digits."
        )
        return [
            f"How many units were ordered in total with {last}? {how}",
            f"Take {last} and add up the quantities of all their lines. How many units were ordered? {how}",
            f"I need the number of units ordered in {last}, all lines together. {how}",
            f"Units ordered with {last}, in sum? {how}",
            f"The warehouse wants to know how much picking {last} made. Please count the units that were ordered with"
            f" them, over all their lines. {how}",
        ]

    def expected(self, before: Snapshot, p: Recent) -> Expectation:
        """The quantities ordered, added up."""
        return Expectation(answer=Int(_units(_last(before, p, p.count))))

    def oracle(self, page: Any, p: Recent) -> Moves:
        """List the orders newest first, of the month if one is given, and open one after the other."""
        if p.month:
            first, last = month_ends(p.month)
            page = yield from filtered(page, "Orders", typed=[("Placed from", first), ("Placed to", last)])
        else:
            page = yield click(page.find("link", "Orders", within=("navigation", "Main")))
        yield from self._read(page, p)

    def _read(self, page: Any, p: Recent) -> Moves:
        units = 0
        for number in [line["Order"] for line in listed(page, "Orders")[: p.count]]:
            page = yield click(page.find("link", number, within=("table", "Orders")))
            units += sum(int(line["Ordered"]) for line in listed(page, "Items"))
            page = yield back()
        yield finish(str(units))

    def near_misses(self, before: Snapshot, p: Recent) -> Iterator[NearMiss]:
        """Lines for units, other orders, only what was not canceled."""
        orders = _last(before, p, p.count)
        right = _units(orders)
        counts = {
            "lines": sum(order.lines for order in orders),
            "orders": p.count,
            "an order fewer": _units(orders[:-1]),
            "an order more": _units(_last(before, p, p.count + 1)),
            "canceled ones left out": _units([order for order in orders if order.status != "canceled"]),
            "canceled units taken off": right - sum(order.canceled for order in orders),
            "units shipped": sum(order.shipped for order in orders),
            "the oldest orders": _units(_last(before, p, p.count, end="ASC")),
            "of any month": _units(_last(before, Recent(count=p.count, month=""), p.count)),
        }
        for name, units in counts.items():
            if units != right:
                yield NearMiss(name, finish=Finish(str(units)))

    def still_right(self, before: Snapshot, p: Recent) -> Iterator[NearMiss]:
        """By the list's address; as a JSON number."""
        yield NearMiss("by the list's address", ui=lambda page: self._by_address(page, p))
        yield NearMiss("with blanks around it", finish=Finish(f"  {_units(_last(before, p, p.count))}\n"))

    def _by_address(self, page: Any, p: Recent) -> Moves:
        terms = {"placed_at": "between:{}..{}".format(*month_ends(p.month))} if p.month else {}
        page = yield navigate(grid_address("orders", **terms))
        yield from self._read(page, p)


def _last(before: Snapshot, p: Recent, count: int, end: str = "DESC") -> list[Row]:
    """The orders placed last (or, with `ASC`, first), each with its units and lines."""
    return before.query(
        "SELECT o.placed_at, o.status, count(*) AS lines, sum(i.qty_ordered) AS units, sum(i.qty_canceled) AS canceled,"
        " sum(i.qty_shipped) AS shipped FROM orders o JOIN order_items i ON i.order_id = o.id"
        " WHERE substr(o.placed_at, 1, :length) = :month"
        f" GROUP BY o.id ORDER BY o.placed_at {end}, o.id {end} LIMIT {count}",
        month=p.month,
        length=len(p.month),
    )


def _units(orders: Sequence[Row]) -> int:
    return sum(order.units for order in orders)
