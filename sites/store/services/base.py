"""The frame of every use case: who acts, the permission, the lock, and the audit rows that a write leaves.

A use case is one function `fn(world, actor, **fields)` that runs inside `with begin(...) as w`. What it changes through
`w.set` and `w.add` is collected and written to the audit log when the block ends: one row per entity, nothing where
nothing changed. What it refuses is raised as `Refused`, and the transaction rolls back.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from ...kit.ids import next_id
from ...kit.rules import Conflict, FieldConflict, Forbidden, NotFound, Stale
from ..messages import say
from ..models import AuditRow, Notification, OutboxEmail, Staff
from .permissions import PERMISSIONS, allowed

if TYPE_CHECKING:
    from ...kit.world import WorldContext

M = TypeVar("M")
N = TypeVar("N")

ENTITIES = {
    "orders": "order",
    "invoices": "invoice",
    "shipments": "shipment",
    "refunds": "refund",
    "returns": "return",
    "customers": "customer",
    "addresses": "address",
    "reviews": "review",
    "staff": "staff",
    "products": "product",
    "variants": "variant",
    "brands": "brand",
    "categories": "category",
    "option_types": "option",
    "option_values": "option_value",
}
"""Tables whose rows are entities of their own in the audit log; other rows are told as part of their subject."""

UNAUDITED = frozenset({"v", "updated_at"})


@dataclass(frozen=True)
class Actor:
    """Who acts: a member of staff (with a role), a customer, or the system itself (no id)."""

    kind: Literal["staff", "customer", "system"]
    id: int | None
    role: str | None = None
    name: str = ""


def actor_for(world: WorldContext, role: str) -> Actor:
    """The first active member of staff with this role. Raises `NotFound` where the shop has none."""
    with world.read() as db:
        staff = db.scalars(select(Staff).where(Staff.role == role, Staff.active).order_by(Staff.id).limit(1)).first()
        if staff is None:
            raise NotFound(say("NOT_FOUND", what=f"An active member of staff with the role {role}"))
        return Actor("staff", staff.id, staff.role, staff.name)


class Write(Generic[M]):
    """One use case's transaction: the session, the instant, and the helpers that keep rule R17."""

    def __init__(self, db: Session, actor: Actor, now: str, use_case: str) -> None:
        self.db = db
        self.actor = actor
        self.now = now
        self.use_case = use_case
        self.rings = False
        self.subject: M = None  # type: ignore[assignment]  # until `begin` or the use case names it
        self._changes: dict[tuple[str, int], list[dict[str, Any]]] = {}
        self._bumped: dict[int, Any] = {}  # keeps the rows alive: the session does not, and an id may come again

    @property
    def staff_id(self) -> int | None:
        """The member of staff to put on events; None for customers and the system."""
        return self.actor.id if self.actor.kind == "staff" else None

    def set(self, row: Any, *, tell: bool = True, **values: Any) -> bool:
        """Assign columns; True where anything differed (a text written with other code points alone does not).

        The version rises once a use case. `tell=False` keeps the change out of the audit (stock has its own ledger).
        """
        changes = [
            {"field": name, "old": getattr(row, name), "new": value}
            for name, value in values.items()
            if not reads_the_same(getattr(row, name), value)
        ]
        for change in changes:
            setattr(row, change["field"], change["new"])
        if changes:
            self.bump(row)
        if tell:
            self.note(row, [change for change in changes if change["field"] not in UNAUDITED])
        return bool(changes)

    def add(self, model: type[N], *, tell: Mapping[str, Any] | None = None, **values: Any) -> N:
        """Insert a row with the next id of its table; `tell` is what the audit says of it, as field → value."""
        if "id" in model.__table__.columns:  # type: ignore[attr-defined]
            values = {"id": next_id(self.db, model), **values}
        row = model(**values)
        self.db.add(row)
        self.db.flush()
        if tell:
            self.note(row, [{"field": name, "old": None, "new": value} for name, value in tell.items()])
        return row

    def bump(self, row: Any) -> None:
        """Raise the version of a row and stamp its time of change, once a use case."""
        if id(row) in self._bumped:
            return
        self._bumped[id(row)] = row
        columns = row.__table__.columns
        if "v" in columns:
            row.v += 1
        if "updated_at" in columns:
            row.updated_at = self.now

    def note(self, row: Any, changes: list[dict[str, Any]]) -> None:
        """Collect changes for the audit row of the entity that `row` is or belongs to."""
        if not changes:
            return
        owner: Any = row if row.__tablename__ in ENTITIES else self.subject
        if owner is not row:
            label = label_of(row)
            changes = [{**change, "field": f"{label} {change['field']}"} for change in changes]
        key = (entity_of(owner), owner.id)
        self._changes.setdefault(key, []).extend(changes)

    def check(self, row: Any, v: int | None, mine: Mapping[str, Any] | None = None) -> None:
        """Refuse with `Stale` where `row` has moved on since version `v` was read; None checks nothing."""
        if v is not None and row.v != v:
            owner: Any = row if row.__tablename__ in ENTITIES else self.subject
            raise stale(self.db, row, mine or {}, owner)

    def email(self, to: str, template: str, subject: str, body: str, about: Any) -> None:
        """Put a mail into the outbox."""
        self.add(
            OutboxEmail,
            to_email=to,
            subject=subject,
            body=body,
            template=template,
            entity=entity_of(about),
            entity_id=about.id,
            created_at=self.now,
        )

    def notify(self, staff_id: int | None, kind: str, about: Any, text: str) -> None:
        """Ring the bell of one member of staff, or of everybody (None)."""
        self.rings = True
        self.add(
            Notification,
            staff_id=staff_id,
            kind=kind,
            entity=entity_of(about),
            entity_id=about.id,
            text=text,
            created_at=self.now,
        )

    def finish(self) -> None:
        """Write the collected audit rows; one per entity, in the order in which they were touched."""
        for (entity, entity_id), changes in self._changes.items():
            audit(self.db, self.actor, self.now, self.use_case, entity, entity_id, changes)


