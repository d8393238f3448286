"""One fact of the newest or oldest order of a kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from ...sites.store.labels import ORDER_STATUS, PAY_METHOD
from ...sites.store.regions import REGIONS
from ...verifiers import NOT_FOUND, Expectation, Finish, Row, Snapshot
from ...verifiers.answers import Int
from ..page import Moves, click, finish, navigate
from ..template import Kind, NearMiss, Params, interleaved
from .admin import AdminTemplate, chosen, customer, grid_address, panel, shown_total
from .facts import FACTS


@dataclass(frozen=True, kw_only=True)
class Asked(Params):
    """Which order, and what of it."""

    fact: str
    end: str
    """newest or oldest."""
    status: str
    by: str
    """The column of the second condition: pay_method or ship_region."""
    value: str
    email: str | None = None
    """The e-mail of the order that it is; None where there is none."""

    def entities(self) -> tuple[str, ...]:
        """The order's customer; where there is no order, the conditions themselves."""
        return (customer(self.email),) if self.email else (f"orders:{self.status}/{self.by}={self.value}",)


class OrderField(AdminTemplate[Asked]):
    """One fact of the newest or oldest order with a status and a way of payment or a region.

    Its twin asks for orders that don't exist: NOT_FOUND, with the count of the orders of that status. Newest is by the
    time of placing; orders placed at one instant are never asked for. Traps: the billing and the shipping name differ.
    Also fails: the other end, another fact, another status.
    """

    id = "store.admin/order-field"
    kind = Kind.RETRIEVE
    tags = ("P16", "P18", "P13")

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Asked]:
        """Every pair of conditions and end that singles out an order, each order and fact once; then empty pairs."""
        trapped: list[Asked] = []
        plain: list[Asked] = []
        seen: set[tuple[str, str]] = set()
        conditions = list(_conditions(db))
        for status, by, value, orders in rng.sample(conditions, len(conditions)):
            for end in ("newest", "oldest")[: 1 if len(orders) == 1 else 2]:
                order = _at(orders, end)
                if order is None:
                    continue
                differ = order.billing != order.shipping
                fact = rng.choice(["billing_name", "shipping_name"] if differ else list(FACTS))
                p = Asked(fact=fact, end=end, status=status, by=by, value=value, email=order.email)
                if (order.number, fact) not in seen:
                    (trapped if differ else plain).append(p)
                seen.add((order.number, fact))
        yield from interleaved(rng, trapped, plain)
        for status, by, value in _empty(db, conditions, rng):
            end, fact = rng.choice(["newest", "oldest"]), rng.choice(list(FACTS))
            yield Asked(feasible=False, fact=fact, end=end, status=status, by=by, value=value)

    def intents(self, p: Asked) -> Sequence[str]:
        """Twins say the same."""
        status, fact = ORDER_STATUS[p.status], FACTS[p.fact]
        which = f"paid by {_word(p)}" if p.by == "pay_method" else f"shipping to {_word(p)}"
        otherwise = (
            f"Answer with {fact.form}. If there is no such order, finish with the outcome NOT_FOUND, and as the answer"
            f' give the count of all orders with the status "{status}".'
        )
        placed = "placed last" if p.end == "newest" else "placed first"
        return [
            f'Look at the orders with the status "{status}" {which}. For the {p.end} of them (the one {placed}), give'
            f" {fact.asked}. {otherwise}",
            f'Find the {p.end} order ({placed}) with the status "{status}" {which}, and tell me {fact.asked}.'
            f" {otherwise}",
            f'Among all "{status}" orders {which}, which one was {placed}? I need {fact.asked}. {otherwise}',
        ]

    def expected(self, before: Snapshot, p: Asked) -> Expectation:
        """The fact, or that there is no such order and how many of the status there are."""
        orders = _orders(before, p)
        if not orders:
            return Expectation(outcome=NOT_FOUND, blocker=Int(len(before.rows("orders", status=p.status))))
        order = _at(orders, p.end)
        if order is None:
            raise ValueError("two orders were placed at that instant")
        return Expectation(answer=FACTS[p.fact].answer(before, order))

    def oracle(self, page: Any, p: Asked) -> Moves:
        """Filter the orders, turn the list around if the oldest is asked for, open the first, read the fact."""
        page = yield from panel(page, "Orders")
        page = yield from chosen(page, "Status", ORDER_STATUS[p.status])
        page = yield from chosen(page, "Payment" if p.by == "pay_method" else "Region", _word(p))
        page = yield click(page.find("button", "Apply filters"))
        if not page.find_all("link", _NUMBER, within=("main", None)):
            page = yield click(
                page.find("link", re.compile(f"^Remove filter {'Payment' if p.by == 'pay_method' else 'Region'}"))
            )
            yield finish(shown_total(page), NOT_FOUND)
            return
        if p.end == "oldest":
            page = yield click(page.find("link", re.compile("^Placed"), within=("main", None)))
        yield from self._read(page, p)

    def _read(self, page: Any, p: Asked) -> Moves:
        page = yield click(page.find("link", _NUMBER, within=("main", None)))
        yield finish(FACTS[p.fact].read(page))

    def near_misses(self, before: Snapshot, p: Asked) -> Iterator[NearMiss]:
        """The other end's fact, other facts of the order, the fact of an order that meets only one condition."""
        right = self.finish(before, p)
        if not p.feasible:
            for fact in (p.fact, "number"):
                loose = _at(_orders(before, p, only_status=True), p.end)
                if loose is not None:
                    yield NearMiss(f"{fact} of the {p.end} of that status", finish=_said(before, loose, fact))
            yield NearMiss("no count", finish=Finish("0", NOT_FOUND))
            return
        order = _at(_orders(before, p), p.end)
        assert order is not None
        for fact in FACTS:
            yield from _unless_right(right, f"its {fact}", _said(before, order, fact))
        other = "oldest" if p.end == "newest" else "newest"
        for name, orders, end in (
            (f"of the {other} one", _orders(before, p), other),
            ("of any payment or region", _orders(before, p, only_status=True), p.end),
            ("of any status", _orders(before, p, only_value=True), p.end),
        ):
            found = _at(orders, end)
            if found is not None:
                yield from _unless_right(right, f"{p.fact} {name}", _said(before, found, p.fact))

    def still_right(self, before: Snapshot, p: Asked) -> Iterator[NearMiss]:
        """By filters in the address; spelled otherwise."""
        yield NearMiss("by filters in the address", ui=lambda page: self._by_address(page, p))
        right = self.finish(before, p)
        yield NearMiss("with blanks and in capitals", finish=replace(right, answer=f"  {str(right.answer).upper()} "))

    def _by_address(self, page: Any, p: Asked) -> Moves:
        sort = "-placed_at" if p.end == "newest" else "placed_at"
        terms = {"status": f"in:{p.status}", p.by: f"in:{p.value}"}
        page = yield navigate(grid_address("orders", **terms) + f"&sort={sort}")
        if not page.find_all("link", _NUMBER, within=("main", None)):
            page = yield navigate(grid_address("orders", status=f"in:{p.status}"))
            yield finish(shown_total(page), NOT_FOUND)
            return
        yield from self._read(page, p)


