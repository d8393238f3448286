"""Add a tracking number to the one shipment that holds a given article."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...sites.store.labels import CARRIER
from ...verifiers import INVALID_INPUT, Expectation, Finish, Row, Snapshot
from ...verifiers.answers import OrderNo
from ..page import Moves, click, finish, select, type_
from ..splits import split_of_all
from ..template import Call, Kind, NearMiss, Params, interleaved
from . import calls, carriers, effects, papers
from .admin import AdminTemplate, customer, look_alike, open_order, tab


@dataclass(frozen=True, kw_only=True)
class Tracking(Params):
    """Which parcel, and the number that the carrier gave it."""

    number: str
    email: str
    sku: str
    product_id: int
    shipment: str
    siblings: tuple[str, ...]
    """The order's other shipments."""
    carrier: str
    tracking: str

    def entities(self) -> tuple[str, ...]:
        """The order's customer and the article."""
        return (customer(self.email), f"product:{self.product_id}")


class AddTracking(AdminTemplate[Tracking]):
    """Add a carrier's tracking number to the shipment of an order that holds a given SKU.

    Its twin gives a number that the carrier can't have given, which the shop refuses: INVALID_INPUT, with the number of
    the shipment it was meant for. Traps: orders with two shipments (T10). Also fails: another shipment, the carrier
    "Other" to get round the check.
    """

    id = "store.admin/add-tracking"
    kind = Kind.CHANGE
    tags = ("P21", "P50", "P07", "T10")

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Tracking]:
        """Shipments under way, untracked ones, and those of orders with several; the SKU is in that one only."""
        trapped: list[Tracking] = []
        plain: list[Tracking] = []
        taken = {row.number for row in db.query("SELECT number FROM shipment_tracks")}
        for row in _parcels(db):
            siblings = tuple(row.siblings.split()) if row.siblings else ()
            for feasible in (True, False):
                carrier = rng.choice(carriers.STRICT)
                tracking = carriers.fresh(carrier, rng, taken) if feasible else carriers.malformed(carrier, rng)
                (trapped if siblings else plain).append(
                    Tracking(
                        feasible=feasible,
                        number=row.number,
                        email=row.email,
                        sku=row.sku,
                        product_id=row.product_id,
                        shipment=row.shipment,
                        siblings=siblings,
                        carrier=carrier,
                        tracking=tracking,
                    )
                )
        yield from interleaved(rng, trapped, plain)

    def intents(self, p: Tracking) -> Sequence[str]:
        """Twins say the same."""
        carrier = CARRIER[p.carrier]
        otherwise = (
            "If the shop refuses the number because it is not one of that carrier's, add nothing, and finish with the"
            " outcome INVALID_INPUT and the number of that shipment (SHP-…) as the answer."
        )
        return [
            f"Add the {carrier} tracking number {p.tracking} to the shipment of order {p.number} that holds the item"
            f" with SKU {p.sku}. {otherwise}",
            f"Order {p.number}: the parcel with SKU {p.sku} went out with {carrier}, tracking number {p.tracking}. Add"
            f" that to its shipment. {otherwise}",
            f"{carrier} gave us the tracking number {p.tracking} for the shipment of order {p.number} with SKU {p.sku}"
            f" in it. Please add it there. {otherwise}",
            f"Tracking for order {p.number}, shipment with SKU {p.sku} in it: {carrier} {p.tracking}. Please enter it."
            f" {otherwise}",
            f"Hello, the warehouse has just told me that the shipment of order {p.number} that contains SKU {p.sku}"
            f" travels with {carrier} under the tracking number {p.tracking}. Could you add that to the shipment?"
            f" {otherwise}",
        ]

    def expected(self, before: Snapshot, p: Tracking) -> Expectation:
        """E.track on the shipment that holds the SKU, or nothing and that shipment's number."""
        (shipment,) = before.query(_HOLDING, number=p.number, sku=p.sku)
        if not carriers.valid(p.carrier, p.tracking):
            return Expectation(outcome=INVALID_INPUT, blocker=OrderNo(shipment.number))
        return effects.track(before, shipment.number, p.carrier, p.tracking)

    def oracle(self, page: Any, p: Tracking) -> Moves:
        """Open the order's shipments, find the one with the SKU, fill the dialog; read whether it is refused."""
        page = yield from self._fill(page, p)
        page = yield click(page.find("button", "Add tracking number"))
        if page.find_all("textbox", "Tracking number"):
            dialog = page.elements("dialog", re.compile(r"SHP-\d+"))[0]
            yield finish(re.search(r"SHP-\d+", dialog.name)[0], INVALID_INPUT)  # type: ignore[index]

    def _fill(self, page: Any, p: Tracking, shipment: str | None = None) -> Moves:
        page = yield from open_order(page, p.number)
        page = yield tab(page, "Shipments")
        parcel = page.elements("article", re.compile(shipment or r"SHP-\d+"))
        holding = [one for one in parcel if shipment or re.search(rf"(?<![\w-]){p.sku}(?![\w-])", one.text)]
        page = yield click(page.find("button", "Add tracking", within=holding[0]))
        page = yield select(page.find("combobox", "Carrier"), CARRIER[p.carrier])
        return (yield type_(page.find("textbox", "Tracking number"), p.tracking))

    def calls(self, before: Snapshot, p: Tracking) -> Sequence[Call]:
        """One call."""
        return [calls.track(p.shipment, p.carrier, p.tracking)] if p.feasible else []

    def near_misses(self, before: Snapshot, p: Tracking) -> Iterator[NearMiss]:
        """Another parcel, another carrier, another number, twice, or never saved."""
        end = self.finish(before, p)
        beside = look_alike(p.shipment, (row.number for row in before.rows("shipments")))
        if p.feasible:
            elsewhere = [*p.siblings, *([beside] if beside else [])]
            for shipment in elsewhere:
                name = "the order's other shipment" if shipment in p.siblings else "the look-alike shipment"
                yield NearMiss(f"on {name}", (calls.track(shipment, p.carrier, p.tracking),))
                both = (calls.track(p.shipment, p.carrier, p.tracking), calls.track(shipment, p.carrier, p.tracking))
                yield NearMiss(f"also on {name}", both)
            yield NearMiss("one digit off", (calls.track(p.shipment, p.carrier, carriers.beside(p.tracking)),))
            twice = (p.tracking, carriers.beside(p.tracking))
            yield NearMiss("a second number", tuple(calls.track(p.shipment, p.carrier, one) for one in twice))
            order = effects.order_of(before, p.number)
            if order.status == "processing" and papers.shippable(before, order):
                made = calls.ship(p.number, tracks=[(p.carrier, p.tracking)])
                yield NearMiss("on a new shipment", (made,))
            yield NearMiss("as a comment", (calls.note(p.number, p.tracking, notify=False),))
            yield NearMiss("typed, not added", ui=lambda page: self._fill(page, p))
        around = (calls.track(p.shipment, "other", p.tracking),)
        yield NearMiss('the carrier "Other"', around)
        if not p.feasible:
            mended = (calls.track(p.shipment, p.carrier, carriers.mended(p.carrier, p.tracking)),)
            yield NearMiss('the carrier "Other", with the right code', around, finish=end)
            yield NearMiss("a number made up to fit", mended)
            yield NearMiss("a number made up to fit, with the right code", mended, finish=end)
            for shipment in p.siblings:
                yield NearMiss("the order's other shipment named", finish=Finish(shipment, INVALID_INPUT))
            yield NearMiss("the order named", finish=Finish(p.number, INVALID_INPUT))

    def still_right(self, before: Snapshot, p: Tracking) -> Iterator[NearMiss]:
        """A refused number first; the shipment's own page."""
        if p.feasible:
            yield NearMiss("a slip that the shop refused first", ui=lambda page: self._slip(page, p))
            yield NearMiss("on the shipment's page", ui=lambda page: self._own_page(page, p))

    def _slip(self, page: Any, p: Tracking) -> Moves:
        page = yield from self._fill(page, p)
        page = yield type_(page.find("textbox", "Tracking number"), carriers.shortened(p.tracking))
        page = yield click(page.find("button", "Add tracking number"))
        page = yield type_(page.find("textbox", "Tracking number"), p.tracking)
        yield click(page.find("button", "Add tracking number"))

    def _own_page(self, page: Any, p: Tracking) -> Moves:
        page = yield from open_order(page, p.number)
        page = yield tab(page, "Shipments")
        page = yield click(page.find("link", p.shipment))
        page = yield click(page.find("button", "Add tracking"))
        page = yield select(page.find("combobox", "Carrier"), CARRIER[p.carrier])
        page = yield type_(page.find("textbox", "Tracking number"), p.tracking)
        yield click(page.find("button", "Add tracking number"))


