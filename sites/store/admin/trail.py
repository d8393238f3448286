"""The audit log as people read it: who did what to which record, with the fields that changed, in words."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import g
from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from ...kit.phones import written
from .. import labels
from ..models import AuditRow, Staff
from ..services.base import words
from ..services.permissions import PERMISSIONS, mask_phone, sees_phones
from . import present
from .trail_names import Subject, subjects

MOST_EVENTS = 100

UNSAID = frozenset({"default_shipping_id", "default_billing_id", "group_id", "customer_id", "merged_into"})
"""Fields whose values are ids; the change is told without them."""

MONEY = frozenset({"total", "price", "sale_price", "cost", "amount", "items", "shipping", "adjustment", "fee"})
"""Fields that hold cents."""

ACTIONS = {
    "orders.cancel": "canceled the order",
    "orders.hold": "put the order on hold",
    "orders.unhold": "released the order from hold",
    "orders.accept_fraud": "accepted the fraud review",
    "orders.reject_fraud": "rejected the order as fraud",
    "orders.comment": "added a comment",
    "orders.edit_address": "edited an address of the order",
    "orders.assign": "assigned the order",
    "orders.tag": "edited the tags of the order",
    "orders.edit_items": "edited the items of the order",
    "invoices.create": "invoiced the order",
    "invoices.mark_paid": "marked the invoice paid",
    "invoices.void": "voided the invoice",
    "shipments.create": "shipped items",
    "shipments.add_track": "added a tracking number",
    "shipments.mark_delivered": "marked the shipment delivered",
    "shipments.mark_lost": "marked the shipment lost",
    "refunds.create": "created the refund",
    "refunds.decide": "decided the refund",
    "returns.approve": "approved the return",
    "returns.reject": "rejected the return",
    "returns.receive": "received the return",
    "returns.close": "closed the return",
    "returns.cancel": "canceled the return",
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
    "customers.group": "moved the customer to another group",
    "customers.tag": "edited the tags of the customer",
    "reviews.moderate": "moderated the review",
    "reviews.reply": "replied to the review",
    "reviews.delete": "deleted the review",
    "products.create": "added the product",
    "products.edit": "edited the product",
    "products.set_status": "changed the status of the product",
    "products.set_categories": "changed the categories of the product",
    "products.tag": "edited the tags of the product",
    "products.duplicate": "duplicated the product",
    "products.delete": "deleted the product",
    "products.add_image": "added an image",
    "products.edit_image": "edited an image",
    "products.order_images": "changed the order of the images",
    "products.remove_image": "removed an image",
    "products.save_images": "edited the images",
    "products.put_on_sale": "put the product on sale",
    "products.end_sale": "ended the sale of the product",
    "variants.edit": "edited the variant",
    "variants.change_prices": "changed the price",
    "variants.generate": "generated the variant",
    "variants.delete": "deleted the variant",
    "stock.set_status": "changed the stock status",
    "stock.receive": "received stock",
    "stock.set_on_hand": "corrected the stock",
    "stock.set_low_at": "changed the low-stock threshold",
    "stock.set_backorder": "changed whether it can be backordered",
    "stock.save": "edited the stock",
    "brands.create": "added the brand",
    "brands.edit": "edited the brand",
    "brands.delete": "deleted the brand",
    "categories.create": "added the category",
    "categories.edit": "edited the category",
    "categories.delete": "deleted the category",
    "options.create_type": "added the option",
    "options.edit_type": "edited the option",
    "options.delete_type": "deleted the option",
    "options.create_value": "added an option value",
    "options.edit_value": "edited an option value",
    "options.delete_value": "deleted an option value",
    "categories.move": "moved the category",
    "categories.order_products": "changed the order of the products",
    "categories.pin": "pinned a product",
    "options.order_values": "changed the order of the option values",
    "staff.invite": "invited a member of staff",
    "staff.edit": "edited a member of staff",
    "staff.deactivate": "deactivated a member of staff",
    "staff.activate": "activated a member of staff",
    "profile.edit": "edited the own profile",
    "profile.password": "changed the own password",
    "settings.edit": "changed a setting",
    "settings.shipping": "changed a shipping method",
}
"""What was done, as the rest of a sentence that begins with a name."""


DECISIONS = {
    "approved": "approved the review",
    "rejected": "rejected the review",
    "pending": "put the review back into the queue",
}
"""What a moderation was, by the status that it gave."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """One field of an audit row, as people read it."""

    field: str
    old: str
    new: str


@dataclass(frozen=True, kw_only=True)
class Event:
    """One audit row: who did what to which record, and when. `denied` is an attempt that a role forbade."""

    id: int
    at: str
    who: str
    what: str
    denied: bool
    about: Subject
    changes: tuple[Change, ...]


def history(db: Session, records: Mapping[str, Collection[int] | Any], most: int = MOST_EVENTS) -> list[Event]:
    """What happened to some records, newest first: kind of record to ids (or a subquery of ids)."""
    about = [and_(AuditRow.entity == kind, AuditRow.entity_id.in_(ids)) for kind, ids in records.items()]
    rows = db.scalars(select(AuditRow).where(or_(*about)).order_by(AuditRow.id.desc()).limit(most)).all()
    return events(db, rows)


def events(db: Session, rows: Sequence[AuditRow]) -> list[Event]:
    """Audit rows in words; names of people and records are looked up for all of them at once."""
    people = _people(db, rows)
    about = subjects(db, {(row.entity, row.entity_id) for row in rows})
    return [_event(row, people, about[row.entity, row.entity_id]) for row in rows]


def action_label(action: str) -> str:
    """A use case as people call it: "Orders: canceled the order" becomes "Canceled the order"."""
    if action == "denied":
        return "Was not allowed"
    text = sentence(action)
    return text[:1].upper() + text[1:]


def sentence(action: str) -> str:
    """What an action did, as the rest of a sentence."""
    return ACTIONS.get(action, words(action.replace(".", " ")).lower())


def _people(db: Session, rows: Iterable[AuditRow]) -> dict[int, str]:
    ids = {row.actor_id for row in rows if row.actor_kind == "staff"}
    named = db.execute(select(Staff.id, Staff.name).where(Staff.id.in_(ids)))
    return {row.id: row.name for row in named}


def _event(row: AuditRow, people: Mapping[int, str], about: Subject) -> Event:
    who = {"customer": "The customer", "system": "The shop"}.get(row.actor_kind, people.get(row.actor_id or 0, "Staff"))
    changes = json.loads(row.changes_json)
    common: dict[str, Any] = {"id": row.id, "at": row.at, "who": who, "about": about}
    if row.action == "denied":
        tried = next((str(change["new"]) for change in changes), "")
        doing = PERMISSIONS[tried].doing if tried in PERMISSIONS else "do this"
        return Event(what=f"was not allowed to {doing}", denied=True, changes=(), **common)
    what = sentence(row.action)
    if row.action == "reviews.moderate":
        what = DECISIONS.get(next((change["new"] for change in changes), ""), what)
    told = tuple(_change(change) for change in changes if change["old"] not in (None, "") or change["new"] is not None)
    return Event(what=what, denied=False, changes=told, **common)


def _change(change: Mapping[str, Any]) -> Change:
    field = str(change["field"])
    if field in UNSAID:
        return Change(field=words(field.removesuffix("_id")), old="", new="changed")
    return Change(field=words(field), old=_value(field, change["old"]), new=_value(field, change["new"]))


def _value(field: str, value: Any) -> str:
    """A stored value in words: cents as money, codes by their labels, phones as the role may see them."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "(none)"
    last = field.rpartition(" ")[2]
    if isinstance(value, int) and last in MONEY:
        return present.amount(value)
    if last == "phone":
        return written(str(value)) if sees_phones(g.actor.role) else mask_phone(written(str(value)))
    if last in ("status", "prev_status"):
        return labels.label(str(value))
    return str(value)
