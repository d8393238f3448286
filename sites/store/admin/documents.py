"""The pages of an order's papers: invoices and shipments, and the form that adds a tracking number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Response, g, redirect, request, url_for
from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload, selectinload
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form
from ...kit.rules import NotFound, Refused
from .. import services
from ..messages import say
from ..models import Order, OrderAddress, Shipment, ShipmentItem
from . import blueprint, orders_view
from .frame import blank, db, done, form_version, page, posted
from .orders import options, order_page, tab_url

bp = blueprint("documents", __name__)


@bp.get("/invoices/<number>")
def invoice(number: str) -> Response:
    """One invoice with its lines and payments."""
    return invoice_page(number)


def invoice_page(number: str, refusal: Refused | None = None, template: str = "invoice") -> Response:
    """Render the page of an invoice, or its print; with what was refused at the top."""
    session = db()
    found = orders_view.load_invoice(session, number)
    return page(
        f"admin/order/{template}.html",
        status=422 if refusal else 200,
        invoice=found,
        order=found.order,
        payments=orders_view.payments_of(session, found),
        view=addresses_of(found.order),
        failed=refusal,
        **options(),
    )


@bp.get("/invoices/<number>/print")
def print_invoice(number: str) -> Response:
    """The invoice as it is put on paper."""
    return invoice_page(number, template="invoice_print")


@bp.post("/invoices/<number>/mark-paid")
def mark_paid(number: str) -> Answer:
    """Note that the money for an open invoice came in."""
    return _change("invoices.mark_paid", "INVOICE_PAID", number, "invoice", invoice_page)


@bp.post("/invoices/<number>/void")
def void(number: str) -> Answer:
    """Void an open invoice."""
    return _change("invoices.void", "INVOICE_VOIDED", number, "invoice", invoice_page)


def _change(
    use_case: str, code: str, number: str, what: str, again: Callable[[str, Refused], Response], **fields: Any
) -> Answer:
    """Run a change of a paper: back to its page with a toast, or with what was refused."""
    try:
        services.USE_CASES[use_case](g.world, g.actor, number=number, v=form_version(posted()), **fields)
    except Refused as refusal:
        return again(number, refusal)
    return done(code, to=url_for(f"admin.documents.{what}", number=number), **{what: number})


@bp.get("/<any(invoices, shipments):kind>/<number>/<any('mark-paid', void, tracks, delivered, lost):what>")
def back(kind: str, number: str, what: str) -> Answer:
    """Reloading after a refusal leads back to the page."""
    return redirect(url_for(f"admin.documents.{kind.removesuffix('s')}", number=number))


@bp.get("/shipments/<number>")
def shipment(number: str) -> Response:
    """One shipment with its lines, its tracking numbers and where it goes."""
    return shipment_page(number)


@bp.post("/shipments/<number>/delivered")
def delivered(number: str) -> Answer:
    """Note that a shipment arrived."""
    return _change("shipments.mark_delivered", "SHIPMENT_DELIVERED", number, "shipment", _refused_shipment)


@bp.post("/shipments/<number>/lost")
def lost(number: str) -> Answer:
    """Note that a shipment was lost."""
    return _change("shipments.mark_lost", "SHIPMENT_LOST", number, "shipment", _refused_shipment)


def _refused_shipment(number: str, refusal: Refused) -> Response:
    return shipment_page(number, refusal=refusal)


@bp.post("/shipments/<number>/tracks")
def add_track(number: str) -> Answer:
    """Add a tracking number to the shipment, from its own page or from the order's."""
    form = posted()
    fields = {name: str(form.typed.get(name, "")) for name in ("carrier", "tracking", "title")}
    try:
        result = services.USE_CASES["shipments.add_track"](
            g.world, g.actor, number=number, v=form_version(form), **fields
        )
    except Refused as refusal:
        form.refuse(refusal)
        return _again(number, form)
    here = url_for("admin.documents.shipment", number=number)
    to = tab_url(result["order"], "shipments") if request.form.get("tab") == "shipments" else here
    return done("TRACKING_ADDED", to=to, shipment=number)


def shipment_page(
    number: str, *, form: Form | None = None, status: int = 200, refusal: Refused | None = None
) -> Response:
    """Render the page of a shipment; with a `form`, its dialog is open; what was refused stands at the top."""
    session = db()
    found = load_shipment(session, number)
    forms: dict[str, Any] = {number: form or blank()}
    return page(
        "admin/order/shipment.html",
        status=422 if refusal else status,
        failed=refusal,
        shipment=found,
        order=found.order,
        view=addresses_of(found.order),
        forms=forms,
        opened=number if form else "",
        tab="",
        **options(),
    )


def load_shipment(session: Session, number: str) -> Shipment:
    """A shipment with its lines, tracking numbers and order. Raises `NotFound`."""
    parts = selectinload(Shipment.items).joinedload(ShipmentItem.order_item), selectinload(Shipment.tracks)
    whole = select(Shipment).filter_by(number=number).options(*parts, joinedload(Shipment.order))
    found = session.scalars(whole).first()
    if found is None:
        raise NotFound(say("NOT_FOUND", what=f"Shipment {number}"))
    return found


def addresses_of(order: Order) -> dict[str, dict[str, OrderAddress]]:
    """The addresses of an order, as the pages of its papers look them up."""
    return {"addresses": {address.kind: address for address in order.addresses}}


def _again(number: str, form: Form) -> Response:
    """The page that the form was on, its dialog open with what is wrong."""
    if form.typed.get("tab") != "shipments":
        return shipment_page(number, form=form, status=422)
    order = orders_view.order_number_of(db(), number)
    return order_page(order, "shipments", dialog=number, form=form, status=422)
