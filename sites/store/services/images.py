"""Pictures of products: adding and describing them, their order (the first is the main one), and taking them away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from ...kit.rules import NotFound, Problem, Refused
from ..messages import refused, say
from ..models import Banner, File, Product, ProductImage, Variant
from ..regions import tidy
from .base import Actor, Write, begin, deny, find
from .permissions import allowed
from .picture_files import decoded

if TYPE_CHECKING:
    from ...kit.world import WorldContext

Result = dict[str, Any]

LONGEST_ALT = 200


def add_image(
    world: WorldContext,
    actor: Actor,
    *,
    id: int,
    filename: str,
    data_base64: str,
    mime: str = "",
    alt: str = "",
    variant_id: int | None = None,
    v: int | None = None,
) -> Result:
    """Put a picture behind those of product `id`. Its type is told by its content, whatever `mime` claims.

    Raises `Refused` FILE_TYPE, FILE_SIZE, FILE_BROKEN, IMAGE_SIDES, TOO_LONG, NOT_A_CHOICE (the variant).
    """
    picture = decoded(filename, data_base64)
    with begin(world, actor, "products.add_image", Product, id=id) as w:
        w.check(w.subject, v)
        values: dict[str, Any] = {"alt": _alt(alt), "variant_id": _variant(w.db, w.subject, variant_id)}
        file = w.add(File, name=picture.name, mime=picture.mime, bytes=len(picture.data), sha256=picture.sha256,
                     data=picture.data, uploaded_by=w.staff_id, created_at=w.now)  # fmt: skip
        place = len(images_of(w.db, w.subject)) + 1
        image = w.add(ProductImage, product_id=id, file_id=file.id, position=place, **values)
        w.bump(w.subject)
        w.note(w.subject, [{"field": "picture", "old": None, "new": picture.name}])
        return {"id": id, "image_id": image.id, "file_id": file.id, "v": w.subject.v}


def edit_image(world: WorldContext, actor: Actor, *, image_id: int, v: int | None = None, **fields: Any) -> Result:
    """Change what a picture says: `alt`, the text for those who cannot see it, and `variant_id` (None: every variant).

    `v` is the product's. Raises `Refused` TOO_LONG, NOT_A_CHOICE.
    """
    if unknown := sorted(set(fields) - {"alt", "variant_id"}):
        raise TypeError(f"a picture has no field {unknown[0]!r}; it has alt, variant_id")
    with begin(world, actor, "products.edit_image", Product, id=_product_id(world, image_id)) as w:
        w.check(w.subject, v)
        image = w.db.get_one(ProductImage, image_id)
        values: dict[str, Any] = {"alt": _alt(fields["alt"])} if "alt" in fields else {}
        if "variant_id" in fields:
            values["variant_id"] = _variant(w.db, w.subject, fields["variant_id"])
        changed = _describe(w, image, values)
        return {**_result(w), "image_id": image_id, "changed": changed}


def order_images(
    world: WorldContext, actor: Actor, *, id: int, image_ids: Iterable[int], v: int | None = None
) -> Result:
    """Put the pictures of a product in this order; the first is the main one. Raises `Refused` IMAGE_ORDER."""
    with begin(world, actor, "products.order_images", Product, id=id) as w:
        w.check(w.subject, v)
        return {**_result(w), "changed": _arrange(w, list(image_ids))}


def save_images(
    world: WorldContext,
    actor: Actor,
    *,
    id: int,
    images: Sequence[Mapping[str, Any]],
    v: int | None = None,
) -> Result:
    """All that the Images tab holds, in one write: the pictures in their order, each `image_id`, `alt`, `variant_id`.

    Needs the permission of each part that changes. Raises `Refused` with a problem per wrong field (`alt-7`).
    """
    order = [int(each["image_id"]) for each in images]
    with begin(world, actor, _needed(world, actor, id, order), Product, id=id) as w:
        w.check(w.subject, v)
        values, wrong = {}, []
        for each in images:
            values[int(each["image_id"])], problems = _described(w.db, w.subject, each)
            wrong += problems
        if wrong:
            raise Refused.of(wrong)
        changed = _arrange(w, order)
        for image in images_of(w.db, w.subject):
            changed |= _describe(w, image, values[image.id])
        return {**_result(w), "changed": changed}


def _describe(w: Write[Product], image: ProductImage, values: Mapping[str, Any]) -> bool:
    """Set what a picture says; the audit log tells it by the name of its file, and variants by their SKU."""
    name, before = name_of(w.db, image), {field: getattr(image, field) for field in values}
    if not w.set(image, tell=False, **values):
        return False
    changes = []
    if "alt" in values and values["alt"] != before["alt"]:
        changes.append({"field": f"text of {name}", "old": before["alt"], "new": values["alt"]})
    if "variant_id" in values and values["variant_id"] != before["variant_id"]:
        old, new = (_sku(w.db, id) for id in (before["variant_id"], values["variant_id"]))
        changes.append({"field": f"variant on {name}", "old": old, "new": new})
    w.note(w.subject, changes)
    w.bump(w.subject)
    return True


def _sku(db: Session, variant_id: int | None) -> str:
    return str(db.get_one(Variant, variant_id).sku) if variant_id else "all"


def _needed(world: WorldContext, actor: Actor, id: int, order: list[int]) -> str:
    """The permission that a save of pictures needs besides describing them: arranging, where the order differs."""
    with world.read() as db:
        moved = order != [image.id for image in images_of(db, find(db, Product, id=id))]
    needs = ("products.order_images",) if moved else ("products.edit_image",)
    for need in needs:
        if actor.kind == "staff" and not allowed(actor.role, need):
            deny(world, actor, need, Product, id=id)
    return needs[0]


def _arrange(w: Write[Product], order: list[int]) -> bool:
    """Put the pictures into an order; True where it differs from before."""
    images = {image.id: image for image in images_of(w.db, w.subject)}
    if sorted(order) != sorted(images):
        raise refused("IMAGE_ORDER", "images")
    if order == list(images):
        return False
    before, after = _names(w.db, images.values()), _names(w.db, [images[each] for each in order])
    w.note(w.subject, [{"field": "pictures", "old": before, "new": after}])
    _place([images[each] for each in order])
    w.bump(w.subject)
    return True


def _described(db: Session, product: Product, given: Mapping[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """What is to be said of one picture, and what is wrong with it."""
    try:
        return {"alt": _alt(given.get("alt", "")), "variant_id": _variant(db, product, given.get("variant_id"))}, []
    except Refused as error:
        return {}, [replace(each, field=f"{each.field}-{given['image_id']}") for each in error.problems]


def remove_image(world: WorldContext, actor: Actor, *, image_id: int, v: int | None = None) -> Result:
    """Take a picture away; its file goes too where nothing else shows it."""
    with begin(world, actor, "products.remove_image", Product, id=_product_id(world, image_id)) as w:
        w.check(w.subject, v)
        image = w.db.get_one(ProductImage, image_id)
        w.note(w.subject, [{"field": "picture", "old": name_of(w.db, image), "new": None}])
        drop_image(w.db, image)
        _place(images_of(w.db, w.subject))
        w.bump(w.subject)
        return _result(w)


def images_of(db: Session, product: Product) -> list[ProductImage]:
    """The pictures of a product in their order."""
    own = select(ProductImage).where(ProductImage.product_id == product.id)
    return list(db.scalars(own.order_by(ProductImage.position, ProductImage.id)))


def drop_image(db: Session, image: ProductImage) -> None:
    """Delete a picture, and its file where nothing else shows it."""
    file_id = image.file_id
    db.delete(image)
    db.flush()
    others = (select(ProductImage.id).where(ProductImage.file_id == file_id),
              select(Banner.id).where(Banner.file_id == file_id))  # fmt: skip
    if all(db.scalars(other.limit(1)).first() is None for other in others):
        db.delete(db.get_one(File, file_id))
        db.flush()


def name_of(db: Session, image: ProductImage) -> str:
    """The name of a picture's file."""
    return str(db.get_one(File, image.file_id).name)


