"""The billing and shipping address of an order: edited until the first shipment, never re-taxed (R8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, exists, select

from ...kit.rules import Refused
from ..keys import fill_keys
from ..messages import refused
from ..models import Order, OrderAddress, Shipment
from ..regions import LABELS, check_address
from .base import Actor, begin
from .ledger import event

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from ...kit.world import WorldContext


def edit_address(
    world: WorldContext, actor: Actor, *, number: str, kind: str = "shipping", v: int | None = None, **fields: Any
) -> dict[str, Any]:
    """Change one address of an order; fields that are not given keep their value. `v` is the address's version.

    Nothing is written where nothing differs. Raises `Refused` ORDER_SHIPPED, or one problem per wrong field.
    """
    if unknown := sorted(set(fields) - set(LABELS)):
        raise TypeError(f"an address has no field {unknown[0]!r}; it has {', '.join(LABELS)}")
    with begin(world, actor, "orders.edit_address", Order, number=number) as w:
        order = w.subject
        address = address_of(w.db, order, kind)
        values, wrong = check_address({name: fields.get(name, getattr(address, name)) for name in LABELS})
        w.check(address, v, fields if wrong else values)
        refuse_edit(w.db, order)
        if wrong:
            raise Refused.of(wrong)
        changed = w.set(address, **values)
        if changed:
            fill_keys(address)
            w.bump(order)
            event(w, order, "system", f"{kind.capitalize()} address changed")
        return {"number": order.number, "kind": kind, "v": address.v, "changed": changed}


def address_of(db: Session, order: Order, kind: str) -> OrderAddress:
    """One of an order's two addresses. Raises `Refused` NOT_A_CHOICE for another kind."""
    address = db.scalars(select(OrderAddress).filter_by(order_id=order.id, kind=kind)).first()
    if address is None:
        raise refused("NOT_A_CHOICE", "kind", label="billing or shipping")
    return address


SHIPPED = select(exists().where(Shipment.order_id == bindparam("order_id")))


def refuse_edit(db: Session, order: Order) -> None:
    """Raise `Refused` ORDER_SHIPPED once anything of the order has left the house."""
    if db.scalar(SHIPPED, {"order_id": order.id}):
        raise refused("ORDER_SHIPPED")
