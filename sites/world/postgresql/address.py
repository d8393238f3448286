"""Where a PostgreSQL server is, as a user writes it: `postgresql://user:password@host:port/database`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from ....errors import UsageError
from . import driver

SCHEMES = ("postgresql", "postgres")
FEWEST = 6
"""A server of worlds needs one connection to clone with and some for pages and for verdicts."""
USUAL = 40
_MOST = "sitegym_connections"


@dataclass(frozen=True)
class Address:
    """A server, the role that may create databases and roles there, and how many connections may be used."""

    parameters: dict[str, Any] = field(repr=False)
    most: int
    """Connections that one server of worlds holds at a time, at most."""

    @classmethod
    def parse(cls, url: str) -> Address:
        """Read a URL. Raises `UsageError` where it is none, and where psycopg is not installed.

        What libpq knows may stand behind the question mark (`sslmode`, `connect_timeout` …), and
        `sitegym_connections=N`.
        """
        try:
            parts = urlsplit(url)
            several = "," in parts.netloc  # libpq takes a list of hosts
            if not several and parts.port == 0:
                raise ValueError
        except ValueError:
            raise UsageError(
                "the database's address can't be read: see to its host and port, and write /, ?, # and @ "
                "of a password as %2F, %3F, %23 and %40"
            ) from None
        if parts.scheme not in SCHEMES:
            other = f", not {parts.scheme}:…" if parts.scheme else ""
            raise UsageError(f"a database is named like postgresql://user:password@host:5432/database{other}")
        options = parse_qsl(parts.query, keep_blank_values=True)
        most = [value for name, value in options if name == _MOST]
        rest = urlencode([(name, value) for name, value in options if name != _MOST])
        plain = urlunsplit(("postgresql", parts.netloc, parts.path, rest, ""))
        return cls(driver.parameters(plain), _count(most[-1]) if most else USUAL)

    def login(self, database: str, user: str, password: str) -> dict[str, Any]:
        """The parameters of a connection to another database of this server, as somebody else."""
        return {**self.parameters, "dbname": database, "user": user, "password": password}

    def __str__(self) -> str:
        """For messages: never with the password."""
        host = self.parameters.get("host") or "the local socket"
        port = f":{self.parameters['port']}" if "port" in self.parameters else ""
        user = f"{self.parameters['user']} at " if "user" in self.parameters else ""
        return f"PostgreSQL ({user}{host}{port})"


def _count(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) < FEWEST:
        raise UsageError(f"{_MOST} is a whole number from {FEWEST}, not {text!r}")
    return int(text)
