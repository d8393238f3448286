"""On generated data, whatever order the use cases come in, books, stock and derived columns stay right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from sitegym import sites
from sitegym.sites.kit.rules import Refused
from sitegym.sites.store.recompute import recompute
from sitegym.sites.world import World, WorldServer
from sitegym.verifiers import Snapshot

STEPS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("orders.cancel", {"reason": "other"}),
    ("orders.hold", {"reason": "other"}),
    ("orders.unhold", {}),
    ("orders.accept_fraud", {}),
    ("orders.reject_fraud", {}),
    ("orders.comment", {"body": "Checked."}),
    ("orders.edit_address", {"kind": "billing", "line1": "1 Storm Street"}),
    ("invoices.create", {}),
    ("shipments.create", {}),
    ("refunds.create", {"method": "offline"}),
)


@pytest.fixture(scope="module")
def tiny() -> Iterator[World]:
    """A served world on the tiny data set, to be written at will."""
    with WorldServer() as server:
        world = server.open("store", "tiny", 1)
        yield world
        world.close()


def snapshot(world: World) -> Snapshot:
    """The rows as they are now."""
    return Snapshot(world.freeze(), sites.get("store").metadata)


def wrong(snap: Snapshot) -> list[tuple[object, ...]]:
    """Derived columns that differ from their recomputation."""
    tables = sites.get("store").metadata.tables
    found: list[tuple[object, ...]] = []
    for name, rows in recompute(snap).items():
        keys = [column.name for column in tables[name].primary_key]
        stored = {tuple(row[key] for key in keys): row for row in snap.rows(name)}
        for key, values in rows.items():
            row = stored[key if isinstance(key, tuple) else (key,)]
            found += [
                (name, key, column, row[column], value) for column, value in values.items() if row[column] != value
            ]
    return found


def test_a_storm_of_use_cases_leaves_everything_consistent(tiny):
    assert wrong(snapshot(tiny)) == []
    rng, done = Random(7), Counter()
    orders = list(snapshot(tiny).rows("orders"))
    rare = [order for order in orders if order["status"] in ("fraud_review", "pending", "on_hold")]
    for order in [*rare, *rng.sample([order for order in orders if order not in rare], 60 - len(rare))]:
        for use_case, fields in rng.sample(STEPS, len(STEPS)):
            try:
                tiny.call(use_case, number=order["number"], **fields)
                done[use_case] += 1
            except Refused:
                done["refused"] += 1
    after = snapshot(tiny)
    assert min(done[use_case] for use_case, _ in STEPS[3:]) > 0, done
    assert wrong(after) == []
    for order in after.rows("orders"):
        assert 0 <= order["refunded"] <= order["paid"] <= order["total"], order["number"]
    for item in after.rows("order_items"):
        assert item["qty_shipped"] + item["qty_canceled"] <= item["qty_ordered"], item
        assert item["qty_refunded"] <= item["qty_invoiced"], item


def test_the_audit_log_tells_of_every_order_that_a_use_case_changed(tiny):
    tiny.reset()
    before = snapshot(tiny)
    order = next(iter(before.rows("orders", status="pending")))
    tiny.call("orders.hold", number=order["number"], reason="stock_check")
    seen = {row["id"] for row in before.rows("audit_log")}
    (row,) = [row for row in snapshot(tiny).rows("audit_log") if row["id"] not in seen]
    assert (row["action"], row["entity"], row["entity_id"]) == ("orders.hold", "order", order["id"])


def test_what_a_guest_is_sent_verifies_no_review_without_an_author() -> None:
    with WorldServer() as server, server.open("store", "base", 1) as world:
        before = snapshot(world)
        guests = before.query(
            "SELECT DISTINCT o.number FROM orders o JOIN order_items i ON i.order_id = o.id"
            " JOIN variants v ON v.id = i.variant_id JOIN stock s ON s.variant_id = v.id"
            " JOIN reviews r ON r.product_id = v.product_id AND r.customer_id IS NULL AND NOT r.verified"
            " WHERE o.customer_id IS NULL AND o.status = 'processing' AND s.on_hand >= i.qty_ordered ORDER BY o.number"
        )
        shipped = 0
        for order in guests:
            try:
                world.call("shipments.create", number=order.number)
            except Refused:
                continue
            shipped += 1
        assert shipped > 0
        assert wrong(snapshot(world)) == []
