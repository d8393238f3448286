"""The rows of a list as HTML: boxes, cells, pencils and menu buttons.

They are written here and not in a template, because a page has hundreds of cells: this takes a third of the time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape
from sqlalchemy.orm import Session

from ...kit.grid import Column
from ...kit.icons import icon
from ...kit.listing import Page
from . import frame, grid_cells
from .grid_actions import Action, Edit, Item

if TYPE_CHECKING:
    from .grids import Grid

Entries = Sequence[Action | Item]


@dataclass(frozen=True)
class Drawn:
    """One column of a page: how its values become HTML, and what an input starts with where it can be edited."""

    name: str
    css: str
    html: Callable[[Any, Any], str]
    value: Callable[[Any], Any]
    """The value of a row."""
    edit: Edit | None
    column: Column

    def start(self, row: Any) -> str:
        """What the input shows at first."""
        if self.edit is not None and self.edit.value is not None:
            return self.edit.value(row)
        return grid_cells.raw(self.column, self.value(row))


def columns(grid: Grid, page: Page, db: Session, edits: Mapping[str, Edit]) -> list[Drawn]:
    """The columns of a page, ready to draw."""
    loaded = grid.load(db, page) if grid.load is not None and page.rows else {}
    return [_drawn(grid, column, loaded.get(column.name), edits.get(column.name)) for column in page.columns]


def _drawn(grid: Grid, column: Column, loaded: Mapping[int, Any] | None, edit: Edit | None) -> Drawn:
    name, cell = column.name, grid.cells.get(column.name)
    css = " ".join(filter(None, ("num" if column.numeric else "", cell.css if cell else "")))

    def value(row: Any) -> Any:
        return row._mapping[name] if loaded is None else loaded.get(row.id)

    return Drawn(name, css, grid_cells.drawing(column, cell), value, edit, column)


def body(
    grid: Grid,
    page: Page,
    db: Session,
    edits: Mapping[str, Edit],
    entries: Entries,
    *,
    menu: bool,
    choosing: bool,
) -> Markup:
    """All rows of a page, with boxes to choose them and buttons for their menus where the list has these."""
    drawn = columns(grid, page, db, edits)
    far = far_items(grid, entries)
    lines = []
    for row in page.rows:
        name = escape(grid.called(row))
        box = _box(grid, row, name) if choosing else ""
        cells = "".join([_cell(each, row, name) for each in drawn])
        can = f' data-can="{escape(fitting(row, entries))}"' if menu else ""
        lines.append(f"<tr{_about(grid, row, name, far)}{can}>{box}{cells}{_menu_button(name) if menu else ''}</tr>\n")
    return Markup("".join(lines))  # every part is escaped where it is made


def _about(grid: Grid, row: Any, name: Markup, far: Sequence[Item]) -> str:
    """What scripts must know of a row."""
    known = row._mapping
    v = known.get("v")
    text = f' data-id="{row.id}" data-key="{escape(known[grid.key])}" data-name="{name}"'
    text += f' data-v="{v}"' if v is not None else ""
    return text + (f' data-links="{escape(json.dumps(links(row, far), sort_keys=True))}"' if far else "")


def _box(grid: Grid, row: Any, name: Markup) -> str:
    copied = escape(row._mapping[grid.copy[1]]) if grid.copy else ""
    box = f'<input type="checkbox" data-pick="{copied}" aria-label="Select {name}" autocomplete="off">'
    return f'<td class="pick">{box}</td>'


def _cell(drawn: Drawn, row: Any, name: Markup) -> str:
    content = drawn.html(drawn.value(row), row)
    if drawn.edit is None:
        return f'<td class="{drawn.css}">{content}</td>' if drawn.css else f"<td>{content}</td>"
    label = escape(drawn.column.label.lower())
    css = f"editable {drawn.css}".strip()
    return (
        f'<td class="{css}" data-column="{drawn.name}" data-value="{escape(drawn.start(row))}">'
        f'<span class="shown">{content}</span><button type="button" class="edit-cell" data-edit '
        f'aria-label="Edit {label} of {name}">{icon("pencil")}</button></td>'
    )


def _menu_button(name: Markup) -> str:
    return (
        '<td class="row-menu"><button type="button" class="btn btn-quiet btn-icon btn-sm" data-row-menu '
        f'aria-haspopup="menu" aria-expanded="false" aria-label="Actions for {name}">{icon("three-dots-vertical")}'
        "</button></td>"
    )


def fitting(row: Any, entries: Entries) -> str:
    """Names of the menu's entries that fit a row, with a space between."""
    return " ".join([slug(entry) for entry in entries if entry.when is None or entry.when(row)])


def links(row: Any, far: Sequence[Item]) -> dict[str, str]:
    """The addresses of menu entries that need more of the row than its id and key."""
    return {slug(item): grid_cells.address(item.href, row) for item in far}


def far_items(grid: Grid, entries: Entries) -> list[Item]:
    """The links whose addresses have more of the row in them than its id and key."""
    near = {"id", grid.key}
    return [
        entry
        for entry in entries
        if isinstance(entry, Item) and {name for _, name, _, _ in Formatter().parse(entry.href) if name} - near
    ]


def slug(entry: Action | Item) -> str:
    """What an entry of a row's menu is called in the page."""
    return entry.name if isinstance(entry, Action) else entry.label.replace(" ", "-")


def drawn(use_case: str) -> str:
    """How a control of a list is drawn for the person signed in; "shown" where it needs no permission."""
    return frame.look(use_case) if use_case else "shown"
