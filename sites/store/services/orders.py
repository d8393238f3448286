"""What staff do to an order as a whole: cancel, hold, release, decide a fraud review, assign and tag it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, exists, select

from ..labels import CANCEL_REASON, HOLD_REASON, ORDER_STATUS
from ..messages import refused
from ..models import Invoice, Order, OrderTag, Staff, Tag
from . import mails
from .base import Actor, Write, begin
from .ledger import RUNNING, event, give_credit, items_of, left_in_order, move_stock, release_coupon

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from ...kit.world import WorldContext

Result = dict[str, Any]


def cancel(
    world: WorldContext, actor: Actor, *, number: str, reason: str, notify: bool = True, v: int | None = None
) -> Result:
    """Cancel an order that is pending or under fraud review and has no invoice; its stock is released.

    `reason` is one of the cancel reasons; `notify` e-mails the customer. Raises `Refused` ORDER_INVOICED, ORDER_STATE,
    REASON_REQUIRED.
    """
    with begin(world, actor, "orders.cancel", Order, number=number) as w:
        order = w.subject
        w.check(order, v, {"status": "canceled", "cancel_reason": reason})
        refuse_cancel(w.db, order)
        _reason(reason, CANCEL_REASON)
        _cancel(w, order, reason, notify)
        return _result(order)


def hold(world: WorldContext, actor: Actor, *, number: str, reason: str, v: int | None = None) -> Result:
    """Put a pending or processing order on hold. Raises `Refused` ORDER_STATE, REASON_REQUIRED."""
    with begin(world, actor, "orders.hold", Order, number=number) as w:
        order = w.subject
        w.check(order, v, {"status": "on_hold", "hold_reason": reason})
        refuse_unless(order, RUNNING, "put on hold")
        _reason(reason, HOLD_REASON)
        before = order.status
        w.set(order, status="on_hold", prev_status=before, hold_reason=reason)
        event(w, order, "status", f"Put on hold: {HOLD_REASON[reason]}", moved=(before, "on_hold"))
        return _result(order)


def unhold(world: WorldContext, actor: Actor, *, number: str, v: int | None = None) -> Result:
    """Release an order from hold, back to the status it had. Raises `Refused` ORDER_STATE."""
    with begin(world, actor, "orders.unhold", Order, number=number) as w:
        order = w.subject
        w.check(order, v, {"status": order.prev_status or "pending"})
        refuse_unless(order, ("on_hold",), "released from hold")
        back = order.prev_status or "pending"
        w.set(order, status=back, prev_status=None, hold_reason=None)
        event(w, order, "status", "Released from hold", moved=("on_hold", back))
        return _result(order)


def accept_fraud(world: WorldContext, actor: Actor, *, number: str, v: int | None = None) -> Result:
    """Let an order pass its fraud review; it becomes pending. Raises `Refused` ORDER_STATE."""
    with begin(world, actor, "orders.accept_fraud", Order, number=number) as w:
        order = w.subject
        w.check(order, v, {"status": "pending"})
        refuse_unless(order, ("fraud_review",), "accepted")
        w.set(order, status="pending")
        event(w, order, "status", "Fraud review accepted", moved=("fraud_review", "pending"))
        return _result(order)


def reject_fraud(
    world: WorldContext, actor: Actor, *, number: str, notify: bool = True, v: int | None = None
) -> Result:
    """Reject an order in fraud review, which cancels it with the reason fraud. Raises `Refused` ORDER_STATE."""
    with begin(world, actor, "orders.reject_fraud", Order, number=number) as w:
        order = w.subject
        w.check(order, v, {"status": "canceled", "cancel_reason": "fraud"})
        refuse_unless(order, ("fraud_review",), "rejected")
        _cancel(w, order, "fraud", notify)
        return _result(order)


def assign(
    world: WorldContext, actor: Actor, *, number: str, staff_id: int | None = None, v: int | None = None
) -> Result:
    """Make an active member of staff responsible for an order, or nobody. Raises `Refused` NOT_A_CHOICE."""
    with begin(world, actor, "orders.assign", Order, number=number) as w:
        order = w.subject
        w.check(order, v, {"assigned_to": staff_id})
        staff = w.db.get(Staff, staff_id) if staff_id is not None else None
        if staff_id is not None and (staff is None or not staff.active):
            raise refused("NOT_A_CHOICE", "staff_id", label="a member of staff")
        changed = w.set(order, assigned_to=staff_id)
        if changed and staff is not None and staff.id != w.staff_id:
            w.notify(staff.id, "order_assigned", order, f"Order {order.number} was assigned to you.")
        return {**_result(order), "changed": changed, "name": staff.name if staff is not None else ""}


def tag(
    world: WorldContext,
    actor: Actor,
    *,
    number: str,
    add: Iterable[str] = (),
    remove: Iterable[str] = (),
    v: int | None = None,
) -> Result:
    """Put tags of the shop on an order or take them off, by name. Raises `Refused` NOT_A_CHOICE."""
    with begin(world, actor, "orders.tag", Order, number=number) as w:
        order = w.subject
        w.check(order, v)
        before = tags_of(w.db, order)
        wanted = sorted((set(before) | set(add)) - set(remove))
        ids = {tag.name: tag.id for tag in w.db.scalars(select(Tag).order_by(Tag.id))}
        if not set(wanted) <= set(ids):
            raise refused("NOT_A_CHOICE", "tags", label="tags")
        for name in sorted(set(wanted) - set(before)):
            w.add(OrderTag, order_id=order.id, tag_id=ids[name])
        for name in sorted(set(before) - set(wanted)):
            w.db.delete(w.db.scalars(select(OrderTag).filter_by(order_id=order.id, tag_id=ids[name])).one())
        if wanted != before:
            w.bump(order)
            w.note(order, [{"field": "tags", "old": before, "new": wanted}])
        return {**_result(order), "changed": wanted != before}


TAGS = select(Tag.name).join(OrderTag, OrderTag.tag_id == Tag.id).where(OrderTag.order_id == bindparam("order_id"))
INVOICED = select(exists().where(Invoice.order_id == bindparam("order_id"), Invoice.status != "void"))


def tags_of(db: Session, order: Order) -> list[str]:
    """The names of an order's tags, sorted."""
    return sorted(db.scalars(TAGS, {"order_id": order.id}))


