"""A PostgreSQL server as the one who owns worlds there sees it: clones, logins, and what killed runs left.

One connection does all of it, as the role of the address. While it is open it holds an advisory lock that says that
the owner lives; databases and roles whose owner's lock is free are nobody's, and are dropped by the next who comes.
"""

from __future__ import annotations

import itertools
import logging
import secrets
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from ....errors import EnvironmentFault
from . import driver
from .address import FEWEST, Address
from .names import Names, lock, owner_of

_log = logging.getLogger(__name__)
_OURS, _BUILDING = 0x5167, 0x5168
"""First halves of advisory locks: an owner lives; a template is being built."""
_OLDEST = 150000
"""PostgreSQL 15: the first in which who owns a database owns its schema `public`, and nobody else may write in it."""


@dataclass(frozen=True)
class Login:
    """A role that may connect, with its password."""

    role: str
    password: str = field(repr=False)


class Cluster:
    """What this process has on a server. Safe to use from several threads.

    Raises `EnvironmentFault` (`database_lost`, `database_refused`, `database_crowded`) where the server is down, turns
    the role down, or is too small.
    """

    def __init__(self, address: Address) -> None:
        self.address = address
        self._lock = threading.RLock()
        self._numbers = itertools.count(1)
        self._left = False
        self._connection = driver.connect(address.parameters, address)
        try:
            place, self.user = self._examined()
            self.names = Names(place, secrets.token_hex(4))
            self.do(f"SELECT pg_advisory_lock({_OURS}, {lock(self.names.owner)})")
            self.sweep()
            self.site_group, self.read_group = f"sitegym_site_{self.user}", f"sitegym_read_{self.user}"
            self._make_groups()
            self.reader = self._login(self.names.reader, self.read_group)
            self.do(f'ALTER ROLE "{self.reader.role}" SET default_transaction_read_only = on')
        except BaseException:
            self.close()
            raise

    # ---- statements

    def do(self, *statements: str) -> None:
        """Run statements, one transaction each; several in one text are one."""
        with self._lock, driver.complaints(str(self.address)):
            for statement in statements:
                self._live().execute(statement)

    def ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with self._lock, driver.complaints(str(self.address)):
            found: list[tuple[Any, ...]] = self._live().execute(query, values or None).fetchall()
            return found

    def _live(self) -> driver.Connection:
        """The owner's connection; a new one, with the lock that shows that we live, where the server broke it off."""
        if self._connection.closed and not self._left:
            self._connection = driver.connect(self.address.parameters, self.address)
            self._connection.execute(f"SELECT pg_advisory_lock({_OURS}, {lock(self.names.owner)})")
        return self._connection

    def connect(self, database: str, login: Login | None = None) -> driver.Connection:
        """A connection to one of our databases; as the owner, where no login is given."""
        if login is None:
            return driver.connect({**self.address.parameters, "dbname": database}, self.address)
        return driver.connect(self.address.login(database, login.role, login.password), self.address)

    # ---- databases and logins

    def clone(self, template: str, login: Login) -> str:
        """A copy of a template that only this login, and the one who reads for verdicts, can get into."""
        name = self.names.database(next(self._numbers))
        self.do(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY file_copy ALLOW_CONNECTIONS false')
        self.do(
            f'REVOKE ALL ON DATABASE "{name}" FROM PUBLIC;'
            f'GRANT CONNECT ON DATABASE "{name}" TO "{login.role}", "{self.reader.role}";'
            f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true'
        )
        return name

    def empty(self) -> str:
        """A database without a table; text compares by its bytes there, whatever the server's own language is."""
        name = self.names.database(next(self._numbers))
        self.do(
            f"CREATE DATABASE \"{name}\" TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER libc "
            "LC_COLLATE 'C' LC_CTYPE 'C'",
            f'REVOKE ALL ON DATABASE "{name}" FROM PUBLIC',
        )
        return name

    def drop(self, database: str) -> None:
        """Delete a database, whoever is connected to it."""
        self.do(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')

    def site_login(self) -> Login:
        """A login for the site of one world."""
        return self._login(self.names.role(next(self._numbers)), self.site_group)

    def drop_login(self, login: Login) -> None:
        """Delete a login; its databases have to be gone."""
        self.do(f'DROP ROLE IF EXISTS "{login.role}"')

    @contextmanager
    def building(self, template: str) -> Iterator[None]:
        """Only one process at a time is inside with the same template."""
        key = f"{_BUILDING}, {lock(template[-8:])}"
        with self._lock:
            self.do(f"SELECT pg_advisory_lock({key})")
            try:
                yield
            finally:
                with suppress(EnvironmentFault):  # went with the connection, then
                    self.do(f"SELECT pg_advisory_unlock({key})")

    # ---- leftovers

    def sweep(self) -> list[str]:
        """Drop what owners that live no longer have left; returns the names of the databases."""
        databases, roles = self._owned()
        others = {owner_of(name, self.names.place) for name in (*databases, *roles)} - {self.names.owner, None}
        dead = [owner for owner in sorted(filter(None, others)) if self._is_dead(owner)]
        gone = [name for name in databases if owner_of(name, self.names.place) in dead]
        self._drop_all(gone, [name for name in roles if owner_of(name, self.names.place) in dead])
        for owner in dead:
            self.do(f"SELECT pg_advisory_unlock({_OURS}, {lock(owner)})")
        return gone

    def close(self) -> None:
        """Drop all that is ours and end the connection; what the server refuses now is left to the next who comes."""
        with self._lock:
            if self._left:
                return
            self._left = True  # what is broken off stays so
            with suppress(EnvironmentFault, AttributeError):  # without names there is nothing yet
                databases, roles = self._owned()
                ours = [[name for name in names if name.startswith(self.names.prefix)] for names in (databases, roles)]
                self._drop_all(*ours)
            self._connection.close()

    def _is_dead(self, owner: str) -> bool:
        return bool(self.ask(f"SELECT pg_try_advisory_lock({_OURS}, {lock(owner)})")[0][0])

    def _owned(self) -> tuple[list[str], list[str]]:
        prefix = f"sitegym_{self.names.place}_"
        databases = self.ask("SELECT datname FROM pg_database WHERE starts_with(datname, %s) ORDER BY oid", prefix)
        roles = self.ask("SELECT rolname FROM pg_roles WHERE starts_with(rolname, %s) ORDER BY oid", prefix)
        return [name for (name,) in databases], [name for (name,) in roles]

    def _drop_all(self, databases: Iterable[str], roles: Iterable[str]) -> None:
        for kind, names in (("DATABASE", databases), ("ROLE", roles)):
            for name in names:
                try:
                    self.do(f'DROP {kind} IF EXISTS "{name}"' + (" WITH (FORCE)" if kind == "DATABASE" else ""))
                except EnvironmentFault as error:
                    if self._connection.closed:
                        raise
                    _log.warning("%s %s is left: %s", kind.lower(), name, error)

    # ---- the beginning

    def _examined(self) -> tuple[int, int]:
        """Numbers of the database and the role of the address. Raises where something is missing that we need."""
        ((version, most, used, place, user, name, makes_databases, makes_roles),) = self.ask(
            "SELECT current_setting('server_version_num')::int,"
            " current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,"
            " (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),"
            " (SELECT oid::bigint FROM pg_database WHERE datname = current_database()),"
            " oid::bigint, rolname, rolcreatedb OR rolsuper, rolcreaterole OR rolsuper"
            " FROM pg_roles WHERE rolname = current_user"
        )
        if version < _OLDEST:
            raise _refused(f"{self.address} is version {version // 10000}: worlds need PostgreSQL 15 or newer")
        lacks = [what for may, what in ((makes_databases, "CREATEDB"), (makes_roles, "CREATEROLE")) if not may]
        if lacks:
            raise _refused(
                f"{self.address}: the role {name} lacks {' and '.join(lacks)}, which worlds need: "
                f'as a superuser, ALTER ROLE "{name}" {" ".join(lacks)}'
            )
        if most < FEWEST:
            raise EnvironmentFault(
                f"{self.address} admits {most} connections, of which {used} are in use; worlds need {FEWEST}, "
                f"and better {self.address.most}: raise max_connections there",
                cause="database_crowded",
                retry=False,
            )
        self.most = min(self.address.most, most - 1)
        """Connections that this process may have open, this one not counted."""
        return place, user

    def _make_groups(self) -> None:
        """The two roles that templates grant to: what a site may do in a world, and what a verdict may."""
        for group in (self.site_group, self.read_group):
            if not self.ask("SELECT 1 FROM pg_roles WHERE rolname = %s", group):
                try:
                    self.do(f'CREATE ROLE "{group}"')
                except EnvironmentFault:  # somebody was faster, or it can't be made
                    if not self.ask("SELECT 1 FROM pg_roles WHERE rolname = %s", group):
                        raise

    def _login(self, role: str, group: str) -> Login:
        password = secrets.token_hex(16)
        self.do(f'CREATE ROLE "{role}" LOGIN PASSWORD \'{password}\' IN ROLE "{group}" ROLE CURRENT_USER')
        return Login(role, password)


def _refused(message: str) -> EnvironmentFault:
    return EnvironmentFault(message, cause="database_refused", retry=False)
