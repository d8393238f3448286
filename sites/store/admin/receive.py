"""Goods in: a box to scan or type SKUs into, a line per variant with the units to add, and one button for all."""

from __future__ import annotations

from typing import Any

from flask import Response, g, jsonify, request
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form, is_whole
from ...kit.messages import counted
from ...kit.rules import Refused
from ..services import stock
from . import blueprint, frame, variant_search

bp = blueprint("receive", __name__, url_prefix="/inventory")


@bp.get("/receive")
def show() -> Answer:
    """The empty form, or one with a line for each `variant` in the address."""
    frame.require("stock.receive")
    ids = [int(text) for text in request.args.getlist("variant") if is_whole(text)]
    initial: dict[str, Any] = {f"qty-{id}": "1" for id in ids}
    return page(frame.blank({**initial, "set_in_stock": True}), ids)


def page(form: Form, ids: list[int], status: int = 200) -> Answer:
    """The form with its lines."""
    lines = variant_search.by_ids(frame.db(), ids)
    return frame.page("admin/inventory/receive.html", status=status, form=form, lines=lines)


@bp.get("/lookup")
def lookup() -> Response:
    """Variants for the box: with `q` those that may be meant, with `sku` the one that is."""
    if "sku" in request.args:
        return jsonify(found=variant_search.exact(frame.db(), request.args["sku"]))
    return jsonify(found=variant_search.suggest(frame.db(), request.args.get("q", "")[:100]))


@bp.post("/receive")
def receive() -> Answer:
    """Put everything on the shelf: all lines or none."""
    form = frame.posted()
    ids = [int(text) for text in request.form.getlist("variant") if is_whole(text)]
    quantities = {id: form.whole(f"qty-{id}", "Quantity", least=1, most=stock.MOST_UNITS, required=True) for id in ids}
    try:
        form.check()
        lines = [{"variant_id": id, "qty": qty} for id, qty in quantities.items()]
        ticked = form.ticked("set_in_stock")
        done = stock.receive(g.world, g.actor, lines=lines, set_in_stock=ticked, note=form.text("note", "Note"))
    except Refused as refused:
        form.refuse(refused)
        return page(form, ids, 422)
    units, variants = counted(done["units"], "unit"), counted(done["variants"], "variant")
    return frame.done("GOODS_RECEIVED", to="/inventory/receive", units=units, variants=variants)
