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
from string import Formatter
from typing import Any
from urllib.parse import urlencode

from flask import g, redirect, request
from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form, is_whole
from ...kit.grid import Column, Query, Shape
from ...kit.listing import Page, Source, rows, run
from ...kit.periods import periods
from .. import messages
from ..services import views
from . import frame, grid_cells, grid_filters, grid_results, grid_selection
from .grid_actions import Action, Button, Edit, Field, Item, Options, Outcome, Values
from .grid_cells import BADGE, DAY, MOMENT, PHONE, TAGS, YES_NO, Cell, link

__all__ = [
    "BADGE", "DAY", "GRIDS", "MOMENT", "PHONE", "TAGS", "YES_NO",
    "Action", "Button", "Cell", "Edit", "Field", "Grid", "Item", "Listed", "Loaded", "Options", "Outcome", "Values",
    "chosen", "declare", "link", "listing", "show",
]  # fmt: skip

APPLY = "apply"
RESULT = "result"
MANY = 2
"""Rows of a mass action from which on its results are listed; of one, a toast tells."""
MOST_CARRIED = 500

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

    def nouns(self, db: Session) -> tuple[str, str]:
        """What a row is called: one, and many."""
        return self.shape(db).nouns

    def asked(self, db: Session, args: Mapping[str, Any]) -> tuple[Shape, Query]:
        """The shape with the views of the person signed in, and what an address asks for."""
        kept = views.of(db, g.actor, self.name)
        shape = self.shape(db)
        parts = {view.id: views.parts(view) for view in kept}
        home = next((view.id for view in kept if view.is_default), None)
        shape = replace(shape, views=parts, home=home)
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
    page = run(db, grid.source, shape, query)
    context = {name: value(page) if callable(value) else value for name, value in context.items()}
    presets = periods(g.world.today())
    listed = Listed(grid, page, db)
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


@dataclass(frozen=True, kw_only=True)
class Line:
    """One row as the template draws it."""

    id: int
    v: int | None
    key: Any
    name: str
    copied: str
    values: list[tuple[str, str, Any, str]]
    """Column, classes and content of each cell, and where it can be edited the value that the input starts with."""
    links: dict[str, str]
    """The addresses of menu entries that need more of the row than its id and key."""
    can: str
    """Names of the menu's entries that fit this row, with a space between."""
    row: Any


