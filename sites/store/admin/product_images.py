"""The Images tab of a product: uploads, what pictures say, their order, and taking one away."""

from __future__ import annotations

import base64
import json
from typing import Any

from flask import Response, g, request
from sqlalchemy import select
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form
from ...kit.rules import Refused
from .. import messages
from ..models import OptionValue, Product, Variant, VariantOption
from ..services import images
from ..services.picture_files import MOST_BYTES
from . import blueprint, frame, pictures, present
from .products import load, page

bp = blueprint("product_images", __name__, url_prefix="/products/<int:id>/images")


@bp.get("")
def show(id: int) -> Answer:
    """The pictures in their order."""
    return images_page(load(id))


def images_page(product: Product, form: Form | None = None, status: int = 200) -> Answer:
    """The pictures as stored, or as somebody sent them wrongly."""
    rows = pictures.of_product(frame.db(), product.id)
    if form is not None:
        place = {image_id: at for at, image_id in enumerate(form.typed.getlist("image"))}
        rows.sort(key=lambda pair: place.get(str(pair[0].image_id), len(place)))
    stored = {f"alt-{row.image_id}": row.alt for row, _ in rows}
    stored |= {f"variant_id-{row.image_id}": row.variant_id or "" for row, _ in rows}
    form = form or frame.blank()
    form.initial = stored
    return page(
        product,
        "images",
        status=status,
        problem_tabs={"images": len(form.problems)} if form.problems else {},
        rows=rows,
        form=form,
        variants=_variants(product),
        most_bytes=MOST_BYTES,
        size=present.size,
    )


def _variants(product: Product) -> list[tuple[int, str]]:
    """The variants that a picture may be of: SKU and options."""
    db = frame.db()
    wanted = (
        select(VariantOption.variant_id, OptionValue.value)
        .join(OptionValue, OptionValue.id == VariantOption.value_id)
        .join(Variant, Variant.id == VariantOption.variant_id)
        .where(Variant.product_id == product.id)
        .order_by(VariantOption.variant_id, VariantOption.type_id)
    )
    words: dict[int, list[str]] = {}
    for variant_id, value in db.execute(wanted):
        words.setdefault(variant_id, []).append(value)
    own = select(Variant.id, Variant.sku).where(Variant.product_id == product.id)
    rows = db.execute(own.order_by(Variant.position, Variant.id))
    return [(id, f"{', '.join(words[id])} ({sku})" if id in words else sku) for id, sku in rows]


@bp.post("")
def add(id: int) -> Response:
    """Take one file in; answered in JSON, because a script sends several one after the other."""
    file = request.files.get("file")
    if file is None:
        return _answer(422, code="REQUIRED", message=messages.say("REQUIRED", label="A file"))
    data = base64.b64encode(file.read(MOST_BYTES + 1)).decode()
    try:
        made = images.add_image(
            g.world, g.actor, id=id, filename=file.filename or "", mime=file.mimetype, data_base64=data
        )
    except Refused as error:
        return _answer(422, code=error.code, message=error.message)
    return _answer(200, **made)


@bp.post("/save")
def save(id: int) -> Answer:
    """Save order, alternative texts and variants."""
    form = frame.posted()
    there = [each for each in form.typed.getlist("image") if each.isdigit()]
    sent = [_sent(form, image_id) for image_id in there]
    try:
        saved = images.save_images(g.world, g.actor, id=id, images=sent, v=frame.form_version(form))
    except Refused as error:
        form.refuse(error)
        return images_page(load(id), form, 422)
    if not saved["changed"]:
        return frame.done("NOTHING_CHANGED", to=_tab(id), tone="plain")
    return frame.done("IMAGES_SAVED", to=_tab(id))


def _sent(form: Form, image_id: str) -> dict[str, Any]:
    variant = form.value(f"variant_id-{image_id}")
    chosen = int(variant) if variant.isascii() and variant.isdigit() and len(variant) < 10 else None
    return {"image_id": int(image_id), "alt": form.value(f"alt-{image_id}"), "variant_id": chosen}


@bp.post("/<int:image_id>/remove")
def remove(id: int, image_id: int) -> Answer:
    """Take a picture away."""
    try:
        images.remove_image(g.world, g.actor, image_id=image_id, v=frame.form_version(frame.posted()))
    except Refused as error:
        return frame.refused(error, to=_tab(id))
    return frame.done("IMAGE_REMOVED", to=_tab(id))


def _tab(id: int) -> str:
    return f"/products/{id}/images"


def _answer(status: int, **fields: Any) -> Response:
    return Response(json.dumps(fields, sort_keys=True), status, mimetype="application/json")
