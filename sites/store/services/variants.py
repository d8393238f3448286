"""What staff do to variants: edit one, make the combinations of options that are missing, delete one nobody ordered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product as combinations
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete as remove
from sqlalchemy import func, select, update

from ...kit.rules import Problem, Refused
from ...kit.text import key
from ..derived import options_key
from ..messages import problem, refused
from ..models import (
    Brand,
    CartItem,
    OptionType,
    OptionValue,
    OrderItem,
    Product,
    ProductImage,
    ProductOptionType,
    Stock,
    StockAlert,
    StockMove,
    Variant,
    VariantOption,
    WishlistItem,
)
from ..regions import tidy
from .base import Actor, Write, begin
from .derived_values import refresh
from .prices import change_prices, wrong_dates, wrong_price

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from ...kit.world import WorldContext

Result = dict[str, Any]
Pairs = Sequence[tuple[int, int]]
"""(option type, option value) of a variant, one per type."""

SKU = re.compile(r"[A-Z0-9-]{3,32}")
BARCODE = re.compile(r"[0-9]{8,14}")
FIELDS = ("sku", "barcode", "price", "sale_price", "sale_from", "sale_to", "cost", "active")
LABELS = {"price": "Price", "sale_price": "Sale price", "cost": "Cost"}
MOST_AT_ONCE = 200


def edit(world: WorldContext, actor: Actor, *, id: int, v: int | None = None, **fields: Any) -> Result:
    """Change columns of one variant (`FIELDS`; cents, dates, None for nothing); what is not given stays.

    Raises `Refused` with every problem at once: SKU_FORMAT, SKU_TAKEN, BARCODE_TAKEN, PRICE_RANGE, SALE_NOT_LOWER,
    DATE_ORDER.
    """
    if unknown := sorted(set(fields) - set(FIELDS)):
        raise TypeError(f"a variant has no field {unknown[0]!r}; it has {', '.join(FIELDS)}")
    with begin(world, actor, "variants.edit", Variant, id=id) as w:
        variant = w.subject
        values = {**{name: getattr(variant, name) for name in FIELDS}, **fields}
        values["sku"] = tidy(values["sku"]).upper()
        values["barcode"] = tidy(values["barcode"]) or None
        w.check(variant, v, {name: values[name] for name in fields})
        if wrong := [*_wrong_codes(w.db, values, id), *_wrong_money(values)]:
            raise Refused.of(wrong)
        renamed = values["sku"] != variant.sku
        changed = w.set(variant, **values)
        if renamed:
            refresh(w, {"variants": [id]})
        return {"id": id, "product_id": variant.product_id, "v": variant.v, "changed": changed}


def generate(
    world: WorldContext,
    actor: Actor,
    *,
    product_id: int,
    options: Mapping[int, Iterable[int]],
    price: int,
    qty: int = 0,
    v: int | None = None,
) -> Result:
    """Make the variants that are missing among all combinations of `options` (type id to value ids).

    The new ones get `price` (cents) and `qty` units on hand. Raises `Refused` SIMPLE_PRODUCT, OPTIONS_NEEDED where the
    choice leaves out a type in which the product's variants differ, NOTHING_NEW, PRICE_RANGE, OUT_OF_RANGE.
    """
    with begin(world, actor, "variants.generate", Product, id=product_id) as w:
        product = w.subject
        w.check(product, v)
        chosen = {int(type_id): list(dict.fromkeys(map(int, values))) for type_id, values in options.items()}
        new = [pairs for pairs, there in matrix(w.db, product, chosen) if not there]
        if wrong := [*_wrong_new(new, qty), *wrong_price("price", "Price", price)]:
            raise Refused.of(wrong)
        _offer(w, product, chosen)
        made = [add_variant(w, product, pairs, price=price, qty=qty) for pairs in new]
        refresh(w, {"products": [product_id], "variants": [variant.id for variant in made]})
        return {"product_id": product_id, "ids": [variant.id for variant in made], "count": len(made)}


def delete(world: WorldContext, actor: Actor, *, id: int, v: int | None = None) -> Result:
    """Delete a variant that was never ordered. Raises `Refused` VARIANT_ORDERED, LAST_VARIANT."""
    with begin(world, actor, "variants.delete", Variant, id=id) as w:
        variant, product_id = w.subject, w.subject.product_id
        w.check(variant, v)
        if w.db.scalar(select(OrderItem.id).where(OrderItem.variant_id == id).limit(1)):
            raise refused("VARIANT_ORDERED", sku=variant.sku)
        siblings = w.db.scalar(select(func.count()).select_from(Variant).where(Variant.product_id == product_id))
        if siblings == 1:
            raise refused("LAST_VARIANT", sku=variant.sku)
        w.note(variant, [{"field": "sku", "old": variant.sku, "new": None}])
        drop_variant(w, variant)
        refresh(w, {"products": [product_id]})
        return {"id": id, "product_id": product_id, "deleted": True}


def matrix(
    db: Session, product: Product, chosen: Mapping[int, Sequence[int]]
) -> list[tuple[list[tuple[int, int]], bool]]:
    """Every combination of the chosen values in the order of the option lists, each with whether it exists already.

    Raises `Refused` SIMPLE_PRODUCT, NOTHING_PICKED, OPTIONS_NEEDED, NOT_A_CHOICE (a value of another type).
    """
    if product.kind == "simple":
        raise refused("SIMPLE_PRODUCT", name=product.name)
    chosen = {type_id: values for type_id, values in chosen.items() if values}
    if not chosen:
        raise refused("NOTHING_PICKED", "options", what="option value")
    own = types_of(db, product)
    if own and {each.id for each in own} != set(chosen):
        raise refused("OPTIONS_NEEDED", "options", types=", ".join(each.name for each in own), name=product.name)
    ranked = _ranked(db, chosen)
    order = [each.id for each in own] or list(ranked)
    taken = set(db.scalars(select(Variant.options_key).where(Variant.product_id == product.id)))
    found = [list(zip(order, values, strict=True)) for values in combinations(*(ranked[type_id] for type_id in order))]
    return [(pairs, options_key(pairs) in taken) for pairs in found]


def types_of(db: Session, product: Product) -> list[OptionType]:
    """The option types in which a product's variants differ, in order."""
    wanted = select(OptionType).join(ProductOptionType, ProductOptionType.type_id == OptionType.id)
    own = wanted.where(ProductOptionType.product_id == product.id)
    return list(db.scalars(own.order_by(ProductOptionType.position, OptionType.id)))


