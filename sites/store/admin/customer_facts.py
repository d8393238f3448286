"""What the pages of a customer show, read in few queries: counts, sums, orders, reviews, credit, and the audit."""

from __future__ import annotations

from typing import Any

from sqlalchemy import case, func, or_, select
from sqlalchemy.orm import Session

from ...kit.text import key
from ..models import Address, Customer, Order, Product, Review, StoreCreditEntry
from .trail import Event, history


def tallies(db: Session, customer: Customer) -> dict[str, int]:
    """The numbers beside the names of the tabs."""
    own: dict[str, Any] = {"addresses": Address, "orders": Order, "reviews": Review}
    counts = [
        select(func.count(model.id)).where(model.customer_id == customer.id).scalar_subquery().label(name)
        for name, model in own.items()
    ]
    return dict(db.execute(select(*counts)).mappings().one())


def summary(db: Session, customer: Customer) -> dict[str, Any]:
    """Spend over completed orders, the last order, and the store credit left."""
    spend = func.sum(case((Order.status == "complete", Order.total - Order.refunded), else_=0))
    wanted = select(func.coalesce(spend, 0), func.max(Order.placed_at), func.count(Order.id))
    spent, last, count = db.execute(wanted.where(Order.customer_id == customer.id)).one()
    return {"spend": spent, "last_order": last, "orders": count, "credit": balance(db, customer)}


def balance(db: Session, customer: Customer) -> int:
    """The store credit left, in cents."""
    wanted = select(func.coalesce(func.sum(StoreCreditEntry.delta), 0))
    return int(db.scalar(wanted.where(StoreCreditEntry.customer_id == customer.id)) or 0)


def defaults(db: Session, customer: Customer) -> list[tuple[str, Address | None]]:
    """The default shipping and billing address."""
    ids = (("Default shipping", customer.default_shipping_id), ("Default billing", customer.default_billing_id))
    return [(label, db.get(Address, id) if id else None) for label, id in ids]


def orders(db: Session, customer: Customer) -> list[Any]:
    """The customer's orders, newest first."""
    wanted = select(Order.number, Order.placed_at, Order.status, Order.total, Order.refunded, Order.channel)
    ordered = wanted.where(Order.customer_id == customer.id).order_by(Order.placed_at.desc(), Order.id.desc())
    return list(db.execute(ordered))


def reviews(db: Session, customer: Customer) -> list[Any]:
    """The customer's reviews, newest first."""
    wanted = select(Review, Product.name.label("product")).join(Product, Product.id == Review.product_id)
    ordered = wanted.where(Review.customer_id == customer.id).order_by(Review.created_at.desc(), Review.id.desc())
    return list(db.execute(ordered))


def credit(db: Session, customer: Customer) -> list[Any]:
    """The movements of store credit, newest first."""
    wanted = select(StoreCreditEntry, Order.number).outerjoin(Order, Order.id == StoreCreditEntry.order_id)
    own = wanted.where(StoreCreditEntry.customer_id == customer.id)
    return list(db.execute(own.order_by(StoreCreditEntry.created_at.desc(), StoreCreditEntry.id.desc())))


def activity(db: Session, customer: Customer) -> list[Event]:
    """What was done to the account and its addresses, newest first."""
    addresses = select(Address.id).where(Address.customer_id == customer.id)
    return history(db, {"customer": [customer.id], "address": addresses})


def likely_twins(db: Session, customer: Customer) -> list[Customer]:
    """Accounts that may be the same person: the same name or the same phone, oldest first."""
    same = [Customer.name_key == key(f"{customer.first_name} {customer.last_name}")]
    if customer.phone:
        same.append(Customer.phone == customer.phone)
    alive = Customer.status.in_(("active", "blocked"))
    wanted = select(Customer).where(or_(*same), alive, Customer.id != customer.id)
    return list(db.scalars(wanted.order_by(Customer.created_at, Customer.id).limit(10)))
