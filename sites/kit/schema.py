"""Column classes: what a change of a column means to a verifier, declared beside the column itself.

Verifiers are generic: they read these names from `Column.info` and `Table.info` and know nothing else of a site.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from sqlalchemy import Column, MetaData, Table
from sqlalchemy.orm import MappedColumn, mapped_column


class ColumnClass(StrEnum):
    """How a change of a column is judged."""

    DATA = "data"
    """Facts; a change that the task does not declare is damage."""
    DERIVED = "derived"
    """Follows from data; must equal its recomputation after the episode."""
    PREFERENCE = "preference"
    """A person's comfort (saved views, drafts); may always change."""
    TRAIL = "trail"
    """Append-only record; new rows may always appear, old rows never change."""
    ORDER = "order"
    """A position in a sequence; compared as a sequence, not by number. `info["within"]` names the sequence."""
    GENERATED = "generated"
    """Allocated by the application (ids, numbers, times); on new rows compared only for presence."""
    VOLATILE = "volatile"
    """Never compared (versions, counters, last-seen times)."""


def column(
    *args: Any, cls: ColumnClass = ColumnClass.DATA, within: tuple[str, ...] = (), **kwargs: Any
) -> MappedColumn[Any]:
    """A `mapped_column` with its class; `within` names the columns that identify an ordered set.

    Only class order reads `within`; empty there means that the whole table is one sequence.
    """
    info: dict[str, Any] = {"class": str(cls)}
    if cls is ColumnClass.ORDER:
        info["within"] = within
    return mapped_column(*args, info=info, **kwargs)


def class_of(col: Column[Any]) -> ColumnClass:
    """The class of a column: its own, else its table's.

    Raises `LookupError` where neither declares one, so that no column is left unjudged by accident.
    """
    name = col.info.get("class") or _table(col).info.get("class")
    if name is None:
        raise LookupError(f"column {_table(col).name}.{col.name} has no class")
    return ColumnClass(name)


def unclassed(metadata: MetaData) -> list[str]:
    """Names (`table.column`) of the columns that declare no class anywhere."""
    return [
        f"{table.name}.{col.name}"
        for table in metadata.sorted_tables
        for col in table.columns
        if not (col.info.get("class") or table.info.get("class"))
    ]


def _table(col: Column[Any]) -> Table:
    table = col.table
    assert isinstance(table, Table)
    return table
