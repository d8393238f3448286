"""What is sent from a product's pages: the form, its status, a copy, and its deletion."""

from __future__ import annotations

from typing import Any

from flask import g, request, url_for
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form, is_whole
from ...kit.rules import Refused
from .. import labels
from ..models import Product
from ..services import product_life, product_rules, products
from . import blueprint, frame, product_facts
from .products import IN_FORM, form_page

bp = blueprint("product_forms", __name__, url_prefix="/products")

TICKS = ("final_sale", "featured")


@bp.get("/new")
def new() -> Answer:
    """The form for a new product."""
    frame.require("products.create")
    return new_page(frame.blank({"kind": "simple", "tax_class": "standard", "qty": "0"}))


def new_page(form: Form, status: int = 200) -> Answer:
    """The form as it is, or as somebody sent it wrongly."""
    db = frame.db()
    chosen = form.typed.getlist("categories") if form.typed is not None else []
    return frame.page(
        "admin/products/new.html",
        status=status,
        form=form,
        brands=product_facts.brands(db),
        tree=product_facts.tree(db),
        categories=[int(each) for each in chosen if is_whole(each)],
    )


@bp.post("/new")
def create() -> Answer:
    """Add a draft, and open it."""
    form = frame.posted()
    kind = form.value("kind")
    price = form.money("price", "Price", required=True) if kind == "simple" else None
    qty = form.whole("qty", "Units on hand", most=product_life.MOST_UNITS) if kind == "simple" else None
    names = ("name", "brand_id", "tax_class", "weight_g", "short_desc", "sku")
    fields: dict[str, Any] = {name: form.value(name) for name in names}
    try:
        form.check()
        made = product_life.create(
            g.world, g.actor, kind=kind, price=price, qty=qty, category_ids=request.form.getlist("categories"), **fields
        )
    except Refused as refused:
        form.refuse(refused)
        return new_page(form, 422)
    return frame.done("PRODUCT_CREATED", to=_tab(made["id"], "general"), name=name_of(made["id"]))


@bp.post("/<int:id>")
def save(id: int) -> Answer:
    """Save the form, all its tabs at once; `tab` is the one that was in front."""
    form = frame.posted()
    tab = form.value("tab") if form.value("tab") in IN_FORM else "general"
    try:
        saved = products.save(g.world, g.actor, id=id, v=frame.form_version(form), **fields_of(form))
    except Refused as refused:
        form.refuse(refused)
        return form_page(id, tab, form, 422)
    to = _tab(id, tab)
    if not saved["changed"]:
        return frame.done("NOTHING_CHANGED", to=to, tone="plain")
    return frame.done("PRODUCT_SAVED", to=to, name=name_of(id))


def fields_of(form: Form) -> dict[str, Any]:
    """What the form says of a product: only parts that were on it, since a role may see fewer."""
    there = set(form.value("parts").split())
    found: dict[str, Any] = {name: form.value(name) for name in product_rules.FIELDS if name in request.form}
    if "general" in there:
        found.update({name: form.ticked(name) for name in TICKS})
    if "status" in there:
        found |= {"status": form.value("status"), "no_image": form.ticked("no_image")}
    if "tags" in there:
        found["tags"] = request.form.getlist("tags")
    if "categories" in there:
        found["category_ids"] = request.form.getlist("categories")
    return found


@bp.post("/<int:id>/status")
def set_status(id: int) -> Answer:
    """Enable, disable or archive a product from its head."""
    form = frame.posted()
    status, no_image = form.value("status"), form.ticked("no_image")
    try:
        done = products.set_status(
            g.world, g.actor, id=id, status=status, no_image=no_image, v=frame.form_version(form)
        )
    except Refused as refused:
        form.refuse(refused)
        if "dialog" in request.form:
            return form_page(id, "general", status=422, dialog="enable", dialog_form=form)
        return frame.saying(" ".join(each.message for each in form.problems), "bad", back_to(id))
    if not done["changed"]:
        return frame.done("NOTHING_CHANGED", to=back_to(id), tone="plain")
    return frame.done("PRODUCT_STATUS", to=back_to(id), name=name_of(id), status=labels.PRODUCT_STATUS[status].lower())


@bp.post("/<int:id>/duplicate")
def duplicate(id: int) -> Answer:
    """Make a copy and open it."""
    form = frame.posted()
    try:
        made = product_life.duplicate(g.world, g.actor, id=id, name=form.value("name"), v=frame.form_version(form))
    except Refused as refused:
        form.refuse(refused)
        return form_page(id, "general", status=422, dialog="duplicate", dialog_form=form)
    return frame.done("PRODUCT_DUPLICATED", to=_tab(made["id"], "general"), name=name_of(made["id"]), other=name_of(id))


@bp.post("/<int:id>/delete")
def delete(id: int) -> Answer:
    """Delete a product that nobody ordered."""
    form, name = frame.posted(), name_of(id)
    try:
        product_life.remove(g.world, g.actor, id=id, v=frame.form_version(form))
    except Refused as refused:
        return frame.refused(refused, to=back_to(id))
    return frame.done("PRODUCT_DELETED", to="/products", name=name)


def name_of(id: int) -> str:
    """A product's name, after a change or before its deletion."""
    with g.world.read() as db:
        product = db.get(Product, id)
        return str(product.name) if product is not None else ""


def back_to(id: int) -> str:
    """The tab of the product from which something was sent."""
    path = request.form.get("back", "")
    return path if path == f"/products/{id}" or path.startswith(f"/products/{id}/") else _tab(id, "general")


def _tab(id: int, tab: str) -> str:
    base = url_for("admin.products.show", id=id)
    return base if tab == "general" else f"{base}/{tab}"
