"""What the order page shows: the order with everything that belongs to it, read in a handful of queries."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import Select, and_, bindparam, func, or_, select
from sqlalchemy.orm import Session, joinedload, selectinload

from ...kit.rules import NotFound, Refused
from .. import labels
from ..messages import say
from ..models import (
    AuditRow,
    Invoice,
    InvoiceItem,
    Order,
    OrderAddress,
    OrderEvent,
    OrderItem,
    Payment,
    Refund,
    Return,
    Shipment,
    Staff,
    Tag,
)
from ..regions import region_name
from ..services.addresses import refuse_edit
from ..services.base import words
from ..services.ledger import RUNNING, left_in_order, left_to_invoice
from ..services.orders import refuse_cancel, tags_of
from ..services.refunds import REFUNDABLE, left_to_refund
from . import present

AMOUNTS = frozenset({"paid", "refunded", "total"})
"""Audited fields that hold cents."""

CODES = {**labels.EVERY, **labels.CANCEL_REASON, **labels.HOLD_REASON}
"""Codes that the audit trail shows by their label."""

TABS = {
    "overview": "Overview",
    "invoices": "Invoices",
    "shipments": "Shipments",
    "refunds": "Refunds",
    "returns": "Returns",
    "comments": "Comments",
    "history": "History",
}


def _of_order(model: Any) -> Select[Any]:
    return select(model).where(model.order_id == bindparam("order_id")).order_by(model.created_at, model.id)


def _count(model: Any, *conditions: Any) -> Any:
    found = select(func.count()).where(model.order_id == bindparam("order_id"), *conditions)
    return found.scalar_subquery()


ORDER = (
    select(Order)
    .where(Order.number == bindparam("number"))
    .options(joinedload(Order.customer), joinedload(Order.assignee))
)
INVOICES, SHIPMENTS, REFUNDS, RETURNS = (_of_order(model) for model in (Invoice, Shipment, Refund, Return))
TALLIES = select(
    _count(Invoice).label("invoices"),
    _count(Shipment).label("shipments"),
    _count(Refund).label("refunds"),
    _count(Return).label("returns"),
    _count(OrderEvent, OrderEvent.kind == "comment").label("comments"),
)


class OrderView:
    """An order as its page shows it; all lists in the order in which things happened.

    What only some tabs show is read when they ask for it.
    """

    def __init__(self, db: Session, order: Order) -> None:
        self.order = order
        self._db = db

    @cached_property
    def items(self) -> list[OrderItem]:
        """The lines."""
        return list(self.order.items)

    @cached_property
    def addresses(self) -> dict[str, OrderAddress]:
        """The addresses by kind."""
        return {address.kind: address for address in self.order.addresses}

    @cached_property
    def invoices(self) -> list[Invoice]:
        """The invoices with their lines."""
        return self._papers(INVOICES)

    @cached_property
    def shipments(self) -> list[Shipment]:
        """The shipments with their lines and tracking rows."""
        return self._papers(SHIPMENTS)

    @cached_property
    def refunds(self) -> list[Refund]:
        """The refunds with their lines."""
        return self._papers(REFUNDS)

    @cached_property
    def returns(self) -> list[Return]:
        """The returns with their lines."""
        return self._papers(RETURNS)

    @cached_property
    def comments(self) -> list[OrderEvent]:
        """The comments."""
        return [event for event in self.order.events if event.kind == "comment"]

    @cached_property
    def tags(self) -> list[str]:
        """The names of its tags, sorted."""
        return tags_of(self._db, self.order)

    @cached_property
    def cancel_blocked(self) -> str:
        """Why the order cannot be canceled; empty where it can."""
        return _blocked(lambda: refuse_cancel(self._db, self.order))

    @cached_property
    def address_blocked(self) -> str:
        """Why its addresses cannot be edited; empty where they can."""
        return _blocked(lambda: refuse_edit(self._db, self.order))

    def _papers(self, statement: Select[Any]) -> list[Any]:
        return list(self._db.scalars(statement, {"order_id": self.order.id}))

    @property
    def can(self) -> dict[str, bool]:
        """What may be done to the order in its state; whether the person's role allows it is another question."""
        order, items = self.order, self.items
        return {
            "invoice": order.status in RUNNING and any(left_to_invoice(item) for item in items),
            "ship": order.status == "processing" and any(left_in_order(item) for item in items),
            "refund": order.status in REFUNDABLE and order.paid > order.refunded and any(map(left_to_refund, items)),
            "edit_items": order.status == "pending",
        }

    @property
    def unshipped(self) -> list[OrderItem]:
        """Lines of which units are still to be sent."""
        return [item for item in self.items if left_in_order(item) > 0]

    @cached_property
    def tallies(self) -> dict[str, int]:
        """How many entries each tab has."""
        counts = self._db.execute(TALLIES, {"order_id": self.order.id}).one()
        return dict(counts._mapping)


