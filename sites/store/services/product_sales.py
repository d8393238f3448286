"""Sales of whole products: every variant so much off between two days, or back to its usual price."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from ..messages import refused
from ..models import Product, Variant
from .base import Actor, Write, find
from .prices import change_prices

if TYPE_CHECKING:
    from ...kit.world import WorldContext

Result = dict[str, Any]


def put_on_sale(
    world: WorldContext,
    actor: Actor,
    *,
    id: int,
    percent: int | None,
    sale_from: str | None = None,
    sale_to: str | None = None,
    v: int | None = None,
) -> Result:
    """Give every variant of a product a sale price `percent` basis points below its price; dates None are open.

    All variants or none. Raises `Refused` as `variants.change_prices` does, and NO_VARIANTS.
    """
    return _change(world, actor, id, v, mode="sale", percent=percent, sale_from=sale_from, sale_to=sale_to)


def end_sale(world: WorldContext, actor: Actor, *, id: int, v: int | None = None) -> Result:
    """Take the sale prices off every variant of a product."""
    return _change(world, actor, id, v, mode="clear_sale")


def _change(world: WorldContext, actor: Actor, id: int, v: int | None, **change: Any) -> Result:
    with world.read() as db:
        product = find(db, Product, id=id)
        if v is not None:
            Write(db, actor, world.now(), "variants.change_prices").check(product, v)
        own = select(Variant.id).where(Variant.product_id == id)
        ids = list(db.scalars(own.order_by(Variant.position, Variant.id)))
        name = product.name
    if not ids:
        raise refused("NO_VARIANTS", name=name)
    done = change_prices(world, actor, ids=ids, **change)
    return {"id": id, "changed": bool(done["changed"]), "count": done["count"]}


USE_CASES: Mapping[str, Callable[..., Any]] = {
    "products.put_on_sale": put_on_sale,
    "products.end_sale": end_sale,
}
