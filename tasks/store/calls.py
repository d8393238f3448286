"""The store's use cases as calls, the counterpart of the effects: what a service oracle or a near miss does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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


def accept(number: str) -> Call:
    """Let an order pass its fraud review."""
    return Call("orders.accept_fraud", {"number": number})


def invoice(number: str, lines: Mapping[int, int] | None = None, *, notify: bool = True) -> Call:
    """Invoice units of an order, by order item; all that is left where none are named."""
    return Call("invoices.create", {"number": number, "lines": _by_text(lines), "notify": notify})


def ship(
    number: str,
    lines: Mapping[int, int] | None = None,
    *,
    tracks: Sequence[tuple[str, str]] = (),
    notify: bool = True,
) -> Call:
    """Ship units of an order, by order item (all that may go where none are named), with carriers and numbers."""
    given = [{"carrier": carrier, "number": tracking} for carrier, tracking in tracks]
    return Call("shipments.create", {"number": number, "lines": _by_text(lines), "tracks": given, "notify": notify})


def _by_text(lines: Mapping[int, int] | None) -> dict[str, int] | None:
    """Keys as text, the way they travel."""
    return None if lines is None else {str(item): units for item, units in lines.items()}
