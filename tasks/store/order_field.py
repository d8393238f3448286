"""One fact of the newest or oldest order of a kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from ...sites.store.labels import ORDER_STATUS
from ...verifiers import NOT_FOUND, Expectation, Finish, Row, Snapshot
from ...verifiers.answers import OrderNo
from ..page import Moves, click, finish, navigate
from ..template import Kind, NearMiss, Params, interleaved
from .admin import AdminTemplate, chosen, customer, grid_address, panel
from .facts import FACTS
from .order_sets import at_end, conditions, matching, which, word


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
    email: str
    """The e-mail of the order that the answer is about."""

    def entities(self) -> tuple[str, ...]:
        """The customer of the order that the answer is about, or of the one that is named where there is none."""
        return (customer(self.email),)


class OrderField(AdminTemplate[Asked]):
    """One fact of the newest or oldest order with a status and a way of payment or a region.

    Its twin asks for orders that don't exist: NOT_FOUND, with the number of the newest or oldest order of any status
    that meets the other condition. Newest is by the time of placing; orders placed at one instant are never asked for.
    Traps: the billing and the shipping name differ. Also fails: the other end, another fact, another status.
    """

    id = "store.admin/order-field"
    kind = Kind.RETRIEVE
    tags = ("P16", "P18", "P13")

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Asked]:
        """Conditions, ends and facts that single out an answer, each answer once; then pairs that no order meets."""
        trapped: list[Asked] = []
        plain: list[Asked] = []
        seen: set[str] = set()
        found = list(conditions(db))
        for status, by, value, orders in rng.sample(found, len(found)):
            for end in ("newest", "oldest")[: 1 if len(orders) == 1 else 2]:
                order = at_end(orders, end)
                if order is None:
                    continue
                differ = order.bill_name != order.ship_name
                facts = ["billing_name", "shipping_name"] if differ else list(FACTS)
                for fact in rng.sample(facts, len(facts)):
                    answer = str(FACTS[fact].answer(db, order)).casefold()
                    if answer not in seen:
                        seen.add(answer)
                        p = Asked(fact=fact, end=end, status=status, by=by, value=value, email=order.email)
                        (trapped if differ else plain).append(p)
                        break
        yield from interleaved(rng, trapped, plain)
        yield from _missing(found, rng)

    def intents(self, p: Asked) -> Sequence[str]:
        """Twins say the same."""
        status, fact = ORDER_STATUS[p.status], FACTS[p.fact]
        those = which(p.by, p.value)
        placed = "placed last" if p.end == "newest" else "placed first"
        otherwise = (
            f"Answer with {fact.form}. If there is no such order, finish with the outcome NOT_FOUND, and as the answer"
            f" give the number of the order {those} that was {placed}, whatever its status."
        )
        return [
            f'Look at the orders with the status "{status}" {those}. For the {p.end} of them (the one {placed}), give'
            f" {fact.asked}. {otherwise}",
            f'Find the {p.end} order ({placed}) with the status "{status}" {those}, and tell me {fact.asked}.'
            f" {otherwise}",
            f'Among all "{status}" orders {those}, which one was {placed}? I need {fact.asked}. {otherwise}',
            f'{p.end.capitalize()} order with the status "{status}" {those}, by when it was placed: {fact.asked},'
            f" please. {otherwise}",
            f'A colleague asks about our orders {those}. Which of those whose status is "{status}" now was {placed}?'
            f" Please look it up and report {fact.asked}. {otherwise}",
        ]

    def expected(self, before: Snapshot, p: Asked) -> Expectation:
        """The fact, or that there is no such order and which one there is of another status."""
        orders = matching(before, status=p.status, by=p.by, value=p.value)
        order = at_end(orders or matching(before, by=p.by, value=p.value), p.end)
        if order is None:
            raise ValueError("two orders were placed at that instant")
        if not orders:
            return Expectation(outcome=NOT_FOUND, blocker=OrderNo(order.number))
        return Expectation(answer=FACTS[p.fact].answer(before, order))

    def oracle(self, page: Any, p: Asked) -> Moves:
        """Filter the orders, turn the list around if the oldest is asked for, open the first, read the fact."""
        page = yield from panel(page, "Orders")
        page = yield from chosen(page, "Status", ORDER_STATUS[p.status])
        page = yield from chosen(page, "Payment" if p.by == "pay_method" else "Region", word(p.by, p.value))
        page = yield click(page.find("button", "Apply filters"))
        found = bool(page.find_all("link", _NUMBER, within=("main", None)))
        if not found:
            page = yield click(page.find("link", re.compile("^Remove filter Status")))
        if p.end == "oldest":
            page = yield click(page.find("link", re.compile("^Placed"), within=("main", None)))
        yield from self._read(page, p, found=found)

    def _read(self, page: Any, p: Asked, *, found: bool) -> Moves:
        """Read the fact on the page of the first order listed; its number only, where it is of another status."""
        if not found:
            yield finish(page.elements("link", _NUMBER, within=("main", None))[0].name, NOT_FOUND)
            return
        page = yield click(page.find("link", _NUMBER, within=("main", None)))
        yield finish(FACTS[p.fact].read(page))

    def near_misses(self, before: Snapshot, p: Asked) -> Iterator[NearMiss]:
        """The other end's fact, other facts of the order, the fact of an order that meets only one condition."""
        right = self.finish(before, p)
        if not p.feasible:
            for fact in dict.fromkeys((p.fact, "number")):
                loose = at_end(matching(before, status=p.status), p.end)
                if loose is not None:
                    yield NearMiss(f"{fact} of the {p.end} of that status", finish=_said(before, loose, fact))
            loose = at_end(matching(before, status=p.status), p.end)
            if loose is not None:
                yield NearMiss("the number of an order of that status", finish=Finish(loose.number, NOT_FOUND))
            any_status = matching(before, by=p.by, value=p.value)
            beside = at_end(any_status, "oldest" if p.end == "newest" else "newest")
            if len(any_status) > 1 and beside is not None:
                yield NearMiss("the number at the other end", finish=Finish(beside.number, NOT_FOUND))
            yield NearMiss("the right number, as if it were of that status", finish=Finish(right.answer))
            return
        order = at_end(matching(before, status=p.status, by=p.by, value=p.value), p.end)
        assert order is not None
        for fact in FACTS:
            yield from _unless_right(right, f"its {fact}", _said(before, order, fact))
        other = "oldest" if p.end == "newest" else "newest"
        fitting = matching(before, status=p.status, by=p.by, value=p.value)
        elsewhere = (matching(before, status=status, by=p.by, value=p.value) for status in ORDER_STATUS)
        for name, orders, end in (
            (f"of the {other} one", fitting, other),
            (f"of the one next to the {p.end}", [row for row in fitting if row.id != order.id], p.end),
            *(
                (f"of the {p.end} with status {rows[0].status}", rows, p.end)
                for rows in elsewhere
                if rows and rows[0].status != p.status
            ),
            ("of any payment or region", matching(before, status=p.status), p.end),
            ("of any status", matching(before, by=p.by, value=p.value), p.end),
        ):
            found = at_end(orders, end)
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
        found = bool(page.find_all("link", _NUMBER, within=("main", None)))
        if not found:
            page = yield navigate(grid_address("orders", **{p.by: f"in:{p.value}"}) + f"&sort={sort}")
        yield from self._read(page, p, found=found)


