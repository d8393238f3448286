"""Fakes of models' endpoints by plain import, here and in worker processes, and no keys of the person who tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sitegym.envs.ahead import Ahead
from sitegym.envs.host import BrowserHost
from sitegym.sites.world.client import World, WorldServer

sys.path.insert(0, str(Path(__file__).parent))

from playing import Room


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the environment says of models is not for tests."""
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "ANTHROPIC_", "GEMINI_", "GOOGLE_")):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def place() -> Iterator[tuple[World, Ahead]]:
    """A world, and what is opened ahead in a browser for it."""
    with WorldServer() as server, server.open(site="store", data="tiny", seed=1) as world, BrowserHost() as host:
        yield world, Ahead(host, world)


@pytest.fixture
def room(place: tuple[World, Ahead], tmp_path: Path) -> Room:
    """Where episodes are played."""
    return Room(tmp_path, *place)
