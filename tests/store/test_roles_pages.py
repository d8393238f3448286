"""Every kind of page opens for every role, on generated data: shown, refused or not found, but never broken."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from asking import Asker
from flask import Flask
from sitegym import sites
from sitegym.sites.kit.world import WorldContext, milliseconds
from sitegym.sites.store.models import Invoice, Order, Product, Refund, Return, Review, Shipment
from sitegym.sites.world import baseline
from sitegym.sites.world.generations import Generation
from sqlalchemy import select

ROLES = ("owner", "manager", "clerk", "analyst")
LISTS = (
    "/", "/orders", "/invoices", "/shipments", "/refunds", "/returns", "/products", "/products/new", "/inventory",
    "/inventory/receive", "/movements", "/brands", "/categories", "/options", "/customers", "/customers/new",
    "/reviews", "/audit", "/staff", "/staff/new", "/staff/1", "/settings", "/settings/orders", "/settings/shipping",
    "/settings/taxes", "/profile", "/search?q=a", "/notifications",
)  # fmt: skip
OF_ORDER = (
    "", "/invoices", "/shipments", "/refunds", "/returns", "/comments", "/history", "/invoice", "/ship", "/refund",
    "/edit-items", "/packing-slip",
)  # fmt: skip
OF_PRODUCT = ("", "/description", "/images", "/variants", "/stock", "/categories", "/reviews", "/audit")
OF_CUSTOMER = ("", "/orders", "/addresses", "/credit", "/reviews", "/activity", "/merge")
PAPERS = {"invoices": Invoice, "shipments": Shipment, "refunds": Refund, "returns": Return}


@pytest.fixture
def generated(tmp_path: Path) -> Iterator[WorldContext]:
    """The data set `tiny`, as it was generated."""
    path = tmp_path / "tiny.sqlite"
    shutil.copy(baseline("store", "tiny", 1).path, path)
    start = milliseconds(sites.get("store").start)
    generation = Generation(path, secret=b"roles", now_ms=start, dispose=lambda _: None)
    yield WorldContext(generation)
    generation.database.dispose()


@pytest.mark.parametrize("role", ROLES)
def test_no_page_breaks_for_any_role(app: Flask, generated: WorldContext, role: str) -> None:
    person = Asker(app, generated, role)
    with generated.read() as db:
        papers = {kind: db.scalars(select(model.number)).first() for kind, model in PAPERS.items()}
        orders = dict(db.execute(select(Order.status, Order.number)).all())
        kinds = dict(db.execute(select(Product.kind, Product.id)).all())
        review = db.scalars(select(Review.id)).first()
    paths = [
        *LISTS,
        *(f"/{kind}/{number}" for kind, number in papers.items()),
        *(f"/orders/{number}{tab}" for number in orders.values() for tab in OF_ORDER),
        *(f"/products/{id}{tab}" for id in kinds.values() for tab in OF_PRODUCT),
        *(f"/customers/1{tab}" for tab in OF_CUSTOMER),
        f"/reviews/{review}",
    ]
    statuses = {path: person.get(path).status_code for path in paths}
    assert {path: status for path, status in statuses.items() if status >= 500} == {}
    assert sum(status == 200 for status in statuses.values()) > len(paths) / 2
