"""Put every pending order to a region above an amount on hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...sites.store.labels import HOLD_REASON
from ...verifiers import Expectation, Row, Snapshot
from ...verifiers.answers import Money
from ..page import Moves, check, click, select
from ..template import Call, Kind, NearMiss, Params, interleaved
from . import calls, effects
from .admin import AdminTemplate, open_order
from .lists import cents, filtered, listed
from .order_sets import word

FEWEST, MOST = 2, 6


@dataclass(frozen=True, kw_only=True)
class Held(Params):
    """Which orders, and why."""

    region: str
    amount: int
    reason: str
    numbers: tuple[str, ...]

    def entities(self) -> tuple[str, ...]:
        """The region: the orders are of many customers."""
        return (f"region:{self.region}",)


class HoldOrders(AdminTemplate[Held]):
    """Put on hold, with a reason, every pending order that ships to a region and comes to more than an amount.

    Traps: an order of exactly that amount, which does not count. Also fails: one missed, one too many, the region of
    the billing address, processing orders, another reason.
    """

    id = "store.admin/hold-orders"
    kind = Kind.CHANGE
    tags = ("P07", "P16", "P13")
    max_steps = 60

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Held]:
        """Each set of two to six orders that an amount cuts off in a region; amounts that an order has first."""
        by_region: dict[str, list[Row]] = {}
        for order in db.query(_PENDING):
            by_region.setdefault(order.region, []).append(order)
        trapped: list[Held] = []
        plain: list[Held] = []
        for region, orders in sorted(by_region.items()):
            for count in range(FEWEST, min(MOST, len(orders)) + 1):
                below = orders[count].total if count < len(orders) else 0
                if below == orders[count - 1].total:
                    continue
                exact = count < len(orders) and rng.random() < 0.6
                amount = below if exact else _between(below, orders[count - 1].total)
                numbers = tuple(sorted(order.number for order in orders[:count]))
                reason = rng.choice(list(HOLD_REASON))
                p = Held(region=region, amount=amount, reason=reason, numbers=numbers)
                (trapped if exact else plain).append(p)
        yield from interleaved(rng, trapped, plain)

    def intents(self, p: Held) -> Sequence[str]:
        """More than the amount, the shipping address, the reason by its name."""
        amount = f"${p.amount // 100:,}.{p.amount % 100:02d}"
        region, reason = word("ship_region", p.region), HOLD_REASON[p.reason]
        strict = f"An order of exactly {amount} does not count."
        return [
            f"Put on hold every pending order that ships to {region} and has a grand total of more than {amount}. The"
            f' reason is "{reason}". {strict}',
            f'All orders with the status "Pending", a shipping address in {region} and a grand total above {amount}'
            f' have to be put on hold, with the reason "{reason}". {strict}',
            f"Find the pending orders going to {region} whose grand total is higher than {amount}, and put each of them"
            f' on hold; reason: "{reason}". {strict}',
            f"Hold all pending orders with a shipping address in {region} and a grand total over {amount}, reason"
            f' "{reason}". {strict}',
            f"We have to be careful with larger deliveries to {region}. Could you put every order on hold that is still"
            f' pending, ships there and has a grand total above {amount}? Choose "{reason}" as the reason. {strict}',
        ]

    def expected(self, before: Snapshot, p: Held) -> Expectation:
        """E.hold of each."""
        want = Expectation()
        for order in before.query(_PENDING):
            if order.region == p.region and order.total > p.amount:
                want += effects.hold(before, order.number, p.reason)
        return want

    def oracle(self, page: Any, p: Held) -> Moves:
        """Filter the orders, tick those above the amount, hold them from the bar."""
        page, numbers = yield from self._found(page, p)
        page = yield from _ticked(page, numbers)
        page = yield from _dialog(page, p)
        yield click(page.find("button", "Put on hold"))

    def _found(self, page: Any, p: Held) -> Moves:
        """List the pending orders to the region from the amount on; returns the page and the numbers above it."""
        choices = [("Status", "Pending"), ("Region", word("ship_region", p.region))]
        page = yield from filtered(page, "Orders", choices=choices, typed=[("Total from", str(Money(p.amount)))])
        return page, [line["Order"] for line in listed(page, "Orders") if cents(line["Total"]) > p.amount]

    def calls(self, before: Snapshot, p: Held) -> Sequence[Call]:
        """One call an order."""
        return [calls.hold(number, p.reason) for number in p.numbers]

    def near_misses(self, before: Snapshot, p: Held) -> Iterator[NearMiss]:
        """One missed, one too many, another reason, released again, canceled instead, never confirmed."""
        right = tuple(self.calls(before, p))
        yield NearMiss("one missed", right[:-1])
        yield NearMiss("the first only", right[:1])
        for name, number in self._beside(before, p).items():
            yield NearMiss(f"{name} as well", (*right, calls.hold(number, p.reason)))
            yield NearMiss(f"{name} instead of one", (*right[1:], calls.hold(number, p.reason)))
        other = next(reason for reason in HOLD_REASON if reason != p.reason)
        yield NearMiss("another reason", tuple(calls.hold(number, other) for number in p.numbers))
        yield NearMiss("another reason for one", (*right[:-1], calls.hold(p.numbers[-1], other)))
        yield NearMiss("one released again", (*right, calls.unhold(p.numbers[0])))
        yield NearMiss("all released again", (*right, *map(calls.unhold, p.numbers)))
        yield NearMiss("a note on top", (*right, calls.note(p.numbers[0], "On hold.", notify=False)))
        yield NearMiss("chosen, not confirmed", ui=lambda page: self._unconfirmed(page, p))

    def _beside(self, before: Snapshot, p: Held) -> dict[str, str]:
        """Orders that somebody may hold by mistake."""
        orders = before.query(_AROUND)
        found: dict[str, str] = {}
        for order in orders:
            above = order.total > p.amount
            if order.region == p.region and order.status == "pending" and order.total == p.amount:
                found.setdefault("one of exactly that amount", order.number)
            elif order.region == p.region and order.status == "pending" and not above:
                found.setdefault("one below the amount", order.number)
            elif order.region == p.region and order.status == "processing" and above:
                found.setdefault("one in processing", order.number)
            elif order.region != p.region and order.status == "pending" and above:
                billed = order.billed == p.region
                found.setdefault("one billed to the region" if billed else "one to another region", order.number)
        return found

    def _unconfirmed(self, page: Any, p: Held) -> Moves:
        page, numbers = yield from self._found(page, p)
        page = yield from _ticked(page, numbers)
        yield from _dialog(page, p)

    def still_right(self, before: Snapshot, p: Held) -> Iterator[NearMiss]:
        """In another order, one released and held again, one by one on the pages of the orders."""
        right = tuple(self.calls(before, p))
        yield NearMiss("in another order", right[::-1])
        again = (calls.unhold(p.numbers[0]), calls.hold(p.numbers[0], p.reason))
        yield NearMiss("one released and held again", (*right, *again))
        if len(p.numbers) <= 3:
            yield NearMiss("one by one", ui=lambda page: self._one_by_one(page, p))
        else:
            yield NearMiss("in two goes", ui=lambda page: self._two_goes(page, p))

    def _one_by_one(self, page: Any, p: Held) -> Moves:
        for number in p.numbers:
            page = yield from open_order(page, number)
            page = yield from _dialog(page, p)
            page = yield click(page.find("button", "Put on hold"))

    def _two_goes(self, page: Any, p: Held) -> Moves:
        page, numbers = yield from self._found(page, p)
        page = yield from _ticked(page, numbers[:1])
        page = yield from _dialog(page, p)
        page = yield click(page.find("button", "Put on hold"))
        yield from self.oracle(page, p)


_PENDING = """
SELECT o.number, o.total, a.country || '-' || a.region AS region FROM orders o
JOIN order_addresses a ON a.order_id = o.id AND a.kind = 'shipping' WHERE o.status = 'pending'
ORDER BY o.total DESC, o.id
"""
_AROUND = """
SELECT o.number, o.total, o.status, s.country || '-' || s.region AS region, b.country || '-' || b.region AS billed
FROM orders o JOIN order_addresses s ON s.order_id = o.id AND s.kind = 'shipping'
JOIN order_addresses b ON b.order_id = o.id AND b.kind = 'billing' WHERE o.status IN ('pending', 'processing')
ORDER BY o.total DESC, o.id
"""


def _between(below: int, above: int) -> int:
    """An amount that both sides are clear of, as round as it can be."""
    for step in (10_000, 5_000, 2_500, 1_000, 500, 100, 10):
        amount = (above - 1) // step * step
        if below < amount < above:
            return amount
    return below


def _ticked(page: Any, numbers: Sequence[str]) -> Moves:
    """Orders ticked in the list; returns the page."""
    for number in numbers:
        page = yield check(page.find("checkbox", f"Select order {number}"))
    return page


def _dialog(page: Any, p: Held) -> Moves:
    """The dialog that holds what is ticked, or the order on screen, with the reason chosen; returns the page."""
    page = yield click(page.find("button", "Hold", within=("main", None)))
    return (yield select(page.find("combobox", "Reason"), HOLD_REASON[p.reason]))
