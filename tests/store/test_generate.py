"""The generated shop: the counts that were asked for, one hash for one seed, and books in which everything adds up."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sitegym.errors import UsageError
from sitegym.sites.kit.rows import logical_hash, row_counts
from sitegym.sites.store import derived
from sitegym.sites.store.generate import build, traps
from sitegym.sites.store.generate.phrases import ASPECTS, PHRASES, mentioned, review
from sitegym.sites.store.generate.plan import PLANS
from sitegym.sites.store.generate.sheet import stream
from sitegym.sites.store.models import Base
from sitegym.sites.store.recompute import DERIVED_TABLES, recompute
from sitegym.sites.store.regions import POSTCODES, REGIONS, check_address
from sitegym.sites.store.services.tracking import parse
from sitegym.verifiers import Snapshot
from sqlalchemy import create_engine

NOW = "2026-03-18T10:00:00Z"
GOLDEN = {
    "tiny": ("0035df048d8e7411dc17aa4f224535875ff8b02cc177141c201da45add98d423", 5306),
    "base": ("ef2e6e8d884705cccc70329b31491d0e9b78295581be072fad9c20a9a34bdc92", 70526),
}
"""Logical hash and number of rows of seed 1. They move with the generator: look at the data, then pin."""


@pytest.fixture(scope="module", params=["tiny", "base"])
def data(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def path(data: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the data set of seed 1."""
    path = tmp_path_factory.mktemp("data") / f"{data}.db"
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        build(connection, data, 1)
    engine.dispose()
    return path


@pytest.fixture(scope="module")
def shop(path: Path) -> Iterator[Snapshot]:
    with Snapshot(path, Base.metadata) as snapshot:
        yield snapshot


def grouped(rows: list[Any], column: str) -> dict[Any, list[Any]]:
    found: dict[Any, list[Any]] = defaultdict(list)
    for row in rows:
        found[row[column]].append(row)
    return found


def test_rows_and_hash_are_pinned(path: Path, data: str) -> None:
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        found = logical_hash(connection, Base.metadata), sum(row_counts(connection, Base.metadata).values())
    assert found == GOLDEN[data]


def test_two_builds_give_one_hash_and_another_seed_gives_another(tmp_path: Path) -> None:
    hashes = []
    for seed in (7, 7, 8):
        engine = create_engine("sqlite://")
        with engine.begin() as connection:
            build(connection, "tiny", seed)
            hashes.append(logical_hash(connection, Base.metadata))
    assert hashes[0] == hashes[1] != hashes[2]


def test_a_data_set_that_does_not_exist_is_refused() -> None:
    with create_engine("sqlite://").begin() as connection, pytest.raises(UsageError, match="there are tiny, base"):
        build(connection, "huge", 1)


def test_base_is_small_enough_to_copy(path: Path) -> None:
    assert path.stat().st_size <= 12_000_000


def test_counts_are_those_of_the_plan(shop: Snapshot, data: str) -> None:
    plan = PLANS[data]
    wanted: Counter[str] = Counter()
    for fate, count in plan.fates.items():
        wanted[fate.partition(":")[0]] += count
    assert Counter(row.status for row in shop.rows("orders")) == wanted
    assert Counter(row.status for row in shop.rows("reviews")) == Counter(
        dict(zip(("approved", "pending", "rejected"), plan.reviews, strict=True))
    )
    products = Counter(row.status for row in shop.rows("products"))
    assert (products["disabled"], products["draft"], products["archived"]) == (plan.disabled, plan.draft, plan.archived)
    assert len(shop.rows("customers")) == plan.customers
    assert len(shop.rows("wishlist_items")) == plan.wishes
    orders = Counter(row.customer_id for row in shop.rows("orders") if row.customer_id)
    assert plan.customers - len(orders) == plan.without_orders
    assert max(orders.values()) <= plan.most_orders + 2


