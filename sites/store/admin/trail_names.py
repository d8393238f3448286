"""What the records in the audit log are called, and where their pages are; looked up for many rows at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from ..models import (
    Address,
    Brand,
    Category,
    Customer,
    Invoice,
    OptionType,
    OptionValue,
    Order,
    Product,
    Refund,
    Return,
    Review,
    Shipment,
    Staff,
    Variant,
)
from ..services.base import words

Key = tuple[str, int | None]
Names = Mapping[int, tuple[str, str]]
"""Id to what the record is called and the address of its page."""


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A record that an audit row is about; without an `href` where it has no page, or is gone."""

    kind: str
    name: str
    href: str = ""


KINDS = {
    "order": "Order",
    "invoice": "Invoice",
    "shipment": "Shipment",
    "refund": "Refund",
    "return": "Return",
    "customer": "Customer",
    "address": "Address",
    "review": "Review",
    "product": "Product",
    "variant": "Variant",
    "category": "Category",
    "brand": "Brand",
    "staff": "Staff",
    "setting": "Setting",
}
"""Kinds of records by their name in the log."""


def kind_label(kind: str) -> str:
    """A kind of record as people call it."""
    return KINDS.get(kind, words(kind))


def subjects(db: Session, keys: Collection[Key]) -> dict[Key, Subject]:
    """What each of these records is called; one that is gone is called by its kind and number."""
    found: dict[Key, Subject] = {}
    for kind in {kind for kind, _ in keys}:
        ids = [id for each, id in keys if each == kind and id]
        names = READERS[kind](db, ids) if kind in READERS and ids else {}
        for id in (id for each, id in keys if each == kind):
            name, href = names.get(id or 0, (f"{kind_label(kind)} {id}" if id else kind_label(kind), ""))
            found[kind, id] = Subject(kind=kind_label(kind), name=name, href=href)
    return found


def _numbered(model: Any, path: str, word: str) -> Callable[[Session, list[int]], Names]:
    """Documents: called by their number, which is also their address."""

    def read(db: Session, ids: list[int]) -> Names:
        rows = db.execute(select(model.id, model.number).where(model.id.in_(ids)))
        return {id: (f"{word} {number}", f"{path}/{number}") for id, number in rows}

    return read


def _customers(db: Session, ids: list[int]) -> Names:
    rows = db.execute(select(Customer.id, Customer.first_name, Customer.last_name).where(Customer.id.in_(ids)))
    return {id: (f"{first} {last}".strip(), f"/customers/{id}") for id, first, last in rows}


def _addresses(db: Session, ids: list[int]) -> Names:
    wanted = select(Address.id, Address.label, Address.city, Address.customer_id).where(Address.id.in_(ids))
    return {id: (f"{label}, {city}", f"/customers/{owner}/addresses") for id, label, city, owner in db.execute(wanted)}


def _reviews(db: Session, ids: list[int]) -> Names:
    rows = db.execute(select(Review.id, Review.nickname).where(Review.id.in_(ids)))
    return {id: (f"Review by {nickname}", f"/reviews/{id}") for id, nickname in rows}


def _products(db: Session, ids: list[int]) -> Names:
    rows = db.execute(select(Product.id, Product.name).where(Product.id.in_(ids)))
    return {id: (name, f"/products/{id}") for id, name in rows}


def _variants(db: Session, ids: list[int]) -> Names:
    rows = db.execute(select(Variant.id, Variant.sku, Variant.product_id).where(Variant.id.in_(ids)))
    return {id: (sku, f"/products/{product}/variants") for id, sku, product in rows}


def _structure(model: Any, name: str, path: str, owner: str = "id") -> Callable[[Session, list[int]], Names]:
    """Records of the catalogue's structure: called by a column, shown on the page of the record that owns them."""

    def read(db: Session, ids: list[int]) -> Names:
        rows = db.execute(select(model.id, getattr(model, name), getattr(model, owner)).where(model.id.in_(ids)))
        return {id: (text, path.format(at)) for id, text, at in rows}

    return read


def _staff(db: Session, ids: list[int]) -> Names:
    rows = db.execute(select(Staff.id, Staff.name).where(Staff.id.in_(ids)))
    return {id: (name, "/staff") for id, name in rows}


READERS: Mapping[str, Callable[[Session, list[int]], Names]] = {
    "order": _numbered(Order, "/orders", "Order"),
    "invoice": _numbered(Invoice, "/invoices", "Invoice"),
    "shipment": _numbered(Shipment, "/shipments", "Shipment"),
    "refund": _numbered(Refund, "/refunds", "Refund"),
    "return": _numbered(Return, "/returns", "Return"),
    "customer": _customers,
    "address": _addresses,
    "review": _reviews,
    "product": _products,
    "variant": _variants,
    "brand": _structure(Brand, "name", "/brands"),
    "category": _structure(Category, "name", "/categories/{}"),
    "option": _structure(OptionType, "name", "/options/{}"),
    "option_value": _structure(OptionValue, "value", "/options/{}", "type_id"),
    "staff": _staff,
}
"""How the names of each kind of record are read."""
