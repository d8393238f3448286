"""What the pages of a customer show, read in few queries: counts, sums, orders, reviews, credit, and the audit."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from flask import g
from sqlalchemy import and_, case, func, or_, select
from sqlalchemy.orm import Session

from ...kit.phones import written
from ...kit.text import key
from ..models import Address, AuditRow, Customer, Order, Product, Review, Staff, StoreCreditEntry
from ..services.base import words
from ..services.permissions import PERMISSIONS, mask_phone, sees_phones

MOST_EVENTS = 100
UNSAID = frozenset({"default_shipping_id", "default_billing_id", "group_id", "customer_id", "merged_into"})
"""Fields whose values are ids; the change is told without them."""

ACTIONS = {
    "customers.create": "added the account",
    "customers.edit": "edited the profile",
    "customers.block": "blocked the customer",
    "customers.unblock": "unblocked the customer",
    "customers.add_address": "added an address",
    "customers.edit_address": "edited an address",
    "customers.delete_address": "deleted an address",
    "customers.default_address": "chose a default address",
    "customers.merge": "merged two accounts",
    "customers.erase": "erased the personal data",
}


@dataclass(frozen=True, kw_only=True)
class Change:
    """One field of an audit row, as people read it."""

    field: str
    old: str
    new: str


@dataclass(frozen=True, kw_only=True)
class Event:
    """One audit row: who did what to the account, and when."""

    at: str
    who: str
    what: str
    changes: tuple[Change, ...]


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
    about = or_(
        and_(AuditRow.entity == "customer", AuditRow.entity_id == customer.id),
        and_(AuditRow.entity == "address", AuditRow.entity_id.in_(addresses)),
    )
    rows = db.scalars(select(AuditRow).where(about).order_by(AuditRow.id.desc()).limit(MOST_EVENTS)).all()
    people = {row.actor_id for row in rows if row.actor_kind == "staff"}
    named = db.execute(select(Staff.id, Staff.name).where(Staff.id.in_(people)))
    names = {row.id: row.name for row in named}
    return [_event(row, names) for row in rows]


def _event(row: AuditRow, names: dict[int, str]) -> Event:
    who = {"customer": "The customer", "system": "The shop"}.get(row.actor_kind, names.get(row.actor_id or 0, "Staff"))
    changes = json.loads(row.changes_json)
    if row.action == "denied":
        tried = next((str(change["new"]) for change in changes), "")
        doing = PERMISSIONS[tried].doing if tried in PERMISSIONS else "do this"
        return Event(at=row.at, who=who, what=f"was not allowed to {doing}", changes=())
    told = tuple(_change(change) for change in changes if change["old"] or change["new"])
    return Event(at=row.at, who=who, what=_action(row.action), changes=told)


def _action(name: str) -> str:
    """What was done, as the rest of a sentence that begins with a name."""
    return ACTIONS.get(name, words(name.rpartition(".")[2]).lower())


def _change(change: dict[str, Any]) -> Change:
    field = str(change["field"])
    if field in UNSAID:
        return Change(field=words(field.removesuffix("_id")), old="", new="changed")
    return Change(field=words(field), old=_value(field, change["old"]), new=_value(field, change["new"]))


def _value(field: str, value: Any) -> str:
    if value is None or value == "":
        return ""
    if field == "phone":
        return written(str(value)) if sees_phones(g.actor.role) else mask_phone(written(str(value)))
    return str(value)


def likely_twins(db: Session, customer: Customer) -> list[Customer]:
    """Accounts that may be the same person: the same name or the same phone, oldest first."""
    same = [Customer.name_key == key(f"{customer.first_name} {customer.last_name}")]
    if customer.phone:
        same.append(Customer.phone == customer.phone)
    alive = Customer.status.in_(("active", "blocked"))
    wanted = select(Customer).where(or_(*same), alive, Customer.id != customer.id)
    return list(db.scalars(wanted.order_by(Customer.created_at, Customer.id).limit(10)))
