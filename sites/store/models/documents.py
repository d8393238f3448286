"""The papers of an order: invoices, payments, shipments, refunds and returns."""

from __future__ import annotations

from sqlalchemy.orm import Mapped, mapped_column

from .base import Base, fk, generated, holds, index, one_of, pk, reads, table, version
from .choices import (
    CARRIERS,
    CONDITIONS,
    INVOICE_STATUSES,
    PAYMENT_KINDS,
    PAYMENT_METHODS,
    REFUND_METHODS,
    REFUND_STATUSES,
    RETURN_REASONS,
    RETURN_RESOLUTIONS,
    RETURN_STATUSES,
    SHIPMENT_STATUSES,
)
from .orders import Order, OrderItem


class Invoice(Base):
    """A bill for some units of an order; money in cents."""

    __tablename__ = "invoices"
    __table_args__ = table(one_of("status", INVOICE_STATUSES), index("order_id"), index("created_at", "id"))

    id: Mapped[int] = pk()
    number: Mapped[str] = generated(unique=True)
    order_id: Mapped[int] = fk("orders.id")
    status: Mapped[str]
    subtotal: Mapped[int]
    discount: Mapped[int]
    shipping: Mapped[int]
    tax: Mapped[int]
    total: Mapped[int]
    created_at: Mapped[str] = generated()
    paid_at: Mapped[str | None] = generated()

    order: Mapped[Order] = reads("Order")
    items: Mapped[list[InvoiceItem]] = reads("InvoiceItem", order_by="InvoiceItem.id")


class InvoiceItem(Base):
    """Units of an order line on an invoice."""

    __tablename__ = "invoice_items"
    __table_args__ = table(holds("qty", "qty >= 1"), index("invoice_id"), index("order_item_id"))

    id: Mapped[int] = pk()
    invoice_id: Mapped[int] = fk("invoices.id")
    order_item_id: Mapped[int] = fk("order_items.id")
    qty: Mapped[int]

    order_item: Mapped[OrderItem] = reads("OrderItem")


class Payment(Base):
    """Money that came in (capture) or went back (refund); `amount` is positive cents in both."""

    __tablename__ = "payments"
    __table_args__ = table(one_of("kind", PAYMENT_KINDS), one_of("method", PAYMENT_METHODS), index("order_id"))

    id: Mapped[int] = pk()
    order_id: Mapped[int] = fk("orders.id")
    invoice_id: Mapped[int | None] = fk("invoices.id")
    refund_id: Mapped[int | None] = fk("refunds.id")
    kind: Mapped[str]
    method: Mapped[str]
    amount: Mapped[int]
    reference: Mapped[str] = generated()
    created_at: Mapped[str] = generated()


class Shipment(Base):
    """A parcel, or several under one paper."""

    __tablename__ = "shipments"
    __table_args__ = table(one_of("status", SHIPMENT_STATUSES), index("order_id"), index("created_at", "id"))

    id: Mapped[int] = pk()
    number: Mapped[str] = generated(unique=True)
    order_id: Mapped[int] = fk("orders.id")
    status: Mapped[str]
    created_at: Mapped[str] = generated()
    delivered_at: Mapped[str | None] = generated()

    order: Mapped[Order] = reads("Order")
    items: Mapped[list[ShipmentItem]] = reads("ShipmentItem", order_by="ShipmentItem.id")
    tracks: Mapped[list[ShipmentTrack]] = reads("ShipmentTrack", order_by="ShipmentTrack.id")


class ShipmentItem(Base):
    """Units of an order line in a shipment."""

    __tablename__ = "shipment_items"
    __table_args__ = table(holds("qty", "qty >= 1"), index("shipment_id"), index("order_item_id"))

    id: Mapped[int] = pk()
    shipment_id: Mapped[int] = fk("shipments.id")
    order_item_id: Mapped[int] = fk("order_items.id")
    qty: Mapped[int]

    order_item: Mapped[OrderItem] = reads("OrderItem")


