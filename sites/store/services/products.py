"""What staff do to a product: edit it, list it in categories, tag it, and decide whether the shop shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy.orm import Session

from ...kit.rules import Problem, Refused
from ..keys import fill_keys
from ..models import Brand, Product
from . import product_links as links
from . import product_rules as rules
from .base import Actor, Write, begin, deny, find
from .derived_values import refresh
from .permissions import allowed

if TYPE_CHECKING:
    from ...kit.world import WorldContext

Result = dict[str, Any]


def edit(world: WorldContext, actor: Actor, *, id: int, v: int | None = None, **fields: Any) -> Result:
    """Change columns of a product; those that are not given, or given as they are, stay.

    Clerks may write name and texts only. An empty slug is made from the name again. Raises `Refused` (SLUG_TAKEN …).
    """
    only_fields(fields)
    return save(world, actor, id=id, v=v, **fields)


def set_status(
    world: WorldContext, actor: Actor, *, id: int, status: str, no_image: bool = False, v: int | None = None
) -> Result:
    """Make a product draft, active, disabled or archived.

    An active one needs a price, a category, and a picture unless `no_image` says to go without (PUBLISH_PRICE,
    PUBLISH_CATEGORY, PUBLISH_IMAGE).
    """
    with begin(world, actor, "products.set_status", Product, id=id) as w:
        product = w.subject
        w.check(product, v, {"status": status})
        before = product.status
        refuse(rules.status_problem(status))
        if status == "active" != before:
            refuse(rules.publishable(w.db, product, no_image=no_image))
        changed = w.set(product, status=status)
        if changed:
            refresh(w, {"products": [id]})
        return {"id": id, "v": product.v, "status": status, "changed": changed}


def save(
    world: WorldContext,
    actor: Actor,
    *,
    id: int,
    v: int | None = None,
    status: str | None = None,
    no_image: bool = False,
    category_ids: Iterable[int] | None = None,
    tags: Iterable[str] | None = None,
    **fields: Any,
) -> Result:
    """Everything that the form of a product holds, in one write: columns, status, categories and tags (None: as is).

    Needs the permission of each part that changes. Raises `Refused` with every problem of all parts.
    """
    given: dict[str, Any] = {"status": status} if status is not None else {}
    given |= {"category_ids": list(category_ids)} if category_ids is not None else {}
    given |= {"tags": list(tags)} if tags is not None else {}
    use_case = _needed(world, actor, id, fields, given)
    with begin(world, actor, use_case, Product, id=id) as w:
        product = w.subject
        w.use_case = "products.edit" if use_case == "products.text" else use_case
        values, wrong = rules.checked(w.db, {**rules.stored(product), **fields}, own_id=id, was=rules.stored(product))
        w.check(product, v, _mine(fields, values, given))
        categories, categories_wrong = links.known_categories(w.db, given.get("category_ids", ()))
        names, names_wrong = links.known_tags(w.db, given.get("tags", ()))
        wrong += [*categories_wrong, *names_wrong, *(rules.status_problem(status) if status is not None else [])]
        parts = [_put(w, values)] if not wrong else []
        if "category_ids" in given and not categories_wrong:
            parts.append(links.put_categories(w, product, categories))
        if "tags" in given and not names_wrong:
            parts.append(links.put_tags(w, product, names))
        if status == "active" != product.status:
            wrong += rules.publishable(w.db, product, no_image=no_image)
        refuse(_in_form_order(wrong))
        if status is not None:
            parts.append(w.set(product, status=status))
        if any(parts):
            fill_keys(product)
            refresh(w, {"products": [id]})
        return {"id": id, "v": product.v, "changed": any(parts)}


def _put(w: Write[Product], values: dict[str, Any]) -> bool:
    """Set the columns; the audit log tells a brand by its name."""
    product, brand_id = w.subject, values["brand_id"]
    if brand_id != product.brand_id:
        old, new = (w.db.get_one(Brand, id).name for id in (product.brand_id, brand_id))
        w.note(product, [{"field": "brand", "old": old, "new": new}])
        w.set(product, tell=False, brand_id=brand_id)
        w.set(product, **values)
        return True
    return w.set(product, **values)


def _needed(world: WorldContext, actor: Actor, id: int, fields: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    """The permission that decides this write: the first missing one of the parts that differ (denied), else any."""
    with world.read() as db:
        product = find(db, Product, id=id)
        needs = list(_needs(db, product, fields, given)) or ["products.text"]
    for need in needs:
        if actor.kind == "staff" and not allowed(actor.role, need):
            deny(world, actor, need, Product, id=id)
    return needs[0]


def _needs(db: Session, product: Product, fields: Mapping[str, Any], given: Mapping[str, Any]) -> Iterable[str]:
    was = rules.stored(product)
    values, _ = rules.checked(db, {**was, **fields}, own_id=product.id, was=was)
    differ = [name for name in rules.FIELDS if name in fields and values[name] != was[name]]
    if any(name not in rules.TEXTS for name in differ):
        yield "products.edit"
    elif differ:
        yield "products.text"
    if given.get("status", product.status) != product.status:
        yield "products.set_status"
    if "category_ids" in given and set(map(str, given["category_ids"])) != set(
        map(str, links.categories_of(db, product))
    ):
        yield "products.set_categories"
    if "tags" in given and set(given["tags"]) != set(links.tags_of(db, product)):
        yield "products.tag"


def _mine(fields: Mapping[str, Any], values: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """What somebody typed, for the page that shows a conflict."""
    typed = {name: values[name] for name in rules.FIELDS if name in fields}
    return {**typed, "status": given["status"]} if "status" in given else typed


def _in_form_order(problems: list[Problem]) -> list[Problem]:
    order = ("name", "slug", "brand_id", "status", "no_image", "tax_class", "weight_g", "short_desc", "tags",
             "description_html", "categories")  # fmt: skip
    return sorted(problems, key=lambda each: order.index(each.field) if each.field in order else len(order))


def refuse(problems: Iterable[Problem]) -> None:
    """Raise `Refused` with all problems, where there is one."""
    if found := list(problems):
        raise Refused.of(found)


def only_fields(fields: Mapping[str, Any]) -> None:
    """Raise `TypeError` for a field that a product does not have."""
    if unknown := sorted(set(fields) - set(rules.FIELDS)):
        raise TypeError(f"a product has no field {unknown[0]!r}; it has {', '.join(rules.FIELDS)}")


def _done(w: Write[Product], changed: bool) -> Result:
    return {"id": w.subject.id, "v": w.subject.v, "changed": changed}


def set_categories(
    world: WorldContext,
    actor: Actor,
    *,
    id: int,
    category_ids: Iterable[int] | None = None,
    add: Iterable[int] = (),
    remove: Iterable[int] = (),
    v: int | None = None,
) -> Result:
    """List a product in exactly `category_ids`; without them in those it is in, more (`add`) and fewer (`remove`).

    It keeps its place in a category where it stays, and comes last where it is new. Raises `Refused` NOT_A_CHOICE.
    """
    with begin(world, actor, "products.set_categories", Product, id=id) as w:
        w.check(w.subject, v)
        before = links.categories_of(w.db, w.subject) if category_ids is None else category_ids
        wanted, wrong = links.known_categories(w.db, [*before, *add])
        gone, gone_wrong = links.known_categories(w.db, remove)
        refuse([*wrong, *gone_wrong])
        changed = links.put_categories(w, w.subject, set(wanted) - set(gone))
        if changed:
            refresh(w, {"products": [id]})
        return _done(w, changed)


def tag(
    world: WorldContext,
    actor: Actor,
    *,
    id: int,
    add: Iterable[str] = (),
    remove: Iterable[str] = (),
    v: int | None = None,
) -> Result:
    """Put tags of the shop on a product or take them off, by name. Raises `Refused` NOT_A_CHOICE."""
    with begin(world, actor, "products.tag", Product, id=id) as w:
        w.check(w.subject, v)
        asked, wrong = links.known_tags(w.db, [*add, *remove])
        refuse(wrong)
        gone = set(remove)
        wanted = [name for name in dict.fromkeys([*links.tags_of(w.db, w.subject), *asked]) if name not in gone]
        changed = links.put_tags(w, w.subject, wanted)
        if changed:
            refresh(w, {"products": [id]})
        return _done(w, changed)


USE_CASES: Mapping[str, Callable[..., Any]] = {
    "products.edit": edit,
    "products.set_status": set_status,
    "products.save": save,
    "products.set_categories": set_categories,
    "products.tag": tag,
}
