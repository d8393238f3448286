"""The database after an episode as a row difference from its baseline, and the full database rebuilt from both.

Unlike a verdict this judges nothing and leaves nothing out: volatile columns are in it too, so that a few kilobytes
beside the baseline stand for the whole database.
"""

from __future__ import annotations

import base64
import shutil
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import MetaData

from ..verifiers import Snapshot, diff
from ..verifiers.diff import TableDiff
from ..verifiers.shape import Shape, shape_of


def difference(before: Path, after: Path, metadata: MetaData) -> dict[str, Any]:
    """Changed tables only: `{table: {key, columns, classes, rows, trail, inserted, deleted, updated, labels}}`.

    `inserted` and `deleted` hold whole rows, `updated` pairs of key values and `{column: [old, new]}`, and `labels`
    what a person calls those rows; `classes`, `rows` and `trail` (positions in `inserted`) say how a change of each
    column, and of a whole row, is judged. Blobs are `{"base64": …}`.
    """
    with Snapshot(before, metadata) as old, Snapshot(after, metadata) as new:
        return {name: _table(shape_of(metadata, name), table, new) for name, table in diff(old, new).tables.items()}


def rebuild(before: Path, changes: Mapping[str, Any], to: Path) -> Path:
    """Write the database that `changes` leads to from `before` (a baseline, left as it is) to the new file `to`."""
    shutil.copyfile(before, to)
    to.chmod(0o644)
    db = sqlite3.connect(to)
    try:
        with db:
            for table in changes:
                _delete(db, table, changes[table])
            for table in changes:
                _update_and_insert(db, table, changes[table])
    finally:
        db.close()
    return to


def _table(shape: Shape, found: TableDiff, new: Snapshot) -> dict[str, Any]:
    updated = [
        [
            [_write(v) for v in shape.key_values(key).values()],
            {c: [_write(o), _write(n)] for c, (o, n) in cells.items()},
        ]
        for key, cells in found.updated.items()
    ]
    return {
        "key": list(shape.key),
        "columns": list(shape.columns),
        "classes": dict(shape.classes),
        "rows": shape.rows,
        "trail": _trail_rows(shape, found),
        "inserted": [_row(shape, row) for row in found.inserted.values()],
        "deleted": [_row(shape, row) for row in found.deleted.values()],
        "updated": updated,
        "labels": [label_of(new.get(shape.name, key) or {}) for key in found.updated],
    }


def label_of(row: Mapping[str, Any]) -> str | None:
    """What a person calls a row: its number, name, code …, else None."""
    named = (row.get(column) for column in ("number", "sku", "code", "email", "name", "full_name", "title", "subject"))
    return next((value for value in named if isinstance(value, str)), None)


def _trail_rows(shape: Shape, found: TableDiff) -> list[int]:
    """Which of the inserted rows (by position) are of class trail."""
    return [index for index, row in enumerate(found.inserted.values()) if shape.row_class(row) == "trail"]


def _row(shape: Shape, row: Mapping[str, Any]) -> list[Any]:
    return [_write(row[column]) for column in shape.columns]


def _delete(db: sqlite3.Connection, table: str, change: Mapping[str, Any]) -> None:
    at = [change["columns"].index(name) for name in change["key"]]
    for row in change["deleted"]:
        db.execute(f'DELETE FROM "{table}" WHERE {_where(change)}', [_read(row[i]) for i in at])


def _update_and_insert(db: sqlite3.Connection, table: str, change: Mapping[str, Any]) -> None:
    for key, cells in change["updated"]:
        sets = ", ".join(f'"{name}" = ?' for name in cells)
        new = [_read(pair[1]) for pair in cells.values()]
        db.execute(f'UPDATE "{table}" SET {sets} WHERE {_where(change)}', [*new, *map(_read, key)])
    names = ", ".join(f'"{name}"' for name in change["columns"])
    marks = ", ".join("?" * len(change["columns"]))
    rows = [[_read(cell) for cell in row] for row in change["inserted"]]
    db.executemany(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', rows)


def _where(change: Mapping[str, Any]) -> str:
    return " AND ".join(f'"{name}" IS ?' for name in change["key"])


def _write(value: Any) -> Any:
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _read(value: Any) -> Any:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value
