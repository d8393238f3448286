"""Baskets."""

from __future__ import annotations

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from .base import VOLATILE, Base, column, fk, generated, holds, one_of, pk, table
from .choices import CART_STATUSES


class Cart(Base):
    """A basket, found by its token."""

    __tablename__ = "carts"
    __table_args__ = table(one_of("status", CART_STATUSES))

    id: Mapped[int] = pk()
    token: Mapped[str] = generated(unique=True)
    customer_id: Mapped[int | None] = fk("customers.id")
    coupon_code: Mapped[str | None]
    status: Mapped[str] = mapped_column(default="open")
    updated_at: Mapped[str] = column(cls=VOLATILE)


class CartItem(Base):
    """A line of a basket."""

    __tablename__ = "cart_items"
    __table_args__ = table(UniqueConstraint("cart_id", "variant_id"), holds("qty", "qty BETWEEN 1 AND 99"))

    id: Mapped[int] = pk()
    cart_id: Mapped[int] = fk("carts.id")
    variant_id: Mapped[int] = fk("variants.id")
    qty: Mapped[int]
