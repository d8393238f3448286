"""Editing what a pending order is made of (R9): quantities, lines that go, lines that come, and the sums they make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from ...kit.money import money
from ...kit.rules import Problem, Refused
from ..messages import problem, refused
from ..models import (
    OptionType,
    OptionValue,
    Order,
    OrderItem,
    Product,
    ProductOptionType,
    Stock,
    StoreCreditEntry,
    Variant,
    VariantOption,
)
from ..totals import Totals, effective_price
from .base import Actor, Write, begin
from .derived_values import refresh
from .ledger import event, give_credit, items_of, move_stock
from .orders import refuse_unless
from .pricing import Wanted, price

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from ...kit.world import WorldContext

MOST = 9_999
"""Units of one line."""


@dataclass(frozen=True, kw_only=True)
class Added:
    """A line that comes new: a variant with today's price (R2), and its place among the new ones."""

    variant: Variant
    product: Product
    unit_price: int
    qty: int


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What an edit makes of an order: the lines that stay with their units, those that go and come, and the sums."""

    kept: Sequence[tuple[OrderItem, int]]
    gone: Sequence[OrderItem]
    added: Sequence[Added]
    sums: Totals
    problems: Sequence[Problem] = field(default=())

    @property
    def changes(self) -> bool:
        """Whether anything differs from the order as it is."""
        return bool(self.gone or self.added) or any(units != item.qty_ordered for item, units in self.kept)


def edit_items(
    world: WorldContext,
    actor: Actor,
    *,
    number: str,
    lines: Mapping[Any, int] | None = None,
    add: Iterable[Mapping[str, Any]] = (),
    v: int | None = None,
) -> dict[str, Any]:
    """Change the items of a pending order: `lines` as order item id → units (0 takes the line out, lines that are not
    named stay), `add` as mappings of `sku` or `variant_id`, and `qty`.

    Lines that stay keep their unit price, new ones get today's; shipping stays. Nothing is written where nothing
    differs. Raises `Refused` ORDER_STATE, NO_ITEMS, and per line (fields `qty_<item id>`, `add.<position>`)
    OUT_OF_RANGE, NOT_AVAILABLE, NOT_SOLD, ITEM_TAKEN, SKU_UNKNOWN; CREDIT_TOO_LOW.
    """
    with begin(world, actor, "orders.edit_items", Order, number=number) as w:
        order = w.subject
        w.check(order, v)
        refuse_unless(order, ("pending",), "edited")
        plan = plan_of(w.db, order, lines or {}, list(add), w.now[:10])
        if plan.problems:
            raise Refused.of(plan.problems)
        if plan.changes:
            _carry_out(w, order, plan)
        return {"number": order.number, "total": order.total, "v": order.v, "changed": plan.changes}


def plan_of(db: Session, order: Order, lines: Mapping[Any, int], add: Sequence[Mapping[str, Any]], today: str) -> Plan:
    """What an edit would make of an order, with everything that is wrong about it; writes nothing."""
    items = items_of(db, order)
    asked = {int(key): int(units) for key, units in lines.items()}
    if unknown := set(asked) - {item.id for item in items}:
        raise refused("NOT_FOUND", what=f"Order line {min(unknown)}")
    units = {item.id: asked.get(item.id, item.qty_ordered) for item in items}
    wrong = [each for item in items for each in _wrong_kept(db, item, units[item.id])]
    kept = [(item, units[item.id]) for item in items if units[item.id] > 0]
    added, wrong_added = _read(db, add, {item.variant_id for item, _ in kept}, today)
    wrong += wrong_added
    if not kept and not added and not wrong:
        wrong.append(problem("NO_ITEMS", ""))
    wanted = [Wanted(item.variant_id, item.unit_price, qty) for item, qty in kept]
    wanted += [Wanted(each.variant.id, each.unit_price, each.qty) for each in added]
    gone = [item for item in items if units[item.id] <= 0]
    return Plan(kept=kept, gone=gone, added=added, sums=price(db, order, wanted), problems=wrong)


def _wrong_kept(db: Session, item: OrderItem, units: int) -> list[Problem]:
    name = f"qty_{item.id}"
    if not 0 <= units <= MOST:
        return [problem("OUT_OF_RANGE", name, label="Quantity", least=0, most=MOST)]
    if units > item.qty_ordered:
        stock = db.get_one(Stock, item.variant_id)
        left = stock.on_hand - stock.reserved
        if units - item.qty_ordered > left and not stock.backorder:
            return [problem("NOT_AVAILABLE", name, left=max(0, left), sku=item.sku)]
    return []


def _read(
    db: Session, add: Sequence[Mapping[str, Any]], taken: set[int], today: str
) -> tuple[list[Added], list[Problem]]:
    """The new lines, and what is wrong with them."""
    added: list[Added] = []
    wrong: list[Problem] = []
    for position, each in enumerate(add):
        name = f"add.{position}"
        variant = _variant(db, each)
        qty = int(each.get("qty", 1))
        if variant is None:
            wrong.append(problem("SKU_UNKNOWN", name, sku=each.get("sku", each.get("variant_id", ""))))
            continue
        why = _wrong_added(db, variant, qty, name, taken)
        wrong += why
        if not why:
            taken = taken | {variant.id}
            unit = effective_price(variant.price, variant.sale_price, variant.sale_from, variant.sale_to, today)
            added.append(Added(variant=variant, product=variant.product, unit_price=unit, qty=qty))
    return added, wrong


def _variant(db: Session, asked: Mapping[str, Any]) -> Variant | None:
    if "variant_id" in asked:
        return db.get(Variant, int(asked["variant_id"]))
    return db.scalars(select(Variant).filter_by(sku=str(asked.get("sku", "")).strip().upper())).first()


def _wrong_added(db: Session, variant: Variant, qty: int, name: str, taken: set[int]) -> list[Problem]:
    """A new line must be sellable (R5) and not in the order yet."""
    stock = db.get_one(Stock, variant.id)
    left = stock.on_hand - stock.reserved
    if variant.id in taken:
        return [problem("ITEM_TAKEN", name, sku=variant.sku)]
    if variant.product.status != "active" or not variant.active or stock.status != "in_stock":
        return [problem("NOT_SOLD", name, sku=variant.sku)]
    if not 1 <= qty <= MOST:
        return [problem("OUT_OF_RANGE", name, label="Quantity", least=1, most=MOST)]
    if qty > left and not stock.backorder:
        return [problem("NOT_AVAILABLE", name, left=max(0, left), sku=variant.sku)]
    return []


def _carry_out(w: Write[Order], order: Order, plan: Plan) -> None:
    """E.items: the lines, the stock behind them, the sums, the customer's credit, and a line of history."""
    before = order.total
    told = [*_take_out(w, order, plan.gone), *_change(w, order, plan), *_put_in(w, order, plan)]
    sums = plan.sums
    w.set(order, subtotal=sums.subtotal, discount=sums.discount, tax=sums.tax, total=sums.total)
    w.bump(order)
    if order.pay_method == "store_credit" and order.customer_id is not None and order.total != before:
        _settle_credit(w, order, before - order.total)
    event(w, order, "system", "Items changed: " + ", ".join(told))
    refresh(w, {"orders": {order.id}, "order_items": {item.id for item in items_of(w.db, order)}})


