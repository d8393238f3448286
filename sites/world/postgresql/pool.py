"""Connections of a whole process, held below a limit: a pool for each database, and who idles makes room."""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy.engine import Dialect
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.pool import Pool as BasePool

from ....errors import EnvironmentFault

WAIT_S = 30.0
"""As long as a request waits for one of ours to become free, or for the server to admit another."""
_AGAIN_S = 0.05


class Budget:
    """At most `most` connections, over all databases. Taking one more closes the one that has idled longest."""

    def __init__(self, most: int, wait_s: float = WAIT_S) -> None:
        self.most = most
        self.wait_s = wait_s
        self._changed = threading.Condition()
        self._open = 0
        self._idle: dict[ConnectionPoolEntry, Pool] = {}  # who idles longest comes first

    @property
    def open(self) -> int:
        """How many there are now."""
        return self._open

    @contextmanager
    def one(self) -> Iterator[None]:
        """Room for one more connection, which the block opens and closes."""
        self._enter()
        try:
            yield
        finally:
            self._leave()

    def take(self, pool: Pool) -> ConnectionPoolEntry:
        """A connection of a pool: the one that idled last, or a new one. Raises `EnvironmentFault`."""
        with self._changed:
            mine = next((entry for entry in reversed(self._idle) if self._idle[entry] is pool), None)
            if mine is not None:
                del self._idle[mine]
                if _broken(mine.dbapi_connection):
                    mine.invalidate()  # it connects anew, in the same place
                return mine
        self._enter()
        try:
            return self._admitted(pool)
        except BaseException:
            self._leave()
            raise

    def holds(self, pool: Pool) -> bool:
        """Whether a connection of a pool idles here that the server has not ended."""
        with self._changed:
            mine = next((entry for entry in reversed(self._idle) if self._idle[entry] is pool), None)
            return mine is not None and not _broken(mine.dbapi_connection)

    def give(self, entry: ConnectionPoolEntry, pool: Pool) -> None:
        """Take a connection back; one that broke, or whose pool is closed, makes room at once."""
        with self._changed:
            if entry.dbapi_connection is not None and not pool.closed:
                self._idle[entry] = pool
                self._changed.notify()
                return
        entry.close()
        self._leave()

    def close(self, pool: Pool) -> None:
        """Close what idles in a pool."""
        with self._changed:
            mine = [entry for entry, owner in self._idle.items() if owner is pool]
            for entry in mine:
                del self._idle[entry]
        for entry in mine:
            entry.close()
            self._leave()

    def _enter(self) -> None:
        """Count one more; where that is too many, close one that idles, or wait for one."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._open < self.most or self._idle, self.wait_s):
                raise EnvironmentFault(
                    f"all {self.most} connections to the database were in use for {self.wait_s:.0f} s: play fewer "
                    "episodes at once, or raise sitegym_connections in the address",
                    cause="database_crowded",
                )
            if self._open < self.most:
                self._open += 1
                return
            eldest = next(iter(self._idle))
            del self._idle[eldest]
        eldest.close()  # its place is ours

    def _leave(self) -> None:
        with self._changed:
            self._open -= 1
            self._changed.notify()

    def _admitted(self, pool: Pool) -> ConnectionPoolEntry:
        """A new connection; where the server is full of others' and ours, ours make room."""
        until = time.monotonic() + self.wait_s
        while True:
            try:
                return pool.connected()
            except EnvironmentFault as error:
                if error.cause != "database_crowded" or time.monotonic() > until:
                    raise
            self._shrink()
            time.sleep(_AGAIN_S)  # the server does not tell when it has room

    def _shrink(self) -> None:
        with self._changed:
            if not self._idle:
                return
            eldest = next(iter(self._idle))
            del self._idle[eldest]
        eldest.close()
        self._leave()


def _broken(connection: Any) -> bool:
    """Whether the server has ended a connection that idles: then there is something to read, for which nobody asked."""
    if connection is None or connection.closed:
        return True
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    return bool(waiting.poll(0))


class Pool(BasePool):
    """The connections to one database; how many there may be is for the budget to say."""

    def __init__(self, connect: Callable[[], Any], budget: Budget, dialect: Dialect) -> None:
        super().__init__(connect, dialect=dialect, reset_on_return=None)
        self._budget = budget
        self.closed = False

    def connected(self) -> ConnectionPoolEntry:
        """One more connection."""
        return self._create_connection()

    @property
    def idles(self) -> bool:
        """Whether a sound connection waits to be used."""
        return self._budget.holds(self)

    def dispose(self) -> None:
        """Close what idles, and the rest when it comes back."""
        self.closed = True
        self._budget.close(self)

    def status(self) -> str:
        """For messages."""
        return f"one of {self._budget.open} connections"

    def recreate(self) -> Pool:
        """The same again: engines call it for what they disposed."""
        return self

    def _do_get(self) -> ConnectionPoolEntry:
        return self._budget.take(self)

    def _do_return_conn(self, record: ConnectionPoolEntry) -> None:
        if record.dbapi_connection is not None:
            try:
                record.dbapi_connection.rollback()
            except Exception as error:  # it broke meanwhile
                record.invalidate(error)
        self._budget.give(record, self)
