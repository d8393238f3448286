"""Ids and document numbers: given out inside the write lock, in order, never twice."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Integer, String, column, insert, select, table, update
from sqlalchemy.orm import Session

_sequences = table("sequences", column("name", String), column("last", Integer))


def next_id(db: Session, model: Any) -> int:
    """The next free id of a model's table."""
    return advance(db, str(model.__tablename__))


def next_number(db: Session, model: Any, prefix: str = "", width: int = 0) -> str:
    """The next document number of a model's table, such as `100001` or, with prefix and width, `INV-000001`."""
    return f"{prefix}{advance(db, f'{model.__tablename__}.number'):0{width}d}"


def advance(db: Session, name: str, by: int = 1) -> int:
    """Raise a sequence and return its new last value; a sequence that is not there starts at 0."""
    here = _sequences.c.name == name
    with db.no_autoflush:
        last = db.execute(select(_sequences.c.last).where(here)).scalar()
        if last is None:
            db.execute(insert(_sequences).values(name=name, last=by))
            return by
        db.execute(update(_sequences).where(here).values(last=last + by))
    return int(last) + by
