"""The rows of a database as a number: one hash that depends on what is stored and not on how the file is laid out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, MetaData, Table, select


def logical_hash(connection: Connection, metadata: MetaData) -> str:
    """A SHA-256 (hex) over all tables, columns and rows, tables by name and rows by primary key.

    Equal for SQLite and PostgreSQL with the same rows; page layout, indexes and versions of the engine do not matter.
    """
    digest = hashlib.sha256()
    for name in sorted(metadata.tables):
        table = metadata.tables[name]
        digest.update(f"\n{name}({','.join(column.name for column in table.columns)})\n".encode())
        for row in _rows(connection, table):
            digest.update(repr(tuple(map(_plain, row))).encode())
    return digest.hexdigest()


def row_counts(connection: Connection, metadata: MetaData) -> dict[str, int]:
    """The number of rows of each table, by name."""
    return {
        name: sum(1 for _ in connection.execute(select(*metadata.tables[name].primary_key.columns)))
        for name in sorted(metadata.tables)
    }


def _rows(connection: Connection, table: Table) -> Iterable[Any]:
    """All rows of a table in the order of its primary key."""
    return connection.execute(select(table).order_by(*table.primary_key.columns))


def _plain(value: Any) -> Any:
    """Booleans as numbers, since databases differ in what they hand back for them."""
    return int(value) if isinstance(value, bool) else value
