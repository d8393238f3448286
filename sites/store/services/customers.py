"""What staff do to a customer's account: create it, edit its profile, block and unblock it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from ...kit.forms import EMAIL
from ...kit.phones import e164
from ...kit.rules import Problem, Refused
from ..keys import fill_keys
from ..labels import CUSTOMER_STATUS
from ..messages import problem, refused
from ..models import Address, Customer, CustomerGroup, CustomerTag, Tag
from ..regions import tidy
from .base import Actor, begin, deny, find
from .permissions import allowed

if TYPE_CHECKING:
    from ...kit.world import WorldContext

Result = dict[str, Any]

NEEDS = {
    "first_name": "customers.edit",
    "last_name": "customers.edit",
    "email": "customers.edit",
    "group": "customers.group",
    "phone": "customers.contact",
    "note": "customers.contact",
}
"""Which permission a change of each field needs; the keys are the fields of a profile, in the order of the form."""

LABELS = {"first_name": "First name", "last_name": "Last name", "email": "E-mail", "group": "Group", "note": "Note"}
LIMITS = {"first_name": 60, "last_name": 60, "email": 120, "note": 1000}
FINAL = ("merged", "erased")


def create(world: WorldContext, actor: Actor, **fields: Any) -> Result:
    """Add an account: first_name, last_name, email, and if wanted phone, group (a code, else general) and note.

    Raises `Refused` with every problem at once; EMAIL_TAKEN names the other account.
    """
    _known(fields)
    with begin(world, actor, "customers.create", Customer) as w:
        values, wrong = checked(w.db, {"group": "general", **fields}, country="US")
        if wrong:
            raise Refused.of(wrong)
        keys = {"name_key": "", "last_name_key": "", "search_key": ""}
        rest = {"status": "active", "password_hash": "", "created_at": w.now, **keys}
        told = {name: value for name, value in values.items() if value}
        customer = w.add(Customer, tell=told, **values, **rest)
        fill_keys(customer)
        return {"id": customer.id, "v": customer.v}


def edit(world: WorldContext, actor: Actor, *, id: int, v: int | None = None, **fields: Any) -> Result:
    """Change fields of a profile; those that are not given, or given as they are, stay. `v` is the version edited.

    Needs a permission per field that changes: a clerk may write phone and note. An unchanged form writes nothing.
    Raises `Refused` (CUSTOMER_FINAL, EMAIL_TAKEN, PHONE_FORMAT …), `Stale`, `Forbidden`.
    """
    _known(fields)
    with begin(world, actor, _needed(world, actor, id, fields), Customer, id=id) as w:
        customer = w.subject
        w.use_case = "customers.edit"  # the audit names what was done, not which permission allowed it
        kept = {**profile(w.db, customer), **fields}
        values, wrong = checked(w.db, kept, country=country_of(w.db, customer), own_id=id)
        w.check(customer, v, {name: values[name] for name in fields if name != "group"})
        refuse_final(customer)
        if wrong:
            raise Refused.of(wrong)
        changed = w.set(customer, **values)
        if changed:
            fill_keys(customer)
        return {"id": id, "v": customer.v, "changed": changed}


def block(world: WorldContext, actor: Actor, *, id: int, v: int | None = None) -> Result:
    """Keep a customer from signing in and buying. Raises `Refused` CUSTOMER_FINAL."""
    return _switch(world, actor, "customers.block", id, v, "blocked")


def unblock(world: WorldContext, actor: Actor, *, id: int, v: int | None = None) -> Result:
    """Let a blocked customer in again. Raises `Refused` CUSTOMER_FINAL."""
    return _switch(world, actor, "customers.unblock", id, v, "active")


def _switch(world: WorldContext, actor: Actor, use_case: str, id: int, v: int | None, status: str) -> Result:
    with begin(world, actor, use_case, Customer, id=id) as w:
        w.check(w.subject, v, {"status": status})
        refuse_final(w.subject)
        changed = w.set(w.subject, status=status)
        return {"id": id, "v": w.subject.v, "changed": changed}


def tag(
    world: WorldContext,
    actor: Actor,
    *,
    id: int,
    add: Iterable[str] = (),
    remove: Iterable[str] = (),
    v: int | None = None,
) -> Result:
    """Put tags of the shop on a customer or take them off, by name. Raises `Refused` NOT_A_CHOICE, CUSTOMER_FINAL."""
    with begin(world, actor, "customers.tag", Customer, id=id) as w:
        customer = w.subject
        w.check(customer, v)
        refuse_final(customer)
        before = tags_of(w.db, customer)
        wanted = sorted((set(before) | set(add)) - set(remove))
        ids = {tag.name: tag.id for tag in w.db.scalars(select(Tag).order_by(Tag.id))}
        if not {*add, *remove} <= set(ids):
            raise refused("NOT_A_CHOICE", "tags", label="tags")
        for name in sorted(set(wanted) - set(before)):
            w.add(CustomerTag, customer_id=id, tag_id=ids[name])
        for name in sorted(set(before) - set(wanted)):
            w.db.delete(w.db.scalars(select(CustomerTag).filter_by(customer_id=id, tag_id=ids[name])).one())
        if wanted != before:
            w.bump(customer)
            w.note(customer, [{"field": "tags", "old": before, "new": wanted}])
        return {"id": id, "v": customer.v, "changed": wanted != before}


def tags_of(db: Session, customer: Customer) -> list[str]:
    """The names of a customer's tags, sorted."""
    names = select(Tag.name).join(CustomerTag, CustomerTag.tag_id == Tag.id)
    return sorted(db.scalars(names.where(CustomerTag.customer_id == customer.id)))


