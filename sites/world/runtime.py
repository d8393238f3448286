"""Where worlds run: in a process here, in containers here, or at an address that somebody else serves."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from ...errors import UsageError, closest

if TYPE_CHECKING:
    from ssl import SSLContext

    from .client import WorldServer
    from .remote_address import Address

KINDS = ("process", "docker", "remote")
VARIABLES = {"control": "SITEGYM_CONTROL", "token_file": "SITEGYM_TOKEN_FILE", "authority": "SITEGYM_AUTHORITY"}
GRADER = "SITEGYM_GRADER"
"""Names the socket of a grader, `unix:PATH`, that judges what `remote` worlds left; without it the harness does."""


@dataclass(frozen=True, kw_only=True)
class Runtime:
    """A way to have worlds. `remote` needs an address and a token, and reads what is not given from the environment."""

    kind: str = "process"
    control: str | None = None
    """Address of `remote`: HOST:PORT."""
    token_file: str | None = None
    """File with the token of `remote`."""
    authority: str | None = None
    """File with the certificate of the authority of `remote`; what this machine trusts without it."""
    project: str | None = None
    """Containers of `docker` that another process started."""
    database: str | None = None
    """Of `process`: a PostgreSQL to keep rows in, `postgresql://…`; without it SITEGYM_DATABASE, and else SQLite."""
    plain: bool = False
    """Do without TLS on loopback: for tests, and for containers of this machine."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            near = closest(str(self.kind), KINDS)
            meant = f": did you mean {near!r}?" if near else f": there are {', '.join(KINDS)}"
            raise UsageError(f"no runtime {self.kind!r}{meant}")
        if self.kind != "remote" and (self.control or self.token_file or self.authority):
            raise UsageError("an address, a token and an authority are for the runtime 'remote'")
        if self.kind != "process" and self.database:
            raise UsageError("a database is for the runtime 'process': others keep rows where they are set up to")

    def start(self) -> WorldServer:
        """Begin: a world server, closed by whoever asked for it. Raises what `RemoteServer` and `Stack` raise."""
        if self.kind == "docker":
            from .stack import ContainerServer

            return ContainerServer(self.project)
        if self.kind == "remote":
            from .remote import RemoteServer
            from .remote_address import Address

            address, token, tls = self._remote()
            server = RemoteServer(address, token, tls=tls, plain=self.plain)
            if at := os.environ.get(GRADER):
                server.grade_at(Address.parse(at), token)
            return server
        from .client import WorldServer

        return WorldServer(database=self.database)

    def check(self) -> None:
        """Raise `UsageError` where what it needs is missing here: an engine and images, or an address and a token.

        Raises `EnvironmentFault` where a database is named that can't be used.
        """
        if self.kind == "docker":
            from .engine import check_images

            check_images()
        elif self.kind == "remote":
            self._remote()
        else:
            from .database_choice import try_database

            try_database(self.database)

    @contextmanager
    def held(self) -> Iterator[Runtime]:
        """The same for several processes, inside the block: containers are started once, and go at its end.

        A database goes by the environment, since it may hold a password and what is handed to workers can be seen.
        """
        if self.database is not None:
            from .database_choice import named_database

            with named_database(self.database):
                yield replace(self, database=None)
            return
        if self.kind != "docker" or self.project is not None:
            yield self
            return
        from .stack import held

        with held() as project:
            yield replace(self, project=project)

    def _remote(self) -> tuple[Address, str, SSLContext | None]:
        """Address, token and encryption, from what was given or the environment."""
        from .remote_address import Address, client_tls, read_token

        found = {name: getattr(self, name) or os.environ.get(variable) for name, variable in VARIABLES.items()}
        if not found["control"]:
            raise UsageError("the runtime 'remote' needs an address: give HOST:PORT, or set SITEGYM_CONTROL")
        address, token = Address.parse(found["control"]), read_token(found["token_file"])
        tls = None if self.plain else client_tls(found["authority"])
        address.check(tls=tls is not None, plain=self.plain)
        return address, token, tls

    def to_json(self) -> dict[str, Any]:
        """As plain data, for worker processes."""
        return asdict(self)


def as_runtime(value: str | Runtime | None, database: str | None = None) -> Runtime:
    """What an argument may be, as a runtime: `process` (or None), `docker`, `remote`, `remote:HOST:PORT`.

    `database` is a PostgreSQL for worlds of this machine's processes.
    """
    if database is not None:
        from .database_choice import check_database

        check_database(database)
        return replace(as_runtime(value), database=database)
    if isinstance(value, Runtime):
        return value
    if value is None:
        return Runtime()
    if not isinstance(value, str):
        raise UsageError(f"a runtime is a text such as 'docker', or a Runtime, not {value!r}")
    kind, colon, address = value.partition(":")
    return Runtime(kind=kind, control=address or None) if colon else Runtime(kind=kind)
