"""The books behind an order: stock with its moves, coupon uses, store credit, what is paid, and the order's status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from ..models import (
    Coupon,
    CouponUse,
    Invoice,
    Order,
    OrderEvent,
    OrderItem,
    Payment,
    Refund,
    Stock,
    StockMove,
    StoreCreditEntry,
)

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from .base import Write

RUNNING = ("pending", "processing")
"""Statuses in which work on an order goes on."""


def items_of(db: Session, order: Order) -> list[OrderItem]:
    """The lines of an order, in the order in which they were placed."""
    return list(db.scalars(select(OrderItem).where(OrderItem.order_id == order.id).order_by(OrderItem.id)))


def left_in_order(item: OrderItem) -> int:
    """Units of a line that are neither shipped nor canceled, so still reserved."""
    return int(item.qty_ordered - item.qty_shipped - item.qty_canceled)


def left_to_invoice(item: OrderItem) -> int:
    """Units of a line that may still be invoiced (R6); units refunded before shipment were invoiced and canceled."""
    return max(0, int(item.qty_ordered - item.qty_invoiced - item.qty_canceled))


def move_stock(
    w: Write[Any], variant_id: int, kind: str, *, on_hand: int = 0, reserved: int = 0, ref: tuple[str, int]
) -> Stock:
    """Change a variant's stock and write the move that explains it; units, positive is more."""
    stock = w.db.get_one(Stock, variant_id)
    w.set(stock, tell=False, on_hand=stock.on_hand + on_hand, reserved=stock.reserved + reserved)
    w.add(
        StockMove,
        variant_id=variant_id,
        kind=kind,
        d_on_hand=on_hand,
        d_reserved=reserved,
        ref_kind=ref[0],
        ref_id=ref[1],
        actor_id=w.staff_id,
        created_at=w.now,
    )
    return stock


def release_coupon(w: Write[Any], order: Order) -> None:
    """Forget that the order used its coupons, so that the customer may use them again."""
    uses = w.db.scalars(select(CouponUse).where(CouponUse.order_id == order.id).order_by(CouponUse.id)).all()
    for use in uses:
        coupon = w.db.get_one(Coupon, use.coupon_id)
        w.db.delete(use)
        w.db.flush()
        used = w.db.scalar(select(func.count()).select_from(CouponUse).where(CouponUse.coupon_id == coupon.id))
        w.set(coupon, tell=False, used_count=used)


def give_credit(w: Write[Any], order: Order, amount: int, reason: str, refund_id: int | None = None) -> None:
    """Add store credit, in cents, to the account of the order's customer."""
    w.add(
        StoreCreditEntry,
        customer_id=order.customer_id,
        delta=amount,
        reason=reason,
        order_id=order.id,
        refund_id=refund_id,
        created_at=w.now,
    )


def event(
    w: Write[Any],
    order: Order,
    kind: str,
    body: str,
    *,
    notify: bool = False,
    moved: tuple[str | None, str | None] = (None, None),
) -> OrderEvent:
    """Add a line to an order's history; `moved` is its status before and after."""
    return w.add(
        OrderEvent,
        order_id=order.id,
        kind=kind,
        from_status=moved[0],
        to_status=moved[1],
        body=body,
        notify_customer=notify,
        staff_id=w.staff_id,
        created_at=w.now,
    )


def count_money(w: Write[Any], order: Order) -> None:
    """Bring `paid` and `refunded` of an order in line with its payments and issued refunds."""
    w.db.flush()
    captured = select(func.coalesce(func.sum(Payment.amount), 0)).where(
        Payment.order_id == order.id, Payment.kind == "capture"
    )
    issued = select(func.coalesce(func.sum(Refund.total), 0)).where(
        Refund.order_id == order.id, Refund.status == "issued"
    )
    w.set(order, paid=int(w.db.scalar(captured) or 0), refunded=int(w.db.scalar(issued) or 0))


def settle(w: Write[Any], order: Order) -> tuple[str, str]:
    """Move an order to the status that its lines and money ask for (R4); returns the status before and after."""
    before = str(order.status)
    after = due_status(w.db, order)
    w.set(order, status=after)
    return before, after


def due_status(db: Session, order: Order) -> str:
    """The status that an order's lines and money ask for; what is held or final stays as it is."""
    if order.refunded and order.refunded == order.paid and order.status in (*RUNNING, "complete"):
        return "closed"
    if order.status not in RUNNING:
        return str(order.status)
    items = items_of(db, order)
    if all(not left_in_order(i) and not left_to_invoice(i) for i in items) and any(i.qty_shipped for i in items):
        return "complete"
    invoiced = db.scalar(select(Invoice.id).where(Invoice.order_id == order.id).limit(1))
    return "processing" if invoiced else str(order.status)
