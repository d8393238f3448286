"""The page of one return: what the customer sends back and why, and each step of it up to the refund."""

from __future__ import annotations

from typing import Any

from flask import Response, g, redirect, request, url_for
from sqlalchemy import func, select
from sqlalchemy.orm import joinedload, selectinload
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form
from ...kit.rules import NotFound, Refused
from .. import labels, services
from ..messages import say
from ..models import Product, Refund, Return, ReturnItem, Shipment, ShipmentItem, Variant
from ..services.refunds import setting
from . import blueprint, frame
from .orders import options

bp = blueprint("return_pages", __name__, url_prefix="/returns")

DONE = {"approve": "RETURN_APPROVED", "reject": "RETURN_REJECTED", "receive": "RETURN_RECEIVED"}
NOTE_MOST = 500


@bp.get("/<number>")
def show(number: str) -> Response:
    """One return."""
    return return_page(number)


@bp.get("/<number>/<any(approve, reject, receive):what>")
def back(number: str, what: str) -> Answer:
    """Reloading after a refusal leads back to the page."""
    return redirect(url_for("admin.return_pages.show", number=number))


@bp.post("/<number>/<any(approve, reject, receive):step>")
def move(number: str, step: str) -> Answer:
    """Approve, reject (with a note) or receive (with a condition a line) a return."""
    form = frame.posted()
    fields: dict[str, Any] = {"note": form.text("note", "Note", most=NOTE_MOST)}
    if step == "receive":
        fields["conditions"] = _conditions()
    try:
        form.check()
        service = services.USE_CASES[f"returns.{step}"]
        service(g.world, g.actor, number=number, v=frame.form_version(form), **fields)
    except Refused as refusal:
        form.refuse(refusal)
        return return_page(number, step, form, 422)
    return frame.done(DONE[step], to=url_for("admin.return_pages.show", number=number), number=number)


def _conditions() -> dict[str, str]:
    """The conditions chosen, by return line."""
    start = "condition_"
    return {name[len(start) :]: code for name, code in request.form.items() if name[len(start) :].isdigit()}


def return_page(number: str, dialog: str = "", form: Form | None = None, status: int = 200) -> Response:
    """Render the page; `dialog` names the one that comes back open with `form` in it."""
    db = frame.db()
    lines = selectinload(Return.items).joinedload(ReturnItem.order_item)
    found = db.scalars(select(Return).filter_by(number=number).options(lines, joinedload(Return.order))).first()
    if found is None:
        raise NotFound(say("NOT_FOUND", what=f"Return {number}"))
    forms = {step: frame.blank() for step in DONE}
    if form is not None:
        forms[dialog] = form
    return frame.page(
        "admin/order/return.html",
        status=status,
        returned=found,
        order=found.order,
        about=_about(found),
        refunds=list(db.scalars(select(Refund).filter_by(return_id=found.id).order_by(Refund.id))),
        days=setting(db, "return_days", 30),
        conditions=list(labels.CONDITION.items()),
        forms=forms,
        opened=dialog,
        **options(),
    )


def _about(found: Return) -> dict[int, tuple[str | None, bool]]:
    """What decides about each line, by order item: when its last delivery was, and whether it is a final sale."""
    items = [line.order_item for line in found.items]
    arrived = (
        select(ShipmentItem.order_item_id, func.max(Shipment.delivered_at))
        .join(Shipment, Shipment.id == ShipmentItem.shipment_id)
        .where(ShipmentItem.order_item_id.in_([item.id for item in items]))
        .group_by(ShipmentItem.order_item_id)
    )
    final = (
        select(Variant.id, Product.final_sale)
        .join(Product, Product.id == Variant.product_id)
        .where(Variant.id.in_([item.variant_id for item in items]))
    )
    days = dict(frame.db().execute(arrived).all())
    sales = {variant_id: bool(sale) for variant_id, sale in frame.db().execute(final)}
    return {item.id: (days.get(item.id), sales.get(item.variant_id, False)) for item in items}