def full_name(customer: Customer) -> str:
    """The name as people read it."""
    return f"{customer.first_name} {customer.last_name}".strip()


def refuse_final(customer: Customer) -> None:
    """Raise `Refused` CUSTOMER_FINAL for an account that was merged or erased."""
    if customer.status in FINAL:
        status = CUSTOMER_STATUS[customer.status].lower()
        raise refused("CUSTOMER_FINAL", name=full_name(customer), status=status)


def profile(db: Session, customer: Customer) -> dict[str, Any]:
    """The fields of a profile as they are stored, the group as its code."""
    group = db.get_one(CustomerGroup, customer.group_id)
    own = {name: getattr(customer, name) or "" for name in NEEDS if name != "group"}
    return {**own, "group": group.code}


def checked(
    db: Session, fields: Mapping[str, Any], *, country: str, own_id: int | None = None
) -> tuple[dict[str, Any], list[Problem]]:
    """The columns that profile fields become, and all that is wrong with them, in the order of the form."""
    text = {name: tidy(fields.get(name)) for name in ("first_name", "last_name", "email")}
    text["email"] = text["email"].lower()
    text["note"] = str(fields.get("note") or "").replace("\r\n", "\n").strip()
    wrong = [problem("REQUIRED", name, label=LABELS[name]) for name in ("first_name", "last_name") if not text[name]]
    wrong += [
        problem("TOO_LONG", name, label=LABELS[name], most=most)
        for name, most in LIMITS.items()
        if len(text[name]) > most
    ]
    wrong += _email(db, text["email"], own_id)
    phone, phone_wrong = _phone(fields.get("phone"), country)
    group_id, group_wrong = _group(db, fields.get("group"))
    return {**text, "phone": phone, "group_id": group_id}, wrong + phone_wrong + group_wrong


def country_of(db: Session, customer: Customer) -> str:
    """The country whose way of writing phone numbers is meant: that of the default shipping address, else the US."""
    address = db.get(Address, customer.default_shipping_id) if customer.default_shipping_id else None
    return str(address.country) if address else "US"


def _email(db: Session, email: str, own_id: int | None) -> list[Problem]:
    if not email:
        return [problem("REQUIRED", "email", label=LABELS["email"])]
    if not EMAIL.match(email):
        return [problem("EMAIL_FORMAT", "email")]
    other = db.scalars(select(Customer).where(Customer.email == email, Customer.id != (own_id or 0))).first()
    if other is None:
        return []
    return [problem("EMAIL_TAKEN", "email", email=email, other=f"{full_name(other)} (customer {other.id})")]


def _phone(typed: Any, country: str) -> tuple[str | None, list[Problem]]:
    text = tidy(typed)
    if not text:
        return None, []
    try:
        return e164(text, country), []
    except ValueError:
        return text, [problem("PHONE_FORMAT", "phone")]


def _group(db: Session, code: Any) -> tuple[int | None, list[Problem]]:
    group_id = db.scalar(select(CustomerGroup.id).where(CustomerGroup.code == str(code)))
    return group_id, [] if group_id else [problem("NOT_A_CHOICE", "group", label="a group")]


def _needed(world: WorldContext, actor: Actor, id: int, fields: Mapping[str, Any]) -> str:
    """The permission that decides this edit: the first missing one of the fields that differ, else any of them."""
    with world.read() as db:
        customer = find(db, Customer, id=id)
        stored = profile(db, customer)
        typed = {**stored, **fields}
        values, _ = checked(db, typed, country=country_of(db, customer), own_id=id)
        group = typed["group"] != stored["group"]
        differ = [name for name in NEEDS if (group if name == "group" else _differs(values[name], stored[name]))]
    needs = [NEEDS[name] for name in differ] or ["customers.contact"]
    missing = [need for need in needs if actor.kind == "staff" and not allowed(actor.role, need)]
    if missing:
        deny(world, actor, missing[0], Customer, id=id)
    return needs[0]


def _differs(value: Any, stored: Any) -> bool:
    return (value or "") != (stored or "")


def _known(fields: Mapping[str, Any]) -> None:
    """Raise `TypeError` for a field that a profile does not have."""
    if unknown := sorted(set(fields) - set(NEEDS)):
        raise TypeError(f"a customer has no field {unknown[0]!r}; it has {', '.join(NEEDS)}")
