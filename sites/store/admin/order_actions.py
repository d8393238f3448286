"""The pages that invoice and ship units of an order: lines with quantities, live sums, tracking numbers."""

from __future__ import annotations

from typing import Any

from flask import Response, request, url_for
from sqlalchemy import select
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form
from ...kit.rules import Refused
from .. import labels
from ..models import Invoice, Order
from ..services.ledger import RUNNING, left_in_order, left_to_invoice
from ..services.orders import refuse_unless
from ..services.shipments import ready_to_ship
from ..services.tracking import FORMATS
from ..totals import line_amount
from . import blueprint, frame, order_lines
from .order_lines import Row

bp = blueprint("order_actions", __name__, url_prefix="/orders")

NO_TRACK = {"carrier": "", "tracking": "", "title": ""}


@bp.get("/<number>/invoice")
def invoice(number: str) -> Response:
    """The form that invoices what is left, or less of it."""
    frame.require("invoices.create")
    return invoice_page(number, frame.blank({"notify": True}))


@bp.post("/<number>/invoice")
def create_invoice(number: str) -> Answer:
    """Invoice the chosen units."""
    form = frame.posted()
    try:
        lines = order_lines.quantities(form)
        made = order_lines.run("invoices.create", form, number=number, lines=lines, notify=form.ticked("notify"))
    except Refused as refusal:
        form.refuse(refusal)
        return invoice_page(number, form, 422)
    return frame.done("INVOICE_CREATED", to=_tab(number, "invoices"), invoice=made["number"])


def invoice_page(number: str, form: Form, status: int = 200) -> Response:
    """The page as it opens, or as somebody sent it wrongly."""
    db = frame.db()
    order = order_lines.load(db, number)
    rows = order_lines.rows_of(order.items, left_to_invoice)
    standing = select(Invoice.id).where(Invoice.order_id == order.id, Invoice.status != "void").limit(1)
    shipping = 0 if db.scalar(standing) else order.shipping
    return order_lines.action_page(
        "invoice_form",
        order,
        form,
        status,
        rows=rows,
        why_not_now=order_lines.blocked(lambda: refuse_unless(order, RUNNING, "invoiced")),
        sums=invoice_sums(rows, shipping),
    )


def invoice_sums(rows: list[Row], shipping: int) -> dict[str, int]:
    """What an invoice over the units that the page starts with comes to, in cents."""

    def share(column: str) -> int:
        return sum(
            line_amount(getattr(row.item, column), row.units, row.item.qty_ordered, row.item.qty_invoiced)
            for row in rows
        )

    sums = {"subtotal": share("row_total"), "discount": share("discount"), "tax": share("tax"), "shipping": shipping}
    return {**sums, "total": sums["subtotal"] - sums["discount"] + sums["tax"] + shipping}


@bp.get("/<number>/ship")
def ship(number: str) -> Response:
    """The form that ships what may go, or less of it."""
    frame.require("shipments.create")
    return ship_page(number, frame.blank({"notify": True}))


@bp.post("/<number>/ship")
def create_shipment(number: str) -> Answer:
    """Ship the chosen units, with the tracking numbers given; rows left empty are left out."""
    form = frame.posted()
    tracks = [track for track in typed_tracks() if any(track.values())]
    try:
        lines = order_lines.quantities(form)
        made = order_lines.run(
            "shipments.create",
            form,
            number=number,
            lines=lines,
            tracks=[{"carrier": t["carrier"], "number": t["tracking"], "title": t["title"]} for t in tracks],
            notify=form.ticked("notify"),
        )
    except Refused as refusal:
        form.refuse(refusal)
        return ship_page(number, form, 422, tracks)
    return frame.done("SHIPMENT_CREATED", to=_tab(number, "shipments"), shipment=made["number"])


def typed_tracks() -> list[dict[str, str]]:
    """The tracking rows of the form as they were sent."""
    columns = [[text.strip() for text in request.form.getlist(name)] for name in NO_TRACK]
    return [dict(zip(NO_TRACK, values, strict=True)) for values in zip(*columns, strict=False)]


def ship_page(number: str, form: Form, status: int = 200, tracks: list[dict[str, str]] | None = None) -> Response:
    """The page as it opens, or as somebody sent it wrongly."""
    db = frame.db()
    order = order_lines.load(db, number)
    ready = ready_to_ship(db, order)
    rows = order_lines.rows_of(order.items, left_in_order, lambda item: ready[item.id])
    return order_lines.action_page(
        "ship_form",
        order,
        form,
        status,
        rows=rows,
        tracks=tracks or [],
        waits=any(row.most > row.units for row in rows),
        open_invoices=_open_invoices(order),
        why_not_now=order_lines.blocked(lambda: refuse_unless(order, ("processing",), "shipped")),
        address=next((address for address in order.addresses if address.kind == "shipping"), None),
        **track_options(),
    )


def track_options() -> dict[str, Any]:
    """What a tracking row chooses from, and what the numbers of each carrier look like."""
    return {
        "carriers": list(labels.CARRIER.items()),
        "formats": {code: format.words for code, format in FORMATS.items()},
    }


def _open_invoices(order: Order) -> list[Invoice]:
    """Invoices that wait for their money, which keeps their units from being shipped."""
    waiting = select(Invoice).where(Invoice.order_id == order.id, Invoice.status == "open").order_by(Invoice.id)
    return list(frame.db().scalars(waiting)) if order.pay_method != "cod" else []


def _tab(number: str, tab: str) -> str:
    return url_for("admin.orders.tab", number=number, tab=tab)
