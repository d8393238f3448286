"""What instances about orders and customers must never be: ambiguous. Checked by queries of their own on `base`."""

from __future__ import annotations

from collections import Counter

from sitegym.tasks.task import every
from sitegym.verifiers import Snapshot


def test_an_address_can_be_changed_exactly_where_nothing_was_shipped(base: Snapshot) -> None:
    for p in every("store.admin/change-shipping-address"):
        order = base.row("orders", number=p.number)
        shipments = base.rows("shipments", order_id=order.id)
        assert [one.number for one in shipments] == ([p.shipment] if p.shipment else [])
        assert p.feasible is (p.shipment is None)
        old = base.row("order_addresses", order_id=order.id, kind="shipping")
        assert (old.city, old.region) != (p.city, p.region)


def test_two_orders_of_one_total_are_told_apart_by_their_city(base: Snapshot) -> None:
    for p in every("store.admin/note-one-of-two"):
        orders = base.rows("orders", total=p.total)
        assert {order.number for order in orders} == {p.number, p.twin}
        cities = {
            order.number: base.row("order_addresses", order_id=order.id, kind="shipping").city_key for order in orders
        }
        assert cities[p.number] != cities[p.twin]


def test_the_customer_with_the_most_cancellations_is_level_with_nobody(base: Snapshot) -> None:
    guests = 0
    for p in every("store.admin/most-cancellations"):
        rows = base.query(
            "SELECT o.email, c.email AS account FROM orders o JOIN order_addresses a ON a.order_id = o.id"
            " AND a.kind = 'shipping' LEFT JOIN customers c ON c.id = o.customer_id WHERE o.status = 'canceled'"
            " AND (:month = '' OR o.placed_at LIKE :month || '%')"
            " AND (:region = '' OR a.country || '-' || a.region = :region)",
            month=p.month,
            region=p.region,
        )
        counts = Counter(row.account for row in rows if row.account).most_common(2)
        assert counts[0][0] == p.email
        assert len(counts) == 1 or counts[0][1] > counts[1][1]
        guests += any(row.account is None for row in rows)
    assert guests > 10


def test_whoever_has_the_most_orders_is_so_by_account_and_by_address(base: Snapshot) -> None:
    for p in every("store.admin/top-customers"):
        rows = base.query(
            "SELECT lower(o.email) AS email, count(*) AS n FROM orders o JOIN order_addresses a ON a.order_id = o.id"
            " AND a.kind = 'shipping' WHERE o.status = 'complete' AND (:month = '' OR o.placed_at LIKE :month || '%')"
            " AND (:region = '' OR a.country || '-' || a.region = :region) GROUP BY 1",
            month=p.month,
            region=p.region,
        )
        numbers = {row.n for row in rows if row.email in p.emails}
        assert len(numbers) == 1
        level = {row.email for row in rows if row.n in numbers}
        above = sum(row.n > max(numbers) for row in rows)
        assert level == set(p.emails)
        assert numbers == {p.exactly} if p.exactly else above == p.rank - 1


def test_an_invoice_is_asked_for_where_its_order_comes_to_something_else(base: Snapshot) -> None:
    totals = {row.id: row.total for row in base.rows("orders")}
    invoices = {row.number: row for row in base.rows("invoices")}
    first = [invoices[p.invoice] for p in list(every("store.admin/invoice-total"))[:20]]
    assert sum(row.total != totals[row.order_id] for row in first) >= 8


def test_every_pending_order_above_the_amount_is_to_be_held_and_no_other(base: Snapshot) -> None:
    exact = 0
    for p in every("store.admin/hold-orders"):
        country, _, region = p.region.partition("-")
        places = base.rows("order_addresses", kind="shipping", country=country, region=region)
        orders = base.rows("orders", id=[row.order_id for row in places], status="pending")
        assert {order.number for order in orders if order.total > p.amount} == set(p.numbers)
        assert 2 <= len(p.numbers) <= 6
        exact += any(order.total == p.amount for order in orders)
    assert exact >= 10


def test_something_is_left_of_an_order_that_is_shipped_in_part(base: Snapshot) -> None:
    for p in every("store.admin/ship-part"):
        order = base.row("orders", number=p.number)
        items = base.rows("order_items", order_id=order.id)
        assert [item.id for item in items if item.sku == p.sku] == [p.item]
        assert sum(item.qty_ordered - item.qty_shipped - item.qty_canceled for item in items) > p.units > 0


def test_sums_and_units_stand_in_no_goal_and_meet_no_tie(base: Snapshot) -> None:
    placed = [row.placed_at for row in base.rows("orders")]
    assert len(set(placed)) == len(placed)
    assert {len(p.sets) for p in every("store.admin/sum-of-orders")} == {1, 2}
    assert {bool(p.month) for p in every("store.admin/units-ordered")} == {True, False}
