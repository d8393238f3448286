"""Saving what is shown writes nothing, however a text is stored; a shipment verifies the reviews of its products."""

from __future__ import annotations

import unicodedata

from sitegym import sites
from sitegym.sites.store.services.base import reads_the_same
from sitegym.sites.world import WorldServer
from sitegym.verifiers import Snapshot


def test_texts_are_compared_as_they_read():
    name = "Zoë Łukasz"
    apart = unicodedata.normalize("NFD", name)
    assert apart != name
    assert reads_the_same(apart, name)
    assert not reads_the_same("Zoe", "Zoë")
    assert not reads_the_same(None, "")
    assert reads_the_same(3, 3)


def test_an_address_stored_apart_keeps_its_name_when_its_street_changes():
    store = sites.get("store")
    with WorldServer() as server, server.open(data="base") as world:
        with Snapshot(world.baseline.path, store.metadata) as before:
            shipped = {row.order_id for row in before.rows("shipments")}
            numbers = {row.id: row.number for row in before.rows("orders", status="pending")}
            apart = [
                row
                for row in before.rows("order_addresses", kind="shipping")
                if row.full_name != unicodedata.normalize("NFC", row.full_name)
                and row.order_id in numbers
                and row.order_id not in shipped
            ]
        assert apart, "the data plants such names (T5)"
        world.call("orders.edit_address", number=numbers[apart[0].order_id], line1="9 Other Street")
        with Snapshot(world.freeze(), store.metadata) as after:
            row = after.row("order_addresses", id=apart[0].id)
            assert (row.full_name, row.line1) == (apart[0].full_name, "9 Other Street")


def test_a_review_of_what_is_shipped_later_becomes_verified():
    store = sites.get("store")
    with WorldServer() as server, server.open(data="base") as world:
        with Snapshot(world.baseline.path, store.metadata) as before:
            waiting = early(before)
        assert waiting, "the data has reviews older than the shipment"
        number, review = waiting[0]
        world.call("shipments.create", number=number, tracks=[{"carrier": "other", "number": "ABCD1234"}])
        with Snapshot(world.freeze(), store.metadata) as after:
            assert after.row("reviews", id=review).verified


def early(db: Snapshot) -> list[tuple[str, int]]:
    """Orders that can be shipped whose customer has reviewed a product of theirs without having had it."""
    return [
        (row.number, row.review)
        for row in db.query(
            "SELECT o.number AS number, r.id AS review FROM orders o JOIN order_items i ON i.order_id = o.id "
            "JOIN variants v ON v.id = i.variant_id JOIN reviews r ON r.product_id = v.product_id "
            "AND r.customer_id = o.customer_id WHERE NOT r.verified AND o.status = 'processing' "
            "AND i.qty_shipped = 0 AND i.qty_invoiced = i.qty_ordered AND NOT EXISTS (SELECT 1 FROM invoices n "
            "WHERE n.order_id = o.id AND n.status <> 'paid') ORDER BY r.id"
        )
    ]