def test_base_has_the_numbers_that_the_specification_names(shop: Snapshot, data: str) -> None:
    if data == "base":
        assert Counter(row.status for row in shop.rows("refunds")) == {
            "issued": 190,
            "pending_approval": 12,
            "rejected": 8,
        }
        returns = Counter(row.status for row in shop.rows("returns"))
        assert (returns["requested"], returns["approved"], returns["received"], returns.total()) == (22, 15, 8, 190)
        tables = ("promotions", "coupons", "pages", "search_terms", "contact_messages", "categories", "brands", "staff")
        assert [len(shop.rows(table)) for table in tables] == [28, 40, 14, 250, 120, 42, 24, 14]
        assert len([row for row in shop.rows("search_terms") if row.results == 0]) == 30
        assert 1_150 <= len(shop.rows("variants")) <= 1_400
        assert 11_000 <= len(shop.rows("stock_moves")) <= 14_000
        assert 2_500 <= len(shop.rows("audit_log")) <= 3_500


def test_every_foreign_key_and_check_holds(shop: Snapshot) -> None:
    assert shop.query("PRAGMA foreign_key_check") == []
    assert [row.integrity_check for row in shop.query("PRAGMA integrity_check")] == ["ok"]


def test_recompute_gives_what_is_stored(shop: Snapshot) -> None:
    found = recompute(shop)
    assert set(found) == {table for table in DERIVED_TABLES if shop.rows(table)}
    for table, values in found.items():
        key = "variant_id" if table == "stock" else "id"
        stored = {row[key]: row for row in shop.rows(table)}
        assert set(values) == set(stored)
        for pk, columns in values.items():
            assert {name: stored[pk][name] for name in columns} == columns


@pytest.mark.parametrize(
    ("source", "table"),
    [
        ("payments", "orders"),
        ("refunds", "orders"),
        ("order_items", "orders"),
        ("stock_moves", "stock"),
        ("reviews", "products"),
        ("coupon_uses", "coupons"),
        ("variants", "products"),
    ],
)
def test_recompute_of_a_change_covers_what_follows_from_it(shop: Snapshot, source: str, table: str) -> None:
    whole, key = recompute(shop), shop.rows(source)[-1].id
    part = recompute(shop, {source: {key}})
    assert part[table]
    assert len(part[table]) < len(whole[table])
    assert all(values == {name: whole[t][pk][name] for name in values} for t in part for pk, values in part[t].items())


def test_recompute_of_a_removed_row_does_the_whole_table(shop: Snapshot) -> None:
    assert len(recompute(shop, {"payments": {10**9}})["orders"]) == len(shop.rows("orders"))


def test_money_of_orders_invoices_payments_and_refunds_adds_up(shop: Snapshot) -> None:
    items = grouped(shop.rows("order_items"), "order_id")
    invoices = grouped([row for row in shop.rows("invoices") if row.status != "void"], "order_id")
    refunds = grouped([row for row in shop.rows("refunds") if row.status == "issued"], "order_id")
    for order in shop.rows("orders"):
        lines = items[order.id]
        assert order.total == order.subtotal - order.discount + order.shipping + order.tax
        assert order.subtotal == sum(line.row_total for line in lines)
        assert (order.discount, order.tax) == (sum(i.discount for i in lines), sum(i.tax for i in lines))
        assert all(i.row_total == i.unit_price * i.qty_ordered for i in lines)
        bills = invoices[order.id]
        if bills and all(i.qty_invoiced == i.qty_ordered for i in lines):
            assert sum(bill.total for bill in bills) == order.total
        assert order.paid == sum(bill.total for bill in bills if bill.status == "paid")
        assert order.refunded == sum(refund.total for refund in refunds[order.id]) <= order.paid
        assert (order.status == "closed") == (order.refunded > 0 and order.refunded == order.paid)


