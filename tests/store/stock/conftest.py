"""A served world on the generated tiny data: use cases run through it, and people look at its pages in a browser."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from asking import ORIGIN
from playwright.sync_api import Browser, Page
from sitegym import sites
from sitegym.sites.store.recompute import recompute
from sitegym.sites.world import World, WorldServer
from sitegym.verifiers import Snapshot


@pytest.fixture(scope="session")
def served_tiny() -> Iterator[World]:
    """The tiny shop behind a real world server; use `shop`, which resets it."""
    with WorldServer() as server:
        world = server.open("store", "tiny", 1)
        yield world
        world.close()


@pytest.fixture
def shop(served_tiny: World) -> Iterator[World]:
    """The tiny shop as it was generated; derived columns, stock and positions that a test leaves wrong fail it."""
    served_tiny.reset()
    yield served_tiny
    assert wrong(served_tiny) == []
    assert served_tiny.errors() == []


def wrong(world: World) -> list[tuple[Any, ...]]:
    """Derived columns and stock that are not what follows from the rows, and positions that are not 1..n."""
    metadata = sites.get("store").metadata
    snap = Snapshot(world.freeze(), metadata)
    found: list[tuple[Any, ...]] = []
    for table, values in recompute(snap).items():
        keys = [column.name for column in metadata.tables[table].primary_key]
        stored = {tuple(row[key] for key in keys): row for row in snap.rows(table)}
        for key, columns in values.items():
            row = stored[key if isinstance(key, tuple) else (key,)]
            found += [(table, key, name, row[name], value) for name, value in columns.items() if row[name] != value]
    for table, within in (("variants", "product_id"), ("categories", "parent_id"), ("option_values", "type_id"),
                          ("product_categories", "category_id")):  # fmt: skip
        places: dict[Any, list[int]] = {}
        for row in snap.rows(table):
            places.setdefault(row[within], []).append(row["position"])
        found += [(table, key, sorted(at)) for key, at in places.items() if sorted(at) != list(range(1, len(at) + 1))]
    return found


@pytest.fixture
def run(shop: World) -> Callable[..., Any]:
    """Runs a use case: `run("stock.receive", lines=[…])`, as somebody: `run("…", role="clerk")`."""
    return lambda use_case, role="manager", **fields: shop.call(use_case, actor=role, **fields)


@pytest.fixture
def rows(shop: World) -> Callable[..., list[dict[str, Any]]]:
    """Gives rows of the shop as they are now, by their first column: `rows("stock", variant_id=3)`."""

    def read(table: str, **equals: object) -> list[dict[str, Any]]:
        where = " AND ".join(f"{name} IS ?" for name in equals) or "1"
        with closing(sqlite3.connect(shop.freeze())) as db:
            db.row_factory = sqlite3.Row
            found = db.execute(f"SELECT * FROM {table} WHERE {where} ORDER BY 1", tuple(equals.values()))
            return [dict(row) for row in found]

    return read


@pytest.fixture
def row(rows) -> Callable[..., dict[str, Any]]:
    """Gives the one row with these values."""
    return lambda table, **equals: rows(table, **equals)[0]


@pytest.fixture
def visit(shop: World, browser: Browser) -> Iterator[Callable[..., Page]]:
    """Gives a page of somebody with a role; an error in a script fails the test."""
    contexts, broken = [], []

    def as_role(role: str = "manager") -> Page:
        proxy = {"server": shop.address, "bypass": "<-loopback>"}
        size = {"width": 1280, "height": 800}
        context = browser.new_context(proxy=proxy, base_url=ORIGIN, viewport=size)  # type: ignore[arg-type]
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
