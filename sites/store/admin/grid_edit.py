"""Editing in place: the value that was typed, and the row as it is after the change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy.orm import Session

from ...kit.forms import Form
from ...kit.grid import Column
from ...kit.listing import Page, rows
from ...kit.world import WorldContext
from . import grid_lines
from .grid_actions import Edit

if TYPE_CHECKING:
    from .grids import Grid


def read(edit: Edit, column: Column | None, form: Form, db: Session) -> Any:
    """The typed value; what is wrong with it is noted in the form."""
    if column is None:
        return None
    how = edit.typed(column)
    if how == "choice":
        codes = [code for code, _ in edit.choices(column, db)]
        return form.choice("value", column.label, codes, required=edit.required)
    if how == "money":
        return form.money("value", column.label, required=edit.required)
    if how == "whole":
        return form.whole("value", column.label, required=edit.required)
    if how == "day":
        return form.day("value", column.label, required=edit.required)
    return form.text("value", column.label, required=edit.required, most=edit.most)


def answer(grid: Grid, id: int, world: WorldContext) -> dict[str, Any]:
    """All cells and the version of a row, as the page puts them in place of the old ones."""
    with world.read() as db:
        shape = grid.shape(db)
        query = shape.parse({"cols": [",".join(column.name for column in shape.columns)]})
        page = Page(shape=shape, query=query, rows=rows(db, grid.source, shape, query, [id]), total=1)
        if not page.rows:
            return {"id": id, "gone": True}
        row = page.rows[0]
        entries: grid_lines.Entries = [*grid.items, *(action for action in grid.actions if action.single)]
        cells = {
            each.name: {"html": each.html(each.value(row), row), "value": each.start(row) if each.edit else ""}
            for each in grid_lines.columns(grid, page, db, grid.edits)
        }
    name = grid.called(row)
    return {"id": id, "name": name, "v": row._mapping.get("v"), "can": grid_lines.fitting(row, entries), "cells": cells}