def reads_the_same(old: object, new: object) -> bool:
    """Whether two values are one to a person: equal, or texts that Unicode calls canonically equivalent.

    A form sends back what a browser makes of a stored text, and saving it unchanged must write nothing (R17).
    """
    if old == new or not isinstance(old, str) or not isinstance(new, str):
        return old == new
    return unicodedata.normalize("NFC", old) == unicodedata.normalize("NFC", new)


@contextmanager
def begin(world: WorldContext, actor: Actor, use_case: str, model: type[M], **key: object) -> Iterator[Write[M]]:
    """Open the transaction of a use case on the one record that `key` names, for an actor who may run it.

    `with begin(world, actor, "orders.cancel", Order, number="100123") as w:` gives the order as `w.subject`; without a
    key there is no subject yet (the use case makes a record, and sets it). Raises `NotFound`, or `Forbidden` after an
    audit row `denied` that names the use case (R18).
    """
    if actor.kind == "staff" and not allowed(actor.role, use_case):
        deny(world, actor, use_case, model, **key)
    with world.write() as db:
        write: Write[M] = Write(db, actor, world.now(), use_case)
        if key:
            write.subject = find(db, model, **key)
        yield write
        write.finish()
        if write.rings:
            world.ring()


def find(db: Session, model: type[M], **key: object) -> M:
    """The one record with these column values. Raises `NotFound` with a sentence that names what was asked for."""
    row = db.scalars(select(model).filter_by(**key)).first()
    if row is None:
        entity = words(entity_of(model))
        raise NotFound(say("NOT_FOUND", what=f"{entity} {' '.join(str(value) for value in key.values())}"))
    return row


def deny(world: WorldContext, actor: Actor, use_case: str, model: type[M], **key: object) -> None:
    """Record a denied write and raise `Forbidden`; `NotFound` where there is no such record to be denied."""
    with world.write() as db:
        entity_id = find(db, model, **key).id if key else 0  # type: ignore[attr-defined]
        change = {"field": "action", "old": None, "new": use_case}
        audit(db, actor, world.now(), "denied", entity_of(model), entity_id, [change])
    raise Forbidden(say("FORBIDDEN", doing=PERMISSIONS[use_case].doing), action=use_case)


def entity_of(row_or_model: Any) -> str:
    """The name of a record's kind in the audit log, mails and notifications: the table's, in the singular."""
    table = str(row_or_model.__tablename__)
    return ENTITIES.get(table, table)


def audit(
    db: Session, actor: Actor, now: str, action: str, entity: str, entity_id: int | None, changes: list[dict[str, Any]]
) -> None:
    """Append one audit row; `changes` is a list of {field, old, new}."""
    db.add(
        AuditRow(
            id=next_id(db, AuditRow),
            at=now,
            actor_kind=actor.kind,
            actor_id=actor.id,
            action=action,
            entity=entity,
            entity_id=entity_id,
            changes_json=json.dumps(changes, sort_keys=True, ensure_ascii=False),
        )
    )
    db.flush()


def stale(db: Session, row: Any, mine: Mapping[str, Any], owner: Any) -> Stale:
    """The conflict to raise: who changed `row` last, when, and where what was typed differs from what is saved.

    The audit log tells of `row` as part of its `owner` where it is no entity itself.
    """
    last = last_change(db, entity_of(owner), owner.id)
    fields = tuple(
        FieldConflict(field=name, label=words(name), mine=_text(value), theirs=_text(getattr(row, name, None)))
        for name, value in mine.items()
        if _text(value) != _text(getattr(row, name, None))
    )
    by, at = (actor_name(db, last), last.at) if last else ("Somebody", "")
    what = label_of(row)
    return Stale(say("STALE", what=what), conflict=Conflict(what=what, by=by, at=at, version=row.v, fields=fields))


def last_change(db: Session, entity: str, entity_id: int) -> AuditRow | None:
    """The newest audit row of an entity that was not a denied attempt."""
    of_entity = select(AuditRow).where(AuditRow.entity == entity, AuditRow.entity_id == entity_id)
    return db.scalars(of_entity.where(AuditRow.action != "denied").order_by(AuditRow.id.desc()).limit(1)).first()


def actor_name(db: Session, entry: AuditRow) -> str:
    """The name of whoever made an audit entry."""
    if entry.actor_kind == "staff" and (staff := db.get(Staff, entry.actor_id)) is not None:
        return str(staff.name)
    return "The customer" if entry.actor_kind == "customer" else "The shop"


def label_of(row: Any) -> str:
    """What people call a row: "Order 100123", "RP-20-GRN", "Shipping address"."""
    table = row.__tablename__
    if table in ("order_items", "variants"):
        return str(row.sku)
    if table in ("products", "categories", "brands"):
        return str(row.name)
    if table == "order_addresses":
        return f"{row.kind.capitalize()} address"
    name = words(entity_of(row))
    number = getattr(row, "number", None)
    return f"{name} {number}" if number else name


def words(name: str) -> str:
    """A column or code in words: `hold_reason` → "Hold reason"."""
    text = name.replace("prev_", "previous_").replace("_", " ")
    return text[:1].upper() + text[1:]


def _text(value: object) -> str:
    return "" if value is None else str(value)
