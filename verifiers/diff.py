"""The difference between two snapshots: inserted, deleted and updated rows of every table.

`diff` takes the fast way where both are SQLite files (compare pages, then join only the tables that own changed
pages); `plain_diff` reads every row of both and is the reference that the fast way must agree with.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import VerifierError, boundary
from .pages import changed_trees
from .shape import Key, Shape, Shapes, shapes
from .snapshot import Row, Snapshot, connect, uri

Cells = dict[str, tuple[object, object]]
"""Column to (old, new)."""


@dataclass
class TableDiff:
    """What changed in one table, by primary key."""

    inserted: dict[Key, Row] = field(default_factory=dict)
    deleted: dict[Key, Row] = field(default_factory=dict)
    updated: dict[Key, Cells] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.inserted or self.deleted or self.updated)

    def touched(self) -> set[Key]:
        """Keys of all rows that differ."""
        return {*self.inserted, *self.deleted, *self.updated}


@dataclass
class Diff:
    """What changed between two snapshots; tables without a change are left out."""

    tables: dict[str, TableDiff] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.tables)

    def of(self, table: str) -> TableDiff:
        """One table's changes, empty where there are none."""
        return self.tables.get(table) or TableDiff()

    def changed(self) -> dict[str, set[Key]]:
        """Table to the keys of its rows that differ."""
        return {name: table.touched() for name, table in self.tables.items()}

    def to_json(self) -> dict[str, object]:
        """The same as JSON; keys are text, binary values are shown by size and hash."""
        return {name: _table_json(table) for name, table in self.tables.items()}


def diff(before: Snapshot, after: Snapshot) -> Diff:
    """Everything that differs, by the fastest way that these two snapshots allow.

    Raises `VerifierError` where they can't be compared, such as for a missing table.
    """
    if before.path is None or after.path is None:
        return plain_diff(before, after)
    with boundary(VerifierError, f"comparing {before.path} with {after.path}"):
        return _fast_diff(shapes(before.metadata), before.path, after.path)


def _fast_diff(known: Shapes, old: Path, new: Path) -> Diff:
    trees = changed_trees(old, new)
    tables = [shape for name, shape in known.items() if trees is None or name in trees]
    if not tables:
        return Diff()
    connection = connect(old)
    try:
        connection.execute("ATTACH DATABASE ? AS later", (uri(new),))
        return _collect((shape.name, _joined(connection, shape)) for shape in tables)
    finally:
        connection.close()


def plain_diff(before: Snapshot, after: Snapshot, tables: Iterable[str] | None = None) -> Diff:
    """Everything that differs, by reading every row of both (or only of the named tables)."""
    known: Shapes = shapes(before.metadata)
    chosen = known if tables is None else [name for name in known if name in set(tables)]
    return _collect((name, _compared(before, after, known[name])) for name in chosen)


def row_changes(shape: Shape, old: Row | None, new: Row | None) -> TableDiff:
    """The difference that a single row makes, given as it was and as it is; None where it does not exist."""
    found = TableDiff()
    if old is None and new is not None:
        found.inserted[shape.key_of(new)] = new
    elif old is not None and new is None:
        found.deleted[shape.key_of(old)] = old
    elif old is not None and new is not None:
        cells = _cells(shape, old, new)
        if cells:
            found.updated[shape.key_of(old)] = cells
    return found


def same(old: object, new: object) -> bool:
    """Whether two raw values are one value: equal, and of one storage class (text is never a number)."""
    return old == new and _storage(old) == _storage(new)


def _collect(found: Iterable[tuple[str, TableDiff]]) -> Diff:
    return Diff({name: table for name, table in found if table})


def _joined(connection: sqlite3.Connection, shape: Shape) -> TableDiff:
    name = _quoted(shape.name)
    names = [_quoted(column) for column in shape.columns]
    on = " AND ".join(f"b.{_quoted(key)} = a.{_quoted(key)}" for key in shape.key)
    gone = f"{_quoted(shape.key[0])} IS NULL"
    old, new = (", ".join(f"{side}.{column}" for column in names) for side in "ba")
    found = TableDiff()
    for values in connection.execute(
        f"SELECT {new} FROM later.{name} a LEFT JOIN main.{name} b ON {on} WHERE b.{gone}"
    ):
        row = Row(zip(shape.columns, values, strict=True))
        found.inserted[shape.key_of(row)] = row
    for values in connection.execute(
        f"SELECT {old} FROM main.{name} b LEFT JOIN later.{name} a ON {on} WHERE a.{gone}"
    ):
        row = Row(zip(shape.columns, values, strict=True))
        found.deleted[shape.key_of(row)] = row
    differs = " OR ".join(f"b.{column} IS NOT a.{column} COLLATE BINARY" for column in names)
    width = len(names)
    for values in connection.execute(
        f"SELECT {old}, {new} FROM main.{name} b JOIN later.{name} a ON {on} WHERE {differs}"
    ):
        was = Row(zip(shape.columns, values[:width], strict=True))
        found.updated[shape.key_of(was)] = _cells(shape, was, Row(zip(shape.columns, values[width:], strict=True)))
    return found


def _compared(before: Snapshot, after: Snapshot, shape: Shape) -> TableDiff:
    old = {shape.key_of(row): row for row in before.rows(shape.name)}
    new = {shape.key_of(row): row for row in after.rows(shape.name)}
    found = TableDiff(
        inserted={key: row for key, row in new.items() if key not in old},
        deleted={key: row for key, row in old.items() if key not in new},
    )
    for key in old.keys() & new.keys():
        cells = _cells(shape, old[key], new[key])
        if cells:
            found.updated[key] = cells
    return found


def _cells(shape: Shape, old: Mapping[str, object], new: Mapping[str, object]) -> Cells:
    return {column: (old[column], new[column]) for column in shape.columns if not same(old[column], new[column])}


def _storage(value: object) -> type:
    return float if isinstance(value, int | float) else type(value)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _table_json(table: TableDiff) -> dict[str, object]:
    return {
        "inserted": {key_text(key): _row_json(row) for key, row in table.inserted.items()},
        "deleted": {key_text(key): _row_json(row) for key, row in table.deleted.items()},
        "updated": {
            key_text(key): {column: [json_value(old), json_value(new)] for column, (old, new) in cells.items()}
            for key, cells in table.updated.items()
        },
    }


def _row_json(row: Mapping[str, object]) -> dict[str, object]:
    return {column: json_value(value) for column, value in row.items()}


def key_text(key: Key) -> str:
    """A key as text: the value, or the values joined by a slash."""
    return "/".join(str(part) for part in key) if isinstance(key, tuple) else str(key)


def json_value(value: object) -> object:
    """A raw value as JSON."""
    if isinstance(value, bytes):
        return f"<{len(value)} bytes, sha256 {hashlib.sha256(value).hexdigest()[:16]}>"
    return value
