"""Option types and their values: one type at a time, its values in the order in which forms and the shop show them."""

from __future__ import annotations

from typing import Any

from flask import abort, g, jsonify, redirect
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form, is_whole
from ...kit.rules import Refused, RuleError
from ..models import OptionType, OptionValue, ProductOptionType, VariantOption
from ..services import options as service
from . import blueprint, frame

bp = blueprint("options", __name__, url_prefix="/options")

WIDGETS = {"swatch": "Color swatches", "buttons": "Buttons", "select": "Drop-down list"}


@bp.get("")
def index() -> Answer:
    """The first type; without any, an empty page."""
    first = frame.db().scalar(select(OptionType.id).order_by(OptionType.id).limit(1))
    return redirect(f"/options/{first}", 303) if first else page(None)


@bp.get("/<int:id>")
def show(id: int) -> Answer:
    """One type with its values."""
    return page(id)


def page(
    id: int | None, *, status: int = 200, dialog: str = "", form: Form | None = None, editing: int | None = None
) -> Answer:
    """The page; `dialog` names the one that comes back open with what was typed: `type`, `new`, `value`, `edit`."""
    db = frame.db()
    types = _types(db)
    chosen = next((each for each in types if each["row"].id == id), None)
    if id is not None and chosen is None:
        abort(404)
    values = _values(db, id) if id is not None else []
    forms = {name: form if name == dialog and form else frame.blank() for name in ("value", "edit")}
    stored = {"name": chosen["row"].name, "widget": chosen["row"].widget} if chosen else {}
    forms["type"] = form if dialog == "type" and form else frame.blank(stored)
    forms["new"] = form if dialog == "new" and form else frame.blank({"widget": "buttons"})
    return frame.page(
        "admin/structure/options.html",
        status=status,
        types=types,
        chosen=chosen["row"] if chosen else None,
        uses=chosen["products"] if chosen else 0,
        values=values,
        dialog=dialog,
        forms=forms,
        editing=next((each["row"] for each in values if each["row"].id == editing), None),
        widgets=list(WIDGETS.items()),
        WIDGETS=WIDGETS,
    )


@bp.post("")
def create_type() -> Answer:
    """Add a type."""
    form = frame.posted()
    try:
        made = service.create_type(
            g.world, g.actor, name=form.value("name"), widget=form.value("widget"), code=form.value("code")
        )
    except Refused as refused:
        form.refuse(refused)
        return page(_from(form), status=422, dialog="new", form=form)
    return frame.done("OPTION_CREATED", to=f"/options/{made['id']}", name=form.value("name").strip())


@bp.post("/<int:id>")
def edit_type(id: int) -> Answer:
    """Rename a type, or show it in another way."""
    form = frame.posted()
    try:
        saved = service.edit_type(g.world, g.actor, id=id, name=form.value("name"), widget=form.value("widget"))
    except Refused as refused:
        form.refuse(refused)
        return page(id, status=422, dialog="type", form=form)
    return _said(id, saved, "OPTION_SAVED", name=form.value("name").strip())


@bp.post("/<int:id>/delete")
def delete_type(id: int) -> Answer:
    """Delete a type that no product comes in."""
    name = frame.posted().value("name")
    try:
        service.delete_type(g.world, g.actor, id=id)
    except Refused as refused:
        return frame.refused(refused, to=f"/options/{id}")
    return frame.done("OPTION_DELETED", to="/options", name=name)


@bp.post("/<int:id>/values")
def create_value(id: int) -> Answer:
    """Add a value."""
    form = frame.posted()
    try:
        fields: dict[str, Any] = {"value": form.value("value"), "swatch_hex": form.value("swatch_hex")}
        service.create_value(g.world, g.actor, type_id=id, **fields)
    except Refused as refused:
        form.refuse(refused)
        return page(id, status=422, dialog="value", form=form)
    return frame.done("VALUE_CREATED", to=f"/options/{id}", value=form.value("value").strip())


@bp.post("/<int:id>/values/<int:value_id>")
def edit_value(id: int, value_id: int) -> Answer:
    """Rename a value or change its colour."""
    form = frame.posted()
    try:
        fields: dict[str, Any] = {"value": form.value("value"), "swatch_hex": form.value("swatch_hex")}
        saved = service.edit_value(g.world, g.actor, id=value_id, **fields)
    except Refused as refused:
        form.refuse(refused)
        return page(id, status=422, dialog="edit", form=form, editing=value_id)
    return _said(id, saved, "VALUE_SAVED", value=form.value("value").strip())


@bp.post("/<int:id>/values/<int:value_id>/delete")
def delete_value(id: int, value_id: int) -> Answer:
    """Delete a value that no variant has."""
    value = frame.posted().value("value")
    try:
        service.delete_value(g.world, g.actor, id=value_id)
    except Refused as refused:
        return frame.refused(refused, to=f"/options/{id}")
    return frame.done("VALUE_DELETED", to=f"/options/{id}", value=value)


@bp.post("/<int:id>/order")
def order(id: int) -> Answer:
    """Save the order of a type's values; answered as JSON."""
    ids = [int(text) for text in frame.posted().value("ids").split(",") if is_whole(text)]
    try:
        return jsonify(service.order_values(g.world, g.actor, type_id=id, value_ids=ids))
    except RuleError as error:
        answer = jsonify(code=error.code, message=error.message)
        answer.status_code = error.status
        return answer


def _types(db: Session) -> list[dict[str, Any]]:
    """All types with the numbers of their values and of the products that come in them."""
    counts = (
        select(func.count()).where(model.type_id == OptionType.id).correlate(OptionType).scalar_subquery()
        for model in (OptionValue, ProductOptionType)
    )
    rows = db.execute(select(OptionType, *counts).order_by(OptionType.id))
    return [{"row": row, "values": values, "products": products} for row, values, products in rows]


def _values(db: Session, id: int) -> list[dict[str, Any]]:
    """The values of a type in order, each with the number of variants that have it."""
    used = select(VariantOption.value_id, func.count()).where(VariantOption.type_id == id)
    counts = dict(db.execute(used.group_by(VariantOption.value_id)).all())
    return [{"row": row, "variants": counts.get(row.id, 0)} for row in service.values_of(db, id)]


def _said(id: int, saved: dict[str, Any], code: str, **values: Any) -> Answer:
    if not saved["changed"]:
        return frame.done("NOTHING_CHANGED", to=f"/options/{id}", tone="plain")
    return frame.done(code, to=f"/options/{id}", **values)


def _from(form: Form) -> int | None:
    text = form.value("from")
    return int(text) if is_whole(text) else None
