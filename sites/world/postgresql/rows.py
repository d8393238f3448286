"""Rows out of a PostgreSQL database into a file of SQLite and back, by what differs from the baseline.

A file that is made of the same rows has the same bytes: it is the baseline's, changed row by row in the order of keys.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import MetaData, Table

from ..files import copy
from . import driver
from .template import fill

Values = tuple[Any, ...]


@dataclass(frozen=True)
class Change:
    """What differs in one table."""

    table: Table
    gone: list[Values]
    """Keys of rows of the baseline that there are no longer."""
    now: list[Values]
    """Rows that are new or have changed, with all columns."""


class Baseline:
    """A baseline's file, and how many rows its tables have."""

    def __init__(self, path: Path, metadata: MetaData, xid: int) -> None:
        self.path = path
        self.metadata = metadata
        self.xid = xid
        """The transaction that wrote these rows on the server."""
        with closing(_opened(path)) as rows:
            self.counts: Mapping[str, int] = {
                table.name: rows.execute(f'SELECT count(*) FROM "{table.name}"').fetchone()[0]
                for table in metadata.sorted_tables
            }

    def write(self, connection: driver.Connection, target: Path) -> None:
        """Write the rows of a database, as they are in this transaction, to a file of SQLite at `target`."""
        half = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
        try:
            copy(self.path, half)
            with closing(sqlite3.connect(half, isolation_level=None)) as rows:
                for pragma in ("journal_mode=OFF", "synchronous=OFF", "foreign_keys=OFF"):
                    rows.execute(f"PRAGMA {pragma}")
                rows.execute("BEGIN")
                for name in self._touched(connection):
                    _bring_up(rows, connection, self.metadata.tables[name], self.xid)
                rows.execute("COMMIT")
            os.replace(half, target)
        finally:
            half.unlink(missing_ok=True)

    def read(self, connection: driver.Connection, rows: Path) -> None:
        """Bring a clone of the baseline to the rows of a file, in one transaction."""
        changes = self._changes(rows)
        connection.execute("BEGIN; SET CONSTRAINTS ALL DEFERRED")
        for change in reversed(changes):
            keys = [*change.gone, *(_key(change.table, row) for row in change.now)]
            where = " AND ".join(f'"{column.name}" = %s' for column in change.table.primary_key.columns)
            with connection.cursor() as cursor:
                cursor.executemany(f'DELETE FROM "{change.table.name}" WHERE {where}', keys)
        for change in changes:
            fill(connection, change.table, change.now)
        connection.execute("COMMIT")

    def _touched(self, connection: driver.Connection) -> list[str]:
        """Tables in which something was written or deleted, those that are referred to first."""
        parts = [
            f"SELECT '{name}', count(*) FILTER (WHERE xmin = '{self.xid}'::xid), count(*) FROM \"{name}\""
            for name in self.counts
        ]
        found = connection.execute(" UNION ALL ".join(parts)).fetchall()
        changed = {name for name, old, all in found if not old == all == self.counts[name]}
        return [name for name in self.counts if name in changed]

    def _changes(self, rows: Path) -> list[Change]:
        with closing(_opened(rows)) as connection:
            connection.execute("ATTACH DATABASE ? AS old", (f"{self.path.absolute().as_uri()}?mode=ro&immutable=1",))
            found = [_compared(connection, table) for table in self.metadata.sorted_tables]
        return [change for change in found if change.gone or change.now]


def _bring_up(rows: sqlite3.Connection, connection: driver.Connection, table: Table, xid: int) -> None:
    """Make one table of a copy of the baseline what it is in the database."""
    names = [column.name for column in table.columns]
    keys = ", ".join(_quoted(column.name) for column in table.primary_key.columns)
    listed = ", ".join(map(_quoted, names))
    where = " AND ".join(f"{_quoted(column.name)} = ?" for column in table.primary_key.columns)
    name = _quoted(table.name)
    written = connection.execute(f"SELECT {listed} FROM {name} WHERE NOT xmin = '{xid}'::xid ORDER BY {keys}")
    now, old, fresh = [], [], 0
    for row in map(_plain, written):
        was = rows.execute(f"SELECT {listed} FROM {name} WHERE {where}", _key(table, row)).fetchone()
        if was != row:
            now.append(row)
            fresh += was is None
            old += [] if was is None else [_key(table, row)]
    ((count,),) = connection.execute(f"SELECT count(*) FROM {name}").fetchall()
    if count != rows.execute(f"SELECT count(*) FROM {name}").fetchone()[0] + fresh:
        here = set(map(_plain, connection.execute(f"SELECT {keys} FROM {name}")))
        old += [key for key in rows.execute(f"SELECT {keys} FROM {name} ORDER BY {keys}").fetchall() if key not in here]
    # all that goes before anything comes, so that a value that must be unique may change hands
    rows.executemany(f"DELETE FROM {name} WHERE {where}", old)
    rows.executemany(f"INSERT INTO {name} ({listed}) VALUES ({', '.join('?' * len(names))})", now)


def _compared(connection: sqlite3.Connection, table: Table) -> Change:
    """One table of a file against the baseline's, which is attached as `old`."""
    name = _quoted(table.name)
    keys = [_quoted(column.name) for column in table.primary_key.columns]
    columns = [_quoted(column.name) for column in table.columns]
    on = " AND ".join(f"a.{key} = b.{key}" for key in keys)
    order = ", ".join(f"a.{key}" for key in keys)
    differs = " OR ".join(f"a.{column} IS NOT b.{column}" for column in columns)
    now = connection.execute(
        f"SELECT {', '.join(f'a.{column}' for column in columns)} FROM main.{name} a LEFT JOIN old.{name} b ON {on} "
        f"WHERE b.{keys[0]} IS NULL OR {differs} ORDER BY {order}"
    ).fetchall()
    gone = connection.execute(
        f"SELECT {order} FROM old.{name} a LEFT JOIN main.{name} b ON {on} WHERE b.{keys[0]} IS NULL ORDER BY {order}"
    ).fetchall()
    return Change(table, gone, now)


def _key(table: Table, row: Values) -> Values:
    keys = {column.name for column in table.primary_key.columns}
    by_name = {column.name: value for column, value in zip(table.columns, row, strict=True) if column.name in keys}
    return tuple(by_name[column.name] for column in table.primary_key.columns)


def _plain(row: Values) -> Values:
    """Values as SQLite holds them."""
    return tuple(int(value) if isinstance(value, bool) else value for value in row)


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)


def _quoted(name: str) -> str:
    return f'"{name}"'
