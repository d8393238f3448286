"""Saved views: the filters, sort and columns of a list under a name, each kept by and for one person."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from ...kit.ids import next_id
from ...kit.rules import NotFound, Refused
from ..messages import problem, refused, say
from ..models import SavedView
from ..regions import tidy
from .base import Actor

if TYPE_CHECKING:
    from ...kit.world import WorldContext

Result = dict[str, Any]
Parts = Mapping[str, Sequence[str]]

LONGEST = 60
LARGEST = 4000
"""Characters of a name, and of what a view says."""
TEXTS = ("q", "sort")
"""Parts of a list's address that a view keeps beside its filters `f` and its columns."""


def save(
    world: WorldContext,
    actor: Actor,
    *,
    grid: str,
    name: str,
    query: Mapping[str, Any],
    columns: Iterable[str] = (),
    is_default: bool = False,
    v: int | None = None,
) -> Result:
    """Keep a view under a name; one of the same name in the same list is replaced.

    `query` has `f` (a list of conditions as in addresses), `q` and `sort`; no `columns` means the usual ones. A default
    takes the place of the one before. Raises `Refused` REQUIRED, TOO_LONG. A view has no version, so `v` is not read.
    """
    name = _named(name)
    values = _values(query, columns)
    with world.write() as db:
        view = _of(db, actor, grid).get(name)
        if view is None:
            view = SavedView(id=next_id(db, SavedView), staff_id=actor.id, grid=grid, name=name, is_default=False)
            db.add(view)
        view.query_json, view.columns_json = values
        _prefer(db, view, is_default)
        db.flush()
        return _result(view)


def update(
    world: WorldContext,
    actor: Actor,
    *,
    id: int,
    query: Mapping[str, Any],
    columns: Iterable[str] = (),
    v: int | None = None,
) -> Result:
    """Change what a view says. Raises `NotFound` for a view of somebody else."""
    values = _values(query, columns)
    with world.write() as db:
        view = _find(db, actor, id)
        view.query_json, view.columns_json = values
        return _result(view)


def rename(world: WorldContext, actor: Actor, *, id: int, name: str, v: int | None = None) -> Result:
    """Give a view another name. Raises `Refused` VIEW_TAKEN, REQUIRED, TOO_LONG; `NotFound`."""
    name = _named(name)
    with world.write() as db:
        view = _find(db, actor, id)
        other = _of(db, actor, view.grid).get(name)
        if other is not None and other.id != id:
            raise refused("VIEW_TAKEN", "name", name=name)
        view.name = name
        return _result(view)


def make_default(
    world: WorldContext, actor: Actor, *, id: int, is_default: bool = True, v: int | None = None
) -> Result:
    """Let the list open with this view, or with none. Raises `NotFound`."""
    with world.write() as db:
        view = _find(db, actor, id)
        _prefer(db, view, is_default)
        return _result(view)


def delete(world: WorldContext, actor: Actor, *, id: int, v: int | None = None) -> Result:
    """Delete a view. Raises `NotFound` for a view of somebody else."""
    with world.write() as db:
        view = _find(db, actor, id)
        result = _result(view)
        db.delete(view)
        return result


def of(db: Session, actor: Actor, grid: str) -> list[SavedView]:
    """The views of a person for one list, by name."""
    own = select(SavedView).where(SavedView.staff_id == actor.id, SavedView.grid == grid)
    return list(db.scalars(own.order_by(SavedView.name, SavedView.id)))


def parts(view: SavedView) -> Parts:
    """What a view says, as the parts of an address: `{"f": […], "q": […], "sort": […], "cols": […]}`."""
    query = json.loads(view.query_json)
    columns = json.loads(view.columns_json)
    found = {name: [str(query[name])] for name in TEXTS if query.get(name)}
    return {**found, "f": [str(one) for one in query.get("f", ())], "cols": [",".join(map(str, columns))]}


def _values(query: Mapping[str, Any], columns: Iterable[str]) -> tuple[str, str]:
    """The columns of the table for what a view says. Raises `Refused` TOO_LONG."""
    kept: dict[str, Any] = {name: str(query[name]) for name in TEXTS if query.get(name)}
    kept["f"] = [str(one) for one in query.get("f", ())]
    texts = (json.dumps(kept, sort_keys=True, ensure_ascii=False), json.dumps(list(columns), ensure_ascii=False))
    if any(len(text) > LARGEST for text in texts):
        raise refused("TOO_LONG", "name", label="The view", most=LARGEST)
    return texts


def _named(name: str) -> str:
    name = tidy(name)
    if not name or len(name) > LONGEST:
        code = "TOO_LONG" if name else "REQUIRED"
        raise Refused.of([problem(code, "name", label="Name", most=LONGEST)])
    return name


def _of(db: Session, actor: Actor, grid: str) -> dict[str, SavedView]:
    return {view.name: view for view in of(db, actor, grid)}


def _find(db: Session, actor: Actor, id: int) -> SavedView:
    view = db.get(SavedView, id)
    if view is None or view.staff_id != actor.id:
        raise NotFound(say("NOT_FOUND", what="This view"))
    return view


def _prefer(db: Session, view: SavedView, is_default: bool) -> None:
    """At most one default a person and list."""
    others = select(SavedView).where(SavedView.staff_id == view.staff_id, SavedView.grid == view.grid)
    for other in db.scalars(others.order_by(SavedView.id)):
        if is_default and other.id != view.id and other.is_default:
            other.is_default = False
    view.is_default = is_default


def _result(view: SavedView) -> Result:
    return {"id": view.id, "grid": view.grid, "name": view.name, "is_default": view.is_default}


USE_CASES: Mapping[str, Callable[..., Any]] = {
    "views.save": save,
    "views.update": update,
    "views.rename": rename,
    "views.make_default": make_default,
    "views.delete": delete,
}
