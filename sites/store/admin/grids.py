"""Lists of the back office: each is one declaration, and `show` answers its page.

    ORDERS = grids.declare(grids.Grid(name="orders", title="Orders", shape=shape, source=SOURCE, …))

    @bp.get("/orders")
    def index() -> Answer:
        return grids.show(ORDERS)

Searching, filters, sorting, columns, saved views, selection, mass actions, editing in place, row menus and files come
with it; `grid_routes.py` answers what they send.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from flask import g, redirect, request
from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form, is_whole
from ...kit.grid import Query, Shape
from ...kit.listing import Counted, Page, Source, rows, run
from ...kit.periods import periods
from .. import messages
from ..models import SavedView
from ..services import views
from . import frame, grid_cells, grid_filters, grid_listed, grid_selection
from .frame import once
from .grid_actions import Action, Button, Edit, Field, Item, Options, Outcome, Values
from .grid_cells import BADGE, DAY, MOMENT, PHONE, TAGS, YES_NO, Cell, link

__all__ = [
    "BADGE", "DAY", "GRIDS", "MOMENT", "PHONE", "TAGS", "YES_NO",
    "Action", "Button", "Cell", "Edit", "Field", "Grid", "Item", "Loaded", "Options", "Outcome", "Values",
    "chosen", "declare", "link", "listing", "once", "show",
]  # fmt: skip

APPLY = "apply"
RESULT = "result"

Loaded = Mapping[str, Mapping[int, Any]]
"""Column name → row id → value."""


@dataclass(frozen=True, kw_only=True)
class Grid:
    """One list. What it shows and sorts by is its `Shape`; where the rows come from its `Source`."""

    name: str
    """In addresses (`/grids/orders/…`), and what saved views are kept under."""
    title: str
    shape: Callable[[Session], Shape]
    source: Source
    """Its `needs` must have what `called`, `href`, menus and the lock use: `{"number": Order.number, "v": Order.v}`."""
    called: Callable[[Any], str]
    """What a row is called, in the names of its controls and in results: `order 100123`."""
    key: str = "id"
    """Attribute of a row that use cases name it by, and their argument for it: `number`."""
    href: str = ""
    """The page of a row, with the row's attributes in braces: `/orders/{number}`."""
    search: str = ""
    """Placeholder of the search box; there is none where it is empty."""
    cells: Mapping[str, Cell] = field(default_factory=dict)
    """Columns that show more than their kind says."""
    load: Callable[[Session, Page], Loaded] | None = None
    """Values of columns that are not in the query (`show=None`), for all rows of a page at once."""
    actions: tuple[Action, ...] = ()
    edits: Mapping[str, Edit] = field(default_factory=dict)
    items: tuple[Item, ...] = ()
    """Links in the menu of a row, above its actions."""
    buttons: tuple[Button, ...] = ()
    copy: tuple[str, str] | None = None
    """What "Copy …" in the bar is called, and the attribute of a row that it copies."""
    export: str = "lists.export"
    """Permission for files; none are offered where it is empty."""
    template: str = "admin/grid.html"

    def action(self, name: str) -> Action | None:
        """An action by name."""
        return next((action for action in self.actions if action.name == name), None)

    def page_of(self, row: Any) -> str:
        """The address of a row's own page, or nothing."""
        return grid_cells.address(self.href, row) if self.href else ""

    def key_of(self, row: Any) -> Any:
        """What use cases name a row by."""
        return row._mapping[self.key]

    def views(self, db: Session) -> list[SavedView]:
        """The views of the person signed in."""

        def read(db: Session) -> list[SavedView]:
            return [frame.detached(db, view) for view in views.of(db, g.actor, self.name)]

        found: list[SavedView] = g.world.remembered(("views", self.name, g.actor.id), read)
        return found

    def asked(self, db: Session, args: Mapping[str, Any]) -> tuple[Shape, Query]:
        """The shape with the views of the person signed in, and what an address asks for."""
        kept = self.views(db)
        shape: Shape = g.world.remembered(("shape", self.name, g.actor.id), self.shape)
        parts = {view.id: views.parts(view) for view in kept}
        home = next((view.id for view in kept if view.is_default), None)
        shape = replace(shape, views=parts, home=home, size=frame.preferences()["page_size"])
        return shape, shape.parse(args)


