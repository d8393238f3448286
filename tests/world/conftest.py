"""Fixtures of the world's tests: the micro site, one server for all, a fresh world for each test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sitegym import sites
from sitegym.sites.world import World, WorldServer

SITE = str(Path(__file__).parent / "site")
if SITE not in sys.path:  # on import: test modules import from it, too
    sys.path.insert(0, SITE)


@pytest.fixture(scope="session", autouse=True)
def micro() -> sites.Site:
    """The micro site, known by name in this process and importable in servers."""
    sites.register("micro", "micro_site:MICRO")
    return sites.get("micro")


@pytest.fixture(scope="session")
def server(micro: sites.Site) -> Iterator[WorldServer]:
    """A server that tests may open worlds in, but not break."""
    with WorldServer() as running:
        yield running


@pytest.fixture
def world(server: WorldServer) -> Iterator[World]:
    """A world of twenty notes."""
    with server.open("micro", "tiny", 1) as opened:
        yield opened
