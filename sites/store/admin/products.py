"""The pages of one product: its form (general, description, categories), images, reviews, and what was done to it."""

from __future__ import annotations

from typing import Any

from flask import abort, g, url_for
from sqlalchemy import select
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form
from .. import labels
from ..models import Product, Variant
from ..services import product_life, product_links, product_rules
from . import blueprint, frame, pictures, product_facts
from .trail import history

bp = blueprint("products", __name__, url_prefix="/products")

TABS = ("general", "description", "images", "variants", "stock", "categories", "reviews", "audit")
IN_FORM = {"general": (), "description": ("description_html",), "categories": ("categories",)}
"""Tabs that are parts of one form, and the fields whose problems belong there; general has all others."""


@bp.get("/<int:id>")
def show(id: int) -> Answer:
    """The form at its first tab."""
    return form_page(id, "general")


@bp.get("/<int:id>/<any(description, categories):tab>")
def form_tab(id: int, tab: str) -> Answer:
    """The form at another tab."""
    return form_page(id, tab)


def form_page(id: int, tab: str, form: Form | None = None, status: int = 200, **head: Any) -> Answer:
    """The form of a product: as stored, or as somebody sent it wrongly; `head` goes to `page`."""
    product, db = load(id), frame.db()
    stored: dict[str, Any] = {**product_rules.stored(product), "status": product.status, "no_image": False}
    categories, tags = product_links.categories_of(db, product), product_links.tags_of(db, product)
    if form is not None:
        form.initial = stored
        categories = [int(each) for each in form.typed.getlist("categories") if each.isdigit()]
        tags = form.typed.getlist("tags")
    return page(
        product,
        tab,
        status=status,
        template="admin/products/form.html",
        form=form or frame.blank(stored),
        brands=product_facts.brands(db),
        all_tags=product_facts.tags(db),
        tags=tags,
        tree=product_facts.tree(db),
        categories=categories,
        problem_tabs=problem_tabs(form) if form else {},
        **head,
    )


def problem_tabs(form: Form) -> dict[str, int]:
    """How many problems each tab of the form holds."""
    found: dict[str, int] = {}
    for problem in form.problems:
        tab = next((name for name, fields in IN_FORM.items() if problem.field in fields), "general")
        found[tab] = found.get(tab, 0) + 1
    return found


@bp.get("/<int:id>/reviews")
def reviews(id: int) -> Answer:
    """What customers say about the product."""
    product = load(id)
    return page(product, "reviews", rows=product_facts.reviews(frame.db(), product))


@bp.get("/<int:id>/audit")
def audit(id: int) -> Answer:
    """Who changed the product and its variants, when, and what was there before."""
    product = load(id)
    variants = select(Variant.id).where(Variant.product_id == id)
    return page(product, "audit", events=history(frame.db(), {"product": [id], "variant": variants}))


def load(id: int) -> Product:
    """A product, or 404."""
    product = frame.db().get(Product, id)
    if product is None:
        abort(404)
    return product


def page(
    product: Product,
    tab: str,
    *,
    status: int = 200,
    template: str = "",
    problem_tabs: dict[str, int] | None = None,
    dialog: str = "",
    dialog_form: Form | None = None,
    **context: Any,
) -> Answer:
    """One tab of a product's pages inside their common head.

    `problem_tabs` (tab to number of problems) puts a red dot on tabs; `dialog` names one of the head's dialogs that
    stays open, with `dialog_form` as it was sent.
    """
    db = frame.db()
    dialog_form = dialog_form or frame.blank()
    dialog_form.initial = {"name": f"{product.name} (copy)"}
    return frame.page(
        template or f"admin/products/{tab}.html",
        status=status,
        product=product,
        head=product_facts.head(db, product, g.world.today()),
        picture=pictures.main(db, [product.id]).get(product.id),
        ordered=product_life.was_ordered(db, product),
        tab=tab,
        tabs=_tabs(db, product, tab, problem_tabs or {}),
        dialog=dialog,
        dialog_form=dialog_form,
        statuses=list(labels.PRODUCT_STATUS.items()),
        **context,
    )


def _tabs(db: Any, product: Product, current: str, problems: dict[str, int]) -> list[dict[str, Any]]:
    tallies = product_facts.tallies(db, product)
    base = url_for("admin.products.show", id=product.id)
    return [
        {
            "name": name,
            "label": name.capitalize(),
            "href": base if name == "general" else f"{base}/{name}",
            "current": name == current,
            "tally": tallies.get(name),
            "dot": bool(problems.get(name)),
        }
        for name in TABS
    ]
