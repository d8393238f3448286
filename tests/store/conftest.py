"""Worlds around the small shop: one per test for the services, and one behind a real server for the pages."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent / "site"))  # the world server takes our way of finding modules

from asking import ORIGIN, Asker
from flask import Flask
from people_shop import PEOPLE_SITE
from playwright.sync_api import Browser, Page
from sitegym import sites
from sitegym.sites.kit.world import WorldContext, milliseconds
from sitegym.sites.store.app import create_app
from sitegym.sites.world import World, WorldServer
from sitegym.sites.world.generations import Generation
from small_shop import NUMBERS, SITE, START
from sqlalchemy import create_engine

sites.register("small-shop", "small_shop:SITE")
sites.register("people-shop", "people_shop:PEOPLE_SITE")


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


@pytest.fixture(scope="session")
def people_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the shop with people, never to be written."""
    path = tmp_path_factory.mktemp("people-shop") / "shop.sqlite"
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        PEOPLE_SITE.build(connection, "tiny", 1)
    engine.dispose()
    return path


@pytest.fixture(scope="session")
def app() -> Flask:
    """The application; which world it shows comes with each request."""
    return create_app()


@pytest.fixture
def people(people_shop: Path, tmp_path: Path) -> Iterator[WorldContext]:
    """The shop with people as services see it, on a copy of its own."""
    path = tmp_path / "people.sqlite"
    shutil.copy(people_shop, path)
    generation = Generation(path, secret=b"people", now_ms=milliseconds(START), dispose=lambda g: g.database.dispose())
    yield WorldContext(generation)
    generation.database.dispose()


@pytest.fixture
def ask(app: Flask, people: WorldContext) -> Callable[..., Asker]:
    """Gives somebody with a role who asks the application: `ask("clerk")`, `ask(None)` for nobody."""
    return lambda role="manager": Asker(app, people, role)


@pytest.fixture(scope="session")
def served_people() -> Iterator[World]:
    """The shop with people behind a real world server; use `visit`, which resets it."""
    with WorldServer() as server:
        world = server.open("people-shop", "tiny", 1)
        yield world
        world.close()


@pytest.fixture
def visit(served_people: World, browser: Browser) -> Iterator[Callable[..., Page]]:
    """Gives a page of somebody with a role (None: not signed in); an error in a script or a 500 fails the test."""
    served_people.reset()
    contexts, broken = [], []

    def as_role(role: str | None = "manager", width: int = 1280, height: int = 800) -> Page:
        proxy = {"server": served_people.address, "bypass": "<-loopback>"}
        size = {"width": width, "height": height}
        context = browser.new_context(proxy=proxy, base_url=ORIGIN, viewport=size)  # type: ignore[arg-type]
        if role:
            context.add_cookies([served_people.sign_in(role).for_browser()])  # type: ignore[list-item]
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: broken.append(str(error)))
        return page

    yield as_role
    for context in contexts:
        context.close()
    assert broken == []
    assert served_people.errors() == []


@pytest.fixture
def sign_in(shop: World, browser: Browser) -> Iterator[Callable[..., Page]]:
    """Gives a page of somebody with a role; what goes wrong in its scripts fails the test."""
    contexts, broken = [], []

    def as_role(role: str = "manager") -> Page:
        proxy = {"server": shop.address, "bypass": "<-loopback>"}
        context = browser.new_context(proxy=proxy, base_url=ORIGIN, viewport={"width": 1280, "height": 800})  # type: ignore[arg-type]
        context.add_cookies([shop.sign_in(role).for_browser()])  # type: ignore[list-item]
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: broken.append(str(error)))
        return page

    yield as_role
    for context in contexts:
        context.close()
    assert broken == []
    assert shop.errors() == []


@pytest.fixture
def rows(shop: World) -> Callable[..., list[dict[str, Any]]]:
    """Gives rows of the shop as they are now: `rows("orders", number="100123")`."""

    def read(table: str, **equals: object) -> list[dict[str, Any]]:
        where = " AND ".join(f"{name} IS ?" for name in equals) or "1"
        with closing(sqlite3.connect(shop.freeze())) as db:
            db.row_factory = sqlite3.Row
            found = db.execute(f"SELECT * FROM {table} WHERE {where} ORDER BY 1", tuple(equals.values()))
            return [dict(row) for row in found]

    return read


@pytest.fixture
def order(rows) -> Callable[[str], dict[str, Any]]:
    """Gives the order of a case as it is now."""
    return lambda case: rows("orders", number=NUMBERS[case])[0]
