"""The Variants tab of a product: the table, the price tool, the matrix of options, and one variant's dialog."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, g, jsonify, request
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form, is_whole
from ...kit.messages import counted
from ...kit.rules import Refused
from .. import messages
from ..services import prices, variants
from . import blueprint, frame, price_forms, products, variant_facts
from .present import plain_money

bp = blueprint("product_variants", __name__, url_prefix="/products")

EDITED = ("sku", "barcode", "price", "sale_price", "sale_from", "sale_to", "cost")


@bp.get("/<int:id>/variants")
def show(id: int) -> Answer:
    """The table of variants."""
    return page(id)


def page(id: int, *, status: int = 200, dialog: str = "", form: Form | None = None, editing: int = 0) -> Answer:
    """The tab; `dialog` names one that comes back open with what was typed (`prices`, `matrix`, `variant`)."""
    product = products.load(id)
    items = variant_facts.items(frame.db(), product)
    blank = frame.blank({"task": "set", "field": "price", "qty": "0"})
    return products.page(
        product,
        "variants",
        status=status,
        items=items,
        choices=variant_facts.choices(frame.db(), product) if product.kind == "configurable" else [],
        picked=_picked(form) if dialog == "prices" and form else {},
        dialog=dialog,
        forms={name: form if name == dialog and form else blank for name in ("prices", "matrix", "variant")},
        tasks=[(code, task.label, task.by, task.mode) for code, task in price_forms.TASKS.items()],
        price_fields=list(prices.FIELDS.items()),
        period=price_forms.period,
        plain_money=plain_money,
        typed_values=set(form.typed.getlist("value")) if dialog == "matrix" and form else set(),
        editing=next((item for item in items if item.id == editing), None),
    )


@bp.get("/<int:id>/variants/prices")
def preview_prices(id: int) -> Response:
    """What a change of prices would do, for the dialog; nothing is written."""
    form = Form(messages.CATALOGUE, request.args)
    chosen = _picked(form)
    fields = price_forms.read(form)
    items = [item for item in variant_facts.items(frame.db(), products.load(id)) if item.id in chosen]
    shown = price_forms.preview(items, fields) if fields else {}
    return jsonify(problems={p.field or "": p.message for p in form.problems}, **shown)


@bp.post("/<int:id>/variants/prices")
def change_prices(id: int) -> Answer:
    """Change the prices of the ticked variants: all or none."""
    form = frame.posted()
    fields, seen = price_forms.read(form), _picked(form)
    try:
        form.check()
        done = prices.change_prices(g.world, g.actor, ids=list(seen), v=seen, **(fields or {}))
    except Refused as refused:
        form.refuse(refused)
        return page(id, status=422, dialog="prices", form=form)
    return _said(id, done["count"], "PRICES_CHANGED", what=counted(done["count"], "variant"))


@bp.get("/<int:id>/variants/matrix")
def preview_matrix(id: int) -> Response:
    """Which combinations the ticked option values give, for the dialog; nothing is written."""
    product = products.load(id)
    try:
        pairs = variants.matrix(frame.db(), product, _options(request.args.getlist("value")))
    except Refused as refused:
        return jsonify(problem=refused.message, lines=[], new=0)
    names = {value.id: value.value for each in variant_facts.choices(frame.db(), product) for value in each["values"]}
    lines = [{"name": ", ".join(names[value] for _, value in row), "there": there} for row, there in pairs]
    return jsonify(problem="", lines=lines, new=sum(not line["there"] for line in lines))


@bp.post("/<int:id>/variants/matrix")
def generate(id: int) -> Answer:
    """Create the missing combinations."""
    form = frame.posted()
    price = form.money("price", "Price", required=True)
    qty = form.whole("qty", "Quantity on hand", most=99_999)
    try:
        form.check()
        options = _options(request.form.getlist("value"))
        version = frame.form_version(form)
        made = variants.generate(
            g.world, g.actor, product_id=id, options=options, price=price or 0, qty=qty or 0, v=version
        )
    except Refused as refused:
        form.refuse(refused)
        return page(id, status=422, dialog="matrix", form=form)
    return frame.done("VARIANTS_CREATED", to=_tab(id), what=counted(made["count"], "variant"))


@bp.post("/<int:id>/variants/<int:variant_id>")
def edit(id: int, variant_id: int) -> Answer:
    """Save one variant."""
    form = frame.posted()
    values: dict[str, Any] = {"sku": form.text("sku", "SKU"), "barcode": form.text("barcode", "Bar code")}
    for name, label in variants.LABELS.items():
        values[name] = form.money(name, label, required=name != "sale_price")
    values |= {"sale_from": form.day("sale_from", "Sale from"), "sale_to": form.day("sale_to", "Sale to")}
    try:
        form.check()
        version = frame.form_version(form)
        saved = variants.edit(g.world, g.actor, id=variant_id, v=version, active=form.ticked("active"), **values)
    except Refused as refused:
        form.refuse(refused)
        return page(id, status=422, dialog="variant", form=form, editing=variant_id)
    return _said(id, saved["changed"], "VARIANT_SAVED", sku=values["sku"].upper())


@bp.post("/<int:id>/variants/<int:variant_id>/delete")
def delete(id: int, variant_id: int) -> Answer:
    """Delete a variant nobody ordered."""
    sku = frame.posted().value("sku")
    try:
        variants.delete(g.world, g.actor, id=variant_id, v=frame.form_version(frame.posted()))
    except Refused as refused:
        return frame.refused(refused, to=_tab(id))
    return frame.done("VARIANT_DELETED", to=_tab(id), sku=sku)


def _picked(form: Form) -> dict[int, int]:
    """The ticked variants with the versions that were looked at: each was sent as `id:version`."""
    parts = [text.partition(":") for text in form.typed.getlist("pick")]
    return {int(id): int(v) for id, _, v in parts if is_whole(id) and is_whole(v)}


def _options(values: list[str]) -> Mapping[int, list[int]]:
    """Ticked option values by their type: each was sent as `type:value`."""
    found: dict[int, list[int]] = {}
    for type_id, _, value_id in (text.partition(":") for text in values):
        if is_whole(type_id) and is_whole(value_id):
            found.setdefault(int(type_id), []).append(int(value_id))
    return found


def _said(id: int, changed: Any, code: str, **values: Any) -> Answer:
    if not changed:
        return frame.done("NOTHING_CHANGED", to=_tab(id), tone="plain")
    return frame.done(code, to=_tab(id), **values)


def _tab(id: int) -> str:
    return f"/products/{id}/variants"
