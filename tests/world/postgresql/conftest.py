"""Fixtures of the tests on PostgreSQL: a real server, and worlds on it beside worlds on files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sitegym.sites.world import WorldServer

HERE = str(Path(__file__).parent)
if HERE not in sys.path:  # on import: test modules import from it, too
    sys.path.insert(0, HERE)

from own_server import OwnServer  # noqa: E402


@pytest.fixture(scope="session")
def postgresql() -> Iterator[OwnServer]:
    """A PostgreSQL server that tests may use, but not end."""
    server = OwnServer()
    yield server
    server.close()


@pytest.fixture(scope="session")
def elsewhere(postgresql: OwnServer) -> Iterator[WorldServer]:
    """A server of worlds whose rows are in PostgreSQL."""
    with WorldServer(database=postgresql.url()) as running:
        yield running
