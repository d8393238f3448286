"""The settings of the shop in tabs: the owner changes them, managers look, others are refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import abort, g
from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form
from ...kit.rules import Refused
from ..models import ShippingMethod, TaxRate
from ..services import settings as service
from . import blueprint, frame

bp = blueprint("settings", __name__, url_prefix="/settings")

TABS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "store": ("Store", ("store_name", "contact_email", "support_phone")),
    "orders": ("Orders and stock", ("clerk_refund_limit", "fraud_review_over", "return_days", "low_stock_default")),
    "shipping": ("Shipping", ("free_shipping_from",)),
    "taxes": ("Taxes", ()),
}
"""Tab to its name and the settings that its form has."""


@bp.before_request
def managers_only() -> None:
    """Settings are no business of clerks and analysts."""
    if frame.signed_in():
        frame.require("settings.view")


@bp.get("")
def index() -> Answer:
    """The first tab."""
    return page("store")


@bp.get("/<tab>")
def show(tab: str) -> Answer:
    """One tab."""
    return page(tab)


def page(tab: str, form: Form | None = None, status: int = 200) -> Answer:
    """One tab as it is stored, or as somebody sent it wrongly."""
    if tab not in TABS:
        abort(404)
    db = frame.db()
    keys = TABS[tab][1]
    stored = {key: service.shown(key, value) for key, value in service.current(db).items() if key in keys}
    if form is not None:
        form.initial = dict(stored)
    return frame.page(
        "admin/settings/index.html",
        status=status,
        tab=tab,
        title=TABS[tab][0],
        tabs=[
            {"label": label, "href": address(name), "current": name == tab, "dot": False}
            for name, (label, _) in TABS.items()
        ],
        items=[service.BY_KEY[key] for key in keys],
        version=service.version(db, keys),
        form=form or frame.blank(stored),
        methods=db.scalars(select(ShippingMethod).order_by(ShippingMethod.position, ShippingMethod.code)).all()
        if tab == "shipping"
        else [],
        rates=rates(db) if tab == "taxes" else [],
    )


def address(tab: str) -> str:
    """The address of a tab."""
    return "/settings" if tab == "store" else f"/settings/{tab}"


def rates(db: Session) -> list[dict[str, Any]]:
    """The tax rates by region: basis points by class."""
    found: dict[str, dict[str, int]] = {}
    for region, kind, rate in db.execute(
        select(TaxRate.region, TaxRate.tax_class, TaxRate.rate).order_by(TaxRate.region, TaxRate.id)
    ):
        found.setdefault(region, {})[kind] = rate
    return [{"region": region, **by_class} for region, by_class in found.items()]


@bp.post("/<tab>")
def save(tab: str) -> Answer:
    """Save the settings of one tab, all of them or none."""
    if tab not in TABS:
        abort(404)
    form = frame.posted()
    values = {key: typed(form, service.BY_KEY[key]) for key in TABS[tab][1]}
    try:
        form.check()
        saved = service.save(g.world, g.actor, values=values, v=frame.form_version(form))
    except Refused as refused:
        form.refuse(refused)
        return page(tab, form, 422)
    if not saved["changed"]:
        return frame.done("NOTHING_CHANGED", to=address(tab), tone="plain")
    return frame.done("SETTINGS_SAVED", to=address(tab))


def typed(form: Form, item: service.Item) -> Any:
    """What was typed for a setting; a number that is none becomes a problem of the form."""
    if item.kind == "money":
        return form.money(item.key, item.label, required=True)
    if item.kind == "whole":
        return form.whole(item.key, item.label, least=item.least, most=item.most, required=True)
    return form.value(item.key)
