"""Staff, their sessions and comforts, what they are told, and the record of what everybody did."""

from __future__ import annotations

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from .base import PREFERENCE, TRAIL, VOLATILE, Base, column, derived, fk, generated, index, one_of, pk, table, version
from .choices import ACTOR_KINDS, STAFF_ROLES


class Staff(Base):
    """A person who works in the shop. `preferences_json` holds theme, locale, page size and tile order."""

    __tablename__ = "staff"
    __table_args__ = table(one_of("role", STAFF_ROLES))

    id: Mapped[int] = pk()
    email: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    name_key: Mapped[str] = derived()
    role: Mapped[str]
    active: Mapped[bool] = mapped_column(default=True)
    phone: Mapped[str | None]
    password_hash: Mapped[str]
    preferences_json: Mapped[str] = column(cls=PREFERENCE, default="{}")
    created_at: Mapped[str] = generated()
    last_seen_at: Mapped[str | None] = column(cls=VOLATILE)
    v: Mapped[int] = version()


class WebSession(Base):
    """A signed-in (or guest) browser. `data_json` holds what pages keep between requests, such as toasts to show."""

    __tablename__ = "web_sessions"
    __table_args__ = table(one_of("principal", ("staff", "customer", "guest")), cls=VOLATILE)

    id: Mapped[int] = pk(VOLATILE)
    token: Mapped[str] = mapped_column(unique=True)
    principal: Mapped[str]
    principal_id: Mapped[int | None]
    data_json: Mapped[str] = mapped_column(default="{}")
    created_at: Mapped[str]
    expires_at: Mapped[str | None]


class LoginCode(Base):
    """A six-digit code sent by mail for a second factor or a forgotten password."""

    __tablename__ = "login_codes"
    __table_args__ = table(one_of("kind", ("staff", "customer")), cls=VOLATILE)

    id: Mapped[int] = pk(VOLATILE)
    kind: Mapped[str]
    principal_id: Mapped[int]
    code6: Mapped[str]
    created_at: Mapped[str]
    used_at: Mapped[str | None]


class SavedView(Base):
    """A named filter, sort and column set of a grid, kept by one person."""

    __tablename__ = "saved_views"
    __table_args__ = table(UniqueConstraint("staff_id", "grid", "name"), cls=PREFERENCE)

    id: Mapped[int] = pk(PREFERENCE)
    staff_id: Mapped[int] = fk("staff.id")
    grid: Mapped[str]
    name: Mapped[str]
    query_json: Mapped[str]
    columns_json: Mapped[str]
    is_default: Mapped[bool] = mapped_column(default=False)


class Draft(Base):
    """A half-finished form, saved by itself."""

    __tablename__ = "drafts"
    __table_args__ = table(index("staff_id", "entity"), cls=PREFERENCE)

    id: Mapped[int] = pk(PREFERENCE)
    staff_id: Mapped[int] = fk("staff.id")
    entity: Mapped[str]
    entity_id: Mapped[int | None]
    payload_json: Mapped[str]
    saved_at: Mapped[str]


class Notification(Base):
    """A line behind the bell; for everybody where `staff_id` is null."""

    __tablename__ = "notifications"
    __table_args__ = table(cls=TRAIL)

    id: Mapped[int] = pk(TRAIL)
    staff_id: Mapped[int | None] = fk("staff.id")
    kind: Mapped[str]
    entity: Mapped[str]
    entity_id: Mapped[int | None]
    text: Mapped[str]
    created_at: Mapped[str]


class NotificationRead(Base):
    """That one person has seen one notification."""

    __tablename__ = "notification_reads"
    __table_args__ = table(cls=PREFERENCE)

    notification_id: Mapped[int] = fk("notifications.id", primary_key=True)
    staff_id: Mapped[int] = fk("staff.id", primary_key=True)


class AuditRow(Base):
    """Who changed what, when: one row per entity and write; `changes_json` lists {field, old, new}."""

    __tablename__ = "audit_log"
    __table_args__ = table(one_of("actor_kind", ACTOR_KINDS), index("entity", "entity_id"), index("at"), cls=TRAIL)

    id: Mapped[int] = pk(TRAIL)
    at: Mapped[str]
    actor_kind: Mapped[str]
    actor_id: Mapped[int | None]
    action: Mapped[str]
    entity: Mapped[str]
    entity_id: Mapped[int | None]
    changes_json: Mapped[str] = mapped_column(default="[]")


class Setting(Base):
    """One setting of the shop; `value_json` is its value as JSON."""

    __tablename__ = "settings"
    __table_args__ = table()

    key: Mapped[str] = mapped_column(primary_key=True)
    value_json: Mapped[str]
    v: Mapped[int] = version()


class Sequence(Base):
    """The last number given out for a table's ids (`orders`) or document numbers (`orders.number`)."""

    __tablename__ = "sequences"
    __table_args__ = table(cls=VOLATILE)

    name: Mapped[str] = mapped_column(primary_key=True)
    last: Mapped[int]
