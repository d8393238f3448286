"""Show the orders of one status and period that come to an amount at least, sorted as asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random
from typing import Any

from ...sites.store.labels import ORDER_STATUS
from ...verifiers import Expectation, Snapshot, ViewExpectation
from ...verifiers.answers import Money
from ..page import Moves, click, navigate
from ..template import Kind, NearMiss, Params
from .admin import HOST, AdminTemplate, grid_address
from .lists import filtered, long_day, sorted_by

SORTS = {
    "-placed_at": "the newest first",
    "placed_at": "the oldest first",
    "-total": "the highest total first",
    "total": "the lowest total first",
}
AMOUNTS = (5_000, 7_500, 10_000, 15_000, 20_000, 25_000, 40_000, 50_000)
PER_STATUS = 16


@dataclass(frozen=True, kw_only=True)
class Shown(Params):
    """Which orders, and in what order."""

    status: str
    first: str
    last: str
    amount: int
    sort: str

    def entities(self) -> tuple[str, ...]:
        """The period: there is nobody whom this task is about."""
        return (f"period:{self.first}..{self.last}",)


class FilterOrders(AdminTemplate[Shown]):
    """Open the orders list with three filters (status, days of placing, least total) and one sort.

    Graded by the list that the active tab shows at the end: path, exactly these filters, this sort. Each filter leaves
    something out. Also fails: "at most" for "at least", a filter more or less, another sort.
    """

    id = "store.admin/filter-orders"
    kind = Kind.NAVIGATE
    tags = ("P16", "P18", "P01", "P04")
    max_steps = 30

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Shown]:
        """Random periods and amounts in which each filter matters, every status in turn."""
        rows = db.query("SELECT status, substr(placed_at, 1, 10) AS day, total FROM orders ORDER BY id")
        orders = [(row.status, row.day, row.total) for row in rows]
        statuses = sorted({status for status, _, _ in orders})
        today = max(day for _, day, _ in orders)
        seen: set[tuple[str, str]] = set()
        for _ in range(PER_STATUS):
            for status in rng.sample(statuses, len(statuses)):
                for _ in range(30):
                    p = _drawn(rng, status, today)
                    if (p.first, p.last) not in seen and _matters(orders, p):
                        seen.add((p.first, p.last))
                        yield p
                        break

    def intents(self, p: Shown) -> Sequence[str]:
        """Days in full, both ends said to be included."""
        status, amount, sort = ORDER_STATUS[p.status], Money(p.amount), SORTS[p.sort]
        first, last = long_day(p.first), long_day(p.last)
        return [
            f'Open the orders list and show only the orders with the status "{status}" that were placed from {first} to'
            f" {last} (both days included) and come to a total of at least ${amount}, {sort}. Leave that list open.",
            f'I need the list of all "{status}" orders with a total of ${amount} or more, placed between {first} and'
            f" {last}, both inclusive, sorted so that {sort.replace(' first', '')} comes first. Finish while it is on"
            " screen.",
            f"Filter the orders list: placed {first} through {last} (first and last day count), status"
            f' "{status}", total ${amount} or above, and no other filter. Sort it with {sort}, and finish while it is'
            " open.",
            f'Orders list, please: status "{status}", placed {first} to {last} including both, total from ${amount} up,'
            f" {sort}. Leave it on screen.",
            f'I am going over our "{status}" orders this afternoon. Could you set up the orders list for me, so that it'
            f" shows those with a total of ${amount} or more that were placed from {first} up to and including {last},"
            f" with {sort}? No other filters. Just leave the list open.",
        ]

    def expected(self, before: Snapshot, p: Shown) -> Expectation:
        """The orders list with these three filters and this sort."""
        return Expectation(view=_view(p))

    def oracle(self, page: Any, p: Shown) -> Moves:
        """Orders, filters, all three conditions, apply; then the column's heading."""
        page = yield from _filled(page, p)
        yield from _sorted(page, p)

    def near_misses(self, before: Snapshot, p: Shown) -> Iterator[NearMiss]:
        """Lists that come close: a bound, a day, a status or the sort is another, or a filter is lost or on top."""
        amount = f"gte:{Money(p.amount)}"
        later = str(date.fromisoformat(p.last) + timedelta(days=1))
        other = "complete" if p.status != "complete" else "closed"
        wrong = {
            "at most for at least": {"total": f"lte:{Money(p.amount)}"},
            "a cent more": {"total": f"gte:{Money(p.amount + 1)}"},
            "a day more": {"placed_at": f"between:{p.first}..{later}"},
            "the first day only": {"placed_at": f"between:{p.first}..{p.first}"},
            "no last day": {"placed_at": f"gte:{p.first}"},
            "another status": {"status": f"in:{other}"},
            "two statuses": {"status": f"in:{p.status}|{other}"},
            "a filter more": {"channel": "in:web"},
        }
        for name, terms in wrong.items():
            yield NearMiss(name, ui=_at(_address(p, **terms)))
        for column in ("status", "placed_at", "total"):
            yield NearMiss(f"no filter of {column}", ui=_at(_address(p, **{column: ""})))
        for sort in SORTS:
            if sort != p.sort:
                yield NearMiss(f"sorted by {sort}", ui=_at(_address(replace(p, sort=sort))))
        leading = "-placed_at" if "total" in p.sort else "-total"
        yield NearMiss("sorted by something else first", ui=_at(_address(replace(p, sort=f"{leading},{p.sort}"))))
        yield NearMiss(
            "the amount as search words", ui=_at(_address(p, total="") + f"&q={amount.removeprefix('gte:')}")
        )
        yield NearMiss("filled in, not applied", ui=lambda page: _filled(page, p, apply=False))
        yield NearMiss("the right list, then the dashboard", ui=_at(_address(p), f"{HOST}/"))

    def still_right(self, before: Snapshot, p: Shown) -> Iterator[NearMiss]:
        """By its address, another page size, a second sort column, after a wrong amount; sorted first."""
        yield NearMiss("by its address", ui=_at(_address(p)))
        yield NearMiss("another page size", ui=_at(_address(p) + "&size=50"))
        further = "-placed_at" if "total" in p.sort else "-total"
        yield NearMiss("ties sorted as well", ui=_at(f"{_address(p)},{further}"))
        yield NearMiss("a wrong list first", ui=_at(_address(p, total="lte:10.00"), _address(p)))
        yield NearMiss("sorted before it is filtered", ui=lambda page: self._sorted_first(page, p))
        yield NearMiss("a filter too many, removed", ui=lambda page: self._cleared(page, p))

    def _cleared(self, page: Any, p: Shown) -> Moves:
        page = yield navigate(_address(p, pay_method="in:card"))
        yield click(page.find("link", "Remove filter Payment"))

    def _sorted_first(self, page: Any, p: Shown) -> Moves:
        page = yield click(page.find("link", "Orders", within=("navigation", "Main")))
        page = yield from _sorted(page, p)
        page = yield navigate(_address(p, total="", placed_at=""))
        yield navigate(_address(p))


