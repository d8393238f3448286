"""The Stock tab of a product: what is on hand, promised and available per variant, edited as one table."""

from __future__ import annotations

from typing import Any

from flask import g, request
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form, is_whole
from ...kit.messages import counted
from ...kit.rules import Refused, RuleError
from .. import labels
from ..services import stock as service
from . import blueprint, frame, movements, products, variant_facts

bp = blueprint("product_stock", __name__, url_prefix="/products")

LATEST = 8


@bp.get("/<int:id>/stock")
def show(id: int) -> Answer:
    """The table of stock."""
    return page(id)


def page(id: int, form: Form | None = None, status: int = 200) -> Answer:
    """The tab as stored, or as somebody sent it wrongly."""
    product = products.load(id)
    items = variant_facts.items(frame.db(), product)
    stored = {f"{name}-{item.id}": getattr(item.stock, name) for item in items for name in service.COLUMNS}
    if form is not None:
        form.initial = stored
    return products.page(
        product,
        "stock",
        status=status,
        items=items,
        form=form or frame.blank(stored),
        stock_statuses=list(labels.STOCK_STATUS.items()),
        moves=movements.latest(frame.db(), id, LATEST),
    )


@bp.post("/<int:id>/stock")
def save(id: int) -> Answer:
    """Save what was changed in the table: all of it or nothing."""
    form = frame.posted()
    ids = [int(text) for text in request.form.getlist("variant") if is_whole(text)]
    rows = [_row(form, variant_id) for variant_id in ids]
    try:
        form.check()
        saved = service.save(g.world, g.actor, rows=rows, note=form.text("note", "Note"))
    except Refused as refused:
        form.refuse(refused)
        return page(id, form, 422)
    if not saved["changed"]:
        return frame.done("NOTHING_CHANGED", to=_tab(id), tone="plain")
    return frame.done("STOCK_SAVED", to=_tab(id), what=counted(saved["changed"], "variant"))


@bp.post("/<int:id>/stock/status")
def set_status(id: int) -> Answer:
    """Put the ticked variants in stock or out of stock, one by one; each that is refused is named."""
    form = frame.posted()
    status = form.value("status")
    done, failed = 0, []
    for text in form.typed.getlist("pick"):
        variant_id, _, v = text.partition(":")
        try:
            changed = service.set_status(g.world, g.actor, variant_id=int(variant_id), status=status, v=int(v))[
                "changed"
            ]
            done += bool(changed)
        except (Refused, RuleError) as error:
            if error.status == 403:
                raise
            failed.append(error.message)
    if failed:
        return frame.saying(f"{counted(done, 'variant')} changed. {' '.join(failed)}", "bad", _tab(id))
    if not done:
        return frame.done("NOTHING_CHANGED", to=_tab(id), tone="plain")
    where = labels.STOCK_STATUS.get(status, status).lower()
    return frame.done("STOCK_STATUS_SET", to=_tab(id), what=counted(done, "variant"), status=where)


def _row(form: Form, variant_id: int) -> dict[str, Any]:
    """One row of the table as it was sent; what is no number becomes a problem beside its field."""
    row: dict[str, Any] = {
        "variant_id": variant_id,
        "v": int(v) if is_whole(v := form.value(f"v-{variant_id}")) else -1,
    }
    for name, label in (("on_hand", "On hand"), ("low_at", "Low level")):
        number = form.whole(f"{name}-{variant_id}", label, most=service.MOST_UNITS, required=True)
        row[name] = number if number is not None else 0
    row["status"] = form.choice(f"status-{variant_id}", "a stock status", labels.STOCK_STATUS) or ""
    row["backorder"] = form.ticked(f"backorder-{variant_id}")
    return row


def _tab(id: int) -> str:
    return f"/products/{id}/stock"
