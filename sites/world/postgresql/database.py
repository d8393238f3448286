"""One PostgreSQL database with two engines on it: one that reads, and one that writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import URL, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from ....errors import EnvironmentFault
from ..database import STATEMENTS
from ..locks import SharedLock
from . import dialect as _registered
from . import driver
from .pool import Budget, Pool

_READ, _WRITE = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", "BEGIN"


class Engines:
    """What the engines of all databases of one server share: the dialect, and the queries that are compiled already."""

    def __init__(self, connect: Callable[[], Any]) -> None:
        """`connect` opens a connection to any database of the server, to learn what the dialect has to know of it."""
        self._first = create_engine(
            f"{_registered.NAME.replace('.', '+')}://",
            creator=connect,
            query_cache_size=STATEMENTS,
            use_native_hstore=False,
        )
        with self._first.connect():
            self.dialect = self._first.dialect
        self._first.dispose()

    def make(self, pool: Pool, name: str, begin: str) -> Engine:
        """An engine whose transactions begin like this."""
        engine = Engine(pool, self.dialect, URL.create("postgresql", database=name))
        engine._compiled_cache = self._first._compiled_cache  # keyed by dialect and statement, locked by SQLAlchemy

        def on_begin(connection: Connection) -> None:
            connection.exec_driver_sql(begin)

        event.listen(engine, "begin", on_begin)
        return engine


class Database:
    """The rows of one generation, as the embedded `Database` holds them in a file.

    Readers and the writer exclude each other by a lock of ours, as there, so that both give the same answers.
    """

    def __init__(
        self,
        name: str,
        *,
        connect: Callable[[], Any],
        engines: Engines,
        budget: Budget,
        write: Callable[[str, Path], None],
        drop: Callable[[str], None],
    ) -> None:
        """`connect` opens it as the site's role, `write` puts its rows into a file, and `drop` deletes it."""
        self.name = name
        self.writes = 0
        """How many writing transactions were committed."""
        self._lock = SharedLock()
        self._pool = Pool(connect, budget, engines.dialect)
        self._readers = engines.make(self._pool, name, _READ)
        self._writer = engines.make(self._pool, name, _WRITE)
        self._write = write
        self._drop = drop

    def warm(self) -> None:
        """Open a first connection."""
        with _faults(self.name), self._readers.connect() as connection:
            connection.exec_driver_sql("SELECT 1").scalar()

    def usable(self) -> bool:
        """Whether it can be connected to: a server that was restarted may have forgotten that it admits anybody."""
        if self._pool.idles:
            return True
        try:
            self.warm()
        except EnvironmentFault:
            return False
        return True

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session on one consistent state that refuses to write."""
        with self._lock.shared(), _faults(self.name), _session(self._readers) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """The one writing transaction: committed at the end, rolled back on an exception."""
        with self._lock.exclusive():
            with _faults(self.name), _session(self._writer) as session, session.begin():
                yield session
            self.writes += 1

    @contextmanager
    def paused(self, session: Session) -> Iterator[None]:
        """Let a reading session go, so that its own request can write; its rows are loaded afresh afterwards."""
        session.commit()  # nothing to commit: ends the transaction and keeps what is loaded
        self._lock.release_shared()
        try:
            yield
        finally:
            self._lock.acquire_shared()
            session.expire_all()

    def copy_to(self, target: Path) -> None:
        """Write the rows to a file of SQLite, replacing what is there; requests that only read go on meanwhile."""
        with self._lock.shared():
            self._write(self.name, target)

    def dispose(self) -> None:
        """Close the connections and delete the database."""
        self._pool.dispose()
        self._drop(self.name)


@contextmanager
def _session(engine: Engine) -> Iterator[Session]:
    """A session that is of no use once it is closed, so that one kept by mistake can't open a transaction unseen."""
    with Session(engine, expire_on_commit=False, close_resets_only=False) as session:
        yield session


@contextmanager
def _faults(name: str) -> Iterator[None]:
    """A connection, disk or right that is gone is the machinery's fault, whatever statement met it first."""
    try:
        yield
    except DBAPIError as error:
        if error.orig is None or not driver.fatal(error.orig):
            raise
        raise driver.fault(error.orig, f"database {name}") from error
