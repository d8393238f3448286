"""What is on the shelf, how it came there and went, and who waits for it."""

from __future__ import annotations

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from .base import TRAIL, Base, fk, generated, holds, index, one_of, pk, reads, table, version
from .catalogue import Variant
from .choices import STOCK_MOVE_KINDS, STOCK_STATUSES


class Stock(Base):
    """Units of a variant; available = on_hand - reserved. Both equal the sums of the variant's moves."""

    __tablename__ = "stock"
    __table_args__ = table(
        one_of("status", STOCK_STATUSES), holds("on_hand", "on_hand >= 0"), holds("reserved", "reserved >= 0")
    )

    variant_id: Mapped[int] = fk("variants.id", primary_key=True, autoincrement=False)
    on_hand: Mapped[int] = mapped_column(default=0)
    reserved: Mapped[int] = mapped_column(default=0)
    low_at: Mapped[int] = mapped_column(default=5)
    status: Mapped[str] = mapped_column(default="in_stock")
    backorder: Mapped[bool] = mapped_column(default=False)
    v: Mapped[int] = version()

    variant: Mapped[Variant] = reads("Variant")


class StockMove(Base):
    """One change of a variant's units; `ref_kind` and `ref_id` name the document behind it."""

    __tablename__ = "stock_moves"
    __table_args__ = table(
        one_of("kind", STOCK_MOVE_KINDS),
        index("variant_id"),
        index("created_at", "id"),
        cls=TRAIL,
        data_with=("note",),  # words stay beside the move, whatever becomes of the units
    )

    id: Mapped[int] = pk()
    variant_id: Mapped[int] = fk("variants.id")
    kind: Mapped[str]
    d_on_hand: Mapped[int] = mapped_column(default=0)
    d_reserved: Mapped[int] = mapped_column(default=0)
    ref_kind: Mapped[str | None]
    ref_id: Mapped[int | None]
    note: Mapped[str | None]
    actor_id: Mapped[int | None] = fk("staff.id")
    created_at: Mapped[str] = generated()


class StockAlert(Base):
    """Somebody who wants a mail when a variant is back."""

    __tablename__ = "stock_alerts"
    __table_args__ = table(UniqueConstraint("variant_id", "email"))

    id: Mapped[int] = pk()
    variant_id: Mapped[int] = fk("variants.id")
    email: Mapped[str]
    customer_id: Mapped[int | None] = fk("customers.id")
    created_at: Mapped[str] = generated()
    notified_at: Mapped[str | None] = generated()
