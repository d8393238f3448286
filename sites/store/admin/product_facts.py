"""What the pages of a product show besides its own columns, read in few queries: prices, stock, pictures, counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from ..models import Brand, Category, Product, ProductCategory, ProductImage, Review, Stock, Tag, Variant
from ..totals import effective_price
from . import present
from .frame import once


@dataclass(frozen=True, kw_only=True)
class Head:
    """The numbers in the head of every tab. Prices in cents, what a customer pays on the day; None without variants."""

    brand: str
    variants: int
    low: int | None
    high: int | None
    on_sale: int
    """How many variants cost less today than usually."""
    available: int
    skus: tuple[str, ...]

    @property
    def prices(self) -> str:
        """`$64.00` or `$64.00 – $82.00`; a dash without variants."""
        return price_range(self.low, self.high)


def price_range(low: int | None, high: int | None) -> str:
    """Two prices as people read them; one where they are equal."""
    if low is None or high is None:
        return "—"
    return present.amount(low) if low == high else f"{present.amount(low)} – {present.amount(high)}"


PRODUCT: Any = bindparam("product")
SOLD = (
    select(
        Variant.sku,
        Variant.price,
        Variant.sale_price,
        Variant.sale_from,
        Variant.sale_to,
        Variant.active,
        (Stock.on_hand - Stock.reserved).label("available"),
    )
    .outerjoin(Stock, Stock.variant_id == Variant.id)
    .where(Variant.product_id == PRODUCT)
    .order_by(Variant.position, Variant.id)
)


def head(db: Session, product: Product, today: str) -> Head:
    """The head of a product on a day."""
    rows = db.execute(SOLD, {"product": product.id}).all()
    sold = [row for row in rows if row.active] or rows
    paid = [effective_price(row.price, row.sale_price, row.sale_from, row.sale_to, today) for row in sold]
    return Head(
        brand=dict(brands(db))[product.brand_id],
        variants=len(rows),
        low=min(paid, default=None),
        high=max(paid, default=None),
        on_sale=sum(price < row.price for price, row in zip(paid, sold, strict=True)),
        available=sum(row.available or 0 for row in rows),
        skus=tuple(row.sku for row in rows),
    )


def _tally(key: Any, of: Any) -> Any:
    return select(func.count(key)).where(of == PRODUCT).scalar_subquery()


TALLIES = select(
    _tally(ProductImage.id, ProductImage.product_id).label("images"),
    _tally(Variant.id, Variant.product_id).label("variants"),
    _tally(ProductCategory.category_id, ProductCategory.product_id).label("categories"),
    _tally(Review.id, Review.product_id).label("reviews"),
)


def tallies(db: Session, product: Product) -> dict[str, int]:
    """The numbers beside the names of the tabs."""
    return dict(db.execute(TALLIES, {"product": product.id}).mappings().one())


def brands(db: Session) -> tuple[tuple[int, str], ...]:
    """Every brand by name, for a select."""
    names = select(Brand.id, Brand.name).order_by(Brand.name_key, Brand.id)
    return once(db, "brands", lambda: tuple((id, name) for id, name in db.execute(names)))


def tags(db: Session) -> tuple[str, ...]:
    """The names of every tag."""
    return once(db, "names of tags", lambda: tuple(db.scalars(select(Tag.name).order_by(Tag.name_key, Tag.id))))


@dataclass(frozen=True, kw_only=True)
class Node:
    """A category in the tree: how deep it stands, what is below it, and the names from the department down."""

    id: int
    name: str
    depth: int
    path: str
    active: bool
    children: tuple[Node, ...] = ()


def tree(db: Session) -> tuple[Node, ...]:
    """All categories as a tree, in their order."""
    return once(db, "tree", lambda: _tree(db))


def _tree(db: Session) -> tuple[Node, ...]:
    wanted = select(Category.id, Category.parent_id, Category.name, Category.active)
    rows = db.execute(wanted.order_by(Category.position, Category.id)).all()
    below: dict[int | None, list[Any]] = {}
    for row in rows:
        below.setdefault(row.parent_id, []).append(row)

    def nodes(parent: int | None, depth: int, above: str) -> tuple[Node, ...]:
        return tuple(
            Node(
                id=row.id,
                name=row.name,
                depth=depth,
                path=(path := f"{above} › {row.name}" if above else row.name),
                active=bool(row.active),
                children=nodes(row.id, depth + 1, path),
            )
            for row in below.get(parent, ())
        )

    return nodes(None, 1, "")


def reviews(db: Session, product: Product) -> list[Review]:
    """The reviews of a product, newest first."""
    own = select(Review).where(Review.product_id == product.id)
    return list(db.scalars(own.order_by(Review.created_at.desc(), Review.id.desc())))