def test_quantities_of_lines_equal_those_of_their_papers(shop: Snapshot) -> None:
    def units(rows: list[Any]) -> Counter[int]:
        found: Counter[int] = Counter()
        for row in rows:
            found[row.order_item_id] += row.qty
        return found

    live = [row.id for row in shop.rows("invoices") if row.status != "void"]
    issued = {row.id for row in shop.rows("refunds") if row.status == "issued"}
    invoiced = units(shop.rows("invoice_items", invoice_id=live))
    shipped = units(shop.rows("shipment_items"))
    refunded = units([row for row in shop.rows("refund_items") if row.refund_id in issued])
    for item in shop.rows("order_items"):
        assert (item.qty_invoiced, item.qty_shipped, item.qty_refunded) == (
            invoiced[item.id], shipped[item.id], refunded[item.id],
        )  # fmt: skip
        assert item.qty_shipped + item.qty_canceled <= item.qty_ordered
        assert item.qty_shipped <= item.qty_invoiced
        assert item.qty_returned <= item.qty_shipped


def test_the_status_of_an_order_follows_from_its_papers(shop: Snapshot) -> None:
    items = grouped(shop.rows("order_items"), "order_id")
    invoices = grouped(shop.rows("invoices"), "order_id")
    completed: Counter[int | None] = Counter()
    for order in shop.rows("orders"):
        lines = items[order.id]
        if order.status in ("pending", "fraud_review", "canceled"):
            assert not invoices[order.id]
        if order.status == "canceled":
            assert order.cancel_reason
            assert all(i.qty_canceled == i.qty_ordered for i in lines)
        if order.status == "on_hold":
            assert order.hold_reason
            assert order.prev_status in ("pending", "processing")
        else:
            assert order.prev_status is None
        if order.status == "complete":
            assert all(i.qty_shipped + i.qty_canceled == i.qty_ordered for i in lines)
        if order.status == "processing":
            assert invoices[order.id]
            assert any(i.qty_shipped + i.qty_canceled < i.qty_ordered for i in lines)
        if order.status == "fraud_review":
            assert order.total > 150_000
            assert order.customer_id is None or not completed[order.customer_id]
        completed[order.customer_id] += order.status == "complete"


def test_open_units_are_reserved_and_nothing_else(shop: Snapshot) -> None:
    reserved: Counter[int] = Counter()
    for item in shop.rows("order_items"):
        reserved[item.variant_id] += item.qty_ordered - item.qty_shipped - item.qty_canceled
    for stock in shop.rows("stock"):
        assert stock.reserved == reserved[stock.variant_id]
        assert stock.on_hand >= stock.reserved or stock.backorder


def test_nothing_is_later_than_now_and_papers_are_numbered_by_time(shop: Snapshot) -> None:
    for name, table in Base.metadata.tables.items():
        for column in (each.name for each in table.columns):
            if (column.endswith("_at") and column != "low_at") or column == "at":
                late = shop.value(f"SELECT MAX({column}) FROM {name}")
                assert late is None or late <= NOW, f"{name}.{column}"
    for name, column in (("orders", "placed_at"), ("invoices", "created_at"), ("order_events", "created_at"),
                         ("shipments", "created_at"), ("audit_log", "at"), ("stock_moves", "created_at")):  # fmt: skip
        times = [row[column] for row in shop.rows(name)]
        if name != "stock_moves":
            assert times == sorted(times), name
    for row in shop.rows("sequences"):
        table, _, number = row.name.partition(".")
        if not number:
            assert row.last == max(each.id for each in shop.rows(table))


def test_histories_begin_with_the_placing_and_end_in_the_status(shop: Snapshot) -> None:
    events = grouped(shop.rows("order_events"), "order_id")
    for order in shop.rows("orders"):
        moves = [event for event in events[order.id] if event.to_status and event.from_status != event.to_status]
        assert moves[0].from_status is None
        assert moves[-1].to_status == order.status
        assert all(one.to_status == other.from_status for one, other in pairwise(moves))
        assert all(event.created_at >= order.placed_at for event in events[order.id])


def test_addresses_are_ones_that_the_forms_would_accept(shop: Snapshot) -> None:
    for row in [*shop.rows("order_addresses"), *shop.rows("addresses")]:
        assert row.region in REGIONS[row.country]
        assert row.country in POSTCODES
        values, wrong = check_address(row)
        assert wrong == []
        assert values["phone"] == row.phone


def test_tracking_numbers_have_the_form_of_their_carrier(shop: Snapshot) -> None:
    for row in shop.rows("shipment_tracks"):
        assert parse(row.carrier, row.number) == row.number


