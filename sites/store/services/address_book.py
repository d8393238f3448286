"""A customer's address book: adding, editing, deleting entries, and which one is the default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import select

from ...kit.rules import NotFound, Refused
from ..keys import fill_keys
from ..messages import problem, refused, say
from ..models import Address, Customer
from ..regions import LABELS as FIELDS
from ..regions import check_address, tidy
from .base import Actor, Write, begin
from .customers import refuse_final

if TYPE_CHECKING:
    from ...kit.rules import Problem
    from ...kit.world import WorldContext

Result = dict[str, Any]
Kind = Literal["shipping", "billing"]

LONGEST_LABEL = 40
DEFAULTS: tuple[Kind, ...] = ("shipping", "billing")


def add_address(
    world: WorldContext,
    actor: Actor,
    *,
    id: int,
    label: str = "",
    shipping: bool = False,
    billing: bool = False,
    **fields: Any,
) -> Result:
    """Add an entry to the book of customer `id`; the first one becomes the default for both.

    `shipping` and `billing` make it the default. Raises `Refused` with every problem at once, or CUSTOMER_FINAL.
    """
    _known(fields)
    with begin(world, actor, "customers.add_address", Customer, id=id) as w:
        refuse_final(w.subject)
        values = _checked(label, fields)
        first = w.db.scalar(select(Address.id).where(Address.customer_id == id).limit(1)) is None
        told = {name: value for name, value in values.items() if value}
        address = w.add(Address, tell=told, customer_id=id, city_key="", **values)
        fill_keys(address)
        _make_default(w, address, shipping=shipping or first, billing=billing or first)
        return {"id": id, "address_id": address.id}


def edit_address(
    world: WorldContext,
    actor: Actor,
    *,
    id: int,
    address_id: int,
    v: int | None = None,
    label: str | None = None,
    shipping: bool = False,
    billing: bool = False,
    **fields: Any,
) -> Result:
    """Change an entry; fields that are not given keep their value. `v` is the entry's version.

    Raises `Refused`, `Stale`, and `NotFound` for an entry of somebody else.
    """
    _known(fields)
    with begin(world, actor, "customers.edit_address", Customer, id=id) as w:
        refuse_final(w.subject)
        address = _own(w, address_id)
        w.check(address, v, fields if label is None else {"label": label, **fields})
        kept = {name: fields.get(name, getattr(address, name)) for name in FIELDS}
        changed = w.set(address, **_checked(address.label if label is None else label, kept))
        if changed:
            fill_keys(address)
        changed = _make_default(w, address, shipping=shipping, billing=billing) or changed
        return {"id": id, "address_id": address_id, "v": address.v, "changed": changed}


def delete_address(world: WorldContext, actor: Actor, *, id: int, address_id: int, v: int | None = None) -> Result:
    """Delete an entry that is no default, or the last one. Raises `Refused` ADDRESS_IN_USE."""
    with begin(world, actor, "customers.delete_address", Customer, id=id) as w:
        refuse_final(w.subject)
        address = _own(w, address_id)
        w.check(address, v)
        defaults = (w.subject.default_shipping_id, w.subject.default_billing_id)
        others = w.db.scalar(select(Address.id).where(Address.customer_id == id, Address.id != address_id).limit(1))
        if address_id in defaults and others is not None:
            raise refused("ADDRESS_IN_USE")
        if address_id in defaults:
            w.set(w.subject, default_shipping_id=None, default_billing_id=None)
        gone = {name: getattr(address, name) for name in ("label", *FIELDS)}
        w.note(address, [{"field": name, "old": old, "new": None} for name, old in gone.items() if old])
        w.db.delete(address)
        w.db.flush()
        return {"id": id, "address_id": address_id}


def default_address(world: WorldContext, actor: Actor, *, id: int, address_id: int, kind: Kind) -> Result:
    """Make an entry the default for `shipping` or `billing`. Raises `Refused` NOT_A_CHOICE for another kind."""
    if kind not in DEFAULTS:
        raise refused("NOT_A_CHOICE", "kind", label="shipping or billing")
    with begin(world, actor, "customers.default_address", Customer, id=id) as w:
        refuse_final(w.subject)
        address = _own(w, address_id)
        changed = _make_default(w, address, shipping=kind == "shipping", billing=kind == "billing")
        return {"id": id, "address_id": address_id, "label": address.label, "changed": changed}


def _make_default(w: Write[Customer], address: Address, *, shipping: bool, billing: bool) -> bool:
    values: dict[str, Any] = {}
    if shipping:
        values["default_shipping_id"] = address.id
    if billing:
        values["default_billing_id"] = address.id
    return bool(values) and w.set(w.subject, **values)


def _own(w: Write[Customer], address_id: int) -> Address:
    address = w.db.get(Address, address_id)
    if address is None or address.customer_id != w.subject.id:
        raise NotFound(say("NOT_FOUND", what=f"Address {address_id} of this customer"))
    return address


def _checked(label: str, fields: dict[str, Any]) -> dict[str, Any]:
    """The columns of an entry. Raises `Refused` with every problem, the label's first."""
    name = tidy(label)
    wrong: list[Problem] = []
    if not name:
        wrong.append(problem("REQUIRED", "label", label="Label"))
    if len(name) > LONGEST_LABEL:
        wrong.append(problem("TOO_LONG", "label", label="Label", most=LONGEST_LABEL))
    values, more = check_address(fields)
    if wrong or more:
        raise Refused.of(wrong + more)
    return {"label": name, **values}


def _known(fields: dict[str, Any]) -> None:
    """Raise `TypeError` for a field that an address does not have."""
    if unknown := sorted(set(fields) - set(FIELDS)):
        raise TypeError(f"an address has no field {unknown[0]!r}; it has {', '.join(FIELDS)}")
