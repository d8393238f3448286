"""Invoices: bill units of an order, take the money or wait for it, and void a bill that was wrong (R6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from ...kit.ids import next_number
from ...kit.rules import Refused
from ..messages import problem, refused
from ..models import Invoice, InvoiceItem, Order, OrderItem, Payment
from ..totals import line_amount
from . import mails
from .base import Actor, Write, begin
from .ledger import RUNNING, count_money, event, items_of, left_to_invoice, settle
from .orders import refuse_unless

if TYPE_CHECKING:
    from ...kit.world import WorldContext

AT_ONCE = ("card", "wallet", "store_credit")
"""Payment methods that are captured with the invoice; others stay open until somebody marks them paid."""


def create(
    world: WorldContext,
    actor: Actor,
    *,
    number: str,
    lines: Mapping[Any, int] | None = None,
    notify: bool = True,
    v: int | None = None,
) -> dict[str, Any]:
    """Invoice units of an order, `lines` as order item id → units; None is all that is left.

    Raises `Refused` ORDER_STATE, QTY_TOO_HIGH, NOTHING_CHOSEN.
    """
    with begin(world, actor, "invoices.create", Order, number=number) as w:
        order = w.subject
        w.check(order, v)
        refuse_unless(order, RUNNING, "invoiced")
        chosen = choose(items_of(w.db, order), lines, left_to_invoice, "invoice")
        invoice = _bill(w, order, chosen)
        if order.pay_method in AT_ONCE:
            capture(w, order, invoice)
        moved = settle(w, order)
        kind = "status" if moved[0] != moved[1] else "system"
        event(w, order, kind, f"Invoice {invoice.number} created", notify=notify, moved=moved)
        if notify:
            mails.invoiced(w, order, invoice)
        return {"number": invoice.number, "order": order.number, "status": order.status}


def mark_paid(world: WorldContext, actor: Actor, *, number: str, v: int | None = None) -> dict[str, Any]:
    """Record that the money for an open invoice came in. Raises `Refused` INVOICE_STATE."""
    with begin(world, actor, "invoices.mark_paid", Invoice, number=number) as w:
        invoice = w.subject
        order = w.db.get_one(Order, invoice.order_id)
        w.check(order, v)
        if invoice.status != "open":
            raise refused("INVOICE_STATE", number=invoice.number, status=invoice.status, doing="marked paid")
        capture(w, order, invoice)
        return {"number": invoice.number, "order": order.number, "status": invoice.status}


def void(world: WorldContext, actor: Actor, *, number: str, v: int | None = None) -> dict[str, Any]:
    """Void an open invoice of which nothing has been shipped; its units can be invoiced again.

    Raises `Refused` INVOICE_STATE, INVOICE_SHIPPED.
    """
    with begin(world, actor, "invoices.void", Invoice, number=number) as w:
        invoice = w.subject
        order = w.db.get_one(Order, invoice.order_id)
        w.check(order, v)
        if invoice.status != "open":
            raise refused("INVOICE_STATE", number=invoice.number, status=invoice.status, doing="voided")
        for line in invoice.items:
            item = w.db.get_one(OrderItem, line.order_item_id)
            if item.qty_invoiced - line.qty < item.qty_shipped:
                raise refused("INVOICE_SHIPPED", number=invoice.number)
            w.set(item, tell=False, qty_invoiced=item.qty_invoiced - line.qty)
        w.set(invoice, status="void")
        w.bump(order)
        event(w, order, "system", f"Invoice {invoice.number} voided")
        return {"number": invoice.number, "order": order.number, "status": invoice.status}


def choose(
    items: list[OrderItem], lines: Mapping[Any, int] | None, left: Callable[[OrderItem], int], doing: str
) -> list[tuple[OrderItem, int]]:
    """The lines of an order with the units asked for, checked against `left(item)`; None asks for all that is left.

    Raises `Refused` QTY_TOO_HIGH (field `qty_<item id>`), NOTHING_CHOSEN.
    """
    asked = {int(key): int(units) for key, units in (lines or {}).items()}
    if unknown := set(asked) - {item.id for item in items}:
        raise refused("NOT_FOUND", what=f"Order line {min(unknown)}")
    wanted = [(item, left(item) if lines is None else asked.get(item.id, 0)) for item in items]
    if wrong := [item for item, units in wanted if not 0 <= units <= left(item)]:
        raise Refused.of(problem("QTY_TOO_HIGH", f"qty_{i.id}", left=left(i), doing=doing) for i in wrong)
    chosen = [(item, units) for item, units in wanted if units]
    if not chosen:
        raise refused("NOTHING_CHOSEN", doing=doing)
    return chosen


def capture(w: Write[Any], order: Order, invoice: Invoice) -> None:
    """Take the money of an invoice: paid, with a payment behind it unless it is over 0.00."""
    w.set(invoice, status="paid", paid_at=w.now)
    if invoice.total:
        payment = w.add(
            Payment,
            order_id=order.id,
            invoice_id=invoice.id,
            kind="capture",
            method=order.pay_method,
            amount=invoice.total,
            reference="",
            created_at=w.now,
        )
        payment.reference = f"PAY-{payment.id:06d}"
    count_money(w, order)


def _bill(w: Write[Order], order: Order, chosen: list[tuple[OrderItem, int]]) -> Invoice:
    """Add the invoice and its lines; the order's shipping goes on the first invoice that is not void."""
    standing = select(func.count()).select_from(Invoice).where(Invoice.order_id == order.id, Invoice.status != "void")
    first = not w.db.scalar(standing)
    sums = {
        name: sum(line_amount(getattr(i, column), units, i.qty_ordered, i.qty_invoiced) for i, units in chosen)
        for name, column in (("subtotal", "row_total"), ("discount", "discount"), ("tax", "tax"))
    }
    shipping = order.shipping if first else 0
    total = sums["subtotal"] - sums["discount"] + sums["tax"] + shipping
    number = next_number(w.db, Invoice, "INV-", 6)
    invoice = w.add(
        Invoice,
        tell={"number": number, "total": total},
        number=number,
        order_id=order.id,
        status="open",
        shipping=shipping,
        total=total,
        created_at=w.now,
        **sums,
    )
    for item, units in chosen:
        w.add(InvoiceItem, invoice_id=invoice.id, order_item_id=item.id, qty=units)
        w.set(item, tell=False, qty_invoiced=item.qty_invoiced + units)
    w.bump(order)
    return invoice
