"""Every table and column of the store says what a change of it means, and refuses what it must not hold."""

from __future__ import annotations

import pytest
from sitegym.sites.kit.schema import ColumnClass, class_of, unclassed
from sitegym.sites.store import models
from sitegym.sites.store.keys import OWN_KEYS
from sitegym.sites.store.models import Base, Brand, Order, Product, Stock, Variant
from sitegym.sites.store.recompute import DERIVED_TABLES
from sqlalchemy import Engine, create_engine, inspect
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, configure_mappers

TABLES = Base.metadata.tables


@pytest.fixture
def engine() -> Engine:
    """An empty store in memory."""
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    return engine


def columns_of(cls: ColumnClass) -> set[str]:
    return {f"{t.name}.{c.name}" for t in TABLES.values() for c in t.columns if class_of(c) is cls}


def test_no_column_is_without_a_class() -> None:
    assert unclassed(Base.metadata) == []


def test_a_column_without_a_class_is_noticed() -> None:
    column = TABLES["orders"].columns["email"]
    assert class_of(column) is ColumnClass.DATA
    with pytest.raises(LookupError, match=r"loose\.thing has no class"):
        class_of(_loose())


def test_every_model_is_exported_and_every_table_has_one() -> None:
    exported = {getattr(models, name).__tablename__ for name in models.__all__ if name != "Base"}
    assert exported == set(TABLES)
    configure_mappers()


def test_every_version_is_volatile_and_every_id_generated_or_not_judged() -> None:
    for table in TABLES.values():
        if "v" in table.columns:
            assert class_of(table.columns["v"]) is ColumnClass.VOLATILE
        if "id" in table.columns:
            unjudged = {ColumnClass.GENERATED, ColumnClass.TRAIL, ColumnClass.PREFERENCE, ColumnClass.VOLATILE}
            assert class_of(table.columns["id"]) in unjudged


def test_derived_columns_are_those_that_recompute_speaks_of() -> None:
    derived = columns_of(ColumnClass.DERIVED)
    assert {name.partition(".")[0] for name in derived} | {"stock"} == set(DERIVED_TABLES)
    keys = {name for name in derived if name.endswith("_key")}
    named = {f"{table}.{column}" for table, made in OWN_KEYS.items() for column in made}
    assert named <= keys


def test_order_columns_name_the_sequence_they_are_places_in() -> None:
    for table in TABLES.values():
        for column in table.columns:
            if class_of(column) is ColumnClass.ORDER:
                assert set(column.info["within"]) <= set(table.columns.keys())


def test_rows_of_order_events_are_trail_by_their_kind() -> None:
    info = TABLES["order_events"].info
    assert info["class"] == "data"
    assert info["trail_when"] == {"kind": ("status", "system")}


def test_foreign_keys_and_often_sorted_columns_have_indexes(engine: Engine) -> None:
    seen = {(t, tuple(i["column_names"])) for t in TABLES for i in inspect(engine).get_indexes(t)}
    assert {
        ("orders", ("placed_at", "id")),
        ("orders", ("customer_name_key", "id")),
        ("orders", ("total", "id")),
        ("customers", ("last_name_key", "id")),
        ("order_items", ("order_id",)),
        ("stock_moves", ("variant_id",)),
    } <= seen


@pytest.mark.parametrize(
    ("change", "constraint"),
    [
        pytest.param({"price": -1}, "ck_variants_price", id="a-negative-price"),
        pytest.param({"price": 10_000_000}, "ck_variants_price", id="a-price-over-the-limit"),
        pytest.param({"sale_price": 1000}, "ck_variants_sale_price", id="a-sale-that-is-not-lower"),
    ],
)
def test_a_variant_refuses(engine: Engine, change: dict[str, int], constraint: str) -> None:
    with Session(engine) as db:
        _add_variant(db, **change)
        with pytest.raises(IntegrityError, match=constraint):
            db.flush()


def test_a_status_that_is_not_listed_is_refused(engine: Engine) -> None:
    money = dict.fromkeys(("subtotal", "discount", "shipping", "tax", "total"), 0)
    order = Order(id=1, number="1", email="a@b.example", customer_name="A B", customer_name_key="a b", search_key="",
                  status="done", shipping_code="standard", pay_method="card",
                  placed_at="2026-03-18T10:00:00Z", **money)  # fmt: skip
    with Session(engine) as db:
        db.add(order)
        with pytest.raises(IntegrityError, match="ck_orders_status"):
            db.flush()


def test_stock_never_falls_below_nothing(engine: Engine) -> None:
    with Session(engine) as db:
        _add_variant(db)
        db.add(Stock(variant_id=1, on_hand=-1))
        with pytest.raises(IntegrityError, match="ck_stock_on_hand"):
            db.flush()


def _add_variant(db: Session, **change: int) -> None:
    db.add(Brand(id=1, name="Oak", name_key="oak", slug="oak"))
    db.add(
        Product(id=1, name="Mug", name_key="mug", slug="mug", brand_id=1, kind="simple", status="active",
                search_key=" mug", created_at="2026-03-18T10:00:00Z")
    )  # fmt: skip
    db.add(Variant(**{"id": 1, "product_id": 1, "sku": "MUG", "position": 1, "price": 1000, "cost": 500,
                      "options_key": "", **change}))  # fmt: skip


def _loose() -> object:
    from sqlalchemy import Column, Integer, MetaData, Table

    return Table("loose", MetaData(), Column("thing", Integer)).columns["thing"]
