"""Refunds: give money back for units, shipping or as an adjustment, at once or after a manager's approval (R10)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from ...kit.ids import next_number
from ...kit.money import money
from ...kit.rules import Refused
from ..messages import problem, refused
from ..models import Order, OrderItem, Payment, Refund, RefundItem, Return, Setting
from ..models.choices import REFUND_METHODS
from ..totals import line_amount
from . import mails, returns
from .base import Actor, Write, begin
from .invoices import choose
from .ledger import count_money, event, give_credit, items_of, left_in_order, move_stock, settle
from .orders import refuse_unless

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from ...kit.world import WorldContext


REFUNDABLE = ("processing", "complete")
"""Statuses in which money can be given back."""


def create(
    world: WorldContext,
    actor: Actor,
    *,
    number: str,
    lines: Mapping[Any, int] | None = None,
    restock: Iterable[Any] = (),
    shipping: int = 0,
    adjustment: int = 0,
    fee: int = 0,
    method: str = "original",
    reason: str = "",
    return_id: int | None = None,
    v: int | None = None,
) -> dict[str, Any]:
    """Refund units of an order (`lines` as order item id → units; None is all that can be), shipping and more.

    `restock` names the order items whose shipped units go back on the shelf. Amounts are cents. Above a clerk's
    limit the refund only waits for approval. Raises `Refused` ORDER_STATE, QTY_TOO_HIGH, REFUND_ZERO,
    REFUND_TOO_HIGH, NEGATIVE_AMOUNT, NOT_A_CHOICE.
    """
    with begin(world, actor, "refunds.create", Order, number=number) as w:
        order = w.subject
        w.check(order, v)
        refuse_unless(order, REFUNDABLE, "refunded")
        _return_of(w.db, order, return_id)
        asked = lines is None or any(lines.values())
        chosen = choose(items_of(w.db, order), lines, left_to_refund, "refund") if asked else []
        sums = _sums(chosen, shipping, adjustment, fee)
        _refuse_amounts(w.db, order, sums, method)
        waits = actor.role == "clerk" and sums["total"] > clerk_limit(w.db)
        refund = _draw_up(w, order, sums, method, reason, return_id, waits=waits)
        back = {int(item_id) for item_id in restock}
        for item, units in chosen:
            w.add(RefundItem, refund_id=refund.id, order_item_id=item.id, qty=units, restock=item.id in back)
        if waits:
            w.notify(None, "refund_waiting", refund, f"Refund {refund.number} over {money(refund.total)} is waiting.")
        else:
            _issue(w, order, refund)
        return {"number": refund.number, "order": order.number, "status": refund.status}


def decide(
    world: WorldContext, actor: Actor, *, number: str, approve: bool, note: str = "", v: int | None = None
) -> dict[str, Any]:
    """Approve or reject a waiting refund; never one's own. Raises `Refused` REFUND_STATE, OWN_REFUND, NOTE_REQUIRED."""
    with begin(world, actor, "refunds.decide", Refund, number=number) as w:
        refund = w.subject
        order = w.db.get_one(Order, refund.order_id)
        w.check(order, v)
        if refund.status != "pending_approval":
            raise refused("REFUND_STATE", number=refund.number)
        if refund.created_by == w.staff_id:
            raise refused("OWN_REFUND")
        if not approve and not note.strip():
            raise refused("NOTE_REQUIRED", "note")
        status = "issued" if approve else "rejected"
        w.set(refund, status=status, decided_by=w.staff_id, decision_note=note.strip() or None, decided_at=w.now)
        if approve:
            _refuse_amounts(w.db, order, {"shipping": refund.shipping, "total": refund.total}, refund.method)
            _issue(w, order, refund)
        return {"number": refund.number, "order": order.number, "status": refund.status}


def left_to_refund(item: OrderItem) -> int:
    """Units of a line that are invoiced and not refunded yet."""
    return int(item.qty_invoiced - item.qty_refunded)


def shipping_left(db: Session, order: Order) -> int:
    """What of an order's shipping has not been refunded yet, in cents."""
    earlier = select(func.coalesce(func.sum(Refund.shipping), 0)).filter_by(order_id=order.id, status="issued")
    return max(0, order.shipping - int(db.scalar(earlier) or 0))


def clerk_limit(db: Session) -> int:
    """Above this many cents a clerk's refund waits for a manager."""
    return setting(db, "clerk_refund_limit", 10_000)


def setting(db: Session, key: str, default: int) -> int:
    """A whole number among the shop's settings."""
    row = db.get(Setting, key)
    return int(json.loads(row.value_json)) if row is not None else default


