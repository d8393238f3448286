"""The grand total of an invoice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...verifiers import Expectation, Finish, Row, Snapshot
from ...verifiers.answers import Money
from ..page import Moves, click, finish, navigate, type_
from ..template import Kind, NearMiss, Params, interleaved
from .admin import HOST, AdminTemplate, customer, look_alike
from .facts import after


@dataclass(frozen=True, kw_only=True)
class Which(Params):
    """Which invoice."""

    invoice: str
    email: str

    def entities(self) -> tuple[str, ...]:
        """The customer."""
        return (customer(self.email),)


class InvoiceTotal(AdminTemplate[Which]):
    """The grand total of an invoice that is named by its number.

    Traps: invoices over a part of an order (T9). Also fails: the total of the order, the subtotal, another invoice.
    """

    id = "store.admin/invoice-total"
    kind = Kind.RETRIEVE
    tags = ("P16", "P50", "T9")
    max_steps = 25

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Which]:
        """Every invoice with a total of its own; those that differ from their order first."""
        trapped: list[Which] = []
        plain: list[Which] = []
        rows = db.query(_INVOICES)
        seen: set[int] = set()
        for row in rng.sample(rows, len(rows)):
            if row.total and row.total not in seen:
                seen.add(row.total)
                (trapped if row.total != row.of_order else plain).append(Which(invoice=row.number, email=row.email))
        yield from interleaved(rng, trapped, plain)

    def intents(self, p: Which) -> Sequence[str]:
        """The number of the invoice."""
        how = "Answer with an amount such as 41.50."
        return [
            f"What is the grand total of invoice {p.invoice}? {how}",
            f"Look up invoice {p.invoice} and give its grand total. {how}",
            f"How much does invoice {p.invoice} come to in all, tax and shipping included? {how}",
            f"{p.invoice}: grand total of this invoice? {how}",
            f"Hi, accounting asks what we billed with invoice {p.invoice}. Can you tell me its grand total? {how}",
            f"A customer wants to pay invoice {p.invoice} and has lost the paper. Which grand total is on it? {how}",
        ]

    def expected(self, before: Snapshot, p: Which) -> Expectation:
        """The invoice's own total."""
        return Expectation(answer=Money(before.row("invoices", number=p.invoice).total))

    def oracle(self, page: Any, p: Which) -> Moves:
        """Orders, Invoices, search for the number, open it, read the total."""
        page = yield click(page.find("link", "Orders", within=("navigation", "Main")))
        page = yield click(page.find("link", "Invoices", within=("navigation", "Main")))
        page = yield type_(page.find("searchbox", "Search invoices"), p.invoice, submit=True)
        page = yield click(page.find("link", p.invoice, within=("main", None)))
        yield finish(after("Grand total")(page))

    def near_misses(self, before: Snapshot, p: Which) -> Iterator[NearMiss]:
        """Other amounts of the invoice, of its order, and of the one that is easy to take for it."""
        row = before.row("invoices", number=p.invoice)
        order = before.row("orders", id=row.order_id)
        amounts = {
            "the total of the order": order.total,
            "the subtotal": row.subtotal,
            "without tax": row.total - row.tax,
            "without shipping": row.total - row.shipping,
            "what was paid for the order": order.paid,
            "all invoices of the order": sum(one.total for one in before.rows("invoices", order_id=order.id)),
        }
        other = look_alike(p.invoice, (one.number for one in before.rows("invoices")))
        if other is not None:
            amounts["the look-alike invoice"] = before.row("invoices", number=other).total
        for name, amount in amounts.items():
            if amount != row.total:
                yield NearMiss(name, finish=Finish(str(Money(amount))))

    def still_right(self, before: Snapshot, p: Which) -> Iterator[NearMiss]:
        """By the address of the invoice; by way of its order."""
        yield NearMiss("by the invoice's address", ui=lambda page: self._by_address(page, p))
        row: Row = before.row("invoices", number=p.invoice)
        order = before.row("orders", id=row.order_id)
        yield NearMiss("by way of the order", ui=lambda page: self._by_order(page, p, order.number))
        yield NearMiss("as the shop writes it", finish=Finish(f"${row.total // 100:,}.{row.total % 100:02d}"))

    def _by_address(self, page: Any, p: Which) -> Moves:
        page = yield navigate(f"{HOST}/invoices/{p.invoice}")
        yield finish(after("Grand total")(page))

    def _by_order(self, page: Any, p: Which, number: str) -> Moves:
        page = yield navigate(f"{HOST}/orders/{number}/invoices")
        page = yield click(page.find("link", p.invoice))
        yield finish(after("Grand total")(page))


_INVOICES = """
SELECT i.number, i.total, o.total AS of_order, o.email FROM invoices i JOIN orders o ON o.id = i.order_id ORDER BY i.id
"""
