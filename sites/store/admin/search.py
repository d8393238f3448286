"""Search over everything: suggestions while typing, and the page of results."""

from __future__ import annotations

from string import ascii_uppercase, digits
from typing import Any

from flask import Response, jsonify, request
from sqlalchemy import func, literal, select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from ...kit.text import query_tokens
from .. import finding, labels
from ..models import Brand, Customer, Invoice, Order, Product, Refund, Return, Shipment, Stock, Variant
from . import blueprint, frame, pictures, present

bp = blueprint("search", __name__, url_prefix="/search")

SUGGESTED = 5
LISTED = 20
SHORTEST_SKU = 3
SKU_LETTERS = frozenset(ascii_uppercase + digits + "-")


DOCUMENTS: dict[str, tuple[str, Any]] = {
    "INV-": ("invoices", Invoice),
    "SHP-": ("shipments", Shipment),
    "CM-": ("refunds", Refund),
    "RMA-": ("returns", Return),
}
"""The papers of orders by what their numbers begin with: where they are shown, and their table."""


@bp.get("/suggest")
def suggest() -> Response:
    """Up to five of each kind as JSON, each with the page it leads to."""
    text = request.args.get("q", "").strip()[:100]
    db = frame.db()
    groups: list[dict[str, Any]] = []
    if query_tokens(text):
        groups = [
            {"label": "Orders", "items": [_order(row) for row in orders(db, text, SUGGESTED)]},
            {"label": "Documents", "items": [_document(row) for row in documents(db, text, SUGGESTED)]},
            {"label": "Customers", "items": [_customer(row) for row in customers(db, text, SUGGESTED)]},
            {"label": "Products", "items": _products(db, text)},
            {"label": "SKUs", "items": [_sku(row) for row in variants(db, text, SUGGESTED)]},
        ]
    return jsonify(groups=[group for group in groups if group["items"]])


@bp.get("")
def results() -> Answer:
    """The first twenty of each kind, with their totals."""
    text = " ".join(request.args.get("q", "").split())[:100]
    db = frame.db()
    found: dict[str, Any] = {
        "orders": [],
        "customers": [],
        "products": [],
        "documents": [],
        "totals": {},
        "skus": {},
        "pictures": {},
    }
    if query_tokens(text):
        found = {
            "orders": orders(db, text, LISTED),
            "customers": customers(db, text, LISTED),
            "products": products(db, text, LISTED),
            "documents": documents(db, text, LISTED),
            "totals": totals(db, text),
        }
        ids = [row.id for row in found["products"]]
        found["skus"], found["pictures"] = skus(db, ids, text), pictures.main(db, ids)
    return frame.page("admin/search.html", extra={"q": text}, q=text, global_q=text, **found)


def orders(db: Session, text: str, most: int) -> list[Any]:
    """Orders that match, newest first."""
    wanted = select(Order.number, Order.customer_name, Order.email, Order.total, Order.status, Order.placed_at)
    ordered = wanted.where(*finding.orders(text)).order_by(Order.placed_at.desc(), Order.id.desc())
    return list(db.execute(ordered.limit(most)))


def customers(db: Session, text: str, most: int) -> list[Any]:
    """Customers that match, by name."""
    wanted = select(
        Customer.id, Customer.first_name, Customer.last_name, Customer.email, Customer.phone, Customer.status
    )
    ordered = wanted.where(*finding.customers(text)).order_by(Customer.last_name_key, Customer.id)
    return list(db.execute(ordered.limit(most)))


def products(db: Session, text: str, most: int) -> list[Any]:
    """Products that match, those whose name matches first."""
    wanted = select(Product.id, Product.name, Product.status, Brand.name.label("brand"))
    wanted = wanted.join(Brand, Brand.id == Product.brand_id).where(*finding.products(text))
    return list(db.execute(wanted.order_by(*finding.product_rank(text)).limit(most)))


