"""The pages of an order's papers: invoices and shipments, and the form that adds a tracking number."""

from __future__ import annotations

from typing import Any

from flask import Response, g, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form
from ...kit.rules import Refused
from .. import services
from . import blueprint, orders_view
from .frame import blank, db, done, form_version, page, posted
from .orders import options, order_page, tab_url

bp = blueprint("documents", __name__)


@bp.get("/invoices/<number>")
def invoice(number: str) -> Response:
    """One invoice with its lines and payments."""
    session = db()
    found = orders_view.load_invoice(session, number)
    return page(
        "admin/order/invoice.html",
        invoice=found,
        order=found.order,
        payments=orders_view.payments_of(session, found),
        view=orders_view.load(session, found.order.number),
        **options(),
    )


@bp.get("/shipments/<number>")
def shipment(number: str) -> Response:
    """One shipment with its lines, its tracking numbers and where it goes."""
    return shipment_page(number)


@bp.get("/shipments/<number>/tracks")
def back(number: str) -> Answer:
    """Reloading after a refusal leads back to the page."""
    return redirect(url_for("admin.documents.shipment", number=number))


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


def shipment_page(number: str, *, form: Form | None = None, status: int = 200) -> Response:
    """Render the page of a shipment; with a `form`, its dialog is open."""
    session = db()
    view = orders_view.load(session, orders_view.order_number_of(session, number))
    found = next(shipment for shipment in view.shipments if shipment.number == number)
    forms: dict[str, Any] = {number: form or blank()}
    return page(
        "admin/order/shipment.html",
        status=status,
        shipment=found,
        order=view.order,
        view=view,
        forms=forms,
        opened=number if form else "",
        tab="",
        **options(),
    )


def _again(number: str, form: Form) -> Response:
    """The page that the form was on, its dialog open with what is wrong."""
    if form.typed.get("tab") != "shipments":
        return shipment_page(number, form=form, status=422)
    order = orders_view.order_number_of(db(), number)
    return order_page(order, "shipments", dialog=number, form=form, status=422)