GRIDS: dict[str, Grid] = {}
"""All lists by name."""


def declare(grid: Grid) -> Grid:
    """Make a list known, so that what its page sends is answered. Raises `ValueError` for a name used twice."""
    if grid.name in GRIDS:
        raise ValueError(f"there are two lists called {grid.name!r}")
    GRIDS[grid.name] = grid
    return grid


def show(grid: Grid, **context: Any) -> Answer:
    """Answer a request for a list: the filter panel's form leads to its address, anything else shows the page.

    `context` goes to the template; a function in it gets the `Page` first.
    """
    shape, query = grid.asked(frame.db(), request.args.to_dict(flat=False))
    if APPLY not in request.args:
        return listing(grid, shape, query, form=grid_filters.stored(shape, query), **context)
    form = Form(messages.CATALOGUE, request.args)
    filters = grid_filters.read(shape, form)
    if form.problems:
        return listing(grid, shape, query, form=form, status=422, **context)
    return redirect(shape.url(replace(query, filters=filters, page=1)), 303)


def listing(grid: Grid, shape: Shape, query: Query, *, form: Form, status: int = 200, **context: Any) -> Answer:
    """Render one page of a list, and record what it shows."""
    db = frame.db()
    page = run(db, grid.source, shape, query, _counted(grid))
    context = {name: value(page) if callable(value) else value for name, value in context.items()}
    presets = periods(g.world.today())
    listed = grid_listed.Listed(grid, page, db)
    if listed.told is not None:
        context["toast"] = listed.told
    return frame.page(
        grid.template,
        status=status,
        filters=page.query.recorded(),
        sort=page.query.sort,
        extra={
            "q": page.query.q,
            "page": page.query.page,
            "size": page.query.size,
            "columns": list(page.query.columns),
        },
        listed=listed,
        page=page,
        form=form,
        chips=grid_filters.chips(page),
        presets=presets,
        period=grid_filters.period_of(presets),
        options=grid_filters.chosen_options(shape, form, query),
        **context,
    )


def _counted(grid: Grid) -> Counted:
    """Rows are counted once until something is written: turning pages and sorting change nothing about their number."""

    def counted(asked: tuple[object, ...], count: Callable[[], int]) -> int:
        found: int = g.world.remembered(("rows", grid.name, *asked), lambda _: count())
        return found

    return counted


def chosen(grid: Grid) -> list[Any]:
    """The rows that the address of a page for a selection names: `?ids=100123,100124`, or all that match a query.

    Raises `Refused` where the rows that match are no longer those that were confirmed.
    """
    db = frame.db()
    if request.args.get("all") or request.args.get("pick"):
        return [one.row for one in grid_selection.chosen(db, grid, request.args.to_dict(flat=False))]
    shape = grid.shape(db)
    keys = [key for key in request.args.get("ids", "").split(",") if key][: grid_selection.MOST]
    return named(db, grid, shape, keys)


def named(db: Session, grid: Grid, shape: Shape, keys: list[str]) -> list[Any]:
    """Rows by their keys, in that order; keys that name nothing are left out."""
    column = grid.source.needs.get(grid.key, grid.source.id)
    statement = select(grid.source.id, column).where(column.in_([_as_stored(column, key) for key in keys]))
    ids = {str(key): int(id) for id, key in db.execute(statement)}
    return list(rows(db, grid.source, shape, shape.parse({}), [ids[key] for key in dict.fromkeys(keys) if key in ids]))


def _as_stored(column: Any, key: str) -> Any:
    return int(key) if column.type.python_type is int and is_whole(key) else key
