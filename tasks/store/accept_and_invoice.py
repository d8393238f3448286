"""Let an order pass its fraud review, and invoice it in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...verifiers import Expectation, Snapshot
from ..page import Moves, check, click, navigate
from ..template import Call, Kind, NearMiss, Params, interleaved
from . import calls, effects, papers
from .admin import HOST, AdminTemplate, customer, look_alike, mistakable, open_order


@dataclass(frozen=True, kw_only=True)
class Accepted(Params):
    """Which order."""

    number: str
    email: str

    def entities(self) -> tuple[str, ...]:
        """The order's customer."""
        return (customer(self.email),)


class AcceptAndInvoice(AdminTemplate[Accepted]):
    """Accept an order that waits for its fraud review, then create one invoice over everything in it.

    Traps: numbers that differ in one digit (T4). Also fails: only accepted, rejected, a part invoiced, two invoices.
    """

    id = "store.admin/accept-and-invoice"
    kind = Kind.CHANGE
    tags = ("P21", "P48", "P50", "T4")

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Accepted]:
        """Every order in fraud review without an invoice."""
        orders = [row for row in db.rows("orders", status="fraud_review") if not db.rows("invoices", order_id=row.id)]
        alike = mistakable(order.number for order in orders)
        every = [Accepted(number=order.number, email=order.email) for order in orders]
        trapped = [p for p in every if p.number in alike]
        yield from interleaved(rng, trapped, [p for p in every if p.number not in alike])

    def intents(self, p: Accepted) -> Sequence[str]:
        """Two steps, one invoice."""
        n = p.number
        return [
            f"Order {n} is fine: accept it in the fraud review, and then invoice it in full, with one invoice.",
            f"Accept the fraud review of order {n} and create one invoice over everything in the order.",
            f"We have checked order {n}. Let it pass the fraud review, then create a single invoice for all of its"
            " items.",
            f"Order {n}: fraud review accepted. Then one invoice over the whole order, please.",
            f"Hi! I spoke to the bank about order {n}, all good. Could you accept it (it is waiting in fraud review)"
            " and then invoice all of it? Everything on one invoice.",
            f"The buyer of order {n} has sent us proof of who they are, so please end its fraud review by accepting the"
            " order. After that, all of the order has to be invoiced, on a single invoice.",
        ]

    def expected(self, before: Snapshot, p: Accepted) -> Expectation:
        """E.fraud and E.invoice; the mail with the invoice may be sent, since its tick is on by default."""
        return papers.invoice(before, p.number, accepted=True)

    def oracle(self, page: Any, p: Accepted) -> Moves:
        """Open the order, accept it, Invoice, all units, create."""
        page = yield from open_order(page, p.number)
        page = yield from _accepted(page)
        page = yield click(page.find("link", "Invoice", within=("main", None)))
        page = yield click(page.find("button", "All units"))
        yield click(page.find("button", "Create invoice"))

    def calls(self, before: Snapshot, p: Accepted) -> Sequence[Call]:
        """Two calls."""
        return [calls.accept(p.number), calls.invoice(p.number)]

    def near_misses(self, before: Snapshot, p: Accepted) -> Iterator[NearMiss]:
        """One step of two, a part, two invoices, another order, something on top."""
        both = (calls.accept(p.number), calls.invoice(p.number))
        yield NearMiss("only accepted", both[:1])
        yield NearMiss("rejected", (Call("orders.reject_fraud", {"number": p.number}),))
        items = before.rows("order_items", order_id=effects.order_of(before, p.number).id)
        first = {items[0].id: 1}
        if sum(item.qty_ordered for item in items) > 1:
            part = calls.invoice(p.number, first)
            yield NearMiss("a part invoiced", (both[0], part))
            yield NearMiss("in two invoices", (both[0], part, calls.invoice(p.number)))
        yield NearMiss("put on hold afterwards", (*both, calls.hold(p.number)))
        yield NearMiss("a note on top", (*both, calls.note(p.number, "Checked.", notify=False)))
        other = look_alike(p.number, (row.number for row in before.rows("orders", status="fraud_review")))
        if other is not None:
            wrong = (calls.accept(other), calls.invoice(other))
            yield NearMiss("the look-alike order", wrong)
            yield NearMiss("the look-alike order as well", (*both, *wrong))
            yield NearMiss("the look-alike order accepted as well", (*both, calls.accept(other)))
        yield NearMiss("the invoice filled in, not created", ui=lambda page: self._unsaved(page, p))

    def _unsaved(self, page: Any, p: Accepted) -> Moves:
        page = yield navigate(f"{HOST}/orders/{p.number}")
        page = yield from _accepted(page)
        page = yield click(page.find("link", "Invoice", within=("main", None)))
        yield click(page.find("button", "All units"))

    def still_right(self, before: Snapshot, p: Accepted) -> Iterator[NearMiss]:
        """Without the mail; held and released in between; by addresses."""
        both = (calls.accept(p.number), calls.invoice(p.number, notify=False))
        yield NearMiss("without telling the customer", both)
        yield NearMiss("held and released in between", (both[0], calls.hold(p.number), calls.unhold(p.number), both[1]))
        yield NearMiss("by its address, without e-mail", ui=lambda page: self._by_address(page, p))

    def _by_address(self, page: Any, p: Accepted) -> Moves:
        page = yield navigate(f"{HOST}/orders/{p.number}")
        page = yield from _accepted(page)
        page = yield navigate(f"{HOST}/orders/{p.number}/invoice")
        page = yield click(page.find("button", "All units"))
        page = yield check(page.find("checkbox", "E-mail customer"), checked=False)
        yield click(page.find("button", "Create invoice"))


def _accepted(page: Any) -> Moves:
    """The fraud review passed; returns the page."""
    page = yield click(page.find("button", "Accept order"))
    return (yield click(page.find("button", "Accept the order")))
