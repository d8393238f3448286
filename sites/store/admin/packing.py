"""Packing slips: what of each chosen order is still to be put into parcels, an order a sheet, made to be printed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from flask import Response
from sqlalchemy import select
from sqlalchemy.orm import selectinload
from werkzeug.wrappers import Response as Answer

from ...kit.rules import NotFound
from ..messages import say
from ..models import Order, OrderAddress, OrderItem
from ..services.base import words
from ..services.ledger import left_in_order
from . import blueprint, frame, grids, orders_grid, orders_view

bp = blueprint("packing", __name__, url_prefix="/orders")


@dataclass(frozen=True, kw_only=True)
class Slip:
    """One sheet: the order, where it goes, and the lines with the units to pack."""

    order: Order
    address: OrderAddress | None
    lines: list[tuple[OrderItem, int]]


@bp.get("/<number>/packing-slip")
def one(number: str) -> Response:
    """The slip of one order."""
    slips = slips_of([number])
    if not slips:
        raise NotFound(say("NOT_FOUND", what=f"Order {number}"))
    return sheets(slips)


@bp.get("/packing-slips")
def many() -> Answer:
    """The slips of the orders chosen in the list, by number."""
    slips = slips_of([row.number for row in grids.chosen(orders_grid.ORDERS)])
    if not slips:
        raise NotFound(say("NOT_FOUND", what="An order to print a packing slip for"))
    return sheets(slips)


def slips_of(numbers: Collection[str]) -> list[Slip]:
    """The slips of orders, by number."""
    wanted = select(Order).where(Order.number.in_(numbers)).order_by(Order.number, Order.id)
    orders = frame.db().scalars(wanted.options(selectinload(Order.items), selectinload(Order.addresses)))
    return [_slip(order) for order in orders]


def sheets(slips: list[Slip]) -> Response:
    """Render the sheets."""
    extra = {"numbers": [slip.order.number for slip in slips]}
    return frame.page("admin/order/packing_slips.html", slips=slips, place=orders_view.place, words=words, extra=extra)


def _slip(order: Order) -> Slip:
    address = next((address for address in order.addresses if address.kind == "shipping"), None)
    lines = [(item, left_in_order(item)) for item in order.items if left_in_order(item) > 0]
    return Slip(order=order, address=address, lines=lines)
