"""The page that refunds an order: units, whether they go back on the shelf, other amounts, and the way to pay."""

from __future__ import annotations

from collections import Counter
from typing import Any

from flask import Response, g, request, url_for
from sqlalchemy import select
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form, is_whole
from ...kit.rules import Refused
from .. import labels
from ..models import Order, Refund, Return
from ..services import refunds
from ..services.orders import refuse_unless
from ..totals import line_amount
from . import blueprint, frame, order_lines, present
from .order_lines import Row
from .present import plain_money

bp = blueprint("order_refund", __name__, url_prefix="/orders")

AMOUNTS = {"shipping": "Shipping", "adjustment": "Adjustment", "fee": "Fee"}
REASON_MOST = 500


@bp.get("/<number>/refund")
def refund(number: str) -> Response:
    """The form that refunds everything that can be refunded, or less of it."""
    frame.require("refunds.create")
    return refund_page(number)


@bp.post("/<number>/refund")
def create_refund(number: str) -> Answer:
    """Refund the chosen units and amounts; over a clerk's limit it waits."""
    form = frame.posted()
    try:
        made = order_lines.run("refunds.create", form, number=number, **typed(form))
    except Refused as refusal:
        form.refuse(refusal)
        return refund_page(number, form, 422)
    code = "REFUND_WAITS" if made["status"] == "pending_approval" else "REFUND_ISSUED"
    to = url_for("admin.orders.tab", number=number, tab="refunds")
    return frame.done(code, to=to, tone="plain" if code == "REFUND_WAITS" else "good", refund=made["number"])


def typed(form: Form) -> dict[str, Any]:
    """What the form asks for, as the service takes it. Raises `Refused` for what cannot be read."""
    amounts = {name: form.money(name, label) or 0 for name, label in AMOUNTS.items()}
    method = form.choice("method", "Refund method", labels.REFUND_METHOD)
    reason = form.text("reason", "Reason", most=REASON_MOST)
    lines = order_lines.quantities(form)
    restock = [int(text) for text in request.form.getlist("restock") if text.isdigit()]
    returned = form.whole("return_id", "Return")
    return {"lines": lines, "restock": restock, "method": method, "reason": reason, "return_id": returned, **amounts}


def refund_page(number: str, form: Form | None = None, status: int = 200) -> Response:
    """The page as it opens, or as somebody sent it wrongly."""
    db = frame.db()
    order = order_lines.load(db, number)
    returned = _returned(order, form)
    back = units_back(returned)
    rows = order_lines.rows_of(
        order.items,
        refunds.left_to_refund,
        (lambda item: min(back[item.id], refunds.left_to_refund(item))) if returned else None,
    )
    left = refunds.shipping_left(db, order)
    shipping = 0 if returned else left
    limit = refunds.clerk_limit(db)
    sums = sums_of(rows, shipping)
    return order_lines.action_page(
        "refund_form",
        order,
        form or frame.blank(_start(returned, shipping)),
        status,
        rows=rows,
        sums=sums,
        limit=limit if g.actor.role == "clerk" else None,
        limit_text=present.amount(limit),
        left=order.paid - order.refunded,
        shipping_left=left,
        shipping=shipping,
        returned=returned,
        ticked=_ticked(rows, form, returned),
        methods=methods(order),
        waiting=_waiting(order),
        why_not_now=_why_not(order, rows),
    )


def sums_of(rows: list[Row], shipping: int) -> dict[str, int]:
    """What a refund of the units that the page starts with comes to, in cents."""

    def share(row: Row, amount: int) -> int:
        return line_amount(amount, row.units, row.item.qty_ordered, row.item.qty_refunded)

    items = sum(share(row, row.item.row_total - row.item.discount) for row in rows)
    tax = sum(share(row, row.item.tax) for row in rows)
    return {"items": items, "tax": tax, "total": items + tax + shipping}


def methods(order: Order) -> list[tuple[str, str]]:
    """How the money can go back; a guest has no store credit."""
    way = f"{labels.REFUND_METHOD['original']} ({labels.PAY_METHOD[order.pay_method]})"
    names = {**labels.REFUND_METHOD, "original": way}
    return [(code, name) for code, name in names.items() if code != "store_credit" or order.customer_id is not None]


def units_back(returned: Return | None) -> Counter[int]:
    """The units that came back with a return, by order item."""
    units: Counter[int] = Counter()
    for line in returned.items if returned is not None else ():
        units[line.order_item_id] += line.qty
    return units


def _returned(order: Order, form: Form | None) -> Return | None:
    """The received return of the order that the refund settles, as the address or the form names it."""
    db = frame.db()
    received = select(Return).filter_by(order_id=order.id, status="received")
    if form is not None:
        id = form.value("return_id")
        return db.scalars(received.filter_by(id=int(id))).first() if is_whole(id) else None
    number = request.args.get("return", "")
    return db.scalars(received.filter_by(number=number)).first() if number else None


def _start(returned: Return | None, shipping: int) -> dict[str, str]:
    """What the fields hold before anybody types; a return is paid back as the customer wished."""
    start = {"shipping": plain_money(shipping), "adjustment": "0.00", "fee": "0.00", "method": "original"}
    if returned is None:
        return start
    method = "store_credit" if returned.resolution == "store_credit" else "original"
    return {**start, "method": method, "reason": f"Return {returned.number}"}


def _ticked(rows: list[Row], form: Form | None, returned: Return | None) -> set[int]:
    """Lines whose units go back on the shelf: at first all with shipped units, of a return what is not damaged."""
    if form is None and returned is not None:
        return {line.order_item_id for line in returned.items if line.condition != "damaged"}
    if form is None:
        return {row.item.id for row in rows if row.item.qty_shipped}
    return {int(text) for text in request.form.getlist("restock") if text.isdigit()}


def _waiting(order: Order) -> list[Refund]:
    """Refunds of the order that wait for a decision."""
    waiting = select(Refund).filter_by(order_id=order.id, status="pending_approval").order_by(Refund.id)
    return list(frame.db().scalars(waiting))


def _why_not(order: Order, rows: list[Row]) -> str:
    """Why nothing can be refunded now, or nothing."""
    if why := order_lines.blocked(lambda: refuse_unless(order, refunds.REFUNDABLE, "refunded")):
        return why
    if order.paid <= order.refunded:
        return "Nothing has been paid for this order that could be refunded."
    return ""