def add_variant(
    w: Write[Any],
    product: Product,
    pairs: Pairs = (),
    *,
    price: int,
    qty: int = 0,
    sku: str | None = None,
    barcode: str | None = None,
    cost: int = 0,
) -> Variant:
    """Insert a variant behind the product's others, with its options, its stock row, and a receipt of `qty` units.

    Without a SKU it gets one like those of its siblings. The caller has checked the values, and refreshes what follows.
    """
    last = w.db.scalar(select(func.max(Variant.position)).where(Variant.product_id == product.id))
    sku = sku or free_sku(w.db, product, pairs)
    columns = {"sku": sku, "barcode": barcode, "price": price, "cost": cost}
    variant = w.add(
        Variant,
        tell={name: value for name, value in columns.items() if value},
        product_id=product.id,
        position=(last or 0) + 1,
        active=True,
        options_key=options_key(pairs),
        **columns,
    )
    for type_id, value_id in pairs:
        w.add(VariantOption, variant_id=variant.id, type_id=type_id, value_id=value_id)
    w.add(Stock, variant_id=variant.id, on_hand=qty)
    if qty:
        facts: dict[str, Any] = {"kind": "receipt", "d_on_hand": qty, "d_reserved": 0}
        w.add(StockMove, variant_id=variant.id, actor_id=w.staff_id, created_at=w.now, **facts)
    return variant


def drop_variant(w: Write[Any], variant: Variant) -> None:
    """Remove a variant and all that hangs on it, and close the gap among its siblings; checks no rule."""
    for model in (VariantOption, StockMove, StockAlert, Stock, CartItem):
        w.db.execute(remove(model).where(model.variant_id == variant.id))
    for kept in (ProductImage, WishlistItem):
        w.db.execute(update(kept).where(kept.variant_id == variant.id).values(variant_id=None))
    behind = select(Variant).where(Variant.product_id == variant.product_id, Variant.position > variant.position)
    for sibling in w.db.scalars(behind.order_by(Variant.position, Variant.id)).all():
        sibling.position -= 1
    w.db.delete(variant)
    w.db.flush()


def free_sku(db: Session, product: Product, pairs: Pairs) -> str:
    """A SKU nobody has: the stem of the siblings' SKUs (else the brand's letters and an id), then the options."""
    marks = [_mark(db.get_one(OptionValue, value_id).value) for _, value_id in pairs]
    base = "-".join([_stem(db, product, len(marks)), *marks])[:32].strip("-")
    number = 1
    sku = base
    while db.scalar(select(Variant.id).where(Variant.sku == sku)) is not None:
        number += 1
        sku = f"{base[: 31 - len(str(number))].rstrip('-')}-{number}"
    return sku


