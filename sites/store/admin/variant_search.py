"""Finding a variant by what somebody types or scans: SKU, bar code, or words of its product and options."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Select, and_, case, exists, literal, or_, select
from sqlalchemy.orm import Session

from ...kit.text import query_tokens
from ..models import OptionValue, Product, Stock, Variant, VariantOption
from ..regions import tidy
from .variant_facts import options_of

MOST = 10

Found = dict[str, Any]
"""A variant as scripts get it: id, sku, name (product and options), on_hand, reserved, status, v."""


def _rows(statement: Any) -> Select[Any]:
    found: Select[Any] = (
        statement.select_from(Variant)
        .join(Product, Product.id == Variant.product_id)
        .join(Stock, Stock.variant_id == Variant.id)
    )
    return found


def conditions(text: str) -> list[Any]:
    """Every word must begin a word of the product (name, brand, category, tag, SKU) or of an option of the variant."""
    return [or_(Product.search_key.contains(f" {token}", autoescape=True), _option(token)) for token in _tokens(text)]


def _tokens(text: str) -> list[str]:
    return query_tokens(text)


def _option(token: str) -> Any:
    words = literal(" ") + OptionValue.value_key
    return exists().where(
        VariantOption.variant_id == Variant.id,
        OptionValue.id == VariantOption.value_id,
        words.contains(f" {token}", autoescape=True),
    )


def suggest(db: Session, text: str) -> list[Found]:
    """The variants that a text may mean; those whose SKU begins with it come first."""
    sku = tidy(text).upper()
    if not sku:
        return []
    begins = Variant.sku.startswith(sku, autoescape=True)
    words = and_(*conditions(text)) if _tokens(text) else begins
    order = (case((begins, 0), else_=1), Product.name_key, Product.id, Variant.position, Variant.id)
    wanted = _rows(select(Variant, Product, Stock)).where(or_(begins, Variant.barcode == sku, words))
    return _found(db, db.execute(wanted.order_by(*order).limit(MOST)).all())


def exact(db: Session, text: str) -> list[Found]:
    """The one variant with this SKU or bar code, or none."""
    code = tidy(text).upper()
    wanted = _rows(select(Variant, Product, Stock)).where(or_(Variant.sku == code, Variant.barcode == code))
    return _found(db, db.execute(wanted.order_by(case((Variant.sku == code, 0), else_=1), Variant.id).limit(1)).all())


def by_ids(db: Session, ids: Iterable[int]) -> list[Found]:
    """Variants by id, in the given order; unknown ones are left out."""
    order = list(dict.fromkeys(ids))
    rows = db.execute(_rows(select(Variant, Product, Stock)).where(Variant.id.in_(order)).order_by(Variant.id)).all()
    found = {each["id"]: each for each in _found(db, rows)}
    return [found[id] for id in order if id in found]


def _found(db: Session, rows: Iterable[Any]) -> list[Found]:
    listed = list(rows)
    options = options_of(db, [variant.id for variant, _, _ in listed])
    return [
        {
            "id": variant.id,
            "sku": variant.sku,
            "product": product.name,
            "options": ", ".join(option.value for option in options[variant.id]),
            "on_hand": stock.on_hand,
            "reserved": stock.reserved,
            "status": stock.status,
        }
        for variant, product, stock in listed
    ]
