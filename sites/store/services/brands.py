"""Makers of products: added, renamed, and deleted where they make nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from ...kit.messages import counted
from ...kit.rules import Problem, Refused
from ...kit.text import key, slug, unique_slug
from ..keys import fill_keys
from ..messages import problem, refused
from ..models import Brand, Product
from ..regions import tidy
from .base import Actor, begin
from .derived_values import refresh

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from ...kit.world import WorldContext

Result = dict[str, Any]

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LONGEST_NAME = 60
LONGEST_SLUG = 80


def create(world: WorldContext, actor: Actor, *, name: str, slug: str = "") -> Result:
    """Add a brand; without a slug it gets one from its name. Raises `Refused`: REQUIRED, NAME_TAKEN, SLUG_TAKEN …"""
    with begin(world, actor, "brands.create", Brand) as w:
        values, wrong = _checked(w.db, name, slug)
        if wrong:
            raise Refused.of(wrong)
        row = w.add(Brand, tell=values, name_key="", **values)
        fill_keys(row)
        return {"id": row.id}


def edit(
    world: WorldContext,
    actor: Actor,
    *,
    id: int,
    name: str | None = None,
    slug: str | None = None,
    v: None = None,
) -> Result:
    """Change name or slug of a brand; what is not given stays. Brands carry no version: the last one to save wins."""
    with begin(world, actor, "brands.edit", Brand, id=id) as w:
        row = w.subject
        kept = (row.name if name is None else name, row.slug if slug is None else slug)
        values, wrong = _checked(w.db, *kept, own_id=id)
        if wrong:
            raise Refused.of(wrong)
        renamed = values["name"] != row.name
        changed = w.set(row, **values)
        if renamed:
            fill_keys(row)
            refresh(w, {"brands": [id]})
        return {"id": id, "changed": changed}


def delete(world: WorldContext, actor: Actor, *, id: int, v: None = None) -> Result:
    """Delete a brand without products. Raises `Refused` BRAND_IN_USE."""
    with begin(world, actor, "brands.delete", Brand, id=id) as w:
        row = w.subject
        if count := w.db.scalar(select(func.count()).select_from(Product).where(Product.brand_id == id)):
            raise refused("BRAND_IN_USE", name=row.name, what=counted(count, "product"))
        w.note(row, [{"field": "name", "old": row.name, "new": None}])
        w.db.delete(row)
        return {"id": id, "deleted": True}


def _checked(db: Session, name: str, typed: str, own_id: int = 0) -> tuple[dict[str, Any], list[Problem]]:
    """Name and slug as they are stored, and what is wrong with them."""
    name, typed = tidy(name), tidy(typed)
    others = list(db.execute(select(Brand.name, Brand.name_key, Brand.slug).where(Brand.id != own_id)))
    wrong = []
    if not name:
        wrong.append(problem("REQUIRED", "name", label="Name"))
    elif len(name) > LONGEST_NAME:
        wrong.append(problem("TOO_LONG", "name", label="Name", most=LONGEST_NAME))
    elif twin := next((row.name for row in others if row.name_key == key(name)), None):
        wrong.append(problem("NAME_TAKEN", "name", what="a brand", name=twin))
    slugs = {row.slug: row.name for row in others}
    if not typed:
        return {"name": name, "slug": unique_slug(slug(name) or "brand", slugs)}, wrong
    if len(typed) > LONGEST_SLUG or not SLUG.fullmatch(typed):
        wrong.append(problem("SLUG_FORMAT", "slug"))
    elif typed in slugs:
        wrong.append(problem("SLUG_TAKEN", "slug", slug=typed, other=slugs[typed]))
    return {"name": name, "slug": typed}, wrong


USE_CASES: Mapping[str, Callable[..., Any]] = {"brands.create": create, "brands.edit": edit, "brands.delete": delete}
"""The use cases of brands, by name."""
