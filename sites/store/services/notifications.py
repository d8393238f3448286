"""What the bell tells a member of staff: lines for everybody and for oneself, read or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, exists, func, or_, select
from sqlalchemy.orm import Session

from ..models import Notification, NotificationRead
from .base import Actor, begin

if TYPE_CHECKING:
    from ...kit.world import WorldContext

Result = dict[str, Any]


def addressed_to(staff_id: int) -> ColumnElement[bool]:
    """Lines for everybody, and those for this person alone."""
    return or_(Notification.staff_id.is_(None), Notification.staff_id == staff_id)


def is_read_by(staff_id: int) -> ColumnElement[bool]:
    """Whether this person has seen the line."""
    seen = and_(NotificationRead.notification_id == Notification.id, NotificationRead.staff_id == staff_id)
    return exists().where(seen)


def _told() -> Select[int, int]:
    """Asked for on every page, so it is put together once."""
    me: Any = bindparam("me")
    waiting = select(func.count()).select_from(Notification).where(addressed_to(me), ~is_read_by(me))
    newest = select(func.coalesce(func.max(Notification.id), 0))
    return select(waiting.scalar_subquery(), newest.scalar_subquery())


def told(db: Session, staff_id: int) -> tuple[int, int]:
    """How many lines this person has not seen, and the id of the newest line of all; 0 where there is none."""
    row = db.execute(_TOLD, {"me": staff_id}).one()
    return int(row[0]), int(row[1])


def unread(db: Session, staff_id: int) -> int:
    """How many lines this person has not seen."""
    return told(db, staff_id)[0]


_TOLD = _told()


def newest(db: Session, staff_id: int, *, limit: int, before: int | None = None) -> Sequence[tuple[Notification, bool]]:
    """Lines with whether they were read, newest first; `before` is the id to go on from."""
    wanted = select(Notification, is_read_by(staff_id)).where(addressed_to(staff_id))
    if before is not None:
        wanted = wanted.where(Notification.id < before)
    return [(line, bool(seen)) for line, seen in db.execute(wanted.order_by(Notification.id.desc()).limit(limit))]


def after(db: Session, staff_id: int, last: int) -> Sequence[Notification]:
    """Lines after the one with id `last`, oldest first."""
    wanted = select(Notification).where(Notification.id > last, addressed_to(staff_id))
    return db.scalars(wanted.order_by(Notification.id)).all()


def read(world: WorldContext, actor: Actor, *, id: int) -> Result:
    """Note that one has seen a line; seeing it twice changes nothing. Raises `NotFound` for another person's line."""
    with begin(world, actor, "notifications.read", Notification, id=id) as w:
        mine = w.subject.staff_id in (None, actor.id)
        changed = mine and w.db.get(NotificationRead, (id, actor.id)) is None
        if changed:
            w.add(NotificationRead, notification_id=id, staff_id=actor.id)
        return {"id": id, "changed": changed}


def read_all(world: WorldContext, actor: Actor) -> Result:
    """Note that one has seen every line there is."""
    with begin(world, actor, "notifications.read", Notification) as w:
        staff_id = actor.id or 0
        waiting = select(Notification.id).where(addressed_to(staff_id), ~is_read_by(staff_id)).order_by(Notification.id)
        ids = w.db.scalars(waiting).all()
        for id in ids:
            w.db.add(NotificationRead(notification_id=id, staff_id=staff_id))
        return {"read": len(ids)}


USE_CASES: Mapping[str, Callable[..., Any]] = {"notifications.read": read, "notifications.read_all": read_all}