def test_phones_and_mails_belong_to_one_customer_each(shop: Snapshot) -> None:
    customers = shop.rows("customers")
    phones = [row.phone for row in customers if row.phone]
    assert len(set(phones)) == len(phones)
    assert all(row.email.isascii() and row.email == row.email.lower() for row in customers)


def test_skus_and_slugs_have_their_form(shop: Snapshot) -> None:
    allowed = set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")
    assert all(set(row.sku) <= allowed and 3 <= len(row.sku) <= 32 for row in shop.rows("variants"))
    assert all(row.slug == row.slug.lower() and " " not in row.slug for row in shop.rows("products"))


def test_coupons_count_orders_that_were_not_canceled(shop: Snapshot) -> None:
    codes = {row.id: row.code for row in shop.rows("coupons")}
    orders = {row.id: row for row in shop.rows("orders")}
    uses = {(orders[use.order_id].number, codes[use.coupon_id]) for use in shop.rows("coupon_uses")}
    kept = {(o.number, o.coupon_code) for o in orders.values() if o.coupon_code and o.status != "canceled"}
    assert uses == kept


def test_store_credit_never_falls_below_zero(shop: Snapshot) -> None:
    balance: Counter[int] = Counter()
    for entry in shop.rows("store_credit_entries"):
        balance[entry.customer_id] += entry.delta
        assert balance[entry.customer_id] >= 0


def test_every_trap_is_there(path: Path, data: str) -> None:
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        found = traps(connection)
    assert list(found) == [f"T{number}" for number in range(1, 22)]
    least = 3 if data == "base" else 1
    missing = {name for name, rows in found.items() if len(rows) < least}
    assert missing == ({"T20"} if data == "base" else missing & {"T3", "T20"})


def test_tasks_find_many_outcomes_in_base(shop: Snapshot, data: str) -> None:
    if data == "base":
        orders = shop.rows("orders")
        assert min(Counter(row.status for row in orders).values()) >= 20
        newest = {row.customer_id: row.status for row in orders}
        pending = {row.customer_id for row in orders if row.status == "pending"}
        assert sum(status == "pending" for who, status in newest.items() if who) >= 60
        assert sum(1 for who in newest if who not in pending) >= 60
        tracked = {row.shipment_id for row in shop.rows("shipment_tracks")}
        assert sum(row.id not in tracked for row in shop.rows("shipments")) >= 60
        by_order = Counter(row.order_id for row in shop.rows("shipments"))
        assert sum(count > 1 for count in by_order.values()) >= 60
        assert sum(1 for row in orders if row.status == "pending" and row.pay_method == "bank_transfer") >= 20


def test_each_phrase_of_a_review_speaks_of_one_aspect() -> None:
    assert len(ASPECTS) == 24
    for aspect, (praise, blame) in PHRASES.items():
        for mood, phrases in ((True, praise), (False, blame)):
            for phrase in phrases:
                assert mentioned(phrase) == {aspect: mood}


def test_the_text_of_a_review_follows_its_stars() -> None:
    rng = stream(1, "test")
    for rating in (1, 5) * 20:
        _, body = review(rng, rating, list(ASPECTS), "Mug")
        assert set(mentioned(body).values()) == {rating == 5}
        _, body = review(rng, rating, list(ASPECTS), "Mug", contrary=True)
        assert set(mentioned(body).values()) == {rating == 1}


def test_search_counts_active_products_whose_words_begin_with_every_token() -> None:
    keys = [" black mug tin", " mug mugs", " tin"]
    assert [derived.search_results(keys, term) for term in ("mug", "mug ti", "ug", "", "TIN!")] == [2, 1, 0, 0, 2]


def test_nothing_depends_on_the_hash_seed_of_python() -> None:
    import subprocess
    import sys

    code = (
        "from sitegym.sites.store.generate.build import compose; import hashlib;"
        "print(hashlib.sha256(repr(sorted(compose('tiny', 3).tables.items())).encode()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for hash_seed in ("0", "1", "2")
    }  # fmt: skip
    assert len(found) == 1