_NUMBER = re.compile(r"^\d{6}$")


def _empty(found: Sequence[tuple[str, str, str, list[Row]]], rng: Random) -> Iterator[tuple[str, str, str]]:
    """Conditions that occur, but not together; each status in turn."""
    there = {(status, by, value) for status, by, value, _ in found}
    values = sorted({(by, value) for _, by, value, _ in found})
    statuses = sorted({status for status, *_ in found})
    free = [[(s, by, value) for by, value in values if (s, by, value) not in there] for s in statuses]
    for some in free:
        rng.shuffle(some)
    for turn in range(max(map(len, free), default=0)):
        yield from (some[turn] for some in free if turn < len(some))


def _missing(found: Sequence[tuple[str, str, str, list[Row]]], rng: Random) -> Iterator[Asked]:
    """Empty pairs of conditions, as long as no two have the same order named instead."""
    of_value: dict[tuple[str, str], list[Row]] = {}
    for _, by, value, some in found:
        of_value.setdefault((by, value), []).extend(some)
    seen: set[str] = set()
    for status, by, value in _empty(found, rng):
        p = Asked(feasible=False, fact=rng.choice(list(FACTS)), end="", status=status, by=by, value=value, email="")
        orders = sorted(of_value[by, value], key=lambda order: (order.placed_at, order.id))
        for end in rng.sample(["newest", "oldest"], 2):
            order = at_end(orders, end)
            if order is not None and order.number not in seen:
                seen.add(order.number)
                yield replace(p, end=end, email=order.email)
                break


def _said(before: Snapshot, order: Row, fact: str) -> Finish:
    return Finish(str(FACTS[fact].answer(before, order)))


def _unless_right(right: Finish, name: str, said: Finish) -> Iterator[NearMiss]:
    """A near miss, unless its answer happens to be the right one."""
    if str(said.answer).casefold() != str(right.answer).casefold():
        yield NearMiss(name, finish=said)
