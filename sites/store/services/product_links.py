"""What a product is linked to: the categories it is listed in, each with its place there, and its tags."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from ...kit.rules import Problem
from ..messages import problem
from ..models import Category, Product, ProductCategory, ProductTag, Tag
from .base import Write

PRODUCT: Any = bindparam("product")
CATEGORIES = (
    select(ProductCategory.category_id)
    .where(ProductCategory.product_id == PRODUCT)
    .order_by(ProductCategory.category_id)
)
TAGS = select(Tag.name).join(ProductTag, ProductTag.tag_id == Tag.id).where(ProductTag.product_id == PRODUCT)


def categories_of(db: Session, product: Product) -> list[int]:
    """The ids of the categories that a product is listed in, in order."""
    return list(db.scalars(CATEGORIES, {"product": product.id}))


def tags_of(db: Session, product: Product) -> list[str]:
    """The names of a product's tags, sorted."""
    return sorted(db.scalars(TAGS, {"product": product.id}))


def known_categories(db: Session, given: Iterable[Any]) -> tuple[list[int], list[Problem]]:
    """Ids of categories as numbers, each once; a problem where one does not exist."""
    texts = [str(each).strip() for each in given]
    ids = sorted({int(text) for text in texts if text.isascii() and text.isdigit() and len(text) < 10})
    exist = set(db.scalars(select(Category.id).where(Category.id.in_(ids))))
    right = exist == set(ids) and {text.lstrip("0") for text in texts} == {str(id) for id in ids}
    return ids, [] if right else [problem("NOT_A_CHOICE", "categories", label="categories")]


def known_tags(db: Session, given: Iterable[str]) -> tuple[list[str], list[Problem]]:
    """Names of tags, each once; a problem where the shop has no such tag."""
    names = list(dict.fromkeys(str(name).strip() for name in given))
    exist = set(db.scalars(select(Tag.name).where(Tag.name.in_(names))))
    return names, [] if exist == set(names) else [problem("NOT_A_CHOICE", "tags", label="tags")]


def put_categories(w: Write[Any], product: Product, wanted: Iterable[int]) -> bool:
    """List a product in exactly these categories; True where that differs from before."""
    before, after = set(categories_of(w.db, product)), set(wanted)
    for id in sorted(before - after):
        leave(w.db, product, id)
    for id in sorted(after - before):
        last = w.db.scalar(select(func.count()).select_from(ProductCategory).filter_by(category_id=id)) or 0
        w.add(ProductCategory, product_id=product.id, category_id=id, position=last + 1)
    if before == after:
        return False
    w.bump(product)
    w.note(product, [{"field": "categories", "old": _named(w.db, before), "new": _named(w.db, after)}])
    return True


def leave(db: Session, product: Product, category_id: int) -> None:
    """Take a product out of a category, and close the gap (R19)."""
    row = db.get_one(ProductCategory, (product.id, category_id))
    place = row.position
    db.delete(row)
    db.flush()
    behind = select(ProductCategory).where(ProductCategory.category_id == category_id, ProductCategory.position > place)
    for other in db.scalars(behind.order_by(ProductCategory.position, ProductCategory.product_id)):
        other.position -= 1
    db.flush()


def put_tags(w: Write[Any], product: Product, wanted: Iterable[str]) -> bool:
    """Give a product exactly these tags; True where that differs from before."""
    before, after = tags_of(w.db, product), sorted(set(wanted))
    if before == after:
        return False
    ids = {tag.name: tag.id for tag in w.db.scalars(select(Tag).where(Tag.name.in_([*before, *after])))}
    for name in sorted(set(after) - set(before)):
        w.add(ProductTag, product_id=product.id, tag_id=ids[name])
    for name in sorted(set(before) - set(after)):
        w.db.delete(w.db.get_one(ProductTag, (product.id, ids[name])))
    w.db.flush()
    w.bump(product)
    w.note(product, [{"field": "tags", "old": before, "new": after}])
    return True


def _named(db: Session, ids: Iterable[int]) -> list[str]:
    """The names of categories, sorted, for the audit log."""
    return sorted(db.scalars(select(Category.name).where(Category.id.in_(list(ids)))))
