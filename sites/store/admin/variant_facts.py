"""What the pages about variants show, read in two queries: a variant with its stock and its options in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from ..models import OptionType, OptionValue, Product, ProductOptionType, Stock, Variant, VariantOption
from ..services.options import values_of
from ..services.variants import types_of


@dataclass(frozen=True, kw_only=True)
class Option:
    """One choice that a variant is: `Color`, `Moss`, and its colour where it has one."""

    type: str
    value: str
    swatch: str | None


@dataclass(frozen=True, kw_only=True)
class Item:
    """A variant as a row of a table."""

    variant: Variant
    stock: Stock
    options: tuple[Option, ...]

    @property
    def id(self) -> int:
        """The id of the variant."""
        return int(self.variant.id)

    @property
    def name(self) -> str:
        """The options in words; the SKU of a variant without any."""
        return ", ".join(option.value for option in self.options) or str(self.variant.sku)

    @property
    def available(self) -> int:
        """Units that can still be sold."""
        return int(self.stock.on_hand - self.stock.reserved)

    @property
    def low(self) -> bool:
        """Whether so few are left that somebody should know."""
        return self.available <= int(self.stock.low_at)

    def sale(self, today: str) -> str:
        """Where the sale stands: `running`, `ended`, `future`, or nothing without a sale price."""
        variant = self.variant
        if variant.sale_price is None:
            return ""
        if variant.sale_to and variant.sale_to < today:
            return "ended"
        return "future" if variant.sale_from and variant.sale_from > today else "running"


def items(db: Session, product: Product) -> list[Item]:
    """The variants of a product, in order."""
    wanted = select(Variant, Stock).join(Stock, Stock.variant_id == Variant.id)
    own = wanted.where(Variant.product_id == product.id).order_by(Variant.position, Variant.id)
    rows = db.execute(own).all()
    options = options_of(db, [variant.id for variant, _ in rows])
    return [Item(variant=variant, stock=stock, options=options[variant.id]) for variant, stock in rows]


def options_of(db: Session, ids: Iterable[int]) -> dict[int, tuple[Option, ...]]:
    """The options of some variants, in the order of their products' types."""
    wanted = (
        select(VariantOption.variant_id, OptionType.name, OptionValue.value, OptionValue.swatch_hex)
        .join(OptionType, OptionType.id == VariantOption.type_id)
        .join(OptionValue, OptionValue.id == VariantOption.value_id)
        .join(Variant, Variant.id == VariantOption.variant_id)
        .outerjoin(
            ProductOptionType,
            (ProductOptionType.product_id == Variant.product_id) & (ProductOptionType.type_id == VariantOption.type_id),
        )
        .where(VariantOption.variant_id.in_(list(ids)))
        .order_by(VariantOption.variant_id, ProductOptionType.position, VariantOption.type_id)
    )
    found: dict[int, list[Option]] = defaultdict(list)
    for row in db.execute(wanted):
        found[row.variant_id].append(Option(type=row.name, value=row.value, swatch=row.swatch_hex))
    return defaultdict(tuple, {id: tuple(options) for id, options in found.items()})


def choices(db: Session, product: Product) -> list[dict[str, Any]]:
    """What a matrix of new variants is made of: the product's option types, else all, each with its values."""
    types = types_of(db, product) or list(db.scalars(select(OptionType).order_by(OptionType.id)))
    return [{"type": each, "values": values_of(db, each.id)} for each in types]
