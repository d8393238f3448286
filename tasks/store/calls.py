"""The store's use cases as calls, the counterpart of the effects: what a service oracle or a near miss does."""

from __future__ import annotations

from collections.abc import Mapping

from ..template import Call


def cancel(number: str, reason: str, *, notify: bool = True) -> Call:
    """Cancel an order."""
    return Call("orders.cancel", {"number": number, "reason": reason, "notify": notify})


def hold(number: str, reason: str = "other") -> Call:
    """Put an order on hold."""
    return Call("orders.hold", {"number": number, "reason": reason})


def unhold(number: str) -> Call:
    """Release an order from hold."""
    return Call("orders.unhold", {"number": number})


def note(number: str, text: str, *, notify: bool) -> Call:
    """Add a comment to an order."""
    return Call("orders.comment", {"number": number, "body": text, "notify": notify})


def addr(number: str, kind: str, fields: Mapping[str, str | None]) -> Call:
    """Change an address of an order."""
    return Call("orders.edit_address", {"number": number, "kind": kind, **fields})


def track(shipment: str, carrier: str, tracking: str) -> Call:
    """Add a tracking number to a shipment."""
    return Call("shipments.add_track", {"number": shipment, "carrier": carrier, "tracking": tracking})
