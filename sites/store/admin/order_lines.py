"""What the pages that work on an order's lines share: the lines as rows with a quantity, and reading quantities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Response, g
from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload, selectinload

from ...kit.forms import Form
from ...kit.rules import NotFound, Refused
from .. import services
from ..messages import say
from ..models import Order, OrderItem
from ..services.base import words
from . import orders_view
from .frame import form_version, page

MOST = 99_999
"""No quantity is larger; what a line allows is told by the services."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A line of an order on such a page: how many units it may take, and how many it starts with."""

    item: OrderItem
    called: str
    """What its controls are named after: the SKU, with the line's position where a SKU occurs twice."""
    most: int
    units: int
    more: Mapping[str, int]
    """Further figures of the page's own."""

    @property
    def field(self) -> str:
        """The name of its quantity in the form."""
        return f"qty_{self.item.id}"


def load(db: Session, number: str) -> Order:
    """An order with its lines. Raises `NotFound`."""
    together = joinedload(Order.customer), selectinload(Order.items)
    order = db.scalars(select(Order).filter_by(number=number).options(*together)).first()
    if order is None:
        raise NotFound(say("NOT_FOUND", what=f"Order {number}"))
    return order


def rows_of(
    items: Sequence[OrderItem],
    most: Callable[[OrderItem], int],
    start: Callable[[OrderItem], int] | None = None,
    **more: Callable[[OrderItem], int],
) -> list[Row]:
    """The lines as rows; `start` gives the units they begin with (else the most there are)."""
    times = Counter(item.sku for item in items)
    return [
        Row(
            item=item,
            called=item.sku if times[item.sku] == 1 else f"{item.sku} (line {position})",
            most=most(item),
            units=(start or most)(item),
            more={name: figure(item) for name, figure in more.items()},
        )
        for position, item in enumerate(items, 1)
    ]


def quantities(form: Form, *, required: bool = False) -> dict[int, int]:
    """The units typed beside each line, by order item id; nothing is 0. Raises `Refused` for what is no number."""
    names = [name for name in (form.typed or {}) if name.startswith("qty_") and name[4:].isdigit()]
    found = {int(name[4:]): form.whole(name, "Quantity", most=MOST, required=required) or 0 for name in names}
    form.check()
    return found


def run(use_case: str, form: Form, **fields: Any) -> dict[str, Any]:
    """Run a use case for the person signed in, with the version that the form was made from."""
    return dict(services.USE_CASES[use_case](g.world, g.actor, v=form_version(form), **fields))


def blocked(check: Callable[[], object]) -> str:
    """Why something cannot be done: the message of the refusal, or nothing."""
    try:
        check()
    except Refused as refusal:
        return refusal.message
    return ""


def action_page(template: str, order: Order, form: Form, status: int = 200, **context: Any) -> Response:
    """Render one of these pages."""
    facts: dict[str, Any] = {"place": orders_view.place, "words": words}
    return page(f"admin/order/{template}.html", status=status, order=order, form=form, **facts, **context)
