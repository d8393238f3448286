"""The audit log: who did what, newest first, in blocks that follow as one scrolls; nothing can be changed here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from flask import Response, g, jsonify, render_template, request
from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form, is_whole
from ...kit.periods import periods
from .. import messages
from ..models import AuditRow, Staff
from . import blueprint, frame, grid_filters, trail
from .trail_names import kind_label

bp = blueprint("audit", __name__, url_prefix="/audit")

BLOCK = 50
"""Entries that come at once."""
OTHERS = {"customer": "The customer", "system": "The shop"}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the log is asked for: actor, kind of record, action, and days; None is all."""

    actor: str | None = None
    entity: str | None = None
    action: str | None = None
    first: str | None = None
    last: str | None = None

    def where(self) -> list[ColumnElement[bool]]:
        """The conditions in SQL."""
        found: list[ColumnElement[bool]] = []
        if self.actor is not None:
            kind, _, id = self.actor.partition("-")
            found.append(AuditRow.actor_kind == kind)
            found += [AuditRow.actor_id == int(id)] if id else []
        if self.entity is not None:
            found.append(AuditRow.entity == self.entity)
        if self.action is not None:
            found.append(AuditRow.action == self.action)
        if self.first is not None:
            found.append(AuditRow.at >= f"{self.first}T")
        if self.last is not None:
            found.append(AuditRow.at < f"{date.fromisoformat(self.last) + timedelta(days=1)}T")
        return found

    def recorded(self) -> dict[str, Any]:
        """The conditions as the server puts them on record."""
        named = {"actor": self.actor, "entity": self.entity, "action": self.action}
        found: dict[str, Any] = {name: [["in", [value]]] for name, value in named.items() if value is not None}
        if self.first is not None and self.last is not None:
            found["at"] = [["between", [self.first, self.last]]]
        elif self.first is not None or self.last is not None:
            found["at"] = [["gte", self.first] if self.first is not None else ["lte", self.last]]
        return found

    def query(self) -> str:
        """The conditions as they stand in an address."""
        named = {"actor": self.actor, "entity": self.entity, "action": self.action}
        pairs = {**named, "from": self.first, "to": self.last}
        return urlencode({name: value for name, value in pairs.items() if value is not None})


@bp.get("")
def index() -> Answer:
    """The newest entries, and the filters."""
    db = frame.db()
    choices = options(db)
    asked, form = read(choices)
    rows = block(db, asked)
    presets = periods(g.world.today())
    return frame.page(
        "admin/audit/index.html",
        status=422 if form.problems else 200,
        filters=asked.recorded(),
        sort=("-id",),
        events=trail.events(db, rows),
        more=rows[-1].id if len(rows) == BLOCK else None,
        total=frame.once(db, f"audit entries {asked}", lambda: counted(db, asked)),
        asked=asked,
        form=form,
        options=choices,
        presets=presets,
        period=grid_filters.period_of(presets)(form.value("from"), form.value("to")),
    )


@bp.get("/more")
def more() -> Response:
    """The block of entries that are older than the one named: rows for the table, and where the next block begins."""
    db = frame.db()
    asked, _ = read(options(db))
    before = request.args.get("before", "")
    rows = block(db, asked, int(before)) if is_whole(before) else []
    html = render_template("admin/audit/rows.html", events=trail.events(db, rows))
    return jsonify(rows=html, count=len(rows), more=rows[-1].id if len(rows) == BLOCK else None)


def block(db: Session, asked: Asked, before: int | None = None) -> Sequence[AuditRow]:
    """The next entries, newest first."""
    wanted = select(AuditRow).where(*asked.where())
    if before is not None:
        wanted = wanted.where(AuditRow.id < before)
    return db.scalars(wanted.order_by(AuditRow.id.desc()).limit(BLOCK)).all()


def counted(db: Session, asked: Asked) -> int:
    """How many entries are asked for."""
    return db.scalar(select(func.count(AuditRow.id)).where(*asked.where())) or 0


def options(db: Session) -> dict[str, list[tuple[str, str]]]:
    """What can be chosen: everybody on the staff, and the kinds of records and actions that the log has."""
    return frame.once(db, "audit options", lambda: _options(db))


def _options(db: Session) -> dict[str, list[tuple[str, str]]]:
    people = db.execute(select(Staff.id, Staff.name).order_by(Staff.name_key, Staff.id))
    kinds = db.scalars(select(AuditRow.entity).distinct())
    actions = db.scalars(select(AuditRow.action).distinct())
    return {
        "actor": [*((f"staff-{id}", name) for id, name in people), *OTHERS.items()],
        "entity": sorted(((kind, kind_label(kind)) for kind in kinds), key=lambda pair: pair[1]),
        "action": sorted(((action, trail.action_label(action)) for action in actions), key=lambda pair: pair[1]),
    }


def read(options: dict[str, list[tuple[str, str]]]) -> tuple[Asked, Form]:
    """The filters in the address; what is wrong is told and left out."""
    form = Form(messages.CATALOGUE, request.args)
    labels = {"actor": "a person", "entity": "a kind of record", "action": "an action"}
    chosen = {
        name: form.choice(name, label, [code for code, _ in options[name]], required=False)
        for name, label in labels.items()
    }
    first, last = form.day("from", "Date from"), form.day("to", "Date to")
    if first is not None and last is not None and first > last:
        form.wrong("DATE_ORDER", "to")
        first = last = None
    return Asked(**chosen, first=first, last=last), form
