"""Customers, their addresses, wishes, newsletter and credit."""

from __future__ import annotations

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from .base import VOLATILE, Base, column, derived, fk, generated, index, one_of, pk, reads, table, version
from .choices import COUNTRIES, CUSTOMER_GROUPS, CUSTOMER_STATUSES, NEWSLETTER_STATUSES


class CustomerGroup(Base):
    """A group that promotions and reports tell apart."""

    __tablename__ = "customer_groups"
    __table_args__ = table(one_of("code", CUSTOMER_GROUPS))

    id: Mapped[int] = pk()
    code: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]


class Customer(Base):
    """An account. `name_key` reads first-last, `last_name_key` last-first; phones are E.164 (`+15035550123`)."""

    __tablename__ = "customers"
    __table_args__ = table(
        one_of("status", CUSTOMER_STATUSES), index("last_name_key", "id"), index("name_key"), index("phone")
    )

    id: Mapped[int] = pk()
    email: Mapped[str] = mapped_column(unique=True)
    first_name: Mapped[str]
    last_name: Mapped[str]
    name_key: Mapped[str] = derived()
    last_name_key: Mapped[str] = derived()
    phone: Mapped[str | None]
    group_id: Mapped[int] = fk("customer_groups.id")
    status: Mapped[str] = mapped_column(default="active")
    merged_into: Mapped[int | None] = fk("customers.id")
    note: Mapped[str] = mapped_column(default="")
    default_shipping_id: Mapped[int | None] = fk(
        "addresses.id", name="fk_customers_default_shipping_id", use_alter=True
    )
    default_billing_id: Mapped[int | None] = fk("addresses.id", name="fk_customers_default_billing_id", use_alter=True)
    password_hash: Mapped[str]
    search_key: Mapped[str] = derived()
    v: Mapped[int] = version()
    created_at: Mapped[str] = generated()
    last_seen_at: Mapped[str | None] = column(cls=VOLATILE)

    group: Mapped[CustomerGroup] = reads("CustomerGroup")
    addresses: Mapped[list[Address]] = reads("Address", order_by="Address.id", foreign="Address.customer_id")
    default_shipping: Mapped[Address | None] = reads("Address", foreign="Customer.default_shipping_id")
    default_billing: Mapped[Address | None] = reads("Address", foreign="Customer.default_billing_id")


class Address(Base):
    """An entry of a customer's address book; `region` is a code such as OR."""

    __tablename__ = "addresses"
    __table_args__ = table(one_of("country", COUNTRIES), index("customer_id"))

    id: Mapped[int] = pk()
    customer_id: Mapped[int] = fk("customers.id")
    label: Mapped[str]
    full_name: Mapped[str]
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


class NewsletterEntry(Base):
    """A newsletter address and what its owner said last."""

    __tablename__ = "newsletter"
    __table_args__ = table(one_of("status", NEWSLETTER_STATUSES))

    id: Mapped[int] = pk()
    email: Mapped[str] = mapped_column(unique=True)
    customer_id: Mapped[int | None] = fk("customers.id")
    status: Mapped[str]
    created_at: Mapped[str] = generated()


class WishlistItem(Base):
    """Something that a customer would like to have."""

    __tablename__ = "wishlist_items"
    __table_args__ = table(UniqueConstraint("customer_id", "product_id", "variant_id"))

    id: Mapped[int] = pk()
    customer_id: Mapped[int] = fk("customers.id")
    product_id: Mapped[int] = fk("products.id")
    variant_id: Mapped[int | None] = fk("variants.id")
    created_at: Mapped[str] = generated()


class StoreCreditEntry(Base):
    """A change of a customer's credit, in cents; the balance is the sum."""

    __tablename__ = "store_credit_entries"
    __table_args__ = table(index("customer_id"))

    id: Mapped[int] = pk()
    customer_id: Mapped[int] = fk("customers.id")
    delta: Mapped[int]
    reason: Mapped[str]
    order_id: Mapped[int | None] = fk("orders.id")
    refund_id: Mapped[int | None] = fk("refunds.id")
    created_at: Mapped[str] = generated()
