"""What instances must never be: ambiguous. Each rule is checked again by a query of its own on the whole of `base`."""

from __future__ import annotations

import re

from sitegym.sites.kit.phones import e164
from sitegym.sites.store.services.tracking import FORMATS
from sitegym.tasks.store import carriers
from sitegym.tasks.task import every
from sitegym.verifiers import Snapshot


def test_an_order_to_cancel_can_be_canceled_and_its_twin_never_will_be(base: Snapshot) -> None:
    for p in every("store.admin/cancel-order"):
        order = base.row("orders", number=p.number)
        invoices = base.rows("invoices", order_id=order.id)
        if p.feasible:
            assert order.status in ("pending", "fraud_review")
            assert invoices == []
        else:
            assert order.status not in ("pending", "fraud_review", "canceled")
            assert [invoice.status for invoice in invoices] == ["paid"]  # nobody can void it to get there
            assert invoices[0].number == p.invoice


def test_a_parcel_is_the_only_one_of_its_order_with_the_sku(base: Snapshot) -> None:
    for p in every("store.admin/add-tracking"):
        holding = base.query(
            "SELECT DISTINCT s.number FROM orders o JOIN order_items i ON i.order_id = o.id AND i.sku = :sku"
            " JOIN shipment_items l ON l.order_item_id = i.id JOIN shipments s ON s.id = l.shipment_id"
            " WHERE o.number = :number",
            sku=p.sku,
            number=p.number,
        )
        assert [row.number for row in holding] == [p.shipment]


def test_tracking_numbers_are_refused_by_the_shop_exactly_where_the_task_says_so(base: Snapshot) -> None:
    taken = {row.number for row in base.rows("shipment_tracks")}
    for p in every("store.admin/add-tracking"):
        pattern = FORMATS[p.carrier].pattern
        assert bool(re.fullmatch(pattern, p.tracking, re.ASCII)) is p.feasible
        assert carriers.valid(p.carrier, p.tracking) is p.feasible
        assert p.tracking not in taken
        assert p.tracking == p.tracking.strip().upper()
        assert 4 <= len(p.tracking) <= 40  # so that the carrier "Other" would take it
        assert not carriers.valid(p.carrier, carriers.shortened(p.tracking)) or not p.feasible


def test_orders_with_several_shipments_are_well_represented() -> None:
    first = list(every("store.admin/add-tracking"))[:20]
    assert sum(bool(p.siblings) for p in first) >= 8


def test_the_newest_pending_order_is_newest_without_a_doubt(base: Snapshot) -> None:
    for p in every("store.admin/message-customer"):
        row = base.row("customers", id=p.customer_id)
        assert (row.status, row.email) == ("active", p.email)
        theirs = base.rows("orders", customer_id=p.customer_id)
        by_mail = base.query("SELECT * FROM orders WHERE lower(email) = lower(:email)", email=p.email)
        assert {order.id for order in theirs} == {order.id for order in by_mail}
        assert len({order.placed_at for order in theirs}) == len(theirs)
        pending = [order for order in theirs if order.status == "pending"]
        newest = max(pending, key=lambda order: order.placed_at, default=None)
        assert (newest.number if newest else None) == p.number


def test_messages_to_customers_meet_the_traps(base: Snapshot) -> None:
    newer = several = 0
    for p in list(every("store.admin/message-customer"))[:40]:
        theirs = sorted(base.rows("orders", customer_id=p.customer_id), key=lambda order: order.placed_at)
        newer += theirs[-1].number != p.number
        several += sum(order.status == "pending" for order in theirs) > 1
    assert newer >= 5
    assert several >= 5


def test_the_newest_and_the_oldest_order_are_so_without_a_doubt(base: Snapshot) -> None:
    for p in every("store.admin/order-field"):
        column = "o.pay_method" if p.by == "pay_method" else "a.country || '-' || a.region"
        orders = base.query(
            "SELECT o.email, o.placed_at FROM orders o JOIN order_addresses a ON a.order_id = o.id AND"
            f" a.kind = 'shipping' WHERE o.status = :status AND {column} = :value ORDER BY o.placed_at",
            status=p.status,
            value=p.value,
        )
        assert bool(orders) is p.feasible
        if orders:
            end = orders[-1] if p.end == "newest" else orders[0]
            assert [order.placed_at for order in orders].count(end.placed_at) == 1
            assert end.email == p.email


def test_facts_of_orders_meet_the_trap_of_two_names(base: Snapshot) -> None:
    asked = list(every("store.admin/order-field"))
    assert sum(p.fact.endswith("_name") for p in asked[:20]) >= 8
    assert {p.fact for p in asked[:60]} == {"placed", "billing_name", "shipping_name", "email", "total", "number"}
    assert {p.end for p in asked[:20]} == {"newest", "oldest"}


def test_a_phone_number_is_one_accounts_whatever_its_form(base: Snapshot) -> None:
    forms = set()
    accounts = base.rows("customers")
    for p in every("store.admin/customer-by-phone"):
        assert [row.email for row in accounts if row.phone == p.phone] == [p.email]
        assert any(e164(p.shown, country) == p.phone for country in ("US", "GB", "DE") if _reads(p.shown, country))
        forms.add("".join("d" if one.isdigit() else one for one in p.shown))
    assert len(forms) >= 8


def _reads(shown: str, country: str) -> bool:
    try:
        e164(shown, country)
    except ValueError:
        return False
    return True


def test_a_national_form_never_means_two_accounts(base: Snapshot) -> None:
    numbers = {row.phone for row in base.rows("customers") if row.phone}
    for p in every("store.admin/customer-by-phone"):
        meant = {e164(p.shown, country) for country in ("US", "CA", "GB", "DE") if _reads(p.shown, country)}
        assert meant & numbers == {p.phone}
