"""One SQLite file with two engines on it: a pool of read-only connections, and the one connection that writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import URL, Engine
from sqlalchemy.orm import Session
from sqlalchemy.pool import QueuePool

from .files import copy
from .locks import SharedLock

STATEMENTS = 2000
"""Compiled queries that are kept; the shop has several hundred, and lists one for each combination of conditions."""

_READ = ("PRAGMA query_only=ON", "PRAGMA cache_size=-4000")
_WRITE = ("PRAGMA journal_mode=MEMORY", "PRAGMA synchronous=OFF", "PRAGMA foreign_keys=ON", "PRAGMA cache_size=-4000")


class Database:
    """The rows of one generation.

    Readers exclude the writer by a lock of ours, so SQLite never answers "database is locked", and outside a write the
    file on disk is whole: a plain copy of it is a consistent copy.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.writes = 0
        """How many writing transactions were committed."""
        self._lock = SharedLock()
        self._readers = _engine(path, _READ, "BEGIN", size=4)
        self._writer = _engine(path, _WRITE, "BEGIN IMMEDIATE", size=1)

    def warm(self) -> None:
        """Open the first connections and read the schema, so that the first request doesn't."""
        for engine in (self._readers, self._writer):
            with engine.connect() as connection:
                connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar()

    def usable(self) -> bool:
        """A file that is open stays."""
        return True

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session on one consistent state that refuses to write."""
        with self._lock.shared(), _session(self._readers) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """The one writing transaction: committed at the end, rolled back on an exception."""
        with self._lock.exclusive():
            with _session(self._writer) as session, session.begin():
                yield session
            self.writes += 1

    @contextmanager
    def paused(self, session: Session) -> Iterator[None]:
        """Let a reading session go, so that its own request can write; its rows are loaded afresh afterwards."""
        session.commit()  # nothing to commit: ends SQLite's read transaction and keeps what is loaded
        self._lock.release_shared()
        try:
            yield
        finally:
            self._lock.acquire_shared()
            session.expire_all()

    def copy_to(self, target: Path) -> None:
        """Write a consistent copy to `target`, replacing what is there; requests that only read go on meanwhile."""
        with self._lock.shared():
            copy(self.path, target)

    def dispose(self) -> None:
        """Close the connections and delete the file."""
        self._readers.dispose()
        self._writer.dispose()
        with suppress(FileNotFoundError):
            self.path.unlink()


@contextmanager
def _session(engine: Engine) -> Iterator[Session]:
    """A session that is of no use once it is closed, so that one kept by mistake can't open a transaction unseen."""
    with Session(engine, expire_on_commit=False, close_resets_only=False) as session:
        yield session


@lru_cache(maxsize=1)
def _prototype() -> Engine:
    """The engine whose dialect and cache of compiled queries all others share.

    A reset makes new engines; with caches of their own they would compile every query again in every episode.
    """
    engine = create_engine("sqlite://", query_cache_size=STATEMENTS)
    with engine.connect():
        return engine


def _engine(path: Path, pragmas: tuple[str, ...], begin: str, *, size: int) -> Engine:
    def connect() -> Any:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=STATEMENTS)
        for pragma in pragmas:
            connection.execute(pragma)
        return connection

    prototype = _prototype()
    pool = QueuePool(connect, pool_size=size, max_overflow=-1, use_lifo=True, dialect=prototype.dialect)
    engine = Engine(pool, prototype.dialect, URL.create("sqlite", database=str(path)))
    engine._compiled_cache = prototype._compiled_cache  # keyed by dialect and statement, and locked by SQLAlchemy

    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine, "begin", on_begin)
    return engine