def _stem(db: Session, product: Product, marks: int) -> str:
    skus = list(db.scalars(select(Variant.sku).where(Variant.product_id == product.id).order_by(Variant.id)))
    stems = {"-".join(parts[: len(parts) - marks]) for sku in skus if len(parts := sku.split("-")) > marks}
    if len(stems) == 1 and (stem := stems.pop()):
        return stem
    letters = re.sub(r"[^a-z0-9]", "", key(db.get_one(Brand, product.brand_id).name))[:2].upper()
    return f"{letters or 'FS'}-P{product.id:03d}"


def _mark(value: str) -> str:
    """An option value inside a SKU: `Moss` as MOS, `XL` as XL, `2-pack` as 2PA."""
    plain = re.sub(r"[^a-z0-9]", "", key(value)).upper()
    return (plain if len(plain) <= 3 else plain[:3]) or "X"


def _ranked(db: Session, chosen: Mapping[int, Sequence[int]]) -> dict[int, list[int]]:
    """The chosen values of each type in the order of the type's list. Raises `Refused` NOT_A_CHOICE."""
    ranked: dict[int, list[int]] = {}
    for type_id in sorted(chosen):
        wanted = select(OptionValue.id).where(OptionValue.type_id == type_id, OptionValue.id.in_(chosen[type_id]))
        ranked[type_id] = list(db.scalars(wanted.order_by(OptionValue.position, OptionValue.id)))
        if len(ranked[type_id]) != len(chosen[type_id]):
            raise refused("NOT_A_CHOICE", "options", label="option values")
    return ranked


def _offer(w: Write[Product], product: Product, chosen: Mapping[int, Sequence[int]]) -> None:
    """Say that a product comes in these types, where it has none yet."""
    if types_of(w.db, product):
        return
    for place, type_id in enumerate(sorted(type_id for type_id, values in chosen.items() if values), 1):
        w.add(ProductOptionType, product_id=product.id, type_id=type_id, position=place)


def _wrong_new(new: Sequence[Any], qty: int) -> list[Problem]:
    wrong = [] if new else [problem("NOTHING_NEW", "options")]
    if len(new) > MOST_AT_ONCE:
        wrong.append(problem("TOO_MANY_VARIANTS", "options", count=len(new), most=MOST_AT_ONCE))
    if not 0 <= qty <= 99_999:
        wrong.append(problem("OUT_OF_RANGE", "qty", label="Quantity", least=0, most="99,999"))
    return wrong


def _wrong_codes(db: Session, values: Mapping[str, Any], own_id: int) -> list[Problem]:
    """What is wrong with SKU and bar code."""
    wrong = []
    if not SKU.fullmatch(values["sku"]):
        wrong.append(problem("SKU_FORMAT", "sku"))
    elif other := owner_of(db, Variant.sku == values["sku"], own_id):
        wrong.append(problem("SKU_TAKEN", "sku", sku=values["sku"], other=other))
    if values["barcode"] and not BARCODE.fullmatch(values["barcode"]):
        wrong.append(problem("BARCODE_FORMAT", "barcode"))
    elif values["barcode"] and (other := owner_of(db, Variant.barcode == values["barcode"], own_id)):
        wrong.append(problem("BARCODE_TAKEN", "barcode", other=other))
    return wrong


def owner_of(db: Session, condition: Any, own_id: int = 0) -> str:
    """The name of the product whose variant meets a condition, or nothing; `own_id` does not count."""
    wanted = select(Product.name).join(Variant, Variant.product_id == Product.id).where(condition)
    return str(db.scalar(wanted.where(Variant.id != own_id).limit(1)) or "")


def _wrong_money(values: Mapping[str, Any]) -> list[Problem]:
    """What is wrong with prices and dates."""
    wrong = []
    for name, label in LABELS.items():
        if name != "sale_price" or values[name] is not None:
            wrong += wrong_price(name, label, values[name])
    sale = values["sale_price"]
    if not wrong and sale is not None and sale >= values["price"]:
        wrong.append(problem("SALE_NOT_LOWER", "sale_price", sku=values["sku"]))
    return wrong + wrong_dates(values["sale_from"], values["sale_to"])


USE_CASES: Mapping[str, Callable[..., Any]] = {
    "variants.edit": edit,
    "variants.change_prices": change_prices,
    "variants.generate": generate,
    "variants.delete": delete,
}
"""The use cases of variants, by name."""