class Listed:
    """What the template of a list draws: its rows, views, actions, and what became of the last one."""

    def __init__(self, grid: Grid, page: Page, db: Session) -> None:
        self.grid = grid
        self.page = page
        self.db = db
        self.views = views.of(db, g.actor, grid.name)
        self.view = next((view for view in self.views if view.id == page.query.view), None)
        self.actions = [action for action in grid.actions if drawn(action.needs) != "hidden"]
        self.edits = {name: edit for name, edit in grid.edits.items() if drawn(edit.needs) == "shown"}
        self.items = [item for item in grid.items if not item.use_case or frame.may(item.use_case)]
        self.result = grid_results.shown(db, grid)
        self.turn = grid_results.turn(db)

    @property
    def modified(self) -> bool:
        """Whether the view in effect says something else than what is shown."""
        if self.view is None:
            return False
        saved = self.page.shape.saved(self.view.id)
        return replace(saved, page=1, size=0) != replace(self.page.query, page=1, size=0)

    @property
    def told(self) -> dict[str, str] | None:
        """What a toast says of an action on a single row; of several, a dialog tells."""
        if self.result is None or len(self.result.rows) >= MANY:
            return None
        only = self.result.rows[0]
        text = f"{only.name} {self.result.done}." if only.ok else f"{only.name}: {only.message}"
        return {"text": text, "tone": "good" if only.ok else "bad"}

    @property
    def menu(self) -> bool:
        """Whether rows have a menu."""
        return bool(self.items or any(action.single for action in self.actions))

    @property
    def here(self) -> str:
        """The address of this page, to come back to."""
        return self.page.url()

    @property
    def asked(self) -> str:
        """Which rows match, as a query; what "all that match" is evaluated from again."""
        pairs = self.page.shape.full(self.page.query)
        return urlencode([pair for pair in pairs if pair[0] in ("q", "f", "sort")])

    @property
    def shown(self) -> str:
        """The whole list as it is shown, as a query; what a saved view keeps."""
        return urlencode(self.page.shape.full(self.page.query))

    @property
    def editors(self) -> dict[str, Any]:
        """How the columns shown are edited: `{"status": {"label", "kind", "options", "required"}}`."""
        columns = {column.name: column for column in self.page.columns}
        return {
            name: {
                "label": columns[name].label,
                "kind": edit.typed(columns[name]),
                "options": [list(pair) for pair in edit.choices(columns[name], self.db)],
                "required": edit.required,
            }
            for name, edit in self.edits.items()
            if name in columns
        }

    @property
    def carried(self) -> list[str]:
        """The rows that stay chosen after a mass action refused them: id and version."""
        refused = [row.id for row in self.result.refused] if self.result else []
        if not refused or len(self.result.rows if self.result else ()) < MANY:
            return []
        shape = self.page.shape
        found = rows(self.db, self.grid.source, shape, shape.parse({}), refused[:MOST_CARRIED])
        return [f"{row.id}:{grid_selection.version(row) or ''}" for row in found]

    @property
    def export_address(self) -> str:
        """Where the file comes from."""
        return f"/grids/{self.grid.name}/export.csv?{urlencode(self.page.shape.full(self.page.query))}"

    def lines(self) -> list[Line]:
        """The rows of the page."""
        return lines(self.grid, self.page.columns, self.page, self.db, self.edits, [*self.items, *self.singles])

    @property
    def singles(self) -> list[Action]:
        """The actions in the menu of a row."""
        return [action for action in self.actions if action.single]

    def choosable(self) -> list[tuple[Column, bool]]:
        """Every column, and whether it is shown: those shown first, in their order."""
        shown = self.page.columns
        return [(column, True) for column in shown] + [
            (column, False) for column in self.page.shape.columns if column not in shown
        ]


def lines(
    grid: Grid, columns: list[Column], page: Page, db: Session, edits: Mapping[str, Edit], entries: list[Action | Item]
) -> list[Line]:
    """Rows as the template draws them."""
    loaded = grid.load(db, page) if grid.load is not None and page.rows else {}
    css = {column.name: _css(grid, column) for column in columns}
    far = [entry for entry in entries if isinstance(entry, Item) and _far(entry, grid.key)]
    found = []
    for row in page.rows:
        known = row._mapping
        values = []
        for column in columns:
            name = column.name
            value = loaded[name].get(row.id) if name in loaded else known[name]
            content = grid_cells.html(column, grid.cells.get(name), value, row)
            edit = edits.get(name)
            start = "" if edit is None else (edit.value(row) if edit.value else grid_cells.raw(column, value))
            values.append((name, css[name], content, start))
        found.append(
            Line(
                id=row.id,
                v=known.get("v"),
                key=known[grid.key],
                name=grid.called(row),
                copied=str(known[grid.copy[1]]) if grid.copy else "",
                values=values,
                links={_slug(item): grid_cells.address(item.href, row) for item in far},
                can=" ".join(_slug(entry) for entry in entries if entry.when is None or entry.when(row)),
                row=row,
            )
        )
    return found


def _css(grid: Grid, column: Column) -> str:
    cell = grid.cells.get(column.name)
    return " ".join(filter(None, ("num" if column.numeric else "", cell.css if cell else "")))


def _far(item: Item, key: str) -> bool:
    """Whether an address has more of the row in it than its id and key."""
    return bool({name for _, name, _, _ in Formatter().parse(item.href) if name} - {"id", key})


def _slug(entry: Action | Item) -> str:
    return entry.name if isinstance(entry, Action) else entry.label.replace(" ", "-")


def drawn(use_case: str) -> str:
    """How a control of a list is drawn for the person signed in; "shown" where it needs no permission."""
    return frame.look(use_case) if use_case else "shown"


def chosen(grid: Grid) -> list[Any]:
    """The rows that the address of a page for a selection names: `?ids=100123,100124`, or all that match a query.

    Raises `Refused` where the rows that match are no longer those that were confirmed.
    """
    db = frame.db()
    if request.args.get("all"):
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
