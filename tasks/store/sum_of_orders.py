"""What the last orders of a status come to together, or how far two such sums are apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...sites.store.labels import ORDER_STATUS
from ...verifiers import Expectation, Finish, Row, Snapshot
from ...verifiers.answers import Money
from ..page import Moves, finish, navigate
from ..splits import split_of
from ..template import Kind, NearMiss, Params
from .admin import AdminTemplate, grid_address
from .lists import cents, filtered, listed

MOST = 10
PAIRS = 60


@dataclass(frozen=True, kw_only=True)
class Sums(Params):
    """One set of orders or two: how many of which status."""

    count: int
    status: str
    count_2: int = 0
    status_2: str = ""

    def entities(self) -> tuple[str, ...]:
        """The statuses: there is nobody whom this task is about."""
        return tuple(f"status:{status}" for status in (self.status, self.status_2) if status)

    @property
    def sets(self) -> list[tuple[int, str]]:
        """The sets of orders, each as number and status."""
        return [(self.count, self.status), *([(self.count_2, self.status_2)] if self.status_2 else [])]


class SumOfOrders(AdminTemplate[Sums]):
    """The sum of the grand totals of the last N orders of a status, or the absolute difference of two such sums.

    Last is by the time of placing; where an order placed at the same instant would be left out, it is not asked for.
    Also fails: subtotals, refunds taken off, one order more or fewer, orders of any status.
    """

    id = "store.admin/sum-of-orders"
    kind = Kind.RETRIEVE
    tags = ("P16", "P59")

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Sums]:
        """Every status with two to ten orders, and pairs of statuses of one split; each sum once."""
        last = {s.status: _last(db, MOST + 1, s.status) for s in db.query("SELECT DISTINCT status FROM orders")}
        single = [
            Sums(count=count, status=status)
            for status in sorted(last)
            for count in range(2, min(MOST + 1, len(last[status])))
            if last[status][count].placed_at != last[status][count - 1].placed_at
        ]
        double = [
            Sums(count=one.count, status=one.status, count_2=other.count, status_2=other.status)
            for one in single
            for other in single
            if one.status != other.status and split_of(one.entities()[0]) == split_of(other.entities()[0])
        ]
        singles, doubles = (rng.sample(some, min(len(some), most)) for some, most in ((single, 999), (double, PAIRS)))
        seen: set[int] = set()
        for turn in range(max(len(singles), len(doubles))):
            for p in (*singles[turn : turn + 1], *doubles[turn : turn + 1]):
                amount = _apart([sum(order.total for order in last[status][:n]) for n, status in p.sets])
                if amount not in seen:
                    seen.add(amount)
                    yield p

    def intents(self, p: Sums) -> Sequence[str]:
        """Last is said to be by the time of placing; the grand total is what counts."""
        last = [
            f'the last {count} orders with the status "{ORDER_STATUS[status]}" (the {count} of that status that were'
            " placed last)"
            for count, status in p.sets
        ]
        how = "Answer with an amount such as 41.50."
        if p.status_2:
            apart = "(the larger sum less the smaller one)"
            return [
                f"Add up the grand totals of {last[0]}, and those of {last[1]}. What is the difference between the two"
                f" sums {apart}? {how}",
                f"By how much do the grand totals of {last[0]} differ in sum from those of {last[1]} {apart}? {how}",
                f"I need the absolute difference of two sums: the grand totals of {last[0]}, and the grand totals of"
                f" {last[1]}. {how}",
                f"Sum of the grand totals of {last[0]} against the sum of the grand totals of {last[1]}: how far are"
                f" the two apart {apart}? {how}",
                f"I am comparing two piles on my desk: {last[0]}, and {last[1]}. Please add up the grand totals of"
                f" each pile and tell me the difference {apart}. {how}",
            ]
        return [
            f"What is the sum of the grand totals of {last[0]}? {how}",
            f"Add up the grand totals of {last[0]}. {how}",
            f"How much do {last[0]} come to together, by their grand totals? {how}",
            f"Grand totals of {last[0]}, added up, please. {how}",
            f"Hi, I need a figure for a meeting: take {last[0]} and tell me what their grand totals come to in sum."
            f" {how}",
        ]

    def expected(self, before: Snapshot, p: Sums) -> Expectation:
        """The sum, or the difference without its sign."""
        return Expectation(answer=Money(_sum(before, p)))

    def oracle(self, page: Any, p: Sums) -> Moves:
        """Filter the orders by the status, newest first, and add up the totals shown; again for the second set."""
        sums = []
        for count, status in p.sets:
            page = yield from filtered(page, "Orders", choices=[("Status", ORDER_STATUS[status])])
            sums.append(_shown(page, count))
        yield finish(str(Money(_apart(sums))))

    def near_misses(self, before: Snapshot, p: Sums) -> Iterator[NearMiss]:
        """Other amounts of the same orders, the same amount of other orders."""
        right = _sum(before, p)
        every = {name: _apart([sum(map(of, _last(before, *one))) for one in p.sets]) for name, of in _AMOUNTS.items()}
        for change in (-1, 1):
            shifted = [(p.sets[0][0] + change, p.sets[0][1]), *p.sets[1:]]
            every[f"{change:+d} order"] = _apart([sum(_totals(before, *one)) for one in shifted])
        every["of any status"] = _apart([sum(_totals(before, count, None)) for count, _ in p.sets])
        every["the highest ones"] = _apart([sum(sorted(_totals(before, _ALL, s), reverse=True)[:n]) for n, s in p.sets])
        every["the oldest ones"] = _apart([sum(_totals(before, *one, end="ASC")) for one in p.sets])
        every["the first set only" if p.status_2 else "their average"] = (
            sum(_totals(before, *p.sets[0])) if p.status_2 else right // p.count
        )
        if p.status_2:
            every["both sets added up"] = sum(sum(_totals(before, *one)) for one in p.sets)
        for name, amount in every.items():
            if amount != right:
                yield NearMiss(name, finish=Finish(str(Money(amount))))

    def still_right(self, before: Snapshot, p: Sums) -> Iterator[NearMiss]:
        """By filters in the address; written with a sign and commas."""
        yield NearMiss("by filters in the address", ui=lambda page: self._by_address(page, p))
        right = _sum(before, p)
        yield NearMiss("written as the shop does", finish=Finish(f"${right // 100:,}.{right % 100:02d}"))

    def _by_address(self, page: Any, p: Sums) -> Moves:
        sums = []
        for count, status in p.sets:
            page = yield navigate(grid_address("orders", status=f"in:{status}"))
            sums.append(_shown(page, count))
        yield finish(str(Money(_apart(sums))))


_ALL = 1_000_000
"""More orders than there are."""
_AMOUNTS: dict[str, Callable[[Row], int]] = {
    "subtotals": lambda order: order.subtotal,
    "without shipping": lambda order: order.total - order.shipping,
    "refunds taken off": lambda order: order.total - order.refunded,
    "what was paid": lambda order: order.paid,
}
"""What somebody may add up instead of the grand totals."""


def _last(before: Snapshot, count: int, status: str | None, end: str = "DESC") -> list[Row]:
    """The orders placed last (or, with `ASC`, first), of one status or of any."""
    where = "WHERE status = :status" if status else ""
    given = {"status": status} if status else {}
    return before.query(f"SELECT * FROM orders {where} ORDER BY placed_at {end}, id {end} LIMIT {count}", **given)


def _totals(before: Snapshot, count: int, status: str | None, end: str = "DESC") -> list[int]:
    return [order.total for order in _last(before, count, status, end)]


def _sum(before: Snapshot, p: Sums) -> int:
    return _apart([sum(_totals(before, *one)) for one in p.sets])


def _apart(sums: Sequence[int]) -> int:
    return sums[0] if len(sums) == 1 else abs(sums[0] - sums[1])


def _shown(page: Any, count: int) -> int:
    """The first totals of a list, added up."""
    return sum(cents(line["Total"]) for line in listed(page, "Orders")[:count])
