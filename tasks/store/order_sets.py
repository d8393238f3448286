"""Orders as tasks single them out: by status and way of payment or region, and the newest or oldest of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...sites.store.labels import PAY_METHOD
from ...sites.store.regions import REGIONS
from ...verifiers import Row, Snapshot

_ORDERS = """
SELECT o.*, b.full_name AS bill_name, s.full_name AS ship_name, s.country || '-' || s.region AS ship_region
FROM orders o JOIN order_addresses b ON b.order_id = o.id AND b.kind = 'billing'
JOIN order_addresses s ON s.order_id = o.id AND s.kind = 'shipping'
"""


def word(by: str, value: str) -> str:
    """The value of a second condition (`pay_method` or `ship_region`) as the shop calls it."""
    if by == "pay_method":
        return PAY_METHOD[value]
    country, _, region = value.partition("-")
    return REGIONS[country][region]


def which(by: str, value: str) -> str:
    """The second condition as it stands behind "orders": paid by Card, shipping to Ohio."""
    return f"paid by {word(by, value)}" if by == "pay_method" else f"shipping to {word(by, value)}"


def matching(before: Snapshot, *, status: str | None = None, by: str = "", value: str = "") -> list[Row]:
    """The orders that meet the conditions given, first placed first."""
    terms = (["status = :status"] if status else []) + ([f"{by} = :value"] if by else [])
    given = {name: text for name, text in (("status", status), ("value", value)) if text}
    where = f"WHERE {' AND '.join(terms)}" if terms else ""
    return before.query(f"SELECT * FROM ({_ORDERS}) {where} ORDER BY placed_at, id", **given)


def at_end(orders: Sequence[Row], end: str) -> Row | None:
    """The newest or oldest order; None where two were placed at that instant."""
    if not orders:
        return None
    order, beside = (orders[-1], orders[-2:-1]) if end == "newest" else (orders[0], orders[1:2])
    return None if beside and beside[0].placed_at == order.placed_at else order


def conditions(db: Snapshot) -> Iterator[tuple[str, str, str, list[Row]]]:
    """Each status with each way of payment and each region that occurs with it, and the orders, first placed first."""
    found: dict[tuple[str, str, str], list[Row]] = {}
    for order in matching(db):
        for by in ("pay_method", "ship_region"):
            found.setdefault((order.status, by, order[by]), []).append(order)
    for (status, by, value), orders in sorted(found.items()):
        yield status, by, value, orders
