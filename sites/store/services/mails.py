"""The e-mails that an order's use cases put into the outbox, in the shop's voice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...kit.money import money

if TYPE_CHECKING:
    from ..models import Invoice, Order, Refund, Return, Shipment
    from .base import Write

SIGNATURE = "Fernhill Supply\nwww.shop.localhost"


def canceled(w: Write[Order], order: Order) -> None:
    """Tell the customer that the order was canceled; the reason stays inside the shop."""
    _send(w, order, "order_canceled", f"Your order {order.number} has been canceled",
          f"Your order {order.number} has been canceled. If you have already paid, "
          "the money goes back the way it came.")  # fmt: skip


def comment(w: Write[Order], order: Order, text: str) -> None:
    """Send a comment to the customer, word for word."""
    _send(w, order, "order_comment", f"News about your order {order.number}", text)


def invoiced(w: Write[Order], order: Order, invoice: Invoice) -> None:
    """Send an invoice."""
    _send(w, order, "order_invoiced", f"Invoice {invoice.number} for your order {order.number}",
          f"Please find your invoice {invoice.number} over {money(invoice.total)}.")  # fmt: skip


def shipped(w: Write[Order], order: Order, shipment: Shipment, tracks: list[str]) -> None:
    """Tell the customer what is on its way, and how to follow it."""
    lines = "\n".join(f"Tracking: {track}" for track in tracks)
    _send(w, order, "order_shipped", f"Your order {order.number} is on its way",
          f"We have handed over shipment {shipment.number}.\n{lines}".rstrip())  # fmt: skip


def refunded(w: Write[Order], order: Order, refund: Refund) -> None:
    """Tell the customer how much comes back."""
    way = "as store credit" if refund.method == "store_credit" else "the way it was paid"
    _send(w, order, "order_refunded", f"Refund {refund.number} for your order {order.number}",
          f"We refund {money(refund.total)} {way}.")  # fmt: skip


def returned(w: Write[Any], order: Order, returned: Return, note: str) -> None:
    """Tell the customer what was decided about a return, with the note of whoever decided."""
    text = f"Your return {returned.number} for order {order.number} is {returned.status}."
    subject = f"Your return {returned.number} is {returned.status}"
    _send(w, order, f"return_{returned.status}", subject, f"{text}\n{note}".rstrip())


def _send(w: Write[Any], order: Order, template: str, subject: str, text: str) -> None:
    w.email(order.email, template, subject, f"Hello {order.customer_name},\n\n{text}\n\n{SIGNATURE}", order)