def _take_out(w: Write[Order], order: Order, gone: Sequence[OrderItem]) -> list[str]:
    for item in gone:
        move_stock(w, item.variant_id, "release", reserved=-item.qty_ordered, ref=("order", order.id))
        w.note(order, [{"field": f"{item.sku} qty_ordered", "old": item.qty_ordered, "new": 0}])
        w.db.delete(item)
    w.db.flush()
    return [f"{item.sku} removed" for item in gone]


def _change(w: Write[Order], order: Order, plan: Plan) -> list[str]:
    told = []
    for (item, units), sums in zip(plan.kept, plan.sums.lines, strict=False):
        more, before = units - item.qty_ordered, item.qty_ordered
        w.set(item, qty_ordered=units)
        w.set(item, tell=False, row_total=sums.row_total, discount=sums.discount, tax=sums.tax)
        if more:
            move_stock(w, item.variant_id, "reserve" if more > 0 else "release", reserved=more, ref=("order", order.id))
            told.append(f"{item.sku} {before} → {units}")
    return told


def _put_in(w: Write[Order], order: Order, plan: Plan) -> list[str]:
    for each, sums in zip(plan.added, plan.sums.lines[len(plan.kept) :], strict=True):
        item = w.add(
            OrderItem,
            order_id=order.id,
            variant_id=each.variant.id,
            sku=each.variant.sku,
            name=each.product.name,
            options_text=options_text(w.db, each.variant),
            unit_price=each.unit_price,
            qty_ordered=each.qty,
            row_total=sums.row_total,
            discount=sums.discount,
            tax=sums.tax,
        )
        w.note(order, [{"field": f"{item.sku} qty_ordered", "old": 0, "new": each.qty}])
        move_stock(w, item.variant_id, "reserve", reserved=each.qty, ref=("order", order.id))
    return [f"{each.variant.sku} × {each.qty} added" for each in plan.added]


def options_text(db: Session, variant: Variant) -> str:
    """The choices of a variant as orders keep them: `Color: Moss, Size: L`."""
    place = (ProductOptionType.product_id == variant.product_id) & (ProductOptionType.type_id == VariantOption.type_id)
    wanted = (
        select(OptionType.name, OptionValue.value)
        .join(VariantOption, VariantOption.type_id == OptionType.id)
        .join(OptionValue, OptionValue.id == VariantOption.value_id)
        .outerjoin(ProductOptionType, place)
        .where(VariantOption.variant_id == variant.id)
        .order_by(ProductOptionType.position, OptionType.id)
    )
    return ", ".join(f"{name}: {value}" for name, value in db.execute(wanted))


def _settle_credit(w: Write[Order], order: Order, back: int) -> None:
    """An order paid with store credit takes or gives back the difference. Raises `Refused` CREDIT_TOO_LOW."""
    balance = select(func.coalesce(func.sum(StoreCreditEntry.delta), 0)).filter_by(customer_id=order.customer_id)
    left = int(w.db.scalar(balance) or 0)
    if left + back < 0:
        raise refused("CREDIT_TOO_LOW", left=money(left))
    give_credit(w, order, back, f"Items of order {order.number} changed")


USE_CASES: Mapping[str, Callable[..., Any]] = {"orders.edit_items": edit_items}
