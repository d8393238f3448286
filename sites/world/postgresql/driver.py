"""psycopg, loaded when it is needed, and what it complains of as errors of ours that say what to do next."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from ....called import pip_install
from ....errors import EnvironmentFault, SitegymError, UsageError

if TYPE_CHECKING:
    import psycopg

    Connection: TypeAlias = psycopg.Connection[Any]

_USUAL = {"connect_timeout": 10, "keepalives_idle": 30, "application_name": "sitegym"}
_KEPT = "-c synchronous_commit=on"
"""What is committed outlives a server that is killed, also where it is set up to be quick: it must forget no right that
was given, and nothing that an agent did."""
_FULL = ("No space left on device", "Disk quota exceeded")
_CROWDED = ("too many clients", "remaining connection slots", "too many connections")
_REFUSED = (
    "authentication failed", "no pg_hba.conf entry", "no password supplied", "does not exist",
    "not permitted to log in", "permission denied", "not currently accepting connections",
)  # fmt: skip
_NEXT = {
    "database_lost": "is the server running, and is the address right?",
    "database_refused": "see that role, password, database and pg_hba.conf agree with the address",
    "database_crowded": "raise max_connections there, or lower sitegym_connections in the address",
    "out_of_disk": "free some space on the database server",
}


def psycopg_module() -> Any:
    """The driver. Raises `UsageError` with the extra's name where it is missing."""
    try:
        import psycopg
    except ImportError as error:
        how = pip_install("psycopg[binary]")
        raise UsageError(
            f"PostgreSQL needs the package 'psycopg': {how} (it comes with sitegym[postgresql])"
        ) from error
    return psycopg


def parameters(url: str) -> dict[str, Any]:
    """The parts of a connection URL. Raises `UsageError` for one that libpq can't read."""
    module = psycopg_module()
    try:
        found = dict(module.conninfo.conninfo_to_dict(url))
    except module.Error as error:
        what = str(error).strip().partition(":")[0]  # what follows may be a part of the password
        raise UsageError(f"the database's address can't be read: {what}") from None
    if not found.get("dbname"):
        raise UsageError("the database's address names no database: end it with /NAME, as postgresql://…:5432/sitegym")
    given = found.get("options") or os.environ.get("PGOPTIONS", "")
    found["options"] = f"{given} {_KEPT}".strip()
    return {**_USUAL, **found}


def connect(login: Mapping[str, Any], where: object) -> Connection:
    """A connection in which each statement is a transaction of its own, unless it says BEGIN.

    Numbers come as Python has them (`sum` of whole numbers is one). Raises `EnvironmentFault`.
    """
    module = psycopg_module()
    with complaints(f"connecting to {where}"):
        connection: Connection = module.connect(**login, autocommit=True)
    connection.adapters.register_loader("numeric", _numbers())
    connection.adapters.register_dumper(str, _texts())
    return connection


@contextmanager
def complaints(doing: str) -> Iterator[None]:
    """What the driver raises inside becomes an `EnvironmentFault` with a cause and the next step."""
    module = psycopg_module()
    try:
        yield
    except module.Error as error:
        raise fault(error, doing) from error


def fault(error: BaseException, doing: str) -> SitegymError:
    """A complaint of the driver as a fault."""
    cause = cause_of(error)
    text = " ".join(str(error).split())
    said = "is the server running" in text.lower()  # libpq asks that itself, where it was refused
    hint = f" ({_NEXT[cause]})" if cause in _NEXT and not said else ""
    return EnvironmentFault(f"{doing}: {text}{hint}", cause=cause, retry=cause in ("database_lost", "database_crowded"))


def cause_of(error: BaseException) -> str:
    """What is behind a complaint of the driver, by its code, or by its words where a login failed and has none."""
    module = psycopg_module()
    text, state = str(error), getattr(error, "sqlstate", None) or ""
    if state == "53100" or any(words in text for words in _FULL):
        return "out_of_disk"
    if state == "53300" or any(words in text for words in _CROWDED):
        return "database_crowded"
    if state[:2] == "28" or state in ("42501", "3D000", "55000") or any(words in text for words in _REFUSED):
        return "database_refused"
    if state[:2] in ("08", "57") or (not state and isinstance(error, module.OperationalError | module.InterfaceError)):
        return "database_lost"
    return "database_failed"


def fatal(error: BaseException | None) -> bool:
    """Whether a complaint is of the machinery (connection, disk, rights) and not of a statement's own rows."""
    module = psycopg_module()
    return isinstance(error, module.Error) and cause_of(error) != "database_failed"


@cache
def _texts() -> Any:
    from psycopg.types.string import StrDumperUnknown

    class Text(StrDumperUnknown):  # type: ignore[misc, unused-ignore]
        """Text without NUL, which PostgreSQL has no place for: whoever sends one must not break an episode by it."""

        def dump(self, obj: str) -> Any:
            return super().dump(obj.replace("\0", "\ufffd") if "\0" in obj else obj)

    return Text


@cache
def _numbers() -> Any:
    from psycopg.adapt import Loader

    class Number(Loader):  # type: ignore[misc, unused-ignore]  # checked without psycopg, it derives from anything
        """`numeric` as int or float: what SQLite gives for the same expression."""

        def load(self, data: Any) -> int | float:
            text = bytes(data).decode()
            return float(text) if "." in text or "N" in text else int(text)

    return Number
