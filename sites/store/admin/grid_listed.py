"""What the template of a list draws around its rows: views, actions, editors, and what became of the last action."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from flask import g
from markupsafe import Markup
from sqlalchemy.orm import Session

from ...kit import csrf
from ...kit.forms import Form
from ...kit.grid import Column
from ...kit.listing import Page, rows
from ..services import sessions
from . import frame, grid_lines, grid_results, grid_selection
from .grid_actions import Action

if TYPE_CHECKING:
    from .grids import Grid

MANY = 2
"""Rows of a mass action from which on its results are listed; of one, a toast tells."""
MOST_CARRIED = 500
MOST_MADE = 1000

MADE: dict[tuple[Any, ...], Markup] = {}
"""Parts of pages that depend on nothing but their key; made once in a process."""


class Listed:
    """What the template of a list draws: its rows, views, actions, and what became of the last one."""

    def __init__(self, grid: Grid, page: Page, db: Session) -> None:
        self.grid = grid
        self.page = page
        self.db = db
        self.views = grid.views(db)
        self.view = next((view for view in self.views if view.id == page.query.view), None)
        self.actions = [action for action in grid.actions if grid_lines.drawn(action.needs) != "hidden"]
        self.edits = {name: edit for name, edit in grid.edits.items() if grid_lines.drawn(edit.needs) == "shown"}
        self.items = [item for item in grid.items if not item.use_case or frame.may(item.use_case)]
        last = sessions.kept(db, g.token, grid_results.KEPT) or {}
        self.result = grid_results.shown(last, grid, page.shape.nouns)
        self.turn = int(last.get("turn", 0)) + 1

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
    def choosing(self) -> bool:
        """Whether rows can be chosen: there is something to do with several."""
        return bool(self.actions or self.grid.copy)

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

    def body(self) -> Markup:
        """The rows of the page."""
        entries: grid_lines.Entries = [*self.items, *self.singles]
        return grid_lines.body(
            self.grid, self.page, self.db, self.edits, entries, menu=self.menu, choosing=self.choosing
        )

    @property
    def singles(self) -> list[Action]:
        """The actions in the menu of a row."""
        return [action for action in self.actions if action.single]

    @property
    def dialogs_key(self) -> tuple[Any, ...]:
        """What the dialogs of the actions depend on."""
        choices = [field.choices(self.db) for action in self.actions for field in action.fields]
        return (self.grid.name, g.actor.role, *choices)

    def panel_key(self, form: Form, ticked: Mapping[str, Collection[str]]) -> tuple[Any, ...] | None:
        """What the fields of the filter panel depend on; None where a person's entries come back with messages."""
        if form.typed is not None:
            return None
        columns = [(c.name, c.label, c.kind, c.options, *sorted(ticked[c.name])) for c in self.shown_filters]
        stored = sorted((name, str(value)) for name, value in form.initial.items())
        return ("panel", self.grid.name, g.world.today(), *columns, *stored)

    @property
    def shown_filters(self) -> list[Column]:
        """The columns with fields in the filter panel."""
        return [column for column in self.page.shape.columns if column.filterable]

    def key(self, part: str, *, sorted: bool = False) -> tuple[Any, ...]:
        """What a part of the page depends on that is drawn from the query alone, and from whose page it is.

        `sorted`: it leads to other orders of the list, which begin at the first page, and names the rows on this one.
        """
        query, shape = self.page.query, self.page.shape
        asked = replace(query, page=1) if sorted else query
        about = (len(self.page.rows), self.menu, self.choosing) if sorted else ()
        views = tuple((each.id, each.name, each.is_default, each.query_json, each.columns_json) for each in self.views)
        token = csrf.token(g.world.secret, frame.session_key())
        return (part, self.grid.name, asked, query.view, shape.path, shape.size, shape.home, views, token, *about)

    @property
    def columns_key(self) -> tuple[Any, ...]:
        """What the list of columns to choose from depends on."""
        every = [(column.name, column.label) for column in self.page.shape.columns]
        return ("columns", self.grid.name, self.page.query.columns, *every)

    def made(self, key: tuple[Any, ...] | None) -> Markup | None:
        """A part of the page that was made before for the same key."""
        return MADE.get(key) if key is not None else None

    def make(self, key: tuple[Any, ...] | None, html: Markup) -> Markup:
        """Keep a part of the page for the same key."""
        if key is None:
            return html
        if len(MADE) > MOST_MADE:
            MADE.clear()
        MADE[key] = html
        return html

    def choosable(self) -> list[tuple[Column, bool]]:
        """Every column, and whether it is shown: those shown first, in their order."""
        shown = self.page.columns
        return [(column, True) for column in shown] + [
            (column, False) for column in self.page.shape.columns if column not in shown
        ]
