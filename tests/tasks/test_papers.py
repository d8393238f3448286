"""Effects of papers: what invoicing and shipping write is exactly what is declared, on every kind of order."""

from __future__ import annotations

import pytest
from sitegym.tasks.store import calls, papers
from sitegym.verifiers import Snapshot

from .conftest import Played
from .test_effects import picked

NO_INVOICE = "NOT EXISTS (SELECT 1 FROM invoices i WHERE i.order_id = o.id)"
ORDERS = {
    "paid-at-once": f"status = 'pending' AND pay_method IN ('card', 'wallet', 'store_credit') AND {NO_INVOICE}",
    "paid-later": f"status = 'pending' AND pay_method IN ('bank_transfer', 'cod') AND {NO_INVOICE}",
    "with-a-discount": f"status = 'pending' AND discount > 0 AND {NO_INVOICE}",
    "rest-of-an-order": "status = 'processing' AND EXISTS (SELECT 1 FROM invoices i WHERE i.order_id = o.id) AND EXISTS"
    " (SELECT 1 FROM order_items l WHERE l.order_id = o.id AND l.qty_ordered > l.qty_invoiced + l.qty_canceled)",
}


@pytest.mark.parametrize("where", ORDERS.values(), ids=ORDERS)
def test_invoice(played: Played, tiny: Snapshot, where: str) -> None:
    number = picked(tiny, where)
    for mail in (True, False):
        assert played(papers.invoice(tiny, number, mail=mail), [calls.invoice(number, notify=mail)]).reward == 1.0
    want = papers.invoice(tiny, number)
    assert played(want, [calls.invoice(number), calls.hold(number)]).reward == 0.0
    assert played(want, [calls.note(number, "invoiced", notify=False)]).reward == 0.0


def test_accept(played: Played, tiny: Snapshot) -> None:
    number = picked(tiny, "status = 'fraud_review'")
    both = [calls.accept(number), calls.invoice(number)]
    assert played(papers.accept(tiny, number), both[:1]).reward == 1.0
    assert played(papers.accept(tiny, number), both).reward == 0.0
    assert played(papers.invoice(tiny, number, accepted=True), both).reward == 1.0
    assert played(papers.invoice(tiny, number, accepted=True), both[:1]).reward == 0.0


def test_ship(played: Played, tiny: Snapshot) -> None:
    order, left = next(
        (order, units)
        for order in tiny.rows("orders", status="processing")
        if (units := papers.shippable(tiny, order)) and sum(units.values()) > 1
    )
    track = [("ups", "1ZAAAAAAAAAAAAAAA7")]
    whole = papers.ship(tiny, order.number, left, tracks=track, mail=True)
    assert played(whole, [calls.ship(order.number, tracks=track)]).reward == 1.0
    assert played(whole, [calls.ship(order.number, tracks=track, notify=False)]).reward == 0.0
    assert played(whole, [calls.ship(order.number)]).reward == 0.0
    item = min(left)
    part = papers.ship(tiny, order.number, {item: 1})
    assert played(part, [calls.ship(order.number, {item: 1})]).reward == 1.0
    assert played(part, [calls.ship(order.number)]).reward == 0.0
