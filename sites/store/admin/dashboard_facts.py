"""What the start page tells: key figures against the span before, what waits, what runs out, what is sought."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, bindparam, func, select
from sqlalchemy.orm import Session

from ..models import Customer, Order, Product, Refund, Return, Review, SearchTerm, Stock, Variant
from ..sales import SALE_STATES, Span, Sum, total
from . import present

LOW, TERMS, LATEST = 6, 6, 8
Numbers = Mapping[str, int]

OPEN = ("pending", "processing", "on_hold", "fraud_review")


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One key figure, its value in the span before, and the list it is counted from."""

    code: str
    label: str
    kind: Literal["money", "number"]
    now: int
    before: int
    href: str
    good: bool = True
    """Whether more is better."""

    @property
    def change(self) -> int | None:
        """Per mille more (or less) than before; None where there was nothing."""
        return round(1000 * (self.now - self.before) / self.before) if self.before else None

    def shown(self, value: int) -> str:
        """A value of it as people write it."""
        return present.amount(value) if self.kind == "money" else present.number(value)

    @property
    def compared(self) -> str:
        """How it stands against the span before, in words."""
        before = self.shown(self.before)
        if self.now == self.before:
            return f"as before ({before})"
        if self.change is None:
            return "nothing before"
        return f"{'up' if self.now > self.before else 'down'} {present.number(abs(self.change), 1)}% from {before}"

    @property
    def tone(self) -> str:
        """`good`, `bad`, or nothing where it is as it was."""
        if self.now == self.before or not self.before:
            return ""
        return "good" if (self.now > self.before) == self.good else "bad"


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """Something that waits for a person: how much of it, and where it is listed."""

    label: str
    icon: str
    count: int
    href: str


def _within(at: Any, span: str, measure: Any, *conditions: ColumnElement[bool]) -> Any:
    """A measure over the days of the span `now` or `before`, as a part of one big question."""
    within = (at >= bindparam(f"{span}_first"), at < bindparam(f"{span}_end"))
    return select(func.coalesce(measure, 0)).where(*within, *conditions).scalar_subquery()


def _standing(column: Any, *conditions: ColumnElement[bool]) -> Any:
    """How many rows are in a state now."""
    return select(func.count(column)).where(*conditions).scalar_subquery()


MEASURES: Mapping[str, tuple[Any, Any, tuple[ColumnElement[bool], ...]]] = {
    "refunds": (Refund.created_at, func.sum(Refund.total), (Refund.status == "issued",)),
    "customers": (Customer.created_at, func.count(Customer.id), ()),
    "reviews": (Review.created_at, func.count(Review.id), ()),
}
STANDINGS: Mapping[str, Any] = {
    "to_approve": _standing(Refund.id, Refund.status == "pending_approval"),
    "requested": _standing(Return.id, Return.status == "requested"),
    "to_moderate": _standing(Review.id, Review.status == "pending"),
    "unowned": _standing(Order.id, Order.assigned_to.is_(None), Order.status.in_(OPEN)),
    "unpaid": _standing(Order.id, Order.status == "pending", Order.pay_method == "bank_transfer"),
    "placed": _within(Order.placed_at, "today", func.count(Order.id)),
    "placed_total": _within(Order.placed_at, "today", func.sum(Order.total)),
}
QUESTION = select(
    *(
        _within(at, span, measure, *conditions).label(f"{name}_{span}")
        for name, (at, measure, conditions) in MEASURES.items()
        for span in ("now", "before")
    ),
    *(standing.label(name) for name, standing in STANDINGS.items()),
)
"""Every number of the page that is one number: one question instead of a dozen, and put together only once."""


def numbers(db: Session, span: Span, today: str) -> Numbers:
    """The answer: `refunds_now`, `refunds_before`, `to_approve`, `placed` …"""
    spans = {"now": span, "before": span.before(), "today": Span(first=today, last=today)}
    days = {f"{name}_first": f"{each.first}T" for name, each in spans.items()}
    days |= {f"{name}_end": f"{each.last}U" for name, each in spans.items()}
    return dict(db.execute(QUESTION, days).mappings().one())


