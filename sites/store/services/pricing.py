"""What an order's lines come to (R1–R3): promotions of the day on which it was placed, tax rates of today."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from ..models import (
    Category,
    Coupon,
    Customer,
    Order,
    OrderAddress,
    Product,
    ProductCategory,
    Promotion,
    PromotionGroup,
    PromotionTarget,
    TaxRate,
    Variant,
)
from ..totals import Candidate, Line, Rule, Shipping, Totals, applicable, totals

GENERAL = 1
"""The group of guests, and of everybody who is in no other."""

BY_STATE = ("US", "CA")
"""Countries that are taxed by state or province."""


class Wanted(NamedTuple):
    """A line to price: a variant at a unit price in cents."""

    variant_id: int
    unit_price: int
    qty: int


def price(db: Session, order: Order, wanted: Sequence[Wanted]) -> Totals:
    """The sums of an order if these were its lines; its shipping stays what it is (R9)."""
    day = order.placed_at[:10]
    rules = applicable(candidates(db, day), today=day, group_id=_group(db, order), code=order.coupon_code)
    lines = _lines(db, wanted)
    region = region_of(db, order)
    sums = totals(lines, rules, Shipping(code=order.shipping_code, price=order.shipping), rates(db), region)
    total = sums.subtotal - sums.discount + order.shipping + sums.tax
    return Totals(
        subtotal=sums.subtotal,
        discount=sums.discount,
        shipping=order.shipping,
        tax=sums.tax,
        total=total,
        lines=sums.lines,
        applied=sums.applied,
    )


def candidates(db: Session, day: str) -> list[Candidate]:
    """The promotions that ran on a day; what was switched off later still counts, as it was promised then.

    Limits of use are no question: the order had its use when it was placed.
    """
    groups = _grouped(db, PromotionGroup.promotion_id, PromotionGroup.group_id)
    targets = _grouped(db, PromotionTarget.promotion_id, PromotionTarget.target_id)
    codes, known = defaultdict(set), set()
    for coupon in db.scalars(select(Coupon).order_by(Coupon.id)):
        known.add(coupon.promotion_id)
        if coupon.active:
            codes[coupon.promotion_id].add(coupon.code.upper())
    running = select(Promotion).where(Promotion.status != "draft").order_by(Promotion.id)
    return [
        Candidate(
            rule=_rule(each, targets[each.id]),
            starts_on=each.starts_on,
            ends_on=each.ends_on,
            group_ids=frozenset(groups[each.id]),
            codes=frozenset(codes[each.id]),
            has_coupons=each.id in known,
        )
        for each in db.scalars(running)
        if (each.starts_on or "") <= day <= (each.ends_on or "9999")
    ]


def rates(db: Session) -> dict[tuple[str, str], int]:
    """Tax rates in basis points by region and class."""
    return {
        (region, kind): rate
        for region, kind, rate in db.execute(select(TaxRate.region, TaxRate.tax_class, TaxRate.rate))
    }


def region_of(db: Session, order: Order) -> str:
    """Where the goods go, as tax rates name it: `US-OR`, `DE`."""
    place = select(OrderAddress.country, OrderAddress.region).filter_by(order_id=order.id, kind="shipping")
    row = db.execute(place.order_by(OrderAddress.id)).first()
    if row is None:
        return ""
    return f"{row.country}-{row.region}" if row.country in BY_STATE else str(row.country)


def _rule(promotion: Promotion, targets: Collection[int]) -> Rule:
    return Rule(
        id=promotion.id,
        action=promotion.action,
        amount=promotion.amount,
        priority=promotion.priority,
        stop_further=promotion.stop_further,
        min_subtotal=promotion.min_subtotal,
        scope=promotion.scope,
        target_ids=frozenset(targets),
    )


def _group(db: Session, order: Order) -> int:
    customer = db.get(Customer, order.customer_id) if order.customer_id is not None else None
    return customer.group_id if customer is not None else GENERAL


def _lines(db: Session, wanted: Sequence[Wanted]) -> list[Line]:
    ids = [each.variant_id for each in wanted]
    rows = select(Variant.id, Product.id, Product.brand_id, Product.tax_class).join(
        Product, Product.id == Variant.product_id
    )
    found = {row[0]: row for row in db.execute(rows.where(Variant.id.in_(ids)))}
    within = _categories(db, {row[1] for row in found.values()})
    return [
        Line(
            unit_price=each.unit_price,
            qty=each.qty,
            tax_class=found[each.variant_id][3],
            product_id=found[each.variant_id][1],
            brand_id=found[each.variant_id][2],
            category_ids=within[found[each.variant_id][1]],
        )
        for each in wanted
    ]


def _categories(db: Session, products: Collection[int]) -> dict[int, frozenset[int]]:
    """The categories of products with all their ancestors."""
    above = dict(db.execute(select(Category.id, Category.parent_id)).all())
    direct: dict[int, set[int]] = defaultdict(set)
    listed = select(ProductCategory.product_id, ProductCategory.category_id).where(
        ProductCategory.product_id.in_(products)
    )
    for product_id, category_id in db.execute(listed):
        at: int | None = category_id
        while at is not None and at not in direct[product_id]:
            direct[product_id].add(at)
            at = above.get(at)
    return {product_id: frozenset(direct[product_id]) for product_id in products}


def _grouped(db: Session, key: Any, value: Any) -> defaultdict[int, set[int]]:
    found: defaultdict[int, set[int]] = defaultdict(set)
    for owner, one in db.execute(select(key, value)):
        found[owner].add(one)
    return found
