"""Which database worlds keep their rows in: what a call says, else the environment, else files of SQLite."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

VARIABLE = "SITEGYM_DATABASE"
"""The environment's word for the database of all world servers that are told of none."""


def check_database(database: str | None) -> str | None:
    """The address of the PostgreSQL server that is meant, None for SQLite. Raises `UsageError` for what is neither."""
    named = os.environ.get(VARIABLE) if database is None else database
    if not named or named == "sqlite":
        return None
    from .postgresql import Address

    Address.parse(named)
    return named


def try_database(database: str | None = None) -> None:
    """See that a database can be used, where one is named, before much is begun. Raises what `WorldServer` raises."""
    if (named := check_database(database)) is not None:
        from .postgresql import Address, Cluster

        Cluster(Address.parse(named)).close()


@contextmanager
def named_database(database: str) -> Iterator[None]:
    """Inside the block it is the database of all world servers of this process, and of those that it starts."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = database
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
