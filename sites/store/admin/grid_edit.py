"""Editing in place: the value that was typed, and the row as it is after the change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy.orm import Session

from ...kit.forms import Form
from ...kit.grid import Column
from ...kit.listing import Page, rows
from ...kit.world import WorldContext
from . import grids
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
    """The cells that may be shown and the version of a row, as the page puts them in place of the old ones."""
    with world.read() as db:
        shape = grid.shape(db)
        columns = [column for column in shape.columns if column.show is not None or grid.load is not None]
        query = shape.parse({"cols": [",".join(column.name for column in columns)]})
        page = Page(shape=shape, query=query, rows=rows(db, grid.source, shape, query, [id]), total=1)
        edits = {name: edit for name, edit in grid.edits.items() if grids.drawn(edit.needs) == "shown"}
        line = grids.lines(grid, columns, page, db, edits, [*grid.items, *grid.actions])[0]
    cells = {name: {"html": str(content), "value": start} for name, _, content, start in line.values}
    return {"id": id, "v": line.v, "can": line.can, "cells": cells}
