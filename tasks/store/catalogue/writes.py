"""What staff do to products, prices and stock: each use case as a call, and as the parts of an expectation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ....verifiers import ANYTHING, Expectation, Inserted, Part, Row, Snapshot, Summed, Updated
from ...template import Call
from ..effects import staff_of


def product_status(before: Snapshot, product_id: int, status: str) -> Expectation:
    """E.prod(status): the product has this status; nothing else of it changes."""
    row = before.row("products", id=product_id)
    return Expectation(must=(Updated("products", product_id, {"status": status}, f"product {row.name}"),))


def out_of_stock(variants: Iterable[Row]) -> Expectation:
    """E.oos: these variants are marked out of stock; what lies on the shelf stays as it is."""
    return Expectation(
        must=tuple(Updated("stock", row.id, {"status": "out_of_stock"}, f"stock of {row.sku}") for row in variants)
    )


def received(before: Snapshot, variants: Sequence[Row], units: int) -> Expectation:
    """E.receive: so many units more of each, booked as a receipt; all of them can be sold again.

    How many receipts it took is left open, and what was received too much may be corrected; but what was received
    must not be less, so that a correction never stands for goods that came.
    """
    must: list[Part] = []
    for row in variants:
        stock = before.row("stock", variant_id=row.id)
        values = {"on_hand": stock.on_hand + units, "status": "in_stock"}
        must.append(Updated("stock", row.id, values, f"stock of {row.sku}"))
        move = {
            "variant_id": row.id,
            "kind": "receipt",
            "d_on_hand": ANYTHING,
            "d_reserved": 0,
            "ref_kind": None,
            "ref_id": None,
            "note": None,
            "actor_id": staff_of(before),
        }
        must.append(Inserted("stock_moves", move, name=f"receipt of {row.sku}"))
        receipts = {"variant_id": row.id, "kind": "receipt"}
        must.append(Summed("stock_moves", receipts, "d_on_hand", units, f"units of {row.sku} received"))
    return Expectation(must=tuple(must))


def priced(variants: Iterable[Row], prices: Mapping[int, int]) -> Expectation:
    """E.variant(price): these variants have these prices (cents by id)."""
    return Expectation(
        must=tuple(Updated("variants", row.id, {"price": prices[row.id]}, f"variant {row.sku}") for row in variants)
    )


def set_status(product_id: int, status: str) -> Call:
    """Make a product draft, active, disabled or archived."""
    return Call("products.set_status", {"id": product_id, "status": status, "no_image": True})


def stock_status(variant_id: int, status: str) -> Call:
    """Mark a variant in stock or out of stock."""
    return Call("stock.set_status", {"variant_id": variant_id, "status": status})


def on_hand(variant_id: int, units: int) -> Call:
    """Correct what lies on the shelf."""
    return Call("stock.set_on_hand", {"variant_id": variant_id, "on_hand": units})


def receive(variant_ids: Iterable[int], units: int, *, set_in_stock: bool = True) -> Call:
    """Receive so many units of each variant."""
    lines = [{"variant_id": id_, "qty": units} for id_ in variant_ids]
    return Call("stock.receive", {"lines": lines, "set_in_stock": set_in_stock})


def edit(variant_id: int, **fields: object) -> Call:
    """Change columns of a variant."""
    return Call("variants.edit", {"id": variant_id, **fields})


def add_to_prices(ids: Iterable[int], cents: int, field: str = "price") -> Call:
    """Raise (or lower) prices by an amount."""
    return Call("variants.change_prices", {"ids": list(ids), "mode": "add", "amount": cents, "field": field})


def scale_prices(ids: Iterable[int], basis_points: int, field: str = "price") -> Call:
    """Raise (or lower) prices by a percentage."""
    return Call(
        "variants.change_prices", {"ids": list(ids), "mode": "percent", "percent": basis_points, "field": field}
    )
