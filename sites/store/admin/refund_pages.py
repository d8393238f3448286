"""The page of one refund: what goes back, who asked for it, and the decision where it waits for one."""

from __future__ import annotations

from typing import Any

from flask import Response, g, redirect, url_for
from sqlalchemy import select
from sqlalchemy.orm import joinedload, selectinload
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form
from ...kit.rules import NotFound, Refused
from .. import services
from ..messages import say
from ..models import Payment, Refund, RefundItem, Return, Staff
from . import blueprint, frame
from .orders import options

bp = blueprint("refund_pages", __name__, url_prefix="/refunds")


@bp.get("/<number>")
def show(number: str) -> Response:
    """One refund."""
    return refund_page(number)


@bp.get("/<number>/<any(approve, reject):what>")
def back(number: str, what: str) -> Answer:
    """Reloading after a refusal leads back to the page."""
    return redirect(url_for("admin.refund_pages.show", number=number))


@bp.post("/<number>/approve")
def approve(number: str) -> Answer:
    """Approve a waiting refund, perhaps with a note; the money goes back."""
    return _decide(number, "approve", "REFUND_APPROVED")


@bp.post("/<number>/reject")
def reject(number: str) -> Answer:
    """Reject a waiting refund, with a note."""
    return _decide(number, "reject", "REFUND_REJECTED")


def _decide(number: str, dialog: str, code: str) -> Answer:
    form = frame.posted()
    try:
        fields = {"approve": dialog == "approve", "note": form.text("note", "Note", most=500)}
        form.check()
        services.USE_CASES["refunds.decide"](g.world, g.actor, number=number, v=frame.form_version(form), **fields)
    except Refused as refusal:
        form.refuse(refusal)
        return refund_page(number, dialog, form, 422)
    return frame.done(code, to=url_for("admin.refund_pages.show", number=number), refund=number)


def refund_page(number: str, dialog: str = "", form: Form | None = None, status: int = 200) -> Response:
    """Render the page; `dialog` names the one that comes back open with `form` in it."""
    db = frame.db()
    lines = selectinload(Refund.lines).joinedload(RefundItem.order_item)
    refund = db.scalars(select(Refund).filter_by(number=number).options(lines, joinedload(Refund.order))).first()
    if refund is None:
        raise NotFound(say("NOT_FOUND", what=f"Refund {number}"))
    forms: dict[str, Any] = {"approve": frame.blank(), "reject": frame.blank()}
    if form is not None:
        forms[dialog] = form
    return frame.page(
        "admin/order/refund.html",
        status=status,
        refund=refund,
        order=refund.order,
        maker=db.get(Staff, refund.created_by),
        decider=db.get(Staff, refund.decided_by) if refund.decided_by else None,
        returned=db.get(Return, refund.return_id) if refund.return_id else None,
        payments=list(db.scalars(select(Payment).filter_by(refund_id=refund.id).order_by(Payment.id))),
        own=refund.created_by == g.actor.id,
        own_text=say("OWN_REFUND"),
        forms=forms,
        opened=dialog,
        **options(),
    )
