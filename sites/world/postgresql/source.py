"""The databases of one world on PostgreSQL: clones of a template, which only this world's login can write."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path

from sqlalchemy import MetaData

from ....errors import EnvironmentFault
from ..files import copy
from . import driver
from .cluster import Cluster, Login
from .database import Database, Engines
from .pool import Budget
from .rows import Baseline
from .template import Template, ensure


class Server:
    """What the worlds of a process share of a server: the owner's connection, the budget, the baselines."""

    def __init__(self, cluster: Cluster, folder: Path) -> None:
        """`folder` is for copies of the baselines' files, and stays as long as this does."""
        self.cluster = cluster
        self.budget = Budget(cluster.most)
        self._folder = folder
        self._engines: Engines | None = None
        self._baselines: dict[str, tuple[Template, Baseline]] = {}
        self._lock = threading.Lock()

    def engines(self, database: str, login: Login) -> Engines:
        """The dialect, learned from the first database."""
        with self._lock:
            if self._engines is None:
                with self.budget.one():
                    self._engines = Engines(lambda: self.cluster.connect(database, login))
            return self._engines

    def baseline(
        self, metadata: MetaData, file: Path, hash: str, instead_of: Template | None = None
    ) -> tuple[Template, Baseline]:
        """A baseline as a template and as a file of ours; looked for again where its template turned out to be gone."""
        with self._lock:
            found = self._baselines.get(hash)
            if found is not None and found[0] is not instead_of:
                return found
            mine = self._folder / f"baseline-{hash}.sqlite"
            if not mine.exists():
                copy(file, mine)
            template = ensure(self.cluster, metadata, mine, hash)
            self._baselines[hash] = template, Baseline(mine, metadata, template.xid)
            return self._baselines[hash]


class Clones:
    """Makes the databases of one world."""

    def __init__(self, server: Server, metadata: MetaData, baseline: Path, hash: str) -> None:
        """`hash` is the logical hash of the rows in the file `baseline`."""
        self._server = server
        self._cluster = server.cluster
        self._of = metadata, baseline, hash
        self.template, self._baseline = server.baseline(*self._of)
        self.login = self._cluster.site_login()
        """Whom this world's site connects as."""
        self._lock = threading.Lock()
        self._made: set[str] = set()
        self._closed = False

    def fresh(self) -> Database:
        """A clone of the template."""
        return self._database(self._clone())

    def revive(self, rows: Path, *, keep: bool) -> Database:
        """A clone that was brought to the rows of a file."""
        name = self._clone()
        try:
            with (
                self._server.budget.one(),
                driver.complaints(f"restoring {rows.name}"),
                closing(self._cluster.connect(name)) as connection,
            ):
                self._baseline.read(connection, rows)
        except BaseException:
            self._drop(name)
            raise
        if not keep:
            rows.unlink(missing_ok=True)
        return self._database(name)

    def close(self) -> None:
        """The login goes with the last database."""
        with self._lock:
            self._closed = True
            last = not self._made
        if last:
            self._cluster.drop_login(self.login)

    def _clone(self) -> str:
        try:
            name = self._cluster.clone(self.template.name, self.login)
        except EnvironmentFault as error:
            if error.cause != "database_refused":
                raise
            # another run may have tidied the template away
            self.template, self._baseline = self._server.baseline(*self._of, instead_of=self.template)
            name = self._cluster.clone(self.template.name, self.login)
        with self._lock:
            self._made.add(name)
        return name

    def _drop(self, name: str) -> None:
        self._cluster.drop(name)
        with self._lock:
            self._made.discard(name)
            last = self._closed and not self._made
        if last:
            self._cluster.drop_login(self.login)

    def _database(self, name: str) -> Database:
        try:
            engines = self._server.engines(name, self.login)
        except BaseException:
            self._drop(name)
            raise
        baseline = self._baseline  # of the template that it was cloned from

        def write(database: str, target: Path) -> None:
            with (
                self._server.budget.one(),
                driver.complaints(f"reading {database}"),
                closing(self._cluster.connect(database, self._cluster.reader)) as connection,
            ):
                connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                baseline.write(connection, target)

        return Database(
            name,
            connect=lambda: self._cluster.connect(name, self.login),
            engines=engines,
            budget=self._server.budget,
            write=write,
            drop=self._drop,
        )