def _return_of(db: Session, order: Order, return_id: int | None) -> None:
    """Raise `Refused` where a refund is meant to settle a return that is not this order's, or not received yet."""
    if return_id is None:
        return
    returned = db.get(Return, return_id)
    if returned is None or returned.order_id != order.id:
        raise refused("NOT_FOUND", what=f"Return {return_id} of order {order.number}")
    returns.refuse_unless(returned, ("received",), "refunded")


def _sums(chosen: list[tuple[OrderItem, int]], shipping: int, adjustment: int, fee: int) -> dict[str, int]:
    """The amounts of a refund: items and their tax pro rata, and the total."""
    items = sum(line_amount(i.row_total - i.discount, units, i.qty_ordered, i.qty_refunded) for i, units in chosen)
    tax = sum(line_amount(i.tax, units, i.qty_ordered, i.qty_refunded) for i, units in chosen)
    total = items + tax + shipping + adjustment - fee
    return {"items": items, "tax": tax, "shipping": shipping, "adjustment": adjustment, "fee": fee, "total": total}


def _refuse_amounts(db: Session, order: Order, sums: Mapping[str, int], method: str) -> None:
    """Raise `Refused` where more would go back than came in, nothing would, or there is nobody to credit."""
    if method not in REFUND_METHODS or (method == "store_credit" and order.customer_id is None):
        raise refused("NOT_A_CHOICE", "method", label="a refund method")
    wrong = [problem("NEGATIVE_AMOUNT", name) for name in ("adjustment", "fee") if sums.get(name, 0) < 0]
    left = shipping_left(db, order)
    if not 0 <= sums["shipping"] <= left:
        wrong.append(problem("REFUND_TOO_HIGH", "shipping", left=money(left)))
    if wrong:
        raise Refused.of(wrong)
    if sums["total"] <= 0:
        raise refused("REFUND_ZERO")
    if sums["total"] > order.paid - order.refunded:
        raise refused("REFUND_TOO_HIGH", "total", left=money(order.paid - order.refunded))


def _draw_up(
    w: Write[Order],
    order: Order,
    sums: Mapping[str, int],
    method: str,
    reason: str,
    return_id: int | None,
    *,
    waits: bool,
) -> Refund:
    """Add the refund, waiting or issued."""
    number = next_number(w.db, Refund, "CM-", 6)
    w.bump(order)
    return w.add(
        Refund,
        tell={"number": number, "total": sums["total"]},
        number=number,
        order_id=order.id,
        return_id=return_id,
        status="pending_approval" if waits else "issued",
        method=method,
        reason=reason.strip(),
        created_by=w.staff_id,
        created_at=w.now,
        **sums,
    )


def _issue(w: Write[Any], order: Order, refund: Refund) -> None:
    """The rest of E.refund: units, stock, money, status, history and mail."""
    for line in w.db.scalars(select(RefundItem).filter_by(refund_id=refund.id).order_by(RefundItem.id)):
        _take_back(w, order, refund, line)
    _pay_back(w, order, refund)
    if refund.return_id is not None:
        returns.close(w, w.db.get_one(Return, refund.return_id), order)
    count_money(w, order)
    moved = settle(w, order)
    kind = "status" if moved[0] != moved[1] else "system"
    event(w, order, kind, f"Refund {refund.number} issued over {money(refund.total)}", notify=True, moved=moved)
    mails.refunded(w, order, refund)


def _take_back(w: Write[Any], order: Order, refund: Refund, line: RefundItem) -> None:
    """Units not yet shipped go first: they are canceled and released; the tick restocks the shipped ones."""
    item = w.db.get_one(OrderItem, line.order_item_id)
    returned = line.qty if refund.return_id is not None else 0
    unshipped = 0 if returned else min(line.qty, left_in_order(item))
    w.set(
        item,
        tell=False,
        qty_refunded=item.qty_refunded + line.qty,
        qty_canceled=item.qty_canceled + unshipped,
        qty_returned=item.qty_returned + returned,
    )
    if unshipped:
        move_stock(w, item.variant_id, "release", reserved=-unshipped, ref=("order", order.id))
    if line.restock and line.qty > unshipped:
        move_stock(w, item.variant_id, "restock", on_hand=line.qty - unshipped, ref=("refund", refund.id))


def _pay_back(w: Write[Any], order: Order, refund: Refund) -> None:
    """Store credit where it was chosen or paid with; else a payment back, or one outside the shop."""
    method = order.pay_method if refund.method == "original" else refund.method
    if method == "store_credit":
        give_credit(w, order, refund.total, f"Refund {refund.number}", refund_id=refund.id)
        return
    payment = w.add(
        Payment,
        order_id=order.id,
        refund_id=refund.id,
        kind="refund",
        method=method,
        amount=refund.total,
        reference="",
        created_at=w.now,
    )
    payment.reference = f"PAY-{payment.id:06d}"