def _drawn(rng: Random, status: str, today: str) -> Shown:
    """A period of a week to five months, whole calendar months now and then."""
    last = date.fromisoformat(today) - timedelta(days=rng.randrange(0, 330))
    first = last - timedelta(days=rng.choice([6, 13, 20, 29, 44, 60, 91, 150]))
    if rng.random() < 0.3:
        first, last = first.replace(day=1), last.replace(day=1) - timedelta(days=1)
    sort, amount = rng.choice(list(SORTS)), rng.choice(AMOUNTS)
    return Shown(status=status, first=str(first), last=str(last), amount=amount, sort=sort)


def _matters(orders: Sequence[tuple[str, str, int]], p: Shown) -> bool:
    """Whether some orders remain, and each of the three conditions leaves out some that the others let through."""
    tests = Counter((status == p.status, p.first <= day <= p.last, total >= p.amount) for status, day, total in orders)
    beside = (tests[place != 0, place != 1, place != 2] for place in range(3))
    return p.first < p.last and tests[True, True, True] >= 2 and all(beside)


def _view(p: Shown) -> ViewExpectation:
    filters: dict[str, list[list[object]]] = {
        "status": [["in", [p.status]]],
        "placed_at": [["between", [p.first, p.last]]],
        "total": [["gte", p.amount]],
    }
    return ViewExpectation(path="/orders", host=HOST.removeprefix("http://"), filters=filters, sort=(p.sort,))


def _address(p: Shown, **changed: str) -> str:
    """The list's address; `changed` replaces conditions, an empty one is left out."""
    terms = {
        "status": f"in:{p.status}",
        "placed_at": f"between:{p.first}..{p.last}",
        "total": f"gte:{Money(p.amount)}",
        **changed,
    }
    return grid_address("orders", **{name: term for name, term in terms.items() if term}) + f"&sort={p.sort}"


def _filled(page: Any, p: Shown, *, apply: bool = True) -> Moves:
    typed = (("Placed from", p.first), ("Placed to", p.last), ("Total from", str(Money(p.amount))))
    return (yield from filtered(page, "Orders", choices=[("Status", ORDER_STATUS[p.status])], typed=typed, apply=apply))


def _sorted(page: Any, p: Shown) -> Moves:
    return (yield from sorted_by(page, "Placed" if "placed" in p.sort else "Total", p.sort))


def _at(*addresses: str) -> Any:
    def play(page: object) -> Moves:
        for address in addresses:
            yield navigate(address)

    return play