class Change(NamedTuple):
    """One field of an audit entry, in words."""

    field: str
    old: str
    new: str


class Entry(NamedTuple):
    """One audit entry, in words."""

    at: str
    who: str
    action: str
    what: str
    changes: list[Change]
    denied: bool


def load(db: Session, number: str) -> OrderView:
    """Read an order; what belongs to it is read as its page asks for it. Raises `NotFound`."""
    order = db.scalars(ORDER, {"number": number}).first()
    if order is None:
        raise NotFound(say("NOT_FOUND", what=f"Order {number}"))
    return OrderView(db, order)


def load_invoice(db: Session, number: str) -> Invoice:
    """Read an invoice with its lines. Raises `NotFound`."""
    lines = selectinload(Invoice.items).joinedload(InvoiceItem.order_item)
    invoice = db.scalars(select(Invoice).filter_by(number=number).options(lines, joinedload(Invoice.order))).first()
    if invoice is None:
        raise NotFound(say("NOT_FOUND", what=f"Invoice {number}"))
    return invoice


def payments_of(db: Session, invoice: Invoice) -> list[Payment]:
    """The payments of an invoice, oldest first."""
    return list(db.scalars(select(Payment).filter_by(invoice_id=invoice.id).order_by(Payment.created_at, Payment.id)))


def order_number_of(db: Session, shipment_number: str) -> str:
    """The number of the order that a shipment belongs to. Raises `NotFound`."""
    found = select(Order.number).join(Shipment, Shipment.order_id == Order.id).where(Shipment.number == shipment_number)
    number = db.scalar(found)
    if number is None:
        raise NotFound(say("NOT_FOUND", what=f"Shipment {shipment_number}"))
    return str(number)


def colleagues(db: Session) -> list[tuple[int, str]]:
    """Active staff as (id, name with role), by name."""
    people = db.scalars(select(Staff).where(Staff.active).order_by(Staff.name_key, Staff.id))
    return [(person.id, f"{person.name} ({labels.ROLE[person.role]})") for person in people]


def all_tags(db: Session) -> list[str]:
    """The names of the shop's tags, sorted."""
    return list(db.scalars(select(Tag.name).order_by(Tag.name_key, Tag.id)))


def trail(db: Session, view: OrderView) -> list[Entry]:
    """The audit entries of an order and its papers, newest first."""
    groups: list[tuple[str, Iterable[Any]]] = [
        ("order", [view.order]),
        ("invoice", view.invoices),
        ("shipment", view.shipments),
        ("refund", view.refunds),
    ]
    numbers = {(entity, row.id): row.number for entity, rows in groups for row in rows}
    of_these = [and_(AuditRow.entity == kind, AuditRow.entity_id.in_([r.id for r in rows])) for kind, rows in groups]
    rows = db.scalars(select(AuditRow).where(or_(*of_these)).order_by(AuditRow.at.desc(), AuditRow.id.desc())).all()
    names = {person.id: person.name for person in db.scalars(select(Staff))}
    return [_entry(row, numbers[row.entity, row.entity_id], names) for row in rows]


def place(address: OrderAddress) -> str:
    """The line of an address with city, region and postcode, as people write it."""
    return f"{address.city}, {region_name(address.country, address.region)} {address.postcode}"


def _entry(row: AuditRow, number: str, names: dict[int, str]) -> Entry:
    who = names.get(row.actor_id or 0, "Somebody") if row.actor_kind == "staff" else words(row.actor_kind)
    changes = json.loads(row.changes_json)
    denied = row.action == "denied"
    action = str(changes[0]["new"]) if denied and changes else row.action
    verb = words(action.rpartition(".")[2])
    told = [] if denied else [_change(c["field"], c["old"], c["new"]) for c in changes]
    return Entry(row.at, who, verb, f"{words(row.entity)} {number}", told, denied)


def _change(field: str, old: object, new: object) -> Change:
    if field in AMOUNTS:
        return Change(
            words(field), *(present.amount(amount) if isinstance(amount, int) else "—" for amount in (old, new))
        )
    return Change(words(field), _value(old), _value(new))


def _value(value: object) -> str:
    """A stored value in words; codes by their labels."""
    if value in (None, "", []):
        return "—"
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return CODES.get(str(value), str(value))


def _blocked(check: Any) -> str:
    """The message of a refusal, or nothing."""
    try:
        check()
    except Refused as refusal:
        return refusal.message
    return ""
