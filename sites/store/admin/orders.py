"""The page of one order: a tab an address, and one form a change; what is refused comes back in its dialog."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Response, g, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form
from ...kit.phones import written
from ...kit.rules import Refused
from .. import labels, services
from ..regions import LABELS, region_name
from ..services.base import words
from ..services.comments import LONGEST
from ..services.tracking import FORMATS
from . import blueprint, orders_view
from .frame import blank, db, done, form_version, page, posted

bp = blueprint("orders", __name__, url_prefix="/orders")

Run = Callable[[Form], dict[str, Any]]
CHANGES = "cancel,hold,unhold,accept,reject,assign,tags"


@bp.get("/<number>")
def show(number: str) -> Response:
    """The overview: lines, totals, customer, addresses, payment."""
    return order_page(number, "overview")


@bp.get("/<number>/<any(invoices,shipments,refunds,returns,comments,history):tab>")
def tab(number: str, tab: str) -> Response:
    """Another tab of the page."""
    return order_page(number, tab)


@bp.get(f"/<number>/<any({CHANGES}):what>")
@bp.get("/<number>/addresses/<what>")
def back(number: str, what: str) -> Answer:
    """Reloading after a refusal leads back to the page."""
    return redirect(url_for("admin.orders.show", number=number))


@bp.post("/<number>/cancel")
def cancel(number: str) -> Answer:
    """Cancel the order, with a reason."""

    def run(form: Form) -> dict[str, Any]:
        reason = form.text("reason", "Reason")
        return use("orders.cancel", form, number=number, reason=reason, notify=form.ticked("notify"))

    return attempt(number, "cancel", run, "ORDER_CANCELED")


@bp.post("/<number>/hold")
def hold(number: str) -> Answer:
    """Put the order on hold, with a reason."""

    def run(form: Form) -> dict[str, Any]:
        return use("orders.hold", form, number=number, reason=form.text("reason", "Reason"))

    return attempt(number, "hold", run, "ORDER_HELD")


@bp.post("/<number>/unhold")
def unhold(number: str) -> Answer:
    """Release the order from hold."""
    return attempt(number, "", lambda form: use("orders.unhold", form, number=number), "ORDER_RELEASED")


@bp.post("/<number>/accept")
def accept(number: str) -> Answer:
    """Accept the fraud review."""

    def run(form: Form) -> dict[str, Any]:
        return use("orders.accept_fraud", form, number=number)

    return attempt(number, "accept", run, "ORDER_ACCEPTED")


@bp.post("/<number>/reject")
def reject(number: str) -> Answer:
    """Reject the fraud review, which cancels the order."""

    def run(form: Form) -> dict[str, Any]:
        return use("orders.reject_fraud", form, number=number, notify=form.ticked("notify"))

    return attempt(number, "reject", run, "ORDER_REJECTED")


@bp.post("/<number>/assign")
def assign(number: str) -> Answer:
    """Make somebody responsible, or nobody."""

    def run(form: Form) -> dict[str, Any]:
        chosen = form.whole("staff_id", "Assigned to")
        return use("orders.assign", form, number=number, staff_id=chosen)

    code = "ORDER_ASSIGNED" if request.form.get("staff_id") else "ORDER_UNASSIGNED"
    return attempt(number, "assign", run, code)


@bp.post("/<number>/tags")
def tags(number: str) -> Answer:
    """Set the tags of the order to those chosen."""

    def run(form: Form) -> dict[str, Any]:
        chosen = set(request.form.getlist("tags"))
        with g.world.read() as session:
            unwanted = set(orders_view.all_tags(session)) - chosen
        return use("orders.tag", form, number=number, add=sorted(chosen), remove=sorted(unwanted))

    return attempt(number, "tags", run, "TAGS_SAVED")


@bp.post("/<number>/addresses/<any(billing,shipping):kind>")
def edit_address(number: str, kind: str) -> Answer:
    """Change the billing or shipping address."""

    def run(form: Form) -> dict[str, Any]:
        fields = {name: form.typed.get(name, "") for name in LABELS}
        return use("orders.edit_address", form, number=number, kind=kind, **fields)

    return attempt(number, kind, run, "ORDER_ADDRESS_SAVED", kind=kind)


@bp.post("/<number>/comments")
def comment(number: str) -> Answer:
    """Add a comment, and e-mail it if the box is ticked."""

    def run(form: Form) -> dict[str, Any]:
        notify = form.ticked("notify")
        fields = {"number": number, "body": str(form.typed.get("body", "")), "notify": notify}
        return dict(services.USE_CASES["orders.comment"](g.world, g.actor, **fields))

    code = "COMMENT_SENT" if request.form.get("notify") else "COMMENT_ADDED"
    return attempt(number, "comment", run, code, to="comments")


def use(use_case: str, form: Form, **fields: Any) -> dict[str, Any]:
    """Run a use case for the person signed in, with the version that the form was made from."""
    return dict(services.USE_CASES[use_case](g.world, g.actor, v=form_version(form), **fields))


def attempt(number: str, dialog: str, run: Run, code: str, *, to: str = "", **words: object) -> Answer:
    """Run a change: on to the tab it was asked from, with a toast; or that tab again, with what is wrong in its dialog.

    `words` are what the toast of `code` needs beside the order's number and the name that the use case gives.
    """
    form = posted()
    tab = to or str(form.typed.get("tab", ""))
    tab = tab if tab in orders_view.TABS else "overview"
    try:
        result = run(form)
    except Refused as refusal:
        form.refuse(refusal)
        return order_page(number, tab, dialog=dialog, form=form, status=422)
    if not result.get("changed", True):
        return done("NOTHING_CHANGED", to=tab_url(number, tab), tone="plain")
    about = {"number": number, "name": result.get("name", ""), **words}
    return done(code, to=tab_url(number, tab), tone="good", **about)


def tab_url(number: str, tab: str) -> str:
    """The address of a tab."""
    return f"{bp.url_prefix}/{number}" + ("" if tab == "overview" else f"/{tab}")


def order_page(number: str, tab: str, *, dialog: str = "", form: Form | None = None, status: int = 200) -> Response:
    """Render a tab; `dialog` names the one to open with `form` in it."""
    session = db()
    view = orders_view.load(session, number)
    forms = _forms(view, tab)
    if form is not None:
        forms[dialog] = form
    return page(
        f"admin/order/{tab}.html",
        status=status,
        view=view,
        order=view.order,
        tab=tab,
        tab_url=tab_url,
        forms=forms,
        opened=dialog,
        failed=form,
        staff_choices=g.world.remembered("colleagues", orders_view.colleagues),
        tag_choices=g.world.remembered("order tags", orders_view.all_tags),
        audit=orders_view.trail(session, view) if tab == "history" else [],
        **options(),
    )


def options() -> dict[str, Any]:
    """What the forms of order pages choose from, and how they say things."""
    return {
        "TABS": orders_view.TABS,
        "cancel_reasons": list(labels.CANCEL_REASON.items()),
        "hold_reasons": list(labels.HOLD_REASON.items()),
        "carriers": list(labels.CARRIER.items()),
        "formats": {code: format.words for code, format in FORMATS.items()},
        "countries": list(labels.COUNTRY.items()),
        "region_name": region_name,
        "place": orders_view.place,
        "words": words,
        "longest_comment": LONGEST,
    }


def _forms(view: orders_view.OrderView, tab: str) -> dict[str, Form]:
    """The page's forms as they are before anybody typed: ticks on, addresses as stored."""
    forms = {name: blank({"notify": True}) for name in ("cancel", "reject", "comment")}
    forms["hold"], forms["accept"] = blank(), blank()
    forms["assign"] = blank({"staff_id": view.order.assigned_to})
    forms["tags"] = blank()
    if tab == "overview":
        for kind, address in view.addresses.items():
            stored = {name: getattr(address, name) for name in LABELS}
            forms[kind] = blank({**stored, "phone": written(address.phone) if address.phone else ""})
    if tab == "shipments":
        forms.update({shipment.number: blank() for shipment in view.shipments})
    return forms