def _names(db: Session, images: Iterable[ProductImage]) -> list[str]:
    return [name_of(db, image) for image in images]


def _place(images: Iterable[ProductImage]) -> None:
    """Number pictures 1..n (R19)."""
    for place, image in enumerate(images, 1):
        if image.position != place:
            image.position = place


def _product_id(world: WorldContext, image_id: int) -> int:
    with world.read() as db:
        image = db.get(ProductImage, image_id)
        if image is None:
            raise NotFound(say("NOT_FOUND", what=f"Picture {image_id}"))
        return int(image.product_id)


def _alt(text: str) -> str:
    alt = tidy(text)
    if len(alt) > LONGEST_ALT:
        raise refused("TOO_LONG", "alt", label="The alternative text", most=LONGEST_ALT)
    return alt


def _variant(db: Session, product: Product, variant_id: int | None) -> int | None:
    if variant_id is None:
        return None
    variant = db.get(Variant, variant_id)
    if variant is None or variant.product_id != product.id:
        raise refused("NOT_A_CHOICE", "variant_id", label="a variant of the product")
    return variant_id


def _result(w: Write[Product]) -> Result:
    return {"id": w.subject.id, "v": w.subject.v}


USE_CASES: Mapping[str, Callable[..., Any]] = {
    "products.add_image": add_image,
    "products.edit_image": edit_image,
    "products.order_images": order_images,
    "products.remove_image": remove_image,
    "products.save_images": save_images,
}
