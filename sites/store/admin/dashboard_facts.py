"""What the start page tells: key figures against the span before, what waits, what runs out, what is sought."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, and_, case, func, select
from sqlalchemy.orm import Session

from ..models import Customer, Order, Product, Refund, Return, Review, SearchTerm, Stock, Variant
from ..sales import SALE_STATES, Span, Sum, total
from . import present

LOW, TERMS, LATEST = 6, 6, 8
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


def figures(db: Session, days: dict[str, Sum], span: Span) -> list[Figure]:
    """The key figures of a span; sales, orders and average as R15 counts them, refunds by the day they were made."""
    now, before = total(days, span), total(days, span.before())
    refunds = _two(db, Refund.created_at, span, func.sum(Refund.total), Refund.status == "issued")
    customers = _two(db, Customer.created_at, span, func.count(Customer.id))
    reviews = _two(db, Review.created_at, span, func.count(Review.id))
    dates = f"between:{span.first}..{span.last}"
    sold = f"/orders?f=placed_at:{dates}&f=status:in:{'|'.join(sorted(SALE_STATES))}"

    def figure(code: str, label: str, kind: Any, pair: tuple[int, int], href: str, good: bool = True) -> Figure:
        return Figure(code=code, label=label, kind=kind, now=pair[0], before=pair[1], href=href, good=good)

    return [
        figure("sales", "Sales", "money", (now.total, before.total), sold),
        figure("orders", "Orders", "number", (now.orders, before.orders), sold),
        figure("average", "Average order", "money", (now.average, before.average), f"{sold}&sort=-total"),
        figure("refunds", "Refunds", "money", refunds, f"/refunds?f=status:in:issued&f=created_at:{dates}", good=False),
        figure("customers", "New customers", "number", customers, f"/customers?f=created_at:{dates}"),
        figure("reviews", "New reviews", "number", reviews, f"/reviews?f=created_at:{dates}"),
    ]


def _two(db: Session, at: Any, span: Span, measure: Any, *conditions: ColumnElement[bool]) -> tuple[int, int]:
    """A measure over a span, and over the one before."""
    found = []
    for each in (span, span.before()):
        wanted = select(func.coalesce(measure, 0)).where(at >= f"{each.first}T", at < f"{each.last}U", *conditions)
        found.append(int(db.scalar(wanted) or 0))
    return found[0], found[1]


def counts(db: Session) -> dict[str, int]:
    """How many orders have each status."""
    by_status = select(Order.status, func.count(Order.id).label("number")).group_by(Order.status)
    return {row.status: row.number for row in db.execute(by_status)}


def waiting(db: Session, by_status: dict[str, int]) -> list[Waiting]:
    """What somebody should look at, most urgent first; each leads to its list."""
    nobody = and_(Order.assigned_to.is_(None), Order.status.in_(OPEN))
    transfers = and_(Order.status == "pending", Order.pay_method == "bank_transfer")
    tally = (func.sum(case((condition, 1), else_=0)) for condition in (nobody, transfers))
    unowned, unpaid = db.execute(select(*tally).where(Order.status.in_(OPEN))).one()
    listed = "|".join(sorted(OPEN))
    return [
        Waiting(label="Fraud reviews to decide", icon="shield-exclamation", count=by_status.get("fraud_review", 0),
                href="/orders?f=status:in:fraud_review"),
        Waiting(label="Refunds to approve", icon="cash-stack", count=_count(db, Refund, "pending_approval"),
                href="/refunds?f=status:in:pending_approval"),
        Waiting(label="Returns to decide", icon="box-arrow-in-left", count=_count(db, Return, "requested"),
                href="/returns?f=status:in:requested"),
        Waiting(label="Reviews to moderate", icon="star", count=_count(db, Review, "pending"),
                href="/reviews?f=status:in:pending"),
        Waiting(label="Orders on hold", icon="pause-circle", count=by_status.get("on_hold", 0),
                href="/orders?f=status:in:on_hold"),
        Waiting(label="Open orders without an owner", icon="person-dash", count=unowned or 0,
                href=f"/orders?f=status:in:{listed}&f=assigned_to:in:none"),
        Waiting(label="Pending bank transfers", icon="bank", count=unpaid or 0,
                href="/orders?f=status:in:pending&f=pay_method:in:bank_transfer"),
    ]  # fmt: skip


def _count(db: Session, model: Any, status: str) -> int:
    return int(db.scalar(select(func.count(model.id)).where(model.status == status)) or 0)


def latest(db: Session) -> list[Any]:
    """The newest orders."""
    wanted = select(
        Order.number, Order.placed_at, Order.customer_name, Order.customer_id, Order.total, Order.status
    ).order_by(Order.placed_at.desc(), Order.id.desc())
    return list(db.execute(wanted.limit(LATEST)))


def low(db: Session) -> list[Any]:
    """Active variants that run out next: those at or below their level with the fewest units left, none left last."""
    left = Stock.on_hand - Stock.reserved
    wanted = (
        select(Variant.sku, Variant.product_id, Product.name, left.label("left"), Stock.low_at)
        .join(Stock, Stock.variant_id == Variant.id)
        .join(Product, Product.id == Variant.product_id)
        .where(left > 0, left <= Stock.low_at, Variant.active, Product.status == "active")
    )
    return list(db.execute(wanted.order_by(left, Product.name_key, Variant.id).limit(LOW)))


def terms(db: Session) -> list[Any]:
    """What customers search for most."""
    wanted = select(SearchTerm.term, SearchTerm.hits, SearchTerm.results)
    return list(db.execute(wanted.order_by(SearchTerm.hits.desc(), SearchTerm.term_key, SearchTerm.id).limit(TERMS)))


def placed(db: Session, day: str) -> tuple[int, int]:
    """Number and sum (cents) of all orders placed on a day, whatever became of them."""
    wanted = select(func.count(Order.id), func.coalesce(func.sum(Order.total), 0))
    count, amount = db.execute(wanted.where(Order.placed_at >= f"{day}T", Order.placed_at < f"{day}U")).one()
    return int(count), int(amount)