_NUMBER = re.compile(r"^\d{6}$")
_ORDERS = """
SELECT o.*, b.full_name AS billing, s.full_name AS shipping, s.country || '-' || s.region AS ship_region
FROM orders o JOIN order_addresses b ON b.order_id = o.id AND b.kind = 'billing'
JOIN order_addresses s ON s.order_id = o.id AND s.kind = 'shipping'
"""


def _word(p: Asked) -> str:
    """The second condition's value as the shop calls it."""
    if p.by == "pay_method":
        return PAY_METHOD[p.value]
    country, _, region = p.value.partition("-")
    return REGIONS[country][region]


def _orders(before: Snapshot, p: Asked, *, only_status: bool = False, only_value: bool = False) -> list[Row]:
    """The orders that meet both conditions (or only one), first placed first."""
    terms = [] if only_value else ["status = :status"]
    terms += [] if only_status else [f"{p.by} = :value"]
    return before.query(
        f"SELECT * FROM ({_ORDERS}) WHERE {' AND '.join(terms)} ORDER BY placed_at, id",
        status=p.status,
        value=p.value,
    )


def _at(orders: Sequence[Row], end: str) -> Row | None:
    """The order at one end; None where two were placed at that instant."""
    if not orders:
        return None
    order, beside = (orders[-1], orders[-2:-1]) if end == "newest" else (orders[0], orders[1:2])
    return None if beside and beside[0].placed_at == order.placed_at else order


def _conditions(db: Snapshot) -> Iterator[tuple[str, str, str, list[Row]]]:
    """Each status with each way of payment and each region that occurs with it, and the orders, first placed first."""
    found: dict[tuple[str, str, str], list[Row]] = {}
    for order in db.query(f"{_ORDERS} ORDER BY o.placed_at, o.id"):
        for by in ("pay_method", "ship_region"):
            found.setdefault((order.status, by, order[by]), []).append(order)
    for (status, by, value), orders in sorted(found.items()):
        yield status, by, value, orders


def _empty(
    db: Snapshot, found: Sequence[tuple[str, str, str, list[Row]]], rng: Random
) -> Iterator[tuple[str, str, str]]:
    """Conditions that occur, but not together; each status in turn."""
    there = {(status, by, value) for status, by, value, _ in found}
    values = sorted({(by, value) for _, by, value, _ in found})
    statuses = sorted({status for status, *_ in found})
    free = [[(s, by, value) for by, value in values if (s, by, value) not in there] for s in statuses]
    for some in free:
        rng.shuffle(some)
    for turn in range(max(map(len, free), default=0)):
        yield from (some[turn] for some in free if turn < len(some))


def _said(before: Snapshot, order: Row, fact: str) -> Finish:
    return Finish(str(FACTS[fact].answer(before, order)))


def _unless_right(right: Finish, name: str, said: Finish) -> Iterator[NearMiss]:
    """A near miss, unless its answer happens to be the right one."""
    if str(said.answer).casefold() != str(right.answer).casefold():
        yield NearMiss(name, finish=said)
