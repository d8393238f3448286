"""Worlds around the small shop: one per test for the services, and one behind a real server for the pages."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "site"))  # the world server takes our way of finding modules

from sitegym import sites
from sitegym.sites.kit.world import WorldContext, milliseconds
from sitegym.sites.world import World, WorldServer
from sitegym.sites.world.generations import Generation
from small_shop import NUMBERS, SITE, START
from sqlalchemy import create_engine

sites.register("small-shop", "small_shop:SITE")


@pytest.fixture(scope="session")
def small_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the small shop, never to be written."""
    path = tmp_path_factory.mktemp("small-shop") / "shop.sqlite"
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        SITE.build(connection, "tiny", 1)
    engine.dispose()
    return path


@pytest.fixture
def world(small_shop: Path, tmp_path: Path) -> Iterator[WorldContext]:
    """The world as services see it, on a copy of the small shop."""
    path = tmp_path / "shop.sqlite"
    shutil.copy(small_shop, path)

    def dispose(generation: Generation) -> None:
        generation.database.dispose()

    generation = Generation(path, secret=b"small shop", now_ms=milliseconds(START), dispose=dispose)
    yield WorldContext(generation)
    generation.database.dispose()


@pytest.fixture
def number() -> Callable[[str], str]:
    """Gives the number of the order of a case: `number("held")`."""
    return NUMBERS.__getitem__


@pytest.fixture(scope="session")
def served_shop() -> Iterator[World]:
    """The small shop behind a real world server; use `shop`, which resets it."""
    with WorldServer() as server:
        world = server.open("small-shop", "tiny", 1)
        yield world
        world.close()


@pytest.fixture
def shop(served_shop: World) -> World:
    """The served shop as it was built."""
    served_shop.reset()
    return served_shop
