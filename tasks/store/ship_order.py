"""Ship all that is left of an order, with a tracking number and a word to the customer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...sites.store.labels import CARRIER
from ...verifiers import Expectation, Snapshot
from ..page import Moves, check, click, navigate, select, type_
from ..template import Call, Kind, NearMiss, Params, interleaved
from . import calls, carriers, effects, papers
from .admin import HOST, AdminTemplate, customer, look_alike, open_order


@dataclass(frozen=True, kw_only=True)
class Parcel(Params):
    """Which order, and the number that the carrier gave the parcel."""

    number: str
    email: str
    carrier: str
    tracking: str

    def entities(self) -> tuple[str, ...]:
        """The order's customer."""
        return (customer(self.email),)


class ShipOrder(AdminTemplate[Parcel]):
    """Ship everything that is left of an order in one shipment with a tracking number, and e-mail the customer.

    Traps: orders of which a part has gone already (T10). Also fails: no e-mail, a part only, two shipments, another
    carrier or number.
    """

    id = "store.admin/ship-order"
    kind = Kind.CHANGE
    tags = ("P21", "P48", "P50", "T10")

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Parcel]:
        """Every order of which all that is left is paid for and on the shelf; those that were part-shipped first."""
        trapped: list[Parcel] = []
        plain: list[Parcel] = []
        taken = {row.number for row in db.query("SELECT number FROM shipment_tracks")}
        for order in db.rows("orders", status="processing"):
            left = papers.shippable(db, order)
            if not left:
                continue
            carrier = rng.choice(carriers.STRICT)
            tracking = carriers.fresh(carrier, rng, taken)
            p = Parcel(number=order.number, email=order.email, carrier=carrier, tracking=tracking)
            gone = db.rows("shipments", order_id=order.id)
            (trapped if gone or len(left) > 2 else plain).append(p)
        yield from interleaved(rng, trapped, plain)

    def intents(self, p: Parcel) -> Sequence[str]:
        """One shipment, the number on it, the customer told."""
        carrier = CARRIER[p.carrier]
        return [
            f"Ship everything that is left of order {p.number} in one shipment with {carrier}, tracking number"
            f" {p.tracking}. The customer must get an e-mail about the shipment.",
            f"All remaining items of order {p.number} went out today in one {carrier} parcel. Create the shipment with"
            f" the tracking number {p.tracking}, and let the customer be notified by e-mail.",
            f"Order {p.number}: send off all that has not been shipped yet as a single shipment with {carrier},"
            f" tracking number {p.tracking}, and with the e-mail to the customer.",
            f"Order {p.number}, whatever is still to be shipped: one shipment, {carrier}, tracking number {p.tracking}."
            " E-mail the customer about it.",
            f"Hi! The {carrier} driver has just picked up the rest of order {p.number}, all in one box. Could you"
            f" create the shipment for it? Its tracking number is {p.tracking}. And please have the customer told by"
            " e-mail.",
        ]

    def expected(self, before: Snapshot, p: Parcel) -> Expectation:
        """E.ship of all that is left, with the number and the mail."""
        left = papers.shippable(before, effects.order_of(before, p.number))
        return papers.ship(before, p.number, left, tracks=[(p.carrier, p.tracking)], mail=True)

    def oracle(self, page: Any, p: Parcel) -> Moves:
        """Open the order, Ship, all units, a tracking row, create."""
        page = yield from _filled(page, p)
        yield click(page.find("button", "Create shipment"))

    def calls(self, before: Snapshot, p: Parcel) -> Sequence[Call]:
        """One call."""
        return [calls.ship(p.number, tracks=[(p.carrier, p.tracking)])]

    def near_misses(self, before: Snapshot, p: Parcel) -> Iterator[NearMiss]:
        """Nobody told, parts, other numbers, other orders, never created."""
        order = effects.order_of(before, p.number)
        left = papers.shippable(before, order)
        track = [(p.carrier, p.tracking)]
        yield NearMiss("the customer not told", (calls.ship(p.number, tracks=track, notify=False),))
        yield NearMiss("without tracking", (calls.ship(p.number),))
        yield NearMiss("one digit off", (calls.ship(p.number, tracks=[(p.carrier, carriers.beside(p.tracking))]),))
        yield NearMiss("another carrier", (calls.ship(p.number, tracks=[("other", p.tracking)]),))
        twice = [*track, (p.carrier, carriers.beside(p.tracking))]
        yield NearMiss("a second number", (calls.ship(p.number, tracks=twice),))
        if sum(left.values()) > 1:
            item = min(left)
            part = {**left, item: left[item] - 1}
            first = calls.ship(p.number, part, tracks=track)
            yield NearMiss("a unit left behind", (first,))
            yield NearMiss("in two shipments", (first, calls.ship(p.number)))
            late = (calls.ship(p.number, part), calls.ship(p.number, tracks=track))
            yield NearMiss("in two shipments, the number on the second", late)
        other = self._beside(before, p)
        if other is not None:
            yield NearMiss("the look-alike order", (calls.ship(other, tracks=track),))
            both = (calls.ship(p.number, tracks=track), calls.ship(other))
            yield NearMiss("the look-alike order as well", both)
        told = (calls.ship(p.number, tracks=track), calls.note(p.number, p.tracking, notify=True))
        yield NearMiss("and a comment on top", told)
        yield NearMiss("filled in, not created", ui=lambda page: _filled(page, p))
        yield NearMiss("the e-mail unticked", ui=lambda page: self._unticked(page, p))

    def _beside(self, before: Snapshot, p: Parcel) -> str | None:
        """The order that is easiest to take for this one among those that could be shipped as well."""
        orders = before.rows("orders", status="processing")
        return look_alike(p.number, (order.number for order in orders if papers.shippable(before, order)))

    def _unticked(self, page: Any, p: Parcel) -> Moves:
        page = yield from _filled(page, p)
        page = yield check(page.find("checkbox", "E-mail customer"), checked=False)
        yield click(page.find("button", "Create shipment"))

    def still_right(self, before: Snapshot, p: Parcel) -> Iterator[NearMiss]:
        """The number added afterwards; the carrier as title; a number that the shop refused first."""
        later = (calls.ship(p.number), Call("shipments.add_track", {"number": _next_number(before),
                 "carrier": p.carrier, "tracking": p.tracking}))  # fmt: skip
        yield NearMiss("the number added to the shipment afterwards", later)
        track = {"carrier": p.carrier, "number": p.tracking, "title": CARRIER[p.carrier].lower()}
        titled = Call("shipments.create", {**calls.ship(p.number).fields, "tracks": [track]})
        yield NearMiss("the carrier's name as the title, in small letters", (titled,))
        yield NearMiss("a slip that the shop refused first", ui=lambda page: self._slip(page, p))

    def _slip(self, page: Any, p: Parcel) -> Moves:
        page = yield navigate(f"{HOST}/orders/{p.number}/ship")
        page = yield from _tracked(page, p, carriers.shortened(p.tracking))
        page = yield click(page.find("button", "Create shipment"))
        page = yield type_(page.find("textbox", "Tracking number 1"), p.tracking)
        yield click(page.find("button", "Create shipment"))


def _next_number(before: Snapshot) -> str:
    """The number that the next shipment gets."""
    last = max(int(row.number[4:]) for row in before.rows("shipments"))
    return f"SHP-{last + 1:06d}"


def _filled(page: Any, p: Parcel) -> Moves:
    """The page that ships an order filled in, nothing created yet; returns the page."""
    page = yield from open_order(page, p.number)
    page = yield click(page.find("link", "Ship", within=("main", None)))
    return (yield from _tracked(page, p, p.tracking))


def _tracked(page: Any, p: Parcel, tracking: str) -> Moves:
    """All units and a row with the tracking number; returns the page."""
    page = yield click(page.find("button", "All units"))
    page = yield click(page.find("button", "Add tracking number"))
    page = yield select(page.find("combobox", "Carrier 1"), CARRIER[p.carrier])
    return (yield type_(page.find("textbox", "Tracking number 1"), tracking))
