"""What the owner does to the accounts of staff: invite, edit, deactivate and activate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from ...kit.forms import EMAIL
from ...kit.phones import e164
from ...kit.rules import Problem, Refused
from ..keys import fill_keys
from ..messages import problem, refused
from ..models import Staff, WebSession
from ..models.choices import STAFF_ROLES
from ..regions import tidy
from . import passwords
from .base import Actor, Write, begin

if TYPE_CHECKING:
    from ...kit.world import WorldContext

Result = dict[str, Any]

FIELDS = ("name", "email", "phone", "role")
LIMITS = {"name": 80, "email": 120}
LABELS = {"name": "Name", "email": "E-mail"}


def invite(
    world: WorldContext,
    actor: Actor,
    *,
    name: str,
    email: str,
    role: str,
    phone: str | None = None,
    v: int | None = None,
) -> Result:
    """Add an account and mail its first password. Raises `Refused` with every problem (EMAIL_TAKEN names the other)."""
    with begin(world, actor, "staff.invite", Staff) as w:
        values, wrong = checked(w.db, {"name": name, "email": email, "phone": phone, "role": role})
        if wrong:
            raise Refused.of(wrong)
        word = passwords.first(world, values["email"])
        secret = passwords.hashed(world, word, values["email"])
        rest = {"active": True, "password_hash": secret, "name_key": "", "created_at": w.now}
        staff = w.add(Staff, tell={field: value for field, value in values.items() if value}, **values, **rest)
        fill_keys(staff)
        w.email(staff.email, "staff_invited", "Welcome to Fernhill Supply", _welcome(staff, word), staff)
        return {"id": staff.id, "v": staff.v}


def edit(world: WorldContext, actor: Actor, *, id: int, v: int | None = None, **fields: Any) -> Result:
    """Change name, email, phone or role; what is not given stays. An unchanged form writes nothing.

    Raises `Refused` OWN_ROLE for one's own role, LAST_OWNER where nobody would own the shop any more, `Stale`.
    """
    if unknown := sorted(set(fields) - set(FIELDS)):
        raise TypeError(f"an account has no field {unknown[0]!r}; it has {', '.join(FIELDS)}")
    with begin(world, actor, "staff.edit", Staff, id=id) as w:
        staff = w.subject
        kept = {name: getattr(staff, name) for name in FIELDS}
        values, wrong = checked(w.db, {**kept, **fields}, own_id=id)
        w.check(staff, v, {name: values[name] for name in fields})
        if not wrong and values["role"] != staff.role:
            _refuse_role(w, staff)
        if wrong:
            raise Refused.of(wrong)
        changed = w.set(staff, **values)
        if changed:
            fill_keys(staff)
        return {"id": id, "v": staff.v, "changed": changed}


def deactivate(world: WorldContext, actor: Actor, *, id: int, v: int | None = None) -> Result:
    """Keep somebody out: they can no longer sign in, and are signed out everywhere. Their orders stay theirs.

    Raises `Refused` OWN_ACCOUNT, LAST_OWNER; `Stale`.
    """
    with begin(world, actor, "staff.deactivate", Staff, id=id) as w:
        staff = w.subject
        w.check(staff, v, {"active": False})
        if staff.active:
            if staff.id == actor.id:
                raise refused("OWN_ACCOUNT")
            refuse_last_owner(w.db, staff)
        changed = w.set(staff, active=False)
        for session in _sessions(w.db, staff):
            w.db.delete(session)
        return {"id": id, "v": staff.v, "changed": changed}


def activate(world: WorldContext, actor: Actor, *, id: int, v: int | None = None) -> Result:
    """Let somebody in again, with the password they had. Raises `Stale`."""
    with begin(world, actor, "staff.activate", Staff, id=id) as w:
        w.check(w.subject, v, {"active": True})
        changed = w.set(w.subject, active=True)
        return {"id": id, "v": w.subject.v, "changed": changed}


def refuse_last_owner(db: Session, staff: Staff) -> None:
    """Raise `Refused` LAST_OWNER where this is the only active owner."""
    owners = db.scalar(select(func.count(Staff.id)).where(Staff.role == "owner", Staff.active, Staff.id != staff.id))
    if staff.role == "owner" and not owners:
        raise refused("LAST_OWNER", name=staff.name)


def checked(
    db: Session, fields: Mapping[str, Any], *, own_id: int | None = None
) -> tuple[dict[str, Any], list[Problem]]:
    """The columns that the fields of an account become, and all that is wrong with them, in the order of the form."""
    text = {name: tidy(fields.get(name)) for name in LIMITS}
    text["email"] = text["email"].lower()
    wrong = [problem("REQUIRED", name, label=LABELS[name]) for name in LIMITS if not text[name]]
    wrong += [
        problem("TOO_LONG", name, label=LABELS[name], most=most)
        for name, most in LIMITS.items()
        if len(text[name]) > most
    ]
    wrong += _email(db, text["email"], own_id) if text["email"] else []
    phone, phone_wrong = _phone(fields.get("phone"))
    values: dict[str, Any] = {**text, "phone": phone}
    if "role" in fields:
        values["role"] = fields["role"]
        if fields["role"] not in STAFF_ROLES:
            phone_wrong.append(problem("NOT_A_CHOICE", "role", label="a role"))
    return values, wrong + phone_wrong


def _refuse_role(w: Write[Staff], staff: Staff) -> None:
    if staff.id == w.actor.id:
        raise refused("OWN_ROLE", "role")
    if staff.active:
        refuse_last_owner(w.db, staff)


def _email(db: Session, email: str, own_id: int | None) -> list[Problem]:
    if not EMAIL.match(email):
        return [problem("EMAIL_FORMAT", "email")]
    other = db.scalars(select(Staff).where(Staff.email == email, Staff.id != (own_id or 0))).first()
    return [problem("EMAIL_TAKEN", "email", email=email, other=other.name)] if other is not None else []


def _phone(typed: Any) -> tuple[str | None, list[Problem]]:
    text = tidy(typed)
    if not text:
        return None, []
    try:
        return e164(text, "US"), []
    except ValueError:
        return text, [problem("PHONE_FORMAT", "phone")]


def _sessions(db: Session, staff: Staff) -> list[WebSession]:
    own = select(WebSession).where(WebSession.principal == "staff", WebSession.principal_id == staff.id)
    return list(db.scalars(own.order_by(WebSession.id)))


def _welcome(staff: Staff, word: str) -> str:
    return (
        f"Hello {staff.name},\n\nyou can now sign in to the back office with {staff.email} and the password {word}\n"
        "Please choose one of your own under Profile.\n\nFernhill Supply"
    )


USE_CASES: Mapping[str, Callable[..., Result]] = {
    "staff.invite": invite,
    "staff.edit": edit,
    "staff.deactivate": deactivate,
    "staff.activate": activate,
}
"""The use cases of this module by name."""