def refuse_cancel(db: Session, order: Order) -> None:
    """Raise `Refused` where an order cannot be canceled: it has an invoice, or its status forbids it (R4)."""
    if order.status != "canceled" and db.scalar(INVOICED, {"order_id": order.id}):
        raise refused("ORDER_INVOICED")
    refuse_unless(order, ("pending", "fraud_review"), "canceled")


def refuse_unless(order: Order, statuses: Iterable[str], doing: str) -> None:
    """Raise `Refused` ORDER_STATE unless the order has one of these statuses; `doing` completes "cannot be …"."""
    if order.status not in statuses:
        raise refused("ORDER_STATE", doing=doing, status=ORDER_STATUS[order.status].lower())


def _cancel(w: Write[Order], order: Order, reason: str, notify: bool) -> None:
    """E.cancel: status and reason, every line canceled, stock released, coupon and store credit given back."""
    before = order.status
    for item in items_of(w.db, order):
        units = left_in_order(item)
        w.set(item, qty_canceled=item.qty_ordered - item.qty_shipped)
        if units:
            move_stock(w, item.variant_id, "release", reserved=-units, ref=("order", order.id))
    w.set(order, status="canceled", cancel_reason=reason)
    release_coupon(w, order)
    if order.pay_method == "store_credit" and order.customer_id is not None and order.total:
        give_credit(w, order, order.total, f"Order {order.number} canceled")
    event(w, order, "status", f"Canceled: {CANCEL_REASON[reason]}", notify=notify, moved=(before, "canceled"))
    if notify:
        mails.canceled(w, order)


def _reason(reason: str, reasons: dict[str, str]) -> None:
    if reason not in reasons:
        raise refused("REASON_REQUIRED", "reason")


def _result(order: Order) -> Result:
    return {"number": order.number, "status": order.status, "v": order.v}
