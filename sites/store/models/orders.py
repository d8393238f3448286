"""Orders: what was bought, where it goes, and what happened to it."""

from __future__ import annotations

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from .access import Staff
from .base import VOLATILE, Base, column, derived, fk, generated, holds, index, one_of, pk, reads, table, version
from .choices import (
    ADDRESS_KINDS,
    CANCEL_REASONS,
    COUNTRIES,
    EVENT_KINDS,
    HOLD_REASONS,
    ORDER_CHANNELS,
    ORDER_STATUSES,
    PAY_METHODS,
)
from .people import Customer


class Order(Base):
    """An order. Money in cents; name, e-mail and lines are copies frozen when it was placed."""

    __tablename__ = "orders"
    __table_args__ = table(
        one_of("status", ORDER_STATUSES),
        one_of("prev_status", ORDER_STATUSES),
        one_of("channel", ORDER_CHANNELS),
        one_of("pay_method", PAY_METHODS),
        one_of("cancel_reason", CANCEL_REASONS),
        one_of("hold_reason", HOLD_REASONS),
        index("placed_at", "id"),
        index("customer_name_key", "id"),
        index("total", "id"),
        index("status", "placed_at"),
        index("placed_at", "status", "total"),
        index("customer_id", "placed_at"),
        index("customer_id", "status", "total", "refunded"),
    )

    id: Mapped[int] = pk()
    number: Mapped[str] = generated(unique=True)
    customer_id: Mapped[int | None] = fk("customers.id")
    email: Mapped[str]
    customer_name: Mapped[str]
    customer_name_key: Mapped[str] = derived()
    status: Mapped[str]
    prev_status: Mapped[str | None]
    channel: Mapped[str] = mapped_column(default="web")
    subtotal: Mapped[int]
    discount: Mapped[int]
    shipping: Mapped[int]
    tax: Mapped[int]
    total: Mapped[int]
    paid: Mapped[int] = derived(default=0)
    refunded: Mapped[int] = derived(default=0)
    coupon_code: Mapped[str | None]
    shipping_code: Mapped[str] = fk("shipping_methods.code")
    pay_method: Mapped[str]
    card_last4: Mapped[str | None]
    customer_note: Mapped[str | None]
    hold_reason: Mapped[str | None]
    cancel_reason: Mapped[str | None]
    assigned_to: Mapped[int | None] = fk("staff.id")
    search_key: Mapped[str] = derived()
    placed_at: Mapped[str] = generated()
    v: Mapped[int] = version()
    updated_at: Mapped[str | None] = column(cls=VOLATILE)

    customer: Mapped[Customer | None] = reads("Customer")
    assignee: Mapped[Staff | None] = reads("Staff")
    items: Mapped[list[OrderItem]] = reads("OrderItem", order_by="OrderItem.id")
    addresses: Mapped[list[OrderAddress]] = reads("OrderAddress", order_by="OrderAddress.id")
    events: Mapped[list[OrderEvent]] = reads("OrderEvent", order_by="OrderEvent.created_at, OrderEvent.id")


class OrderItem(Base):
    """A line of an order. sku, name and options_text are frozen copies; each quantity counts units."""

    __tablename__ = "order_items"
    __table_args__ = table(
        holds("qty_ordered", "qty_ordered >= 1"),
        holds("qty_invoiced", "qty_invoiced BETWEEN 0 AND qty_ordered"),
        holds("qty_shipped", "qty_shipped BETWEEN 0 AND qty_ordered"),
        holds("qty_canceled", "qty_canceled BETWEEN 0 AND qty_ordered"),
        holds("qty_refunded", "qty_refunded BETWEEN 0 AND qty_ordered"),
        holds("qty_returned", "qty_returned BETWEEN 0 AND qty_ordered"),
        index("order_id"),
        index("variant_id"),
    )

    id: Mapped[int] = pk()
    order_id: Mapped[int] = fk("orders.id")
    variant_id: Mapped[int] = fk("variants.id")
    sku: Mapped[str]
    name: Mapped[str]
    options_text: Mapped[str] = mapped_column(default="")
    unit_price: Mapped[int]
    qty_ordered: Mapped[int]
    qty_invoiced: Mapped[int] = mapped_column(default=0)
    qty_shipped: Mapped[int] = mapped_column(default=0)
    qty_canceled: Mapped[int] = mapped_column(default=0)
    qty_refunded: Mapped[int] = mapped_column(default=0)
    qty_returned: Mapped[int] = mapped_column(default=0)
    row_total: Mapped[int]
    discount: Mapped[int] = mapped_column(default=0)
    tax: Mapped[int] = mapped_column(default=0)


class OrderAddress(Base):
    """The billing or shipping address of an order; a copy, never a link to the address book."""

    __tablename__ = "order_addresses"
    __table_args__ = table(
        UniqueConstraint("order_id", "kind"),
        one_of("kind", ADDRESS_KINDS),
        one_of("country", COUNTRIES),
        index("city_key"),
    )

    id: Mapped[int] = pk()
    order_id: Mapped[int] = fk("orders.id")
    kind: Mapped[str]
    full_name: Mapped[str]
    full_name_key: Mapped[str] = derived()
    company: Mapped[str | None]
    line1: Mapped[str]
    line2: Mapped[str | None]
    city: Mapped[str]
    city_key: Mapped[str] = derived()
    region: Mapped[str]
    postcode: Mapped[str]
    country: Mapped[str]
    phone: Mapped[str | None]
    v: Mapped[int] = version()


class OrderEvent(Base):
    """A line of an order's history. Comments are data; status and system lines are trail."""

    __tablename__ = "order_events"
    __table_args__ = table(one_of("kind", EVENT_KINDS), index("order_id"), trail_when={"kind": ("status", "system")})

    id: Mapped[int] = pk()
    order_id: Mapped[int] = fk("orders.id")
    kind: Mapped[str]
    from_status: Mapped[str | None]
    to_status: Mapped[str | None]
    body: Mapped[str] = mapped_column(default="")
    notify_customer: Mapped[bool] = mapped_column(default=False)
    staff_id: Mapped[int | None] = fk("staff.id")
    created_at: Mapped[str] = generated()

    staff: Mapped[Staff | None] = reads("Staff")
