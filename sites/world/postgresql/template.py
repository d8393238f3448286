"""Baselines on a PostgreSQL server: each a database that nobody can connect to, cloned for every world and reset."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import MetaData, Table
from sqlalchemy.schema import AddConstraint, CreateIndex, CreateTable, ForeignKeyConstraint

from . import driver, names
from .cluster import Cluster
from .dialect import Dialect

_FORMAT = 1
_KEPT = 8
_DIALECT = Dialect()  # type: ignore[no-untyped-call]


@dataclass(frozen=True)
class Template:
    """A baseline as a database."""

    name: str
    xid: int
    """The transaction that wrote all its rows; a clone's row of another one was written since."""


def ensure(cluster: Cluster, metadata: MetaData, baseline: Path, hash: str) -> Template:
    """The template of a baseline, built where the server has none; several processes that ask at once build it once.

    `hash` is the baseline's logical hash; the template's name follows from it, the tables, and who owns it. Raises
    `EnvironmentFault`.
    """
    ddl = "\n".join(_tables(metadata))
    name = names.template(_FORMAT, hash, ddl, cluster.user)
    if found := _kept(cluster, name):
        return found
    with cluster.building(name):
        return _kept(cluster, name) or _built(cluster, metadata, baseline, name)


def _kept(cluster: Cluster, name: str) -> Template | None:
    found = cluster.ask(
        "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s AND NOT datallowconn", name
    )
    return Template(name, json.loads(found[0][0])["xid"]) if found and found[0][0] else None


def _built(cluster: Cluster, metadata: MetaData, baseline: Path, name: str) -> Template:
    """Load a database under a name of this run's, so that what breaks off is collected; at the end it gets its own."""
    half = cluster.empty()
    try:
        with closing(cluster.connect(half)) as connection, driver.complaints(f"loading {baseline} into {half}"):
            xid = _load(connection, metadata, baseline)
            _grant(connection, cluster)
            connection.execute("VACUUM (FREEZE, ANALYZE)")
        note = json.dumps({"format": _FORMAT, "xid": xid})
        cluster.do(
            f"COMMENT ON DATABASE \"{half}\" IS '{note}'",
            f'ALTER DATABASE "{half}" ALLOW_CONNECTIONS false',
            f'ALTER DATABASE "{half}" RENAME TO "{name}"',
        )
    except BaseException:
        cluster.drop(half)
        raise
    _tidy(cluster)
    return Template(name, xid)


def _load(connection: driver.Connection, metadata: MetaData, baseline: Path) -> int:
    """Tables, rows and then what checks and finds them, all in one transaction; returns its number."""
    with closing(sqlite3.connect(f"{baseline.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as rows:
        connection.execute("BEGIN")
        for table in metadata.sorted_tables:
            connection.execute(_sql(CreateTable(table, include_foreign_key_constraints=[])))
            fill(connection, table, _read(rows, table))
        for statement in _later(metadata):
            connection.execute(statement)
        strict = "SELECT conrelid::regclass, quote_ident(conname) FROM pg_constraint WHERE contype = 'f' "
        for table, name in connection.execute(f"{strict} AND NOT condeferrable").fetchall():
            connection.execute(f"ALTER TABLE {table} ALTER CONSTRAINT {name} DEFERRABLE")  # while rows are brought back
        ((xid,),) = connection.execute("SELECT pg_current_xact_id()::xid::text::bigint").fetchall()
        connection.execute("COMMIT")
        return int(xid)


def fill(connection: driver.Connection, table: Table, rows: Iterator[tuple[Any, ...]] | list[tuple[Any, ...]]) -> None:
    """Add rows to a table, given with all its columns in order and as SQLite holds them."""
    columns = ", ".join(f'"{column.name}"' for column in table.columns)
    with connection.cursor() as cursor, cursor.copy(f'COPY "{table.name}" ({columns}) FROM STDIN') as copy:
        for row in rows:
            copy.write_row(row)


def _read(rows: sqlite3.Connection, table: Table) -> Iterator[tuple[Any, ...]]:
    columns = ", ".join(f'"{column.name}"' for column in table.columns)
    order = ", ".join(f'"{column.name}"' for column in table.primary_key.columns)
    yield from rows.execute(f'SELECT {columns} FROM "{table.name}" ORDER BY {order}')


def _grant(connection: driver.Connection, cluster: Cluster) -> None:
    site, read = f'"{cluster.site_group}"', f'"{cluster.read_group}"'
    for statement in (
        "REVOKE ALL ON SCHEMA public FROM PUBLIC",
        f"GRANT USAGE ON SCHEMA public TO {site}, {read}",
        f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {read}",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {site}",
    ):
        connection.execute(statement)


def _tables(metadata: MetaData) -> Iterator[str]:
    """Everything that makes the tables, as text."""
    for table in metadata.sorted_tables:
        yield _sql(CreateTable(table, include_foreign_key_constraints=[]))
    yield from _later(metadata)


def _later(metadata: MetaData) -> Iterator[str]:
    for table in metadata.sorted_tables:
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            yield _sql(CreateIndex(index))
        keys = [each for each in table.constraints if isinstance(each, ForeignKeyConstraint)]
        for key in sorted(keys, key=lambda key: (key.column_keys, str(key.name))):
            yield _sql(AddConstraint(key, isolate_from_table=False))  # else SQLite would make its tables without it


def _sql(element: Any) -> str:
    return str(element.compile(dialect=_DIALECT)).strip()


def _tidy(cluster: Cluster) -> None:
    """Keep the latest templates of this role; who still needs an older one builds it again."""
    found = cluster.ask(
        "SELECT datname FROM pg_database WHERE starts_with(datname, %s) AND datdba = %s ORDER BY oid DESC",
        names.TEMPLATE,
        cluster.user,
    )
    for (name,) in found[_KEPT:]:
        cluster.drop(name)
