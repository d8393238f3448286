"""How a product begins and ends: made new, made as a copy of another, or deleted where it was never ordered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, bindparam, delete, exists, select
from sqlalchemy.orm import Session

from ...kit.rules import Problem
from ..keys import fill_keys
from ..messages import problem, refused
from ..models import (
    OrderItem,
    Product,
    ProductImage,
    ProductOptionType,
    ProductSpec,
    ProductTag,
    Promotion,
    PromotionTarget,
    Review,
    ReviewVote,
    Variant,
    VariantOption,
    WishlistItem,
)
from ..models.choices import PRODUCT_KINDS
from ..regions import tidy
from . import images, variants
from . import product_links as links
from . import product_rules as rules
from .base import Actor, Write, begin
from .derived_values import refresh
from .prices import wrong_price
from .products import only_fields, refuse

if TYPE_CHECKING:
    from ...kit.world import WorldContext

Result = dict[str, Any]

MOST_UNITS = 99_999

DEFAULTS: Mapping[str, Any] = {
    "slug": "", "short_desc": "", "description_html": "", "tax_class": "standard", "weight_g": None,
    "final_sale": False, "featured": False,
}  # fmt: skip


def create(
    world: WorldContext,
    actor: Actor,
    *,
    name: str,
    brand_id: int | None,
    kind: str = "simple",
    price: int | None = 0,
    sku: str | None = None,
    qty: int | None = 0,
    category_ids: Iterable[int | str] = (),
    tags: Iterable[str] = (),
    v: None = None,
    **fields: Any,
) -> Result:
    """Add a draft. A simple product gets its one variant: `price` in cents, `sku` (made up where none is given), `qty`.

    A configurable one gets variants later; its kind never changes. Raises `Refused` with every problem at once.
    """
    only_fields(fields)
    with begin(world, actor, "products.create", Product) as w:
        values, wrong = rules.checked(w.db, {**DEFAULTS, **fields, "name": name, "brand_id": brand_id})
        if kind not in PRODUCT_KINDS:
            wrong.append(problem("NOT_A_CHOICE", "kind", label="a kind"))
        code = tidy(sku).upper()
        wrong += _wrong_variant(w.db, code, price, qty) if kind == "simple" else []
        categories, categories_wrong = links.known_categories(w.db, category_ids)
        names, names_wrong = links.known_tags(w.db, tags)
        refuse([*wrong, *categories_wrong, *names_wrong])
        product = _add(w, {**values, "kind": kind}, {"kind": kind})
        if kind == "simple":
            variants.add_variant(w, product, price=price or 0, qty=qty or 0, sku=code or None)
        links.put_categories(w, product, categories)
        links.put_tags(w, product, names)
        return _made(w, {})


def _add(w: Write[Product], values: Mapping[str, Any], more: Mapping[str, Any]) -> Product:
    """Insert a draft and make it the subject; `more` is what the audit says besides the values."""
    told = {field: value for field, value in values.items() if value}
    keys = {"name_key": "", "search_key": ""}
    product = w.add(Product, tell={**told, **more}, status="draft", created_at=w.now, updated_at=w.now, **keys,
                    **values)  # fmt: skip
    fill_keys(product)
    w.subject = product
    return product


def _made(w: Write[Product], also: Mapping[str, list[int]]) -> Result:
    """What the use case gives back; a new product begins with its first version, however many parts it was given."""
    refresh(w, {"products": [w.subject.id], **also})
    w.subject.v = 1
    return {"id": w.subject.id, "v": 1}


def _wrong_variant(db: Session, sku: str, price: int | None, qty: int | None) -> list[Problem]:
    """What is wrong with the only variant of a simple product."""
    wrong = wrong_price("price", "Price", price or 0)
    if sku and not variants.SKU.fullmatch(sku):
        wrong.append(problem("SKU_FORMAT", "sku"))
    elif sku and (other := variants.owner_of(db, Variant.sku == sku)):
        wrong.append(problem("SKU_TAKEN", "sku", sku=sku, other=other))
    if not 0 <= (qty or 0) <= MOST_UNITS:
        wrong.append(problem("OUT_OF_RANGE", "qty", label="Units on hand", least=0, most=f"{MOST_UNITS:,}"))
    return wrong


def duplicate(world: WorldContext, actor: Actor, *, id: int, name: str, v: int | None = None) -> Result:
    """Add a draft like product `id` under another name: texts, categories, tags, specs, pictures, variants with prices.

    SKUs are made up anew; bar codes, sales, stock and reviews stay with the original.
    """
    with begin(world, actor, "products.duplicate", Product, id=id) as w:
        original = w.subject
        w.check(original, v)
        given = {**rules.stored(original), "name": name, "slug": ""}
        values, wrong = rules.checked(w.db, given, was=rules.stored(original))
        refuse(wrong)
        copy = _add(w, {**values, "kind": original.kind}, {"copy of": original.name})
        _copy_rows(w, original, copy)
        made = _copy_variants(w, original, copy)
        for image in images.images_of(w.db, original):
            w.add(ProductImage, product_id=copy.id, file_id=image.file_id, alt=image.alt, position=image.position,
                  variant_id=made.get(image.variant_id or 0))  # fmt: skip
        links.put_categories(w, copy, links.categories_of(w.db, original))
        links.put_tags(w, copy, links.tags_of(w.db, original))
        return _made(w, {"variants": list(made.values())})


def remove(world: WorldContext, actor: Actor, *, id: int, v: int | None = None) -> Result:
    """Delete a product that was never ordered, with all that hangs on it. Raises `Refused` PRODUCT_HAS_ORDERS."""
    with begin(world, actor, "products.delete", Product, id=id) as w:
        product = w.subject
        w.check(product, v)
        if was_ordered(w.db, product):
            raise refused("PRODUCT_HAS_ORDERS", name=product.name)
        w.note(product, [{"field": "name", "old": product.name, "new": None}])
        for category_id in links.categories_of(w.db, product):
            links.leave(w.db, product, category_id)
        for image in images.images_of(w.db, product):
            images.drop_image(w.db, image)
        _drop_rows(w.db, product)
        for variant in _variants(w.db, product):
            variants.drop_variant(w, variant)
        _drop(w.db, ProductOptionType, ProductOptionType.product_id == product.id)
        was_active = product.status == "active"
        w.db.delete(product)
        w.db.flush()
        if was_active:
            refresh(w, {"products": [id]})  # a removed row moves every search term
        return {"id": id}


ORDERED = select(exists().where(OrderItem.variant_id == Variant.id, Variant.product_id == bindparam("product")))


def was_ordered(db: Session, product: Product) -> bool:
    """Whether any order, of whatever status, holds a variant of the product."""
    return bool(db.scalar(ORDERED, {"product": product.id}))


def _copy_rows(w: Write[Product], original: Product, copy: Product) -> None:
    """The specification table and the kinds of options."""
    specs = select(ProductSpec).where(ProductSpec.product_id == original.id)
    for spec in w.db.scalars(specs.order_by(ProductSpec.position, ProductSpec.id)).all():
        w.add(ProductSpec, product_id=copy.id, name=spec.name, value=spec.value, value_num=spec.value_num,
              unit=spec.unit, position=spec.position)  # fmt: skip
    types = select(ProductOptionType).where(ProductOptionType.product_id == original.id)
    for row in w.db.scalars(types.order_by(ProductOptionType.position, ProductOptionType.type_id)).all():
        w.add(ProductOptionType, product_id=copy.id, type_id=row.type_id, position=row.position)


def _copy_variants(w: Write[Product], original: Product, copy: Product) -> dict[int, int]:
    """The variants with their options and prices; the old id to the new one."""
    made = {}
    for variant in _variants(w.db, original):
        rows = select(VariantOption.type_id, VariantOption.value_id).where(VariantOption.variant_id == variant.id)
        pairs = [(type_id, value_id) for type_id, value_id in w.db.execute(rows.order_by(VariantOption.type_id))]
        sku = free_sku(w.db, variant.sku)
        new = variants.add_variant(w, copy, pairs, price=variant.price, cost=variant.cost, sku=sku)
        new.active = variant.active
        made[variant.id] = new.id
    return made


def free_sku(db: Session, sku: str) -> str:
    """A SKU like another one, with -2, -3 … behind it; at most 32 characters."""
    taken = set(db.scalars(select(Variant.sku).where(Variant.sku.startswith(sku[:28], autoescape=True))))
    return next(made for n in range(2, len(taken) + 3) if (made := f"{sku[: 31 - len(str(n))]}-{n}") not in taken)


def _variants(db: Session, product: Product) -> list[Variant]:
    own = select(Variant).where(Variant.product_id == product.id)
    return list(db.scalars(own.order_by(Variant.position, Variant.id)))


def _drop_rows(db: Session, product: Product) -> None:
    """What names the product without being a part of it, and its specs and tags."""
    reviews = select(Review.id).where(Review.product_id == product.id)
    _drop(db, ReviewVote, ReviewVote.review_id.in_(reviews))
    _drop(db, Review, Review.product_id == product.id)
    _drop(db, WishlistItem, WishlistItem.product_id == product.id)
    of_products = select(Promotion.id).where(Promotion.scope == "products")
    _drop(db, PromotionTarget, PromotionTarget.target_id == product.id, PromotionTarget.promotion_id.in_(of_products))
    _drop(db, ProductSpec, ProductSpec.product_id == product.id)
    _drop(db, ProductTag, ProductTag.product_id == product.id)


def _drop(db: Session, model: Any, *conditions: ColumnElement[bool]) -> None:
    db.execute(delete(model).where(*conditions))


USE_CASES: Mapping[str, Callable[..., Any]] = {
    "products.create": create,
    "products.duplicate": duplicate,
    "products.delete": remove,
}
