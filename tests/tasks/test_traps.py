"""Every trap that a template names is among its first instances in `base`: found again by queries of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sitegym import tasks
from sitegym.sites.kit.phones import written
from sitegym.sites.store.generate.phrases import mentioned
from sitegym.tasks.task import every
from sitegym.verifiers import Row, Snapshot

from .conftest import IDS

FIRST = 30
"""Instances of each kind (of those that can be done, and of those that can't) that count as the first."""
Trap = Callable[[Snapshot, Any], bool]


def order_of(db: Snapshot, p: Any) -> Row:
    return db.row("orders", number=p.number)


def one_digit_off(number: str, among: Iterator[str]) -> bool:
    return any(sum(a != b for a, b in zip(number, other, strict=True)) == 1 for other in among)


def cities_of(db: Snapshot, p: Any) -> bool:
    places = db.query("SELECT DISTINCT country, region FROM order_addresses WHERE city = :city", city=p.city)
    return len(places) > 1


def line_comes_or_goes(db: Snapshot, p: Any) -> bool:
    old = db.row("order_addresses", order_id=order_of(db, p).id, kind="shipping")
    return bool(old.line2) != bool(p.line2)


def namesake(db: Snapshot, p: Any) -> bool:
    row = db.row("customers", id=p.customer_id)
    return len(db.rows("customers", name_key=row.name_key)) > 1


def newest_is_of_another_status(db: Snapshot, p: Any) -> bool:
    theirs = db.query("SELECT number FROM orders WHERE customer_id = :c ORDER BY placed_at DESC", c=p.customer_id)
    return p.feasible and theirs[0].number != p.number


def of_another_account(db: Snapshot, p: Any) -> bool:
    """Whether an order with the customer's e-mail address belongs to no account."""
    guests = db.query("SELECT id FROM orders WHERE customer_id IS NULL AND lower(email) = lower(:email)", email=p.email)
    return bool(guests)


def on_an_edge(db: Snapshot, first: str, last: str) -> bool:
    rows = db.query(
        "SELECT placed_at FROM orders WHERE substr(placed_at, 1, 7) BETWEEN :first AND :last"
        " AND substr(placed_at, 12, 8) IN ('23:59:59', '00:00:00')",
        first=first,
        last=last,
    )
    return bool(rows)


def core(name: str) -> str:
    return re.sub(r"\W|\bII\b|\d+\s*\w*", "", name).casefold()


def look_alike(db: Snapshot, p: Any) -> bool:
    """Whether another product's name differs in digits, blanks or marks only."""
    mine = db.row("products", id=p.of) if p.of else None
    return mine is not None and any(core(row.name) == core(mine.name) for row in db.rows("products") if row.id != p.of)


def archived_twin(db: Snapshot, p: Any) -> bool:
    return len(db.rows("products", name_key=db.row("products", id=p.of).name_key)) > 1


def sold_out_in_part(db: Snapshot, p: Any) -> bool:
    rows = db.query(
        "SELECT s.status FROM variants v JOIN stock s ON s.variant_id = v.id WHERE v.product_id = :of", of=p.of
    )
    return {row.status for row in rows} == {"in_stock", "out_of_stock"}


def on_sale(db: Snapshot, p: Any) -> bool:
    return any(row.sale_price is not None for row in db.rows("variants", product_id=p.of))


def grey_and_gray(db: Snapshot, p: Any) -> bool:
    rows = db.query(
        "SELECT DISTINCT o.value FROM variants v JOIN variant_options l ON l.variant_id = v.id"
        " JOIN option_values o ON o.id = l.value_id WHERE v.product_id = :of AND o.value IN ('Grey', 'Gray')",
        of=p.of,
    )
    asked = getattr(p, "colors", None) or (p.color,)
    return len(rows) == 2 and bool({"Grey", "Gray"} & set(asked))


def reviews(db: Snapshot, p: Any) -> list[Row]:
    return db.query("SELECT * FROM reviews WHERE product_id = :of ORDER BY created_at, id", of=p.of)


def contradicts(row: Row) -> bool:
    moods = set(mentioned(row.body).values())
    return row.rating != 3 and moods == {row.rating < 3}


def queue(db: Snapshot, p: Any, status: str) -> list[Row]:
    rows = [row for row in db.rows("reviews", status=status) if row.rating >= p.stars]
    return [row for row in rows if not p.first or p.first <= row.created_at[:10] <= p.last]


TRAPS: dict[str, dict[str, Trap]] = {
    "accept-and-invoice": {
        "T4": lambda db, p: one_digit_off(p.number, (o.number for o in db.rows("orders", status="fraud_review")))
    },
    "add-tracking": {"T10, two shipments": lambda db, p: len(db.rows("shipments", order_id=order_of(db, p).id)) > 1},
    "approve-pending": {
        "T13": lambda db, p: any(map(contradicts, queue(db, p, "pending"))),
        "a rejected one of those days": lambda db, p: bool(p.first and queue(db, p, "rejected")),
    },
    "cancel-order": {
        "T4": lambda db, p: one_digit_off(p.number, (o.number for o in db.rows("orders", status="pending")))
    },
    "change-prices": {"a running sale": on_sale, "inactive variants": lambda db, p: bool(
        db.rows("variants", product_id=p.of, active=False))},
    "change-shipping-address": {"a city of two regions": cities_of, "a second line comes or goes": line_comes_or_goes},
    "change-some-prices": {"T17": grey_and_gray, "T1": look_alike, "a range": lambda _, p: len(p.values) > 1},
    "customer-by-phone": {
        "T14": lambda _, p: p.shown not in (p.phone, written(p.phone)),
        "another name on an order": lambda db, p: bool(db.query(
            "SELECT a.id FROM order_addresses a JOIN customers c ON c.phone = :phone"
            " WHERE a.phone = :phone AND a.full_name <> c.first_name || ' ' || c.last_name", phone=p.phone)),
    },
    "default-address": {
        "T2": namesake,
        "billed elsewhere": lambda db, p: (c := db.row("customers", id=p.customer_id)).default_shipping_id
        != c.default_billing_id,
        "several addresses": lambda db, p: len(db.rows("addresses", customer_id=p.customer_id)) > 1,
    },
    "delete-reviews": {"T1": look_alike, "a longer nickname": lambda db, p: bool(p.nickname) and any(
        row.nickname.startswith(p.nickname) and row.nickname != p.nickname for row in db.rows("reviews"))},
    "disable-product": {"T1": look_alike, "T19": archived_twin},
    "hold-orders": {
        "one of exactly that amount": lambda db, p: bool(db.rows("orders", status="pending", total=p.amount)),
        "one billed to the region": lambda db, p: bool(db.query(
            "SELECT o.id FROM orders o JOIN order_addresses b ON b.order_id = o.id AND b.kind = 'billing'"
            " JOIN order_addresses s ON s.order_id = o.id AND s.kind = 'shipping' WHERE o.status = 'pending'"
            " AND o.total > :amount AND b.country || '-' || b.region = :region"
            " AND s.country || '-' || s.region <> :region", amount=p.amount, region=p.region)),
    },
    "invoice-total": {"T9": lambda db, p: (i := db.row("invoices", number=p.invoice)).total
                      != db.row("orders", id=i.order_id).total},
    "message-customer": {"T2": namesake, "a newer one of another status": newest_is_of_another_status},
    "most-cancellations": {"T11": lambda db, p: bool(db.query(
        "SELECT o.id FROM orders o JOIN order_addresses a ON a.order_id = o.id AND a.kind = 'shipping'"
        " WHERE o.customer_id IS NULL AND o.status = 'canceled' AND (:month = '' OR o.placed_at LIKE :month || '%')"
        " AND (:region = '' OR a.country || '-' || a.region = :region)", month=p.month, region=p.region))},
    "note-one-of-two": {"T3": lambda db, p: len(db.rows("orders", total=p.total)) == 2},
    "order-field": {"two names": lambda db, p: p.fact.endswith("_name")},
    "orders-per-month": {"T16": lambda db, p: on_an_edge(db, p.first, p.last)},
    "receive-goods": {"T7": sold_out_in_part, "T17": grey_and_gray},
    "reply-newest-review": {
        "T1": look_alike,
        "the newest is answered": lambda db, p: [
            row for row in reviews(db, p) if row.rating == p.stars][-1].reply_body is not None,
    },
    "review-critics": {"T1": look_alike, "pending or rejected ones": lambda db, p: any(
        row.status != "approved" and row.rating <= p.stars for row in reviews(db, p))},
    "review-opinions": {"T13": lambda db, p: any(map(contradicts, reviews(db, p)))},
    "sell-out-product": {"T1": look_alike, "T7": sold_out_in_part},
    "ship-order": {"T10, a part has gone": lambda db, p: bool(db.rows("shipments", order_id=order_of(db, p).id))},
    "ship-part": {"T10, a part has gone": lambda db, p: bool(db.rows("shipments", order_id=order_of(db, p).id)),
                  "several lines": lambda db, p: len(db.rows("order_items", order_id=order_of(db, p).id)) > 1},
    "top-customers": {"several are level": lambda _, p: len(p.emails) > 1},
    "units-ordered": {"T16": lambda db, p: bool(p.month) and on_an_edge(db, p.month, p.month)},
    "worst-review-author": {"T1": look_alike, "a guest's is as bad": lambda db, p: any(
        row.customer_id is None and row.rating <= min(r.rating for r in reviews(db, p) if r.customer_id is not None)
        for row in reviews(db, p))},
}  # fmt: skip
"""What each template's docstring names as traps, by template."""

CASES = [pytest.param(name, trap, id=f"{name}-{trap}") for name, traps in TRAPS.items() for trap in traps]


@pytest.mark.parametrize(("name", "trap"), CASES)
def test_a_named_trap_is_met_early(name: str, trap: str, base: Snapshot) -> None:
    found = list(every(f"store.admin/{name}"))
    first = [[p for p in found if p.feasible is feasible][:FIRST] for feasible in (True, False)]
    met = [sum(TRAPS[name][trap](base, p) for p in some) for some in first if some]
    assert sum(met) >= 3


def test_every_trap_that_a_template_is_tagged_with_is_looked_for() -> None:
    for task_id in IDS:
        tagged = {tag for tag in tasks.template(task_id).tags if tag.startswith("T")}
        looked = {trap.split(",")[0] for trap in TRAPS.get(task_id.partition("/")[2], {})}
        assert tagged <= looked | {"T21"}, (task_id, tagged - looked)
