"""Pictures of products: their addresses for pages, and the files themselves, drawn from the seed or as uploaded."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from flask import Response, abort
from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from .. import art
from ..art.kinds import figure_of
from ..models import (
    Brand,
    File,
    OptionValue,
    Product,
    ProductImage,
    Variant,
    VariantOption,
)
from . import blueprint, frame

bp = blueprint("pictures", __name__, url_prefix="/media")

NATURAL = ("3f6b57", "8c4a33", "2f4a66", "b08a3c", "6b5a4a", "55606b", "7a3f4f", "4c6a7d")
"""Colours of things that come in no choice of colour."""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture as a page shows it. `tag` makes its address another one when what is seen changes."""

    file_id: int
    tag: str
    alt: str

    def src(self, size: int) -> str:
        """The address at a size of `art.SIZES`; an upload comes as it is."""
        return f"/media/products/{self.file_id}-{self.tag}/{size}"


def picture(file: Any, alt: str, shade: str | None) -> Picture:
    """A picture from its file (id, sha256, uploaded) and the colour of what it shows."""
    if file.uploaded:
        return Picture(file_id=file.id, tag=file.sha256[:8], alt=alt)
    colour = (shade or natural(file.sha256)).lstrip("#").lower()
    return Picture(file_id=file.id, tag=f"{file.sha256[:8]}-{colour}", alt=alt)


def natural(sha256: str) -> str:
    """The colour of a thing that comes in one only."""
    return NATURAL[int(sha256[8:12], 16) % len(NATURAL)]


def main(db: Session, products: Collection[int]) -> dict[int, Picture]:
    """The main picture of each product that has one; two queries, however many products."""
    rows = db.execute(MAIN, {"products": list(products)})
    shades = _shades(db, products)
    return {row.product_id: picture(row, row.alt, shades.get((row.product_id, row.variant_id or 0))) for row in rows}


def of_product(db: Session, product_id: int) -> list[tuple[Any, Picture]]:
    """Every picture of a product in order, each with its row (image_id, alt, variant_id, name, bytes …)."""
    rows = db.execute(EVERY, {"products": [product_id]})
    shades = _shades(db, [product_id])
    return [(row, picture(row, row.alt, shades.get((product_id, row.variant_id or 0)))) for row in rows]


def of_variants(db: Session, variants: Iterable[int]) -> dict[int, Picture]:
    """What each variant looks like: its own picture, else the main one of its product in the variant's colour."""
    pairs = db.execute(PRODUCTS, {"variants": list(variants)}).all()
    products = {row.product_id for row in pairs}
    rows = db.execute(EVERY, {"products": sorted(products)}).all()
    first = {row.product_id: row for row in reversed(rows)}
    own = {row.variant_id: row for row in reversed(rows) if row.variant_id}
    shades = _shades(db, products)
    found = {}
    for variant_id, product_id in pairs:
        row = own.get(variant_id, first.get(product_id))
        if row is not None:
            shade = shades.get((product_id, variant_id), shades.get((product_id, 0)))
            found[variant_id] = picture(row, row.alt, shade)
    return found


EVERY = (
    select(
        File.id, File.sha256, File.name, File.mime, File.bytes, File.data.is_not(None).label("uploaded"),
        ProductImage.id.label("image_id"), ProductImage.product_id, ProductImage.variant_id, ProductImage.alt,
        ProductImage.position,
    )
    .join(ProductImage, ProductImage.file_id == File.id)
    .where(ProductImage.product_id.in_(bindparam("products", expanding=True)))
    .order_by(ProductImage.product_id, ProductImage.position, ProductImage.id)
)  # fmt: skip
MAIN = EVERY.where(ProductImage.position == 1)
PRODUCTS = select(Variant.id, Variant.product_id).where(Variant.id.in_(bindparam("variants", expanding=True)))
SHADES = (
    select(Variant.product_id, Variant.id, OptionValue.swatch_hex)
    .join(VariantOption, VariantOption.variant_id == Variant.id)
    .join(OptionValue, OptionValue.id == VariantOption.value_id)
    .where(Variant.product_id.in_(bindparam("products", expanding=True)), OptionValue.swatch_hex.is_not(None))
    .order_by(Variant.product_id, Variant.position, Variant.id, OptionValue.id)
)


def _shades(db: Session, products: Collection[int]) -> dict[tuple[int, int], str]:
    """The colour of each variant, and under 0 that of the product's first one."""
    found: dict[tuple[int, int], str] = {}
    for product_id, variant_id, shade in db.execute(SHADES, {"products": sorted(products)}):
        found.setdefault((product_id, 0), str(shade))
        found.setdefault((product_id, variant_id), str(shade))
    return found


@bp.get("/products/<int:file_id>-<tag>/<int:size>")
def show(file_id: int, tag: str, size: int) -> Response:
    """A picture: an upload as it came, anything else drawn."""
    db = frame.db()
    file = db.execute(select(File.name, File.sha256, File.mime, File.data).where(File.id == file_id)).first()
    sha, _, colour = tag.partition("-")
    if file is None or file.sha256[:8] != sha or size not in art.SIZES:
        abort(404)
    if file.data is not None:
        return _sent(file.data, file.mime)
    if len(colour) != 6 or any(char not in "0123456789abcdef" for char in colour):
        abort(404)
    stem, _, place = file.name.removesuffix(".png").rpartition("-")
    view = int(place) if place.isdigit() and len(place) < 3 else 1
    return _sent(art.draw(figure_of(stem), colour, _brand(db, file_id), sha, view, size), "image/png")


def _brand(db: Session, file_id: int) -> str:
    """The maker of what a picture shows."""
    wanted = select(Brand.name).join(Product, Product.brand_id == Brand.id)
    shown = wanted.join(ProductImage, ProductImage.product_id == Product.id).where(ProductImage.file_id == file_id)
    return str(db.scalar(shown.order_by(ProductImage.id).limit(1)) or "")


def _sent(data: bytes, mime: str) -> Response:
    response = Response(data, mimetype=mime)
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Content-Security-Policy"] = "default-src 'none'"
    return response
