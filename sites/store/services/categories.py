"""The tree of categories: its nodes, where they stand, and the order in which a category lists its products."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from ...kit.messages import counted
from ...kit.rules import Problem, Refused
from ...kit.text import key, slug, unique_slug
from ..keys import fill_keys
from ..messages import problem, refused
from ..models import Category, Product, ProductCategory
from ..regions import tidy
from .base import Actor, Write, begin, find
from .brands import SLUG
from .derived_values import refresh

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from ...kit.world import WorldContext

Result = dict[str, Any]

LEVELS = 3
LONGEST_NAME = 60
LONGEST_SLUG = 80


def create(
    world: WorldContext, actor: Actor, *, name: str, parent_id: int | None = None, slug: str = "", active: bool = True
) -> Result:
    """Add a category behind its siblings; without a slug it gets one from its name.

    Raises `Refused`: REQUIRED, NAME_TAKEN (among siblings), SLUG_FORMAT, SLUG_TAKEN, CATEGORY_DEPTH.
    """
    with begin(world, actor, "categories.create", Category) as w:
        values, wrong = _checked(w.db, name, slug, parent_id)
        if parent_id is not None:
            find(w.db, Category, id=parent_id)
            if level(w.db, parent_id) >= LEVELS:
                wrong.append(problem("CATEGORY_DEPTH", "parent_id", name=values["name"]))
        if wrong:
            raise Refused.of(wrong)
        place = len(children(w.db, parent_id)) + 1
        told = {**values, "parent": _name(w.db, parent_id)}
        row = w.add(
            Category, tell=told, parent_id=parent_id, position=place, active=bool(active), name_key="", **values
        )
        fill_keys(row)
        return {"id": row.id, "v": row.v}


def edit(world: WorldContext, actor: Actor, *, id: int, v: int | None = None, **fields: Any) -> Result:
    """Change name, slug or active of a category; what is not given stays. An emptied slug is made from the name."""
    if unknown := sorted(set(fields) - {"name", "slug", "active"}):
        raise TypeError(f"a category has no field {unknown[0]!r} to edit; it has name, slug, active")
    with begin(world, actor, "categories.edit", Category, id=id) as w:
        row = w.subject
        given = {"name": row.name, "slug": row.slug, "active": row.active, **fields}
        w.check(row, v, fields)
        values, wrong = _checked(w.db, given["name"], given["slug"], row.parent_id, id)
        if wrong:
            raise Refused.of(wrong)
        renamed = values["name"] != row.name
        changed = w.set(row, active=bool(given["active"]), **values)
        if renamed:
            fill_keys(row)
            refresh(w, {"categories": [id]})
        return {"id": id, "v": row.v, "changed": changed}


def delete(world: WorldContext, actor: Actor, *, id: int, v: int | None = None) -> Result:
    """Delete an empty category. Raises `Refused` CATEGORY_NOT_EMPTY where it holds categories or products."""
    with begin(world, actor, "categories.delete", Category, id=id) as w:
        row, parent_id = w.subject, w.subject.parent_id
        w.check(row, v)
        if held := _held(w.db, id):
            raise refused("CATEGORY_NOT_EMPTY", name=row.name, what=held)
        w.note(row, [{"field": "name", "old": row.name, "new": None}])
        w.db.delete(row)
        w.db.flush()
        _number(children(w.db, parent_id))
        return {"id": id, "deleted": True}


def move(
    world: WorldContext, actor: Actor, *, id: int, parent_id: int | None, position: int, v: int | None = None
) -> Result:
    """Put a category below `parent_id` (None is the top) at place `position` (from 1) among its siblings there.

    A place behind the end is the last one. Raises `Refused` CATEGORY_CYCLE, CATEGORY_DEPTH, NAME_TAKEN.
    """
    with begin(world, actor, "categories.move", Category, id=id) as w:
        row, old_parent = w.subject, w.subject.parent_id
        w.check(row, v, {"parent_id": parent_id, "position": position})
        if wrong := _wrong_place(w.db, row, parent_id):
            raise Refused.of(wrong)
        others = [each for each in children(w.db, parent_id) if each.id != id]
        place = max(1, min(position, len(others) + 1))
        if parent_id == old_parent and place == row.position:
            return {"id": id, "v": row.v, "changed": False, "position": place}
        if parent_id != old_parent:
            names = {"old": _name(w.db, old_parent), "new": _name(w.db, parent_id)}
            w.note(row, [{"field": "parent", **names}])
        w.set(row, tell=False, parent_id=parent_id)
        w.set(row, position=place)
        w.bump(row)
        _number([*others[: place - 1], row, *others[place - 1 :]])
        w.db.flush()
        _number(children(w.db, old_parent))
        return {"id": id, "v": row.v, "changed": True, "position": place}


def order_products(
    world: WorldContext, actor: Actor, *, id: int, product_ids: Sequence[int], v: int | None = None
) -> Result:
    """List a category's products in this order. Raises `Refused` WRONG_ORDER unless each is named exactly once."""
    with begin(world, actor, "categories.order_products", Category, id=id) as w:
        w.check(w.subject, v)
        changed = _put_products(w, w.subject, [int(each) for each in product_ids])
        return {"id": id, "v": w.subject.v, "changed": changed}