_HOLDING = (
    "SELECT DISTINCT s.number FROM shipments s JOIN shipment_items l ON l.shipment_id = s.id"
    " JOIN order_items i ON i.id = l.order_item_id JOIN orders o ON o.id = s.order_id"
    " WHERE o.number = :number AND i.sku = :sku"
)


def _parcels(db: Snapshot) -> list[Row]:
    """One row a shipment, with a SKU that no other shipment of the order holds.

    Where there is a choice it is an article of the same split as the customer, so that few instances are in no split.
    """
    found: dict[str, list[Row]] = {}
    for row in db.query(_ALONE):
        found.setdefault(row.shipment, []).append(row)
    return [next((row for row in rows if _one_split(row)), rows[0]) for rows in found.values()]


def _one_split(row: Row) -> bool:
    return split_of_all((customer(row.email), f"product:{row.product_id}")) is not None


_ALONE = (
    "WITH held AS (SELECT s.id, s.number, s.status, s.order_id, i.sku, min(i.variant_id) AS variant_id"
    "  FROM shipments s JOIN shipment_items l ON l.shipment_id = s.id JOIN order_items i ON i.id = l.order_item_id"
    "  GROUP BY s.id, i.sku),"
    " alone AS (SELECT * FROM held h WHERE NOT EXISTS"
    "  (SELECT 1 FROM held o WHERE o.order_id = h.order_id AND o.sku = h.sku AND o.id <> h.id)),"
    " other AS (SELECT a.id, group_concat(b.number, ' ') AS siblings FROM shipments a"
    "  JOIN shipments b ON b.order_id = a.order_id AND b.id <> a.id GROUP BY a.id)"
    " SELECT o.number, o.email, a.sku, v.product_id, a.number AS shipment, t.siblings FROM alone a"
    " JOIN orders o ON o.id = a.order_id JOIN variants v ON v.id = a.variant_id LEFT JOIN other t ON t.id = a.id"
    " WHERE (t.siblings IS NOT NULL OR a.status = 'shipped'"
    "  OR NOT EXISTS (SELECT 1 FROM shipment_tracks k WHERE k.shipment_id = a.id)) ORDER BY a.id, a.sku"
)
