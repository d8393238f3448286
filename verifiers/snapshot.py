"""The rows of a database at an instant, read straight from its file: raw values, nothing can be written."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

from sqlalchemy import MetaData
from sqlalchemy.dialects import sqlite as _sqlite
from sqlalchemy.sql import ClauseElement

from ..errors import EnvironmentFault, VerifierError
from .shape import Key, Shape, shape_of

_DIALECT = _sqlite.dialect(paramstyle="named")


class Row(dict[str, Any]):
    """A row: column to raw value, readable as `row["total"]` and as `row.total`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"this row has no column {name!r}; it has {', '.join(self)}") from None


class Snapshot:
    """One database file, opened read-only and immutable; use it as a context manager or `close` it.

    Raises `EnvironmentFault` where the file is missing or is no database: that is the machinery's fault.
    """

    def __init__(self, path: Path | str, metadata: MetaData) -> None:
        self.path: Path | None = Path(path)
        self.metadata = metadata
        self.connection = connect(self.path)

    @classmethod
    def over(cls, connection: sqlite3.Connection, metadata: MetaData) -> Snapshot:
        """A snapshot of an open connection (a copy in memory, a savepoint), which stays the caller's to close."""
        self = cls.__new__(cls)
        self.path, self.metadata, self.connection = None, metadata, connection
        return self

    def rows(self, table: str, **equals: object) -> list[Row]:
        """Rows in key order whose columns equal the given values; a list, tuple or set means "one of"."""
        shape = shape_of(self.metadata, table)
        where, params = _where(shape, equals)
        order = ", ".join(_quoted(name) for name in shape.key)
        return list(self._read(f"SELECT * FROM {_quoted(table)}{where} ORDER BY {order}", params))

    def row(self, table: str, **equals: object) -> Row:
        """The one row with these values; `VerifierError` where there is none or more than one."""
        found = self.rows(table, **equals)
        if len(found) != 1:
            raise VerifierError(f"{len(found)} rows of {table} with {equals}, where exactly one was expected")
        return found[0]

    def get(self, table: str, key: Key) -> Row | None:
        """The row with this primary key, or None."""
        found = self.rows(table, **shape_of(self.metadata, table).key_values(key))
        return found[0] if found else None

    def query(self, statement: str | ClauseElement, **params: object) -> list[Row]:
        """Rows of any SELECT, given as SQL text with `:name` parameters or as a SQLAlchemy construct."""
        if isinstance(statement, str):
            return list(self._read(statement, params))
        compiled = statement.compile(dialect=_DIALECT, compile_kwargs={"render_postcompile": True})
        return list(self._read(str(compiled), {**compiled.params, **params}))

    def value(self, statement: str | ClauseElement, **params: object) -> Any:
        """The first column of the one row that a SELECT returns."""
        found = self.query(statement, **params)
        if len(found) != 1:
            raise VerifierError(f"{len(found)} rows where one value was expected: {statement}")
        return next(iter(found[0].values()))

    def _read(self, sql: str, params: Mapping[str, object]) -> Iterator[Row]:
        try:
            cursor = self.connection.execute(sql, params)
            names = [column[0] for column in cursor.description or ()]
            for values in cursor:
                yield Row(zip(names, values, strict=True))
        except sqlite3.Error as error:
            raise VerifierError(f"{error} in: {sql}") from error

    def close(self) -> None:
        """Let go of the file; a snapshot made by `over` leaves its connection alone."""
        if self.path is not None:
            self.connection.close()

    def __enter__(self) -> Snapshot:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


def connect(path: Path) -> sqlite3.Connection:
    """A connection that can neither write nor lock: the file must not change while it is open."""
    try:
        connection = sqlite3.connect(uri(path), uri=True, check_same_thread=False, isolation_level=None)
        connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1")
    except sqlite3.Error as error:
        raise EnvironmentFault(f"can't read the database {path}: {error}", cause="snapshot_unreadable") from error
    return connection


def uri(path: Path) -> str:
    """The address under which SQLite opens a file read-only, without looking for journals or locks."""
    return f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"


def _where(shape: Shape, equals: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    terms: list[str] = []
    params: dict[str, object] = {}
    for column, value in equals.items():
        if column not in shape.classes:
            raise VerifierError(f"table {shape.name} has no column {column!r}")
        if isinstance(value, list | tuple | set | frozenset):
            names = {f"{column}_{index}": item for index, item in enumerate(value)}
            terms.append(f"{_quoted(column)} IN ({', '.join(f':{name}' for name in names)})")
            params |= names
        else:
            terms.append(f"{_quoted(column)} IS :{column}")
            params[column] = value
    return (" WHERE " + " AND ".join(terms) if terms else ""), params


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
