"""Cancel an order, unless an invoice stands in the way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...sites.store.labels import CANCEL_REASON
from ...verifiers import NOT_ALLOWED, Expectation, Finish, Snapshot
from ...verifiers.answers import OrderNo
from ..page import Moves, check, click, finish, navigate, select
from ..template import Call, Kind, NearMiss, Params, interleaved, twins
from . import calls, effects
from .admin import AdminTemplate, customer, look_alike, mistakable, neighbours, open_order


@dataclass(frozen=True, kw_only=True)
class Cancel(Params):
    """Which order, and why."""

    number: str
    email: str
    reason: str
    invoice: str | None = None
    """The one invoice that forbids it."""

    def entities(self) -> tuple[str, ...]:
        """The order's customer."""
        return (customer(self.email),)


class CancelOrder(AdminTemplate[Cancel]):
    """Cancel an order for a given reason.

    Its twin names an order that has been invoiced, which the shop refuses: NOT_ALLOWED, with the invoice's number. As
    many orders of each kind are asked for out of each fifty in a row, since new ones are rarely invoiced. Traps:
    numbers that differ in one digit (T4). Also fails: another reason, holding or refunding instead.
    """

    id = "store.admin/cancel-order"
    kind = Kind.CHANGE
    tags = ("P07", "P48", "P50", "P51", "T4")

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Cancel]:
        """Orders that may be canceled; as twins orders of the same days with one paid invoice and no other."""
        free = db.query(
            "SELECT o.number, o.email FROM orders o WHERE o.status IN ('pending', 'fraud_review')"
            " AND NOT EXISTS (SELECT 1 FROM invoices i WHERE i.order_id = o.id) ORDER BY o.id"
        )
        billed = db.query(
            "SELECT o.number, o.email, min(i.number) AS invoice FROM orders o JOIN invoices i ON i.order_id = o.id"
            " WHERE o.status IN ('processing', 'complete') AND o.number >= :first"
            " GROUP BY o.id HAVING count(*) = 1 AND min(i.status) = 'paid' ORDER BY o.id",
            first=min(row.number for row in free),
        )
        alike = mistakable(row.number for row in (*free, *billed))
        both = []
        for rows, feasible in ((free, True), (billed, False)):
            every = [
                Cancel(
                    feasible=feasible,
                    number=row.number,
                    email=row.email,
                    reason=rng.choice(list(CANCEL_REASON)),
                    invoice=row.get("invoice"),
                )
                for row in rows
            ]
            trapped = [p for p in every if p.number in alike]
            both.append(interleaved(rng, trapped, [p for p in every if p.number not in alike]))
        can, can_not = both
        yield from twins(can, can_not, lambda p: neighbours(p.number))

    def intents(self, p: Cancel) -> Sequence[str]:
        """Twins say the same."""
        reason = CANCEL_REASON[p.reason]
        otherwise = (
            "If the shop does not allow it because of an invoice, change nothing, and finish with the outcome"
            " NOT_ALLOWED and the number of that invoice as the answer."
        )
        return [
            f'Cancel order {p.number} with the reason "{reason}". {otherwise}',
            f'Order {p.number} has to be canceled; the reason to choose is "{reason}". {otherwise}',
            f'Please cancel order number {p.number}. Reason: "{reason}". {otherwise}',
            f'{p.number}: cancel this order, reason "{reason}". {otherwise}',
            f"Hi, I have just been on the phone about order {p.number}. We agreed to cancel it. Could you do that? Put"
            f' "{reason}" as the reason. {otherwise}',
            f"One more for today: we will not deliver order {p.number}, so it should be canceled in the shop, with"
            f' "{reason}" as the reason. {otherwise}',
        ]

    def expected(self, before: Snapshot, p: Cancel) -> Expectation:
        """E.cancel, or nothing and the invoice's number."""
        order = effects.order_of(before, p.number)
        invoices = before.rows("invoices", order_id=order.id, status=["open", "paid"])
        if invoices:
            (invoice,) = invoices
            return Expectation(outcome=NOT_ALLOWED, blocker=OrderNo(invoice.number))
        return effects.cancel(before, p.number, p.reason)

    def oracle(self, page: Any, p: Cancel) -> Moves:
        """Search the order, open the dialog, choose the reason and confirm; or read which invoice forbids it."""
        page = yield from open_order(page, p.number)
        page = yield click(page.find("button", "Cancel order"))
        if not page.find_all("combobox", "Reason"):
            invoice = page.elements("link", re.compile(r"^INV-\d+"), within=("dialog", re.compile("cancel", re.I)))[0]
            yield finish(re.match(r"INV-\d+", invoice.name)[0], NOT_ALLOWED)  # type: ignore[index]
            return
        page = yield select(page.find("combobox", "Reason"), CANCEL_REASON[p.reason])
        yield click(page.find("button", "Cancel the order"))

    def calls(self, before: Snapshot, p: Cancel) -> Sequence[Call]:
        """One call."""
        return [calls.cancel(p.number, p.reason)] if p.feasible else []

    def near_misses(self, before: Snapshot, p: Cancel) -> Iterator[NearMiss]:
        """The look-alike order, another reason, a hold instead, a dialog that was not confirmed."""
        free = [row.number for row in before.rows("orders", status="pending")]
        other = look_alike(p.number, free)
        end = self.finish(before, p)
        if other is not None:
            yield NearMiss("the look-alike order canceled", (calls.cancel(other, p.reason),), finish=end)
        if effects.order_of(before, p.number).status in ("pending", "processing"):
            yield NearMiss("put on hold instead", (calls.hold(p.number),), finish=end)
        if not p.feasible:
            for units in self._refundable(before, p)[:1]:
                refund = Call("refunds.create", {"number": p.number, "lines": units})
                yield NearMiss("refunded instead", (refund,), finish=end)
            yield NearMiss("a note instead", (calls.note(p.number, "Cancel this order.", notify=False),), finish=end)
            yield NearMiss("the order named", finish=Finish(p.number, NOT_ALLOWED))
            return
        wrong = next(reason for reason in CANCEL_REASON if reason != p.reason)
        yield NearMiss("another reason", (calls.cancel(p.number, wrong),))
        if other is not None:
            both = (calls.cancel(p.number, p.reason), calls.cancel(other, p.reason))
            yield NearMiss("the look-alike order canceled as well", both)
        yield NearMiss("reason chosen, not confirmed", ui=lambda page: self._unconfirmed(page, p))

    def _refundable(self, before: Snapshot, p: Cancel) -> list[dict[str, int]]:
        """One unit of each line for which money can be given back."""
        items = before.rows("order_items", order_id=effects.order_of(before, p.number).id)
        return [
            {str(item.id): 1}
            for item in items
            if item.qty_invoiced > item.qty_refunded and item.row_total > item.discount
        ]

    def _unconfirmed(self, page: Any, p: Cancel) -> Moves:
        page = yield from open_order(page, p.number)
        page = yield click(page.find("button", "Cancel order"))
        yield select(page.find("combobox", "Reason"), CANCEL_REASON[p.reason])

    def still_right(self, before: Snapshot, p: Cancel) -> Iterator[NearMiss]:
        """Held and released first; no mail to the customer; the order opened by its address."""
        if not p.feasible:
            return
        cancel = calls.cancel(p.number, p.reason)
        if effects.order_of(before, p.number).status == "pending":
            yield NearMiss("held and released before", (calls.hold(p.number), calls.unhold(p.number), cancel))
        if effects.order_of(before, p.number).status == "fraud_review":
            yield NearMiss("its fraud review passed before", (calls.accept(p.number), cancel))
        yield NearMiss("without telling the customer", (calls.cancel(p.number, p.reason, notify=False),))
        yield NearMiss("by its address, without e-mail", ui=lambda page: self._by_address(page, p))
        yield NearMiss("from the list of orders", ui=lambda page: self._from_list(page, p))

    def _from_list(self, page: Any, p: Cancel) -> Moves:
        page = yield navigate(f"http://admin.shop.localhost/orders?q={p.number}")
        page = yield check(page.find("checkbox", f"Select order {p.number}"))
        page = yield click(page.find("button", "Cancel", within=("region", "Selection")))
        page = yield select(page.find("combobox", "Reason"), CANCEL_REASON[p.reason])
        yield click(page.find("button", re.compile("^Cancel order"), within=("dialog", None)))

    def _by_address(self, page: Any, p: Cancel) -> Moves:
        page = yield navigate(f"http://admin.shop.localhost/orders/{p.number}")
        page = yield click(page.find("button", "Cancel order"))
        page = yield select(page.find("combobox", "Reason"), CANCEL_REASON[p.reason])
        page = yield check(page.find("checkbox", "E-mail customer"), checked=False)
        yield click(page.find("button", "Cancel the order"))