def variants(db: Session, text: str, most: int) -> list[Any]:
    """Variants whose SKU begins with the text, which must look like one: no blanks, three characters or more."""
    start = text.strip().upper()
    if len(start) < SHORTEST_SKU or not set(start) <= SKU_LETTERS:
        return []
    wanted = select(Variant.id, Variant.product_id, Variant.sku, Product.name)
    wanted = wanted.join(Product, Product.id == Variant.product_id).where(
        Variant.sku.startswith(start, autoescape=True)
    )
    return list(db.execute(wanted.order_by(Variant.sku, Variant.id).limit(most)))


def documents(db: Session, text: str, most: int) -> list[Any]:
    """Invoices, shipments, refunds and returns whose number begins with the text (`INV-0012`), by number."""
    start = text.strip().upper()
    found: list[Any] = []
    for prefix, (path, model) in DOCUMENTS.items():
        if not start.startswith(prefix):
            continue
        wanted = select(literal(path).label("path"), model.number, model.status, model.created_at, Order.customer_name)
        wanted = wanted.join(Order, Order.id == model.order_id).where(model.number.startswith(start, autoescape=True))
        found += db.execute(wanted.order_by(model.number, model.id).limit(most))
    return found


def totals(db: Session, text: str) -> dict[str, int]:
    """How many of each kind match."""
    kinds = (
        ("orders", Order, finding.orders(text)),
        ("customers", Customer, finding.customers(text)),
        ("products", Product, finding.products(text)),
    )
    return {name: db.scalar(select(func.count(model.id)).where(*where)) or 0 for name, model, where in kinds}


def skus(db: Session, products: list[int], text: str) -> dict[int, list[Any]]:
    """The variants of found products; only those meant, where the text names SKUs."""
    wanted = (
        select(Variant.product_id, Variant.sku, Variant.price, (Stock.on_hand - Stock.reserved).label("available"))
        .join(Stock, Stock.variant_id == Variant.id)
        .where(Variant.product_id.in_(products))
        .order_by(Variant.product_id, Variant.position, Variant.id)
    )
    found: dict[int, list[Any]] = {}
    for row in db.execute(wanted):
        found.setdefault(row.product_id, []).append(row)
    asked = query_tokens(text)
    return {product: _meant(rows, asked) for product, rows in found.items()}


def _meant(rows: list[Any], asked: list[str]) -> list[Any]:
    named = [row for row in rows if any(row.sku.lower().startswith(token) for token in asked if "-" in token)]
    return named or rows


def _order(row: Any) -> dict[str, str]:
    detail = f"{labels.label(row.status)} · {present.amount(row.total)}"
    return {"label": f"{row.number} {row.customer_name}", "detail": detail, "href": f"/orders/{row.number}"}


def _document(row: Any) -> dict[str, str]:
    detail = f"{labels.label(row.status)} · {present.day(row.created_at)}"
    return {"label": f"{row.number} {row.customer_name}", "detail": detail, "href": f"/{row.path}/{row.number}"}


def _customer(row: Any) -> dict[str, str]:
    name = f"{row.first_name} {row.last_name}".strip()
    return {"label": name, "detail": row.email, "href": f"/customers/{row.id}"}


def _products(db: Session, text: str) -> list[dict[str, str]]:
    rows = products(db, text, SUGGESTED)
    shown = pictures.main(db, [row.id for row in rows])
    return [_product(row, shown.get(row.id)) for row in rows]


def _product(row: Any, picture: pictures.Picture | None) -> dict[str, str]:
    detail = row.brand if row.status == "active" else f"{row.brand} · {labels.label(row.status)}"
    found = {"label": row.name, "detail": detail, "href": f"/products/{row.id}"}
    return {**found, "picture": picture.src(48)} if picture else found


def _sku(row: Any) -> dict[str, str]:
    return {"label": row.sku, "detail": row.name, "href": f"/products/{row.product_id}/variants"}