def figures(found: Numbers, days: dict[str, Sum], span: Span) -> list[Figure]:
    """The key figures of a span; sales, orders and average as R15 counts them, refunds by the day they were made."""
    now, before = total(days, span), total(days, span.before())
    dates = f"between:{span.first}..{span.last}"
    sold = f"/orders?f=placed_at:{dates}&f=status:in:{'|'.join(sorted(SALE_STATES))}"

    def figure(code: str, label: str, kind: Any, pair: tuple[int, int], href: str, good: bool = True) -> Figure:
        return Figure(code=code, label=label, kind=kind, now=pair[0], before=pair[1], href=href, good=good)

    def pair(name: str) -> tuple[int, int]:
        return found[f"{name}_now"], found[f"{name}_before"]

    issued = f"/refunds?f=status:in:issued&f=created_at:{dates}"
    return [
        figure("sales", "Sales", "money", (now.total, before.total), sold),
        figure("orders", "Orders", "number", (now.orders, before.orders), sold),
        figure("average", "Average order", "money", (now.average, before.average), f"{sold}&sort=-total"),
        figure("refunds", "Refunds", "money", pair("refunds"), issued, good=False),
        figure("customers", "New customers", "number", pair("customers"), f"/customers?f=created_at:{dates}"),
        figure("reviews", "New reviews", "number", pair("reviews"), f"/reviews?f=created_at:{dates}"),
    ]


def counts(db: Session) -> dict[str, int]:
    """How many orders have each status."""
    return {row.status: row.number for row in db.execute(BY_STATUS)}


def waiting(found: Numbers, by_status: dict[str, int]) -> list[Waiting]:
    """What somebody should look at, most urgent first; each leads to its list."""
    states = "|".join(sorted(OPEN))
    rows = (
        ("Fraud reviews to decide", "shield-exclamation", by_status.get("fraud_review", 0),
         "/orders?f=status:in:fraud_review"),
        ("Refunds to approve", "cash-stack", found["to_approve"], "/refunds?f=status:in:pending_approval"),
        ("Returns to decide", "box-arrow-in-left", found["requested"], "/returns?f=status:in:requested"),
        ("Reviews to moderate", "star", found["to_moderate"], "/reviews?f=status:in:pending"),
        ("Orders on hold", "pause-circle", by_status.get("on_hold", 0), "/orders?f=status:in:on_hold"),
        ("Open orders without an owner", "person-dash", found["unowned"],
         f"/orders?f=status:in:{states}&f=assigned_to:in:none"),
        ("Pending bank transfers", "bank", found["unpaid"],
         "/orders?f=status:in:pending&f=pay_method:in:bank_transfer"),
    )  # fmt: skip
    return [Waiting(label=label, icon=icon, count=count, href=href) for label, icon, count, href in rows]


def latest(db: Session) -> list[Any]:
    """The newest orders."""
    return list(db.execute(NEWEST))


def low(db: Session) -> list[Any]:
    """Active variants that run out next: at or below their level, the fewest units first; those without any are out."""
    return list(db.execute(LOWEST))


def terms(db: Session) -> list[Any]:
    """What customers search for most."""
    return list(db.execute(MOST_SOUGHT))


BY_STATUS = select(Order.status, func.count(Order.id).label("number")).group_by(Order.status)
NEWEST = (
    select(Order.number, Order.placed_at, Order.customer_name, Order.customer_id, Order.total, Order.status)
    .order_by(Order.placed_at.desc(), Order.id.desc())
    .limit(LATEST)
)
LEFT = Stock.on_hand - Stock.reserved
LOWEST = (
    select(Variant.sku, Variant.product_id, Product.name, LEFT.label("left"), Stock.low_at)
    .join(Stock, Stock.variant_id == Variant.id)
    .join(Product, Product.id == Variant.product_id)
    .where(LEFT > 0, Stock.low_at >= LEFT, Variant.active, Product.status == "active")
    .order_by(LEFT, Product.name_key, Variant.id)
    .limit(LOW)
)
MOST_SOUGHT = (
    select(SearchTerm.term, SearchTerm.hits, SearchTerm.results)
    .order_by(SearchTerm.hits.desc(), SearchTerm.term_key, SearchTerm.id)
    .limit(TERMS)
)
