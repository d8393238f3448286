"""The page that edits what a pending order is made of: quantities, lines out, lines in from a search, sums at once."""

from __future__ import annotations

from typing import Any

from flask import Response, g, jsonify, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form, is_whole
from ...kit.rules import Refused
from ..messages import problem
from ..models import Variant
from ..services import order_items
from ..services.orders import refuse_unless
from ..totals import effective_price
from . import blueprint, frame, order_lines, pictures, variant_search
from .present import amount

bp = blueprint("order_edit", __name__, url_prefix="/orders")

SUMS = ("subtotal", "discount", "shipping", "tax", "total")


@bp.get("/<number>/edit-items")
def edit(number: str) -> Response:
    """The lines as they are."""
    frame.require("orders.edit_items")
    return edit_page(number, frame.blank())


@bp.post("/<number>/edit-items")
def save(number: str) -> Answer:
    """Save the lines; an unchanged form writes nothing."""
    form = frame.posted()
    try:
        if form.text("add_query", "Item"):
            raise Refused.of([problem("NOT_A_CHOICE", "add_query", label="an item")])
        lines = order_lines.quantities(form, required=True)
        saved = order_lines.run(
            "orders.edit_items", form, number=number, lines=lines, add=typed_additions(request.form)
        )
    except Refused as refusal:
        form.refuse(refusal)
        return edit_page(number, form, 422)
    code, tone = ("ITEMS_SAVED", "good") if saved["changed"] else ("NOTHING_CHANGED", "plain")
    return frame.done(code, to=url_for("admin.orders.show", number=number), tone=tone, number=number)


@bp.get("/<number>/edit-items/sums")
def preview(number: str) -> Response:
    """What the lines in the address come to, as the person reads amounts; nothing is written."""
    frame.require("orders.edit_items")
    db = frame.db()
    order = order_lines.load(db, number)
    known = {item.id for item in order.items}
    typed = {key[4:]: text for key, text in request.args.items() if key.startswith("qty_") and is_whole(key[4:])}
    lines = {int(id): _whole(text) for id, text in typed.items() if int(id) in known}
    plan = order_items.plan_of(db, order, lines, typed_additions(request.args), g.world.today())
    shares = [*(f"qty_{item.id}" for item, _ in plan.kept), *(f"add_{each.variant.id}" for each in plan.added)]
    return jsonify(
        sums={name: amount(-value if name == "discount" else value) for name, value in _sums(plan).items()},
        rows={name: amount(line.row_total) for name, line in zip(shares, plan.sums.lines, strict=True)},
    )


@bp.get("/variants")
def variants() -> Response:
    """Variants that a text may mean, with today's price and what is available, for the box that adds a line."""
    frame.require("orders.edit_items")
    found = variant_search.suggest(frame.db(), request.args.get("q", "")[:100])
    return jsonify(found=[_offer(each) for each in found])


def typed_additions(fields: MultiDict[str, str]) -> list[dict[str, int]]:
    """The new lines as they were sent: variant and units, -1 for what is no number."""
    pairs = zip(fields.getlist("add"), fields.getlist("add_qty"), strict=False)
    return [{"variant_id": _whole(id), "qty": _whole(units)} for id, units in pairs]


def edit_page(number: str, form: Form, status: int = 200) -> Response:
    """The page as it opens, or as somebody sent it wrongly."""
    db = frame.db()
    order = order_lines.load(db, number)
    rows = order_lines.rows_of(order.items, lambda item: order_items.MOST, lambda item: item.qty_ordered)
    sent = typed_additions(request.form) if form.typed is not None else []
    found = {each["id"]: each for each in variant_search.by_ids(db, [each["variant_id"] for each in sent])}
    added = [{**_offer(found[each["variant_id"]]), "qty": each["qty"]} for each in sent if each["variant_id"] in found]
    return order_lines.action_page(
        "edit_items",
        order,
        form,
        status,
        rows=rows,
        added=added,
        shown=pictures.of_variants(db, [item.variant_id for item in order.items]),
        why_not_now=order_lines.blocked(lambda: refuse_unless(order, ("pending",), "edited")),
        sums={name: getattr(order, name) for name in SUMS},
    )


def _sums(plan: order_items.Plan) -> dict[str, int]:
    return {name: getattr(plan.sums, name) for name in SUMS}


def _offer(found: dict[str, Any]) -> dict[str, Any]:
    """A variant for scripts: how it is called, its price today, and how many are available."""
    each = frame.db().get_one(Variant, found["id"])
    unit = effective_price(each.price, each.sale_price, each.sale_from, each.sale_to, g.world.today())
    return {
        "id": found["id"],
        "sku": found["sku"],
        "product": found["product"],
        "options": found["options"],
        "available": found["on_hand"] - found["reserved"],
        "price": amount(unit),
    }


def _whole(text: str) -> int:
    return int(text) if is_whole(text.strip()) else -1
