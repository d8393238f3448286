"""Shipping methods, tax rates, imports and outgoing mail."""

from __future__ import annotations

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base, fk, generated, holds, index, one_of, pk, position, table
from .choices import IMPORT_KINDS, IMPORT_STATUSES, TAX_CLASSES


class ShippingMethod(Base):
    """A way to get an order; free where subtotal less discount reaches `free_over` cents."""

    __tablename__ = "shipping_methods"
    __table_args__ = table()

    code: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    price: Mapped[int]
    free_over: Mapped[int | None]
    eta_days: Mapped[int]
    active: Mapped[bool] = mapped_column(default=True)
    position: Mapped[int] = position()


class TaxRate(Base):
    """The rate of a region (`US-OR`, `CA-ON`, `GB`, `DE`) and tax class, in basis points; no row means none."""

    __tablename__ = "tax_rates"
    __table_args__ = table(
        UniqueConstraint("region", "tax_class"), one_of("tax_class", TAX_CLASSES), holds("rate", "rate >= 0")
    )

    id: Mapped[int] = pk()
    region: Mapped[str]
    tax_class: Mapped[str]
    rate: Mapped[int]


class ImportJob(Base):
    """A list that was read in: what it was, what was wrong with it, whether it was applied."""

    __tablename__ = "import_jobs"
    __table_args__ = table(one_of("kind", IMPORT_KINDS), one_of("status", IMPORT_STATUSES))

    id: Mapped[int] = pk()
    kind: Mapped[str]
    filename: Mapped[str]
    status: Mapped[str]
    total: Mapped[int]
    ok: Mapped[int]
    failed: Mapped[int]
    errors_json: Mapped[str] = mapped_column(default="[]")
    actor_id: Mapped[int] = fk("staff.id")
    created_at: Mapped[str] = generated()
    applied_at: Mapped[str | None] = generated()


class OutboxEmail(Base):
    """A mail that left the shop; it cannot be taken back."""

    __tablename__ = "outbox_emails"
    __table_args__ = table(index("entity", "entity_id"))

    id: Mapped[int] = pk()
    to_email: Mapped[str]
    subject: Mapped[str]
    body: Mapped[str]
    template: Mapped[str]
    entity: Mapped[str]
    entity_id: Mapped[int | None]
    created_at: Mapped[str] = generated()