def pin(world: WorldContext, actor: Actor, *, id: int, product_id: int, v: int | None = None) -> Result:
    """List one product of a category first; the others keep their order."""
    with begin(world, actor, "categories.pin", Category, id=id) as w:
        w.check(w.subject, v)
        order = [row.product_id for row in listed(w.db, id)]
        if product_id not in order:
            raise refused("NOT_A_CHOICE", "product_id", label=f"a product of {w.subject.name}")
        order.remove(product_id)
        changed = _put_products(w, w.subject, [product_id, *order])
        return {"id": id, "v": w.subject.v, "changed": changed}


def children(db: Session, parent_id: int | None) -> list[Category]:
    """The categories right below one (None: the top ones), in order."""
    own = select(Category).where(Category.parent_id.is_(None) if parent_id is None else Category.parent_id == parent_id)
    return list(db.scalars(own.order_by(Category.position, Category.id)))


def listed(db: Session, id: int) -> list[ProductCategory]:
    """The links of a category to its products, in order."""
    own = select(ProductCategory).where(ProductCategory.category_id == id)
    return list(db.scalars(own.order_by(ProductCategory.position, ProductCategory.product_id)))


def level(db: Session, id: int) -> int:
    """How deep a category lies: 1 is the top."""
    depth, row = 1, db.get_one(Category, id)
    while row.parent_id is not None:
        depth, row = depth + 1, db.get_one(Category, row.parent_id)
    return depth


def height(db: Session, id: int) -> int:
    """How many levels a category spans: 1 where nothing lies below it."""
    return 1 + max((height(db, each.id) for each in children(db, id)), default=0)


def _wrong_place(db: Session, row: Category, parent_id: int | None) -> list[Problem]:
    """Why a category cannot lie below another one."""
    above = parent_id
    while above is not None:
        if above == row.id:
            return [problem("CATEGORY_CYCLE", "parent_id", name=row.name)]
        above = find(db, Category, id=above).parent_id
    if parent_id is not None and level(db, parent_id) + height(db, row.id) > LEVELS:
        return [problem("CATEGORY_DEPTH", "parent_id", name=row.name)]
    if parent_id != row.parent_id and _namesake(db, row.name, parent_id, row.id):
        return [problem("NAME_TAKEN", "parent_id", what="a category", name=row.name)]
    return []


def _put_products(w: Write[Any], row: Category, wanted: Sequence[int]) -> bool:
    links = {link.product_id: link for link in listed(w.db, row.id)}
    before = list(links)
    if sorted(wanted) != sorted(before):
        raise refused("WRONG_ORDER", "product_ids", what="products")
    if list(wanted) == before:
        return False
    _number([links[each] for each in wanted])
    w.bump(row)
    names = dict(w.db.execute(select(Product.id, Product.name).where(Product.id.in_(before))).all())
    w.note(row, [{"field": "product order", **_span(before, wanted, names)}])
    return True


def _span(before: Sequence[int], after: Sequence[int], names: dict[int, str]) -> dict[str, str]:
    """The part of two orders in which they differ, in names."""
    moved = [at for at, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    part = slice(moved[0], moved[-1] + 1)
    return {name: ", ".join(names[each] for each in order[part]) for name, order in (("old", before), ("new", after))}


def _number(rows: Iterable[Any]) -> None:
    """Give rows the places 1..n (R19)."""
    for place, row in enumerate(rows, 1):
        if row.position != place:
            row.position = place


def _checked(
    db: Session, name: str, typed: str, parent_id: int | None, own_id: int = 0
) -> tuple[dict[str, Any], list[Problem]]:
    """Name and slug as they are stored, and what is wrong with them."""
    name, typed = tidy(name), tidy(typed)
    wrong = []
    if not name:
        wrong.append(problem("REQUIRED", "name", label="Name"))
    elif len(name) > LONGEST_NAME:
        wrong.append(problem("TOO_LONG", "name", label="Name", most=LONGEST_NAME))
    elif _namesake(db, name, parent_id, own_id):
        wrong.append(problem("NAME_TAKEN", "name", what="a category", name=name))
    others = dict(db.execute(select(Category.slug, Category.name).where(Category.id != own_id)).all())
    if not typed:
        return {"name": name, "slug": unique_slug(slug(name) or "category", others)}, wrong
    if len(typed) > LONGEST_SLUG or not SLUG.fullmatch(typed):
        wrong.append(problem("SLUG_FORMAT", "slug"))
    elif typed in others:
        wrong.append(problem("SLUG_TAKEN", "slug", slug=typed, other=others[typed]))
    return {"name": name, "slug": typed}, wrong


def _namesake(db: Session, name: str, parent_id: int | None, own_id: int) -> bool:
    """Whether a sibling has the same name, however it is written."""
    return any(each.name_key == key(name) and each.id != own_id for each in children(db, parent_id))


def _held(db: Session, id: int) -> str:
    """What a category holds, in words; nothing where it is empty."""
    products = db.scalar(select(func.count()).select_from(ProductCategory).where(ProductCategory.category_id == id))
    below = len(children(db, id))
    parts = [(below, "category", "categories"), (products or 0, "product", "products")]
    return " and ".join(counted(*part) for part in parts if part[0])


def _name(db: Session, id: int | None) -> str | None:
    return None if id is None else db.get_one(Category, id).name


USE_CASES: Mapping[str, Callable[..., Any]] = {
    "categories.create": create,
    "categories.edit": edit,
    "categories.delete": delete,
    "categories.move": move,
    "categories.order_products": order_products,
    "categories.pin": pin,
}
"""The use cases of categories, by name."""
