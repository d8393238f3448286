"""Worlds around the shop with goods: one per test for services and forms, one behind a real server for the screens."""

from __future__ import annotations

import base64
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from asking import ORIGIN, Asker
from flask import Flask
from goods_shop import GOODS_SITE, wrong
from PIL import Image
from playwright.sync_api import Browser, Page
from sitegym import sites
from sitegym.sites.kit.world import WorldContext, milliseconds
from sitegym.sites.store.services import USE_CASES, actor_for
from sitegym.sites.world import World, WorldServer
from sitegym.sites.world.generations import Generation
from small_shop import START
from sqlalchemy import create_engine, select

sites.register("goods-shop", "goods_shop:GOODS_SITE")


@pytest.fixture(scope="session")
def goods_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the shop with goods, never to be written."""
    path = tmp_path_factory.mktemp("goods-shop") / "shop.sqlite"
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        GOODS_SITE.build(connection, "tiny", 1)
    engine.dispose()
    return path


@pytest.fixture
def world(goods_shop: Path, tmp_path: Path) -> Iterator[WorldContext]:
    """The world as services see it; derived columns that a test leaves wrong fail it."""
    path = tmp_path / "goods.sqlite"
    shutil.copy(goods_shop, path)
    generation = Generation(path, secret=b"goods", now_ms=milliseconds(START), dispose=lambda g: g.database.dispose())
    context = WorldContext(generation)
    yield context
    assert wrong(context) == []
    generation.database.dispose()


@pytest.fixture
def run(world: WorldContext) -> Callable[..., Any]:
    """Runs a use case: `run("products.edit", id=5, name="…")`, as somebody: `run("…", role="clerk")`."""

    def call(use_case: str, /, *, role: str = "manager", **fields: Any) -> Any:
        return USE_CASES[use_case](world, actor_for(world, role), **fields)

    return call


@pytest.fixture
def stored(world: WorldContext) -> Callable[..., list[Any]]:
    """Gives the rows of a model with these values, as plain dictionaries, by their first column."""

    def read(model: Any, **equals: Any) -> list[dict[str, Any]]:
        columns = model.__table__.columns
        wanted = select(*columns).filter_by(**equals).order_by(next(iter(columns)))
        with world.read() as db:
            return [dict(row) for row in db.execute(wanted).mappings()]

    return read


@pytest.fixture
def ask(app: Flask, world: WorldContext) -> Callable[..., Asker]:
    """Gives somebody with a role who asks the application."""
    return lambda role="manager": Asker(app, world, role)


@pytest.fixture
def drawn() -> Callable[..., bytes]:
    """Gives a small picture file: `drawn("PNG", "red")`."""

    def make(form: str = "PNG", colour: str = "red", side: int = 40) -> bytes:
        out = BytesIO()
        Image.new("RGB", (side, side), colour).save(out, form)
        return out.getvalue()

    return make


@pytest.fixture
def encoded() -> Callable[[bytes], str]:
    """Gives bytes in base64."""
    return lambda data: base64.b64encode(data).decode()


@pytest.fixture(scope="session")
def served_goods() -> Iterator[World]:
    """The shop with goods behind a real world server; use `visit`, which resets it."""
    with WorldServer() as server:
        world = server.open("goods-shop", "tiny", 1)
        yield world
        world.close()


@pytest.fixture
def visit(served_goods: World, browser: Browser) -> Iterator[Callable[..., Page]]:
    """Gives a page of somebody with a role; an error in a script or a 500 fails the test."""
    served_goods.reset()
    contexts, broken = [], []

    def as_role(role: str = "manager") -> Page:
        proxy = {"server": served_goods.address, "bypass": "<-loopback>"}
        size = {"width": 1280, "height": 800}
        context = browser.new_context(proxy=proxy, base_url=ORIGIN, viewport=size)  # type: ignore[arg-type]
        context.add_cookies([served_goods.sign_in(role).for_browser()])  # type: ignore[list-item]
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: broken.append(str(error)))
        return page

    yield as_role
    for context in contexts:
        context.close()
    assert broken == []
    assert served_goods.errors() == []


@pytest.fixture
def rows(served_goods: World) -> Callable[..., list[dict[str, Any]]]:
    """Gives rows of the served shop as they are now, in an order: `rows("files", "name DESC", mime="image/png")`."""

    def read(table: str, order: str = "1", /, **equals: object) -> list[dict[str, Any]]:
        where = " AND ".join(f"{name} IS ?" for name in equals) or "1"
        with closing(sqlite3.connect(served_goods.freeze())) as db:
            db.row_factory = sqlite3.Row
            found = db.execute(f"SELECT * FROM {table} WHERE {where} ORDER BY {order}", tuple(equals.values()))
            return [dict(row) for row in found]

    return read
