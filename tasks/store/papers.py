"""What invoicing and shipping an order writes, as parts of an expectation (E.fraud, E.invoice, E.ship)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...sites.store.labels import CARRIER
from ...sites.store.totals import line_amount
from ...verifiers import PRESENT, Expectation, Given, Inserted, New, Part, Row, Snapshot, Updated
from .effects import changed_order, event, mailed, order_of, stock_move

AT_ONCE = ("card", "wallet", "store_credit")
"""Ways of payment that are captured with the invoice (R6)."""
Units = Mapping[int, int]
"""Order item to a number of units."""


def accept(before: Snapshot, number: str) -> Expectation:
    """E.fraud: the order has passed its review, and is pending."""
    order = order_of(before, number)
    accepted = event(before, order, "status", moved=("fraud_review", "pending"), notify=False)
    return Expectation(must=(changed_order(order, status="pending"), accepted))


def invoice(before: Snapshot, number: str, *, mail: bool | None = None, accepted: bool = False) -> Expectation:
    """E.invoice of all that is left: the first invoice carries the shipping; paid at once where R6 says so.

    `accepted` is the effect together with E.fraud, of an order in fraud review.
    """
    order = order_of(before, number)
    items = before.rows("order_items", order_id=order.id)
    units = {item.id: item.qty_ordered - item.qty_invoiced - item.qty_canceled for item in items}
    sums = _sums(before, order, items, units)
    at_once = order.pay_method in AT_ONCE
    status = {"status": "paid", "paid_at": PRESENT} if at_once else {"status": "open"}
    must: list[Part] = [Inserted("invoices", {"order_id": order.id, **sums, **status}, label="invoice")]
    for item in items:
        if units[item.id]:
            line = {"invoice_id": New("invoice"), "order_item_id": item.id, "qty": units[item.id]}
            must.append(Inserted("invoice_items", line, name=f"{item.sku} on the invoice"))
            must.append(_line(item, number, qty_invoiced=item.qty_invoiced + units[item.id]))
    if at_once and sums["total"]:
        must.append(_capture(order, sums["total"]))
    was = "pending" if accepted else order.status
    if accepted:
        must.append(event(before, order, "status", moved=("fraud_review", "pending"), notify=False))
    if was == "pending":
        must.append(changed_order(order, status="processing"))
        must.append(event(before, order, "status", moved=("pending", "processing"), notify=mail))
    else:
        must.append(event(before, order, "system", moved=(order.status, order.status), notify=mail))
    return mailed(order, must, "order_invoiced", mail)


def ship(
    before: Snapshot,
    number: str,
    units: Units,
    *,
    tracks: Sequence[tuple[str, str]] = (),
    mail: bool | None = None,
) -> Expectation:
    """E.ship of these units, with tracking numbers as carrier and number; complete where nothing is left."""
    order = order_of(before, number)
    items = before.rows("order_items", order_id=order.id)
    must: list[Part] = [Inserted("shipments", {"order_id": order.id, "status": "shipped"}, label="shipment")]
    gone: dict[int, int] = {}
    for item in items:
        if sent := units.get(item.id, 0):
            line = {"shipment_id": New("shipment"), "order_item_id": item.id, "qty": sent}
            must.append(Inserted("shipment_items", line, name=f"{item.sku} in the shipment"))
            must.append(_line(item, number, qty_shipped=item.qty_shipped + sent))
            move = stock_move(before, item.variant_id, "ship", on_hand=-sent, reserved=-sent, ref=("order", order.id))
            must.append(move)
            gone[item.variant_id] = gone.get(item.variant_id, 0) + sent
    for variant, sent in gone.items():
        row = before.row("stock", variant_id=variant)
        left = {"on_hand": row.on_hand - sent, "reserved": row.reserved - sent}
        must.append(Updated("stock", variant, left, f"stock of variant {variant}"))
    for carrier, tracking in tracks:
        title = Given(CARRIER[carrier])  # a person may type it
        track = {"shipment_id": New("shipment"), "carrier": carrier, "title": title, "number": tracking}
        must.append(Inserted("shipment_tracks", track, name=f"tracking number {tracking}"))
    left_over = any(_left(item) > units.get(item.id, 0) or _unbilled(item) for item in items)
    if left_over:
        must.append(event(before, order, "system", moved=(order.status, order.status), notify=mail))
    else:
        must.append(changed_order(order, status="complete"))
        must.append(event(before, order, "status", moved=(order.status, "complete"), notify=mail))
    return mailed(order, must, "order_shipped", mail)


def ready(before: Snapshot, order: Row) -> dict[int, int]:
    """Units that may ship, by order item: on a paid invoice (any, if paid on delivery), not yet gone or canceled."""
    statuses = "('paid', 'open')" if order.pay_method == "cod" else "('paid')"
    billed = before.query(
        "SELECT l.order_item_id AS item, sum(l.qty) AS qty FROM invoice_items l JOIN invoices i ON i.id = l.invoice_id"
        f" WHERE i.order_id = :id AND i.status IN {statuses} GROUP BY 1 ORDER BY 1",
        id=order.id,
    )
    units = {row.item: row.qty for row in billed}
    items = before.rows("order_items", order_id=order.id)
    return {item.id: max(0, units.get(item.id, 0) - item.qty_canceled - item.qty_shipped) for item in items}


def shippable(before: Snapshot, order: Row) -> dict[int, int]:
    """All units left in an order, by item, if every one of them is ready and on the shelf; else nothing."""
    items = before.rows("order_items", order_id=order.id)
    may, left = ready(before, order), {item.id: _left(item) for item in items}
    needed: dict[int, int] = {}
    for item in items:
        needed[item.variant_id] = needed.get(item.variant_id, 0) + left[item.id]
    there = all(before.row("stock", variant_id=variant).on_hand >= units for variant, units in needed.items())
    fine = there and not any(_unbilled(item) or left[item.id] > may[item.id] for item in items)
    return {item: units for item, units in left.items() if units} if fine else {}


def _left(item: Row) -> int:
    return int(item.qty_ordered - item.qty_shipped - item.qty_canceled)


def _unbilled(item: Row) -> int:
    return max(0, int(item.qty_ordered - item.qty_invoiced - item.qty_canceled))


def _line(item: Row, number: str, **values: object) -> Updated:
    return Updated("order_items", item.id, values, f"{item.sku} in {number}")


def _sums(before: Snapshot, order: Row, items: Sequence[Row], units: Units) -> dict[str, int]:
    """The amounts of an invoice over these units."""
    first = not before.rows("invoices", order_id=order.id, status=["open", "paid"])
    sums = {
        name: sum(line_amount(i[column], units[i.id], i.qty_ordered, i.qty_invoiced) for i in items if units[i.id])
        for name, column in (("subtotal", "row_total"), ("discount", "discount"), ("tax", "tax"))
    }
    shipping = order.shipping if first else 0
    return {**sums, "shipping": shipping, "total": sums["subtotal"] - sums["discount"] + sums["tax"] + shipping}


def _capture(order: Row, amount: int) -> Inserted:
    values = {
        "order_id": order.id,
        "invoice_id": New("invoice"),
        "refund_id": None,
        "kind": "capture",
        "method": order.pay_method,
        "amount": amount,
    }
    return Inserted("payments", values, name=f"payment of order {order.number}")
