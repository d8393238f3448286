"""Shipments: send units of an order, and say what became of a parcel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from ...kit.ids import next_number
from ...kit.rules import Refused
from ..messages import problem, refused
from ..models import Invoice, InvoiceItem, Order, OrderItem, Review, Shipment, ShipmentItem, Stock, Variant
from . import mails
from .base import Actor, Write, begin
from .invoices import choose
from .ledger import event, items_of, left_in_order, move_stock, settle
from .orders import refuse_unless
from .tracking import put_track, wrong_tracks

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from ...kit.world import WorldContext


def create(
    world: WorldContext,
    actor: Actor,
    *,
    number: str,
    lines: Mapping[Any, int] | None = None,
    tracks: Iterable[Mapping[str, str]] = (),
    notify: bool = True,
    v: int | None = None,
) -> dict[str, Any]:
    """Ship units of an order, `lines` as order item id → units (None is all that may go), with tracking numbers.

    `tracks` holds `carrier`, `number` and perhaps `title`. Units must be invoiced, and paid unless the order is paid
    on delivery (R6). Raises `Refused` ORDER_STATE, NOT_PAID, QTY_TOO_HIGH, NOT_ON_HAND, NOTHING_CHOSEN and what a
    tracking number can be refused for (fields `carrier.0`, `tracking.0`, `title.0` and so on).
    """
    with begin(world, actor, "shipments.create", Order, number=number) as w:
        order = w.subject
        w.check(order, v)
        refuse_unless(order, ("processing",), "shipped")
        tracks = list(tracks)
        wrong = wrong_tracks(tracks)
        try:
            chosen = _choose(w, order, lines)
        except Refused as refusal:
            raise Refused.of([*refusal.problems, *wrong]) from None
        if wrong:
            raise Refused.of(wrong)
        shipment = _send(w, order, chosen)
        labels = [_track(w, shipment, track) for track in tracks]
        moved = settle(w, order)
        _verify_reviews(w.db, order, [item.variant_id for item, _ in chosen])
        kind = "status" if moved[0] != moved[1] else "system"
        event(w, order, kind, f"Shipment {shipment.number} created", notify=notify, moved=moved)
        if notify:
            mails.shipped(w, order, shipment, labels)
        return {"number": shipment.number, "order": order.number, "status": order.status}


def mark_delivered(world: WorldContext, actor: Actor, *, number: str, v: int | None = None) -> dict[str, Any]:
    """Record that a shipment arrived. Raises `Refused` SHIPMENT_STATE."""
    return _arrive(world, actor, "shipments.mark_delivered", number, v, status="delivered", doing="marked delivered")


def mark_lost(world: WorldContext, actor: Actor, *, number: str, v: int | None = None) -> dict[str, Any]:
    """Record that a shipment was lost. Raises `Refused` SHIPMENT_STATE."""
    return _arrive(world, actor, "shipments.mark_lost", number, v, status="lost", doing="marked lost")


def ready_to_ship(db: Session, order: Order) -> dict[int, int]:
    """Units that may ship now, by order item id: invoiced (paid, unless cash on delivery) and still in the order."""
    statuses = ("paid", "open") if order.pay_method == "cod" else ("paid",)
    billed = (
        select(InvoiceItem.order_item_id, func.sum(InvoiceItem.qty))
        .join(Invoice, Invoice.id == InvoiceItem.invoice_id)
        .where(Invoice.order_id == order.id, Invoice.status.in_(statuses))
        .group_by(InvoiceItem.order_item_id)
    )
    units = {item_id: int(qty) for item_id, qty in db.execute(billed)}
    return {
        item.id: max(0, units.get(item.id, 0) - item.qty_canceled - item.qty_shipped) for item in items_of(db, order)
    }


def _choose(w: Write[Order], order: Order, lines: Mapping[Any, int] | None) -> list[tuple[OrderItem, int]]:
    """The lines to send with their units; what is not invoiced and paid stays (R6), and so does what is not there."""
    ready = ready_to_ship(w.db, order)
    items = items_of(w.db, order)
    if lines is None and not any(ready.values()) and any(map(left_in_order, items)):
        raise refused("NOT_PAID")
    chosen = choose(items, lines if lines is not None else ready, left_in_order, "ship")
    if unpaid := [item for item, units in chosen if units > ready[item.id]]:
        raise Refused.of(problem("NOT_PAID", f"qty_{item.id}") for item in unpaid)
    return chosen


def _send(w: Write[Order], order: Order, chosen: list[tuple[OrderItem, int]]) -> Shipment:
    """Add the shipment and its lines, and take the units off the shelf."""
    number = next_number(w.db, Shipment, "SHP-", 6)
    tell = {"number": number, "items": ", ".join(f"{units} × {item.sku}" for item, units in chosen)}
    shipment = w.add(Shipment, tell=tell, number=number, order_id=order.id, status="shipped", created_at=w.now)
    for item, units in chosen:
        stock = w.db.get_one(Stock, item.variant_id)
        if units > stock.on_hand:
            raise refused("NOT_ON_HAND", f"qty_{item.id}", left=stock.on_hand, sku=item.sku)
        w.add(ShipmentItem, shipment_id=shipment.id, order_item_id=item.id, qty=units)
        w.set(item, tell=False, qty_shipped=item.qty_shipped + units)
        move_stock(w, item.variant_id, "ship", on_hand=-units, reserved=-units, ref=("order", order.id))
    w.bump(order)
    return shipment


def _verify_reviews(db: Session, order: Order, variants: list[int]) -> None:
    """A customer's reviews of what they have now had shipped are verified (R12); that is no edit of the reviews.

    A guest has no account, and so no reviews: those without an author are of whom nobody knows.
    """
    if order.customer_id is None:
        return
    shipped = select(Variant.product_id).where(Variant.id.in_(variants))
    theirs = select(Review).where(Review.customer_id == order.customer_id, Review.product_id.in_(shipped))
    for review in db.scalars(theirs.order_by(Review.id)):
        review.verified = True


def _track(w: Write[Order], shipment: Shipment, track: Mapping[str, str]) -> str:
    added = put_track(w, shipment, track.get("carrier", ""), track.get("number", ""), track.get("title", ""))
    return f"{added.title} {added.number}"


def _arrive(
    world: WorldContext, actor: Actor, use_case: str, number: str, v: int | None, *, status: str, doing: str
) -> dict[str, Any]:
    with begin(world, actor, use_case, Shipment, number=number) as w:
        shipment = w.subject
        order = w.db.get_one(Order, shipment.order_id)
        w.check(order, v)
        if shipment.status != "shipped":
            raise refused("SHIPMENT_STATE", number=shipment.number, status=shipment.status, doing=doing)
        w.set(shipment, status=status, delivered_at=w.now if status == "delivered" else None)
        w.bump(order)
        event(w, order, "system", f"Shipment {shipment.number} {doing}")
        return {"number": shipment.number, "order": order.number, "status": shipment.status}
