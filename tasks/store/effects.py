"""What each use case of the store writes, as parts of an expectation, computed from the database before it runs.

One function for each effect of the store's specification. `mail` says whether the customer's e-mail has to be sent
(True), must not be (False), or may be, because the tick is on by default and the task says nothing (None).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...sites.store.labels import CARRIER
from ...verifiers import (
    ANYTHING,
    Containing,
    Deleted,
    Expectation,
    Given,
    Inserted,
    OneOf,
    Part,
    Row,
    Snapshot,
    Updated,
)

ADDRESS_FIELDS = ("full_name", "company", "line1", "line2", "city", "region", "postcode", "country", "phone")
_TEXTS = frozenset({"full_name", "company", "line1", "line2", "city", "postcode"})


def cancel(before: Snapshot, number: str, reason: str, *, mail: bool | None = None) -> Expectation:
    """E.cancel: status and reason, every line canceled, stock released, coupon and store credit given back."""
    order = order_of(before, number)
    items = before.rows("order_items", order_id=order.id)
    left = {item.id: item.qty_ordered - item.qty_shipped - item.qty_canceled for item in items}
    must: list[Part] = [changed_order(order, status="canceled", cancel_reason=reason)]
    must += [
        Updated(
            "order_items", item.id, {"qty_canceled": item.qty_ordered - item.qty_shipped}, f"{item.sku} in {number}"
        )
        for item in items
    ]
    must += _released(before, order, items, left)
    must += [Deleted("coupon_uses", use.id) for use in before.rows("coupon_uses", order_id=order.id)]
    if order.pay_method == "store_credit" and order.customer_id is not None and order.total:
        must.append(_credit(order, order.total))
    review = order.status == "fraud_review"  # which may be passed first: nothing but the trail tells of it
    since = OneOf(("fraud_review", "pending")) if review else order.status
    must.append(event(before, order, "status", moved=(since, "canceled"), notify=mail))
    return mailed(order, must, "order_canceled", mail)


def hold(before: Snapshot, number: str, reason: str) -> Expectation:
    """E.hold: the order waits, and remembers the status to go back to."""
    order = order_of(before, number)
    held = changed_order(order, status="on_hold", prev_status=order.status, hold_reason=reason)
    return Expectation(must=(held, event(before, order, "status", moved=(order.status, "on_hold"), notify=False)))


def unhold(before: Snapshot, number: str) -> Expectation:
    """E.unhold: the order has the status again that it had before it was held."""
    order = order_of(before, number)
    back = order.prev_status or "pending"
    released = changed_order(order, status=back, prev_status=None, hold_reason=None)
    return Expectation(must=(released, event(before, order, "status", moved=("on_hold", back), notify=False)))


def note(before: Snapshot, number: str, text: str, *, notify: bool) -> Expectation:
    """E.note: one comment; with `notify` the customer sees it and gets it by e-mail, else it is internal."""
    order = order_of(before, number)
    comment = event(before, order, "comment", body=Given(text), notify=notify)
    return mailed(order, [comment], "order_comment", notify, text)


def addr(before: Snapshot, number: str, kind: str, fields: Mapping[str, str | None]) -> Expectation:
    """E.addr: these fields of the order's billing or shipping address; nothing else of it."""
    order = order_of(before, number)
    row = before.row("order_addresses", order_id=order.id, kind=kind)
    values = {name: Given(value) if name in _TEXTS else value for name, value in fields.items()}
    changed = Updated("order_addresses", row.id, values, f"{kind} address of order {number}")
    return Expectation(must=(changed, event(before, order, "system", notify=False)))


def track(before: Snapshot, shipment: str, carrier: str, tracking: str) -> Expectation:
    """E.track: one tracking number on this shipment, under the carrier's name."""
    row = before.row("shipments", number=shipment)
    order = before.row("orders", id=row.order_id)
    added = Inserted(
        "shipment_tracks",
        {"shipment_id": row.id, "carrier": carrier, "title": Given(CARRIER[carrier]), "number": tracking},
        name=f"tracking number on {shipment}",
    )
    return Expectation(must=(added, event(before, order, "system", notify=False)))


def order_of(before: Snapshot, number: str) -> Row:
    """The order with this number."""
    return before.row("orders", number=number)


def staff_of(before: Snapshot, role: str = "manager") -> int:
    """The member of staff whom the harness signs in for a role: the first active one."""
    return int(before.rows("staff", role=role, active=True)[0].id)


def changed_order(order: Row, **values: object) -> Updated:
    """An order that ends with these values."""
    return Updated("orders", order.id, values, f"order {order.number}")


def _released(before: Snapshot, order: Row, items: list[Row], left: Mapping[int, int]) -> list[Part]:
    """Reservations given back: the stock rows, and a move for each line that had one."""
    moves: list[Part] = []
    totals: dict[int, int] = {}
    for item in items:
        units = left[item.id]
        if units:
            totals[item.variant_id] = totals.get(item.variant_id, 0) + units
            moves.append(stock_move(before, item.variant_id, "release", reserved=-units, ref=("order", order.id)))
    stock: list[Part] = []
    for variant, units in totals.items():
        row = before.row("stock", variant_id=variant)
        stock.append(Updated("stock", variant, {"reserved": row.reserved - units}, f"stock of variant {variant}"))
    return stock + moves


def stock_move(
    before: Snapshot, variant: int, kind: str, *, on_hand: int = 0, reserved: int = 0, ref: tuple[str, int]
) -> Inserted:
    """The move that explains a change of stock."""
    values = {
        "variant_id": variant,
        "kind": kind,
        "d_on_hand": on_hand,
        "d_reserved": reserved,
        "ref_kind": ref[0],
        "ref_id": ref[1],
        "note": None,
        "actor_id": staff_of(before),
    }
    return Inserted("stock_moves", values, name=f"stock move of variant {variant}")


def _credit(order: Row, amount: int) -> Inserted:
    values = {
        "customer_id": order.customer_id,
        "delta": amount,
        "reason": ANYTHING,
        "order_id": order.id,
        "refund_id": None,
    }
    return Inserted("store_credit_entries", values, name="store credit given back")


def event(
    before: Snapshot,
    order: Row,
    kind: str,
    *,
    body: object = ANYTHING,
    notify: bool | None,
    moved: tuple[object, str | None] = (None, None),
) -> Inserted:
    """A line of an order's history; `notify` None leaves open whether the customer was told."""
    values = {
        "order_id": order.id,
        "kind": kind,
        "from_status": moved[0],
        "to_status": moved[1],
        "body": body,
        "notify_customer": OneOf((0, 1)) if notify is None else notify,
        "staff_id": staff_of(before),
    }
    what = {"comment": "comment on", "status": "history of", "system": "history of"}[kind]
    return Inserted("order_events", values, name=f"{what} order {order.number}")


def mailed(order: Row, must: list[Part], template: str, mail: bool | None, text: str = "") -> Expectation:
    """The effect with the customer's e-mail as a duty, as a possibility, or without it."""
    if mail is False:
        return Expectation(must=tuple(must))
    values: dict[str, Any] = {
        "to_email": order.email,
        "subject": Containing((order.number,)),
        "body": Containing((text,)) if text else ANYTHING,
        "template": template,
        "entity": "order",
        "entity_id": order.id,
    }
    sent = Inserted("outbox_emails", values, name=f"e-mail about order {order.number}")
    return Expectation(must=(*must, sent)) if mail else Expectation(must=tuple(must), may=(sent,))
