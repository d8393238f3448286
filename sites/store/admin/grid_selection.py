"""Which rows a mass action is for: those ticked, or all that match a query, evaluated again on the server.

Ticked rows come as `pick=<id>:<version>`. "All that match" comes as the list's query with the number of rows and a
fingerprint of them: where either differs from what the server finds now, nothing is done.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from sqlalchemy import Row
from sqlalchemy.orm import Session

from ...kit.forms import is_whole
from ...kit.grid import Query, Shape
from ...kit.listing import matching, rows
from ..messages import refused

if TYPE_CHECKING:
    from .grids import Grid

MOST = 5000
"""Rows of one mass action."""

Args = Mapping[str, Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """A row that was chosen, and the version that the person saw (None where rows of this list have none)."""

    row: Row[Any]
    v: int | None


def chosen(db: Session, grid: Grid, args: Args) -> list[Chosen]:
    """The rows that a form or address names, in the order of the list.

    Raises `Refused` SELECTION_EMPTY, SELECTION_LARGE; SELECTION_COUNT or SELECTION_CHANGED where all that match are no
    longer those that were confirmed.
    """
    shape = grid.shape(db)
    found = everything(db, grid, shape, args) if args.get("all") else ticked(db, grid, shape, args.get("pick", ()))
    if not found:
        raise refused("SELECTION_EMPTY")
    if len(found) > MOST:
        raise refused("SELECTION_LARGE", found=len(found), most=MOST)
    return found


def everything(db: Session, grid: Grid, shape: Shape, args: Args) -> list[Chosen]:
    """All rows that match the query which the form carries along."""
    found = matching(db, grid.source, shape, asked(shape, args))
    wanted = _last(args, "count")
    if str(len(found)) != wanted:
        raise refused("SELECTION_COUNT", wanted=wanted or "0", found=len(found))
    if fingerprint(found) != _last(args, "mark"):
        raise refused("SELECTION_CHANGED")
    return [Chosen(row=row, v=version(row)) for row in found]


def asked(shape: Shape, args: Args) -> Query:
    """The query that a form carries along as `list`."""
    return shape.parse(parse_qs(_last(args, "list"), keep_blank_values=True))


def ticked(db: Session, grid: Grid, shape: Shape, picks: Sequence[str]) -> list[Chosen]:
    """The rows named one by one; ids that are none or are gone name nothing."""
    seen: dict[int, int | None] = {}
    for pick in picks:
        id, _, v = pick.partition(":")
        if is_whole(id):
            seen.setdefault(int(id), int(v) if is_whole(v) else None)
    query = shape.parse({})
    found = rows(db, grid.source, shape, query, list(seen))
    return [Chosen(row=row, v=seen[row.id] if version(row) is not None else None) for row in found]


def fingerprint(found: Sequence[Row[Any]]) -> str:
    """What tells one set of rows, and the state they are in, from another."""
    text = ",".join(f"{row.id}:{version(row)}" for row in sorted(found, key=lambda row: int(row.id)))
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def version(row: Row[Any]) -> int | None:
    """The version of a row; None where its table has none."""
    found = row._mapping.get("v")
    return int(found) if found is not None else None


def _last(args: Args, name: str) -> str:
    values = args.get(name, ())
    return values[-1] if values else ""