class ShipmentTrack(Base):
    """A tracking number of a shipment. `number` is typed by staff, so it is data."""

    __tablename__ = "shipment_tracks"
    __table_args__ = table(one_of("carrier", CARRIERS), index("shipment_id"))

    id: Mapped[int] = pk()
    shipment_id: Mapped[int] = fk("shipments.id")
    carrier: Mapped[str]
    title: Mapped[str]
    number: Mapped[str]
    created_at: Mapped[str] = generated()


class Refund(Base):
    """Money given back, or waiting for a manager to say so. total = items + tax + shipping + adjustment - fee."""

    __tablename__ = "refunds"
    __table_args__ = table(one_of("status", REFUND_STATUSES), one_of("method", REFUND_METHODS), index("order_id"))

    id: Mapped[int] = pk()
    number: Mapped[str] = generated(unique=True)
    order_id: Mapped[int] = fk("orders.id")
    return_id: Mapped[int | None] = fk("returns.id")
    status: Mapped[str]
    method: Mapped[str]
    items: Mapped[int]
    tax: Mapped[int]
    shipping: Mapped[int]
    adjustment: Mapped[int] = mapped_column(default=0)
    fee: Mapped[int] = mapped_column(default=0)
    total: Mapped[int]
    reason: Mapped[str] = mapped_column(default="")
    created_by: Mapped[int] = fk("staff.id")
    decided_by: Mapped[int | None] = fk("staff.id")
    decision_note: Mapped[str | None]
    created_at: Mapped[str] = generated()
    decided_at: Mapped[str | None] = generated()

    order: Mapped[Order] = reads("Order")
    lines: Mapped[list[RefundItem]] = reads("RefundItem", order_by="RefundItem.id")


class RefundItem(Base):
    """Units of an order line in a refund; `restock` puts shipped ones back on the shelf."""

    __tablename__ = "refund_items"
    __table_args__ = table(holds("qty", "qty >= 1"), index("refund_id"), index("order_item_id"))

    id: Mapped[int] = pk()
    refund_id: Mapped[int] = fk("refunds.id")
    order_item_id: Mapped[int] = fk("order_items.id")
    qty: Mapped[int]
    restock: Mapped[bool] = mapped_column(default=False)

    order_item: Mapped[OrderItem] = reads("OrderItem")


class Return(Base):
    """A customer's wish to send units back, from request to its end."""

    __tablename__ = "returns"
    __table_args__ = table(
        one_of("status", RETURN_STATUSES),
        one_of("reason", RETURN_REASONS),
        one_of("resolution", RETURN_RESOLUTIONS),
        index("order_id"),
    )

    id: Mapped[int] = pk()
    number: Mapped[str] = generated(unique=True)
    order_id: Mapped[int] = fk("orders.id")
    customer_id: Mapped[int] = fk("customers.id")
    status: Mapped[str]
    reason: Mapped[str]
    resolution: Mapped[str]
    customer_note: Mapped[str] = mapped_column(default="")
    staff_note: Mapped[str | None]
    created_at: Mapped[str] = generated()
    v: Mapped[int] = version()

    order: Mapped[Order] = reads("Order")
    items: Mapped[list[ReturnItem]] = reads("ReturnItem", order_by="ReturnItem.id")


class ReturnItem(Base):
    """Units of an order line in a return; `condition` is set when they arrive."""

    __tablename__ = "return_items"
    __table_args__ = table(holds("qty", "qty >= 1"), one_of("condition", CONDITIONS), index("return_id"))

    id: Mapped[int] = pk()
    return_id: Mapped[int] = fk("returns.id")
    order_item_id: Mapped[int] = fk("order_items.id")
    qty: Mapped[int]
    condition: Mapped[str | None]

    order_item: Mapped[OrderItem] = reads("OrderItem")
