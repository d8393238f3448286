"""What a product's fields must be, and what it needs before the shop may show it (R14)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from ...kit.rules import Problem
from ...kit.text import slug, unique_slug
from ..messages import problem
from ..models import Brand, Product, ProductCategory, ProductImage, Variant
from ..models.choices import PRODUCT_STATUSES, TAX_CLASSES
from ..regions import tidy
from . import richtext

TEXTS = ("name", "short_desc", "description_html")
"""The fields that are texts of the product: whoever may edit texts may edit these."""

FIELDS = (
    "name", "slug", "brand_id", "short_desc", "description_html", "tax_class", "weight_g", "final_sale", "featured",
)  # fmt: skip
LABELS = {
    "name": "Name", "slug": "URL name", "brand_id": "Brand", "short_desc": "Short description",
    "tax_class": "Tax class", "weight_g": "Weight", "description_html": "Description", "status": "Status",
}  # fmt: skip
LIMITS = {"name": 160, "slug": 120, "short_desc": 300, "description_html": 20_000}
HEAVIEST = 1_000_000
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def stored(product: Product) -> dict[str, Any]:
    """The editable columns of a product as they are."""
    return {name: getattr(product, name) for name in FIELDS}


def checked(
    db: Session, fields: Mapping[str, Any], *, own_id: int | None = None, was: Mapping[str, Any] | None = None
) -> tuple[dict[str, Any], list[Problem]]:
    """The columns that fields become, and all that is wrong with them, in the order of the form.

    An empty slug is made from the name. A description that is stored already (`was`) is left as it is.
    """
    values: dict[str, Any] = {"name": tidy(fields.get("name")), "short_desc": tidy(fields.get("short_desc"))}
    values["description_html"] = _description(str(fields.get("description_html") or ""), was or {})
    values["final_sale"], values["featured"] = bool(fields.get("final_sale")), bool(fields.get("featured"))
    wrong = [problem("REQUIRED", "name", label=LABELS["name"])] if not values["name"] else []
    values["slug"], slug_wrong = _slug(db, tidy(fields.get("slug")), values["name"], own_id)
    wrong += slug_wrong
    values["brand_id"], brand_wrong = _brand(db, fields.get("brand_id"))
    wrong += brand_wrong
    values["tax_class"] = str(fields.get("tax_class") or "")
    if values["tax_class"] not in TAX_CLASSES:
        wrong.append(problem("NOT_A_CHOICE", "tax_class", label="a tax class"))
    values["weight_g"], weight_wrong = _weight(fields.get("weight_g"))
    wrong += weight_wrong
    wrong += [
        problem("TOO_LONG", name, label=LABELS[name], most=most)
        for name, most in LIMITS.items()
        if len(values[name] or "") > most
    ]
    return {name: values[name] for name in FIELDS}, wrong


def publishable(db: Session, product: Product, *, no_image: bool) -> list[Problem]:
    """What is missing before the shop may show a product: price, category, picture (or the tick to go without)."""
    prices = list(db.scalars(select(Variant.price).where(Variant.product_id == product.id, Variant.active)))
    found = [] if prices and min(prices) > 0 else [problem("PUBLISH_PRICE", "status")]
    if not _any(db, select(ProductCategory.category_id).where(ProductCategory.product_id == product.id)):
        found.append(problem("PUBLISH_CATEGORY", "categories"))
    if not no_image and not _any(db, select(ProductImage.id).where(ProductImage.product_id == product.id)):
        found.append(problem("PUBLISH_IMAGE", "no_image"))
    return found


def status_problem(status: Any) -> list[Problem]:
    """What is wrong with a status as such."""
    return [] if status in PRODUCT_STATUSES else [problem("NOT_A_CHOICE", "status", label="a status")]


def free_slug(db: Session, text: str, own_id: int | None = None) -> str:
    """The slug that a text becomes, with a number behind it where another product has it."""
    base = slug(text) or "product"
    taken = db.scalars(select(Product.slug).where(Product.slug.startswith(base, autoescape=True), Product.id != own_id))
    return unique_slug(base, taken)


def _slug(db: Session, typed: str, name: str, own_id: int | None) -> tuple[str, list[Problem]]:
    if not typed:
        return free_slug(db, name[: LIMITS["slug"]], own_id or 0), []
    if not _SLUG.fullmatch(typed):
        return typed, [problem("SLUG_FORMAT", "slug")]
    other = db.scalars(select(Product).where(Product.slug == typed, Product.id != (own_id or 0))).first()
    return typed, [problem("SLUG_TAKEN", "slug", slug=typed, other=other.name)] if other else []


def _brand(db: Session, given: Any) -> tuple[int | None, list[Problem]]:
    id = int(given) if str(given or "").isascii() and str(given or "").isdigit() and len(str(given)) < 10 else 0
    if id and db.get(Brand, id) is not None:
        return id, []
    missing = given is None or str(given).strip() == ""
    return None, [
        problem("REQUIRED" if missing else "NOT_A_CHOICE", "brand_id", label="Brand" if missing else "a brand")
    ]


def _weight(given: Any) -> tuple[int | None, list[Problem]]:
    text = "" if given is None else str(given).strip().replace(",", "")
    if not text:
        return None, []
    if not re.fullmatch(r"-?\d{1,9}", text, re.ASCII):
        return None, [problem("NOT_A_NUMBER", "weight_g", label=LABELS["weight_g"])]
    if not 0 <= int(text) <= HEAVIEST:
        return None, [problem("OUT_OF_RANGE", "weight_g", label=LABELS["weight_g"], least=0, most=HEAVIEST)]
    return int(text), []


def _description(typed: str, was: Mapping[str, Any]) -> str:
    return typed if typed == was.get("description_html") else richtext.clean(typed)


def _any(db: Session, wanted: Any) -> bool:
    return db.scalars(wanted.limit(1)).first() is not None
