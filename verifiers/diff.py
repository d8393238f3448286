"""The difference between two snapshots: inserted, deleted and updated rows of every table.

`diff` takes the fast way where both are SQLite files (compare pages, then join only the tables that own changed
pages); `plain_diff` reads every row of both and is the reference that the fast way must agree with.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from ..errors import VerifierError, boundary
from .pages import touched
from .shape import Key, Shape, Shapes, shapes
from .snapshot import Row, Snapshot, connect, uri

_FEW = 5000
"""As many rows are looked up one by one; of more, the whole table is compared."""

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

    def changed_but_for(self, quiet: Mapping[str, frozenset[str]]) -> dict[str, set[Key]]:
        """The same without rows that differ in quiet columns only, which are given by table."""
        found = {
            name: {*table.inserted, *table.deleted}
            | {key for key, cells in table.updated.items() if not cells.keys() <= quiet[name]}
            for name, table in self.tables.items()
        }
        return {name: keys for name, keys in found.items() if keys}

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
        trees = touched(before.path, after.path, after.connection)
        names = [name for name in shapes(before.metadata) if trees is None or name in trees]
        return _collect((name, _looked_at(before, after, name, trees[name] if trees else None)) for name in names)


def plain_diff(before: Snapshot, after: Snapshot, tables: Iterable[str] | None = None) -> Diff:
    """Everything that differs, by reading every row of both (or only of the named tables)."""
    known: Shapes = shapes(before.metadata)
    chosen = known if tables is None else [name for name in known if name in set(tables)]
    return _collect((name, _compared(known[name], before.rows(name), after.rows(name))) for name in chosen)


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


def _looked_at(before: Snapshot, after: Snapshot, table: str, rows: frozenset[int] | None) -> TableDiff:
    """One table's difference, by the rows that may differ where they are known and few."""
    shape = shapes(before.metadata)[table]
    if rows is None or len(rows) > _FEW:
        return _joined(before, after, shape)
    names = ", ".join(_quoted(column) for column in shape.columns)
    ids = ", ".join(map(str, sorted(rows)))
    select = f"SELECT {names} FROM {_quoted(table)} WHERE rowid IN ({ids})"
    sides = [side.connection.execute(select).fetchall() for side in (before, after)]
    alike = set(sides[0]) & set(sides[1])
    old, new = ([_row(shape, values) for values in side if values not in alike] for side in sides)
    return _compared(shape, old, new)


def _row(shape: Shape, values: Sequence[object]) -> Row:
    return Row(zip(shape.columns, values, strict=True))


def _joined(before: Snapshot, after: Snapshot, shape: Shape) -> TableDiff:
    """One table's difference, by joining all its rows."""
    assert before.path is not None
    assert after.path is not None
    with closing(connect(before.path)) as connection:
        connection.execute("ATTACH DATABASE ? AS later", (uri(after.path),))
        return _join(connection, shape)


def _join(connection: sqlite3.Connection, shape: Shape) -> TableDiff:
    name = _quoted(shape.name)
    names = [_quoted(column) for column in shape.columns]
    on = " AND ".join(f"b.{_quoted(key)} = a.{_quoted(key)}" for key in shape.key)
    gone = f"{_quoted(shape.key[0])} IS NULL"
    old, new = (", ".join(f"{side}.{column}" for column in names) for side in "ba")
    found = TableDiff()
    for values in connection.execute(
        f"SELECT {new} FROM later.{name} a LEFT JOIN main.{name} b ON {on} WHERE b.{gone}"
    ):
        row = _row(shape, values)
        found.inserted[shape.key_of(row)] = row
    for values in connection.execute(
        f"SELECT {old} FROM main.{name} b LEFT JOIN later.{name} a ON {on} WHERE a.{gone}"
    ):
        row = _row(shape, values)
        found.deleted[shape.key_of(row)] = row
    differs = " OR ".join(f"b.{column} IS NOT a.{column} COLLATE BINARY" for column in names)
    width = len(names)
    for values in connection.execute(
        f"SELECT {old}, {new} FROM main.{name} b JOIN later.{name} a ON {on} WHERE {differs}"
    ):
        was = _row(shape, values[:width])
        found.updated[shape.key_of(was)] = _cells(shape, was, _row(shape, values[width:]))
    return found


def _compared(shape: Shape, before: Iterable[Row], after: Iterable[Row]) -> TableDiff:
    old, new = ({shape.key_of(row): row for row in rows} for rows in (before, after))
    found = TableDiff(
        inserted={key: row for key, row in new.items() if key not in old},
        deleted={key: row for key, row in old.items() if key not in new},
    )
    for key in old.keys() & new.keys():
        if old[key] != new[key]:
            found.updated[key] = _cells(shape, old[key], new[key])
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
