"""A list as a CSV file: all rows that match, the columns shown, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Row
from sqlalchemy.orm import Session

from ...kit.grid import Query, Shape
from ...kit.listing import Page
from . import grid_cells

if TYPE_CHECKING:
    from .grids import Grid

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a text begins with that a spreadsheet would compute."""


def written(grid: Grid, shape: Shape, query: Query, rows: Sequence[Row[Any]], db: Session) -> str:
    """The file: a line of labels, then a line per row; lines end as RFC 4180 says."""
    page = Page(shape=shape, query=query, rows=list(rows), total=len(rows))
    loaded = grid.load(db, page) if grid.load is not None and rows else {}
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow([column.label for column in page.columns])
    for row in rows:
        line = []
        for column in page.columns:
            value = loaded[column.name].get(row.id) if column.name in loaded else row._mapping[column.name]
            text = grid_cells.plain(column, grid.cells.get(column.name), value, row)
            line.append(text if column.numeric else harmless(text))
        writer.writerow(line)
    return file.getvalue()


def harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text
