"""Ship some units of one article of an order, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...verifiers import Expectation, Row, Snapshot
from ..page import Moves, check, click, navigate, type_
from ..splits import split_of_all
from ..template import Call, Kind, NearMiss, Params, interleaved
from . import calls, effects, papers
from .admin import HOST, AdminTemplate, customer, open_order, product


@dataclass(frozen=True, kw_only=True)
class Units(Params):
    """Which order, and how many of what."""

    number: str
    email: str
    sku: str
    product: str
    item: int
    units: int

    def entities(self) -> tuple[str, ...]:
        """The order's customer and the article."""
        return (customer(self.email), self.product)


class ShipPart(AdminTemplate[Units]):
    """Ship only so many units of one SKU of an order, without a tracking number; the order stays in processing.

    Traps: orders of which a part has gone already (T10), several lines. Also fails: the whole order, another article,
    a unit more or fewer, a second shipment.
    """

    id = "store.admin/ship-part"
    kind = Kind.CHANGE
    tags = ("P21", "P48", "P50", "T10")

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Units]:
        """Orders of which something would be left; an article that is in the order once, if possible several units."""
        begun: list[Units] = []
        trapped: list[Units] = []
        plain: list[Units] = []
        for order in db.rows("orders", status="processing"):
            found = list(_choices(db, order))
            if not found:
                continue
            whole = [p for p in found if split_of_all(p.entities()) is not None] or found
            p = rng.choice([one for one in whole if one.units > 1] or whole)
            several = len(db.rows("order_items", order_id=order.id)) > 2 or p.units > 1
            (begun if db.rows("shipments", order_id=order.id) else trapped if several else plain).append(p)
        yield from interleaved(rng, begun, trapped, plain)

    def intents(self, p: Units) -> Sequence[str]:
        """How many of which SKU, and that the rest stays."""
        rest = "Nothing else of the order is shipped now, and there is no tracking number."
        return [
            f"Ship only {p.units} × {p.sku} of order {p.number}. {rest}",
            f"Create a shipment for order {p.number} with {p.units} × {p.sku} and nothing more in it. {rest}",
            f"Of order {p.number}, {p.units} × SKU {p.sku} can leave today: create the shipment for just that. {rest}",
            f"Part shipment for order {p.number}: {p.units} × {p.sku}. {rest}",
            f"Hello, the customer of order {p.number} can't wait for all of it. Could you create one shipment with"
            f" {p.units} × SKU {p.sku} for now? {rest}",
            f"On the shelf for order {p.number} lies a box with {p.units} × {p.sku} in it. Please record it as a"
            f" shipment. {rest}",
        ]

    def expected(self, before: Snapshot, p: Units) -> Expectation:
        """E.ship of these units; the mail may be sent, since its tick is on by default."""
        return papers.ship(before, p.number, {p.item: p.units})

    def oracle(self, page: Any, p: Units) -> Moves:
        """Open the order, Ship, no units, then those of the article, create."""
        page = yield from _filled(page, p)
        yield click(page.find("button", "Create shipment"))

    def calls(self, before: Snapshot, p: Units) -> Sequence[Call]:
        """One call."""
        return [calls.ship(p.number, {p.item: p.units})]

    def near_misses(self, before: Snapshot, p: Units) -> Iterator[NearMiss]:
        """All of it, other articles, other numbers of units, twice, a number made up, never created."""
        order = effects.order_of(before, p.number)
        ready = papers.ready(before, order)
        every = {item: units for item, units in _on_shelf(before, order, ready).items() if units}
        right = calls.ship(p.number, {p.item: p.units})
        if every != {p.item: p.units}:
            yield NearMiss("all that may go", (calls.ship(p.number, every),))
        for item in [item for item in every if item != p.item][:1]:
            yield NearMiss("another article", (calls.ship(p.number, {item: 1}),))
            yield NearMiss("another article as well", (calls.ship(p.number, {p.item: p.units, item: 1}),))
            yield NearMiss("another article in a second shipment", (right, calls.ship(p.number, {item: 1})))
        if p.units > 1:
            yield NearMiss("a unit fewer", (calls.ship(p.number, {p.item: p.units - 1}),))
            one = calls.ship(p.number, {p.item: 1})
            yield NearMiss("one by one in several shipments", (calls.ship(p.number, {p.item: p.units - 1}), one))
        if every.get(p.item, 0) > p.units:
            yield NearMiss("a unit more", (calls.ship(p.number, {p.item: p.units + 1}),))
        made_up = calls.ship(p.number, {p.item: p.units}, tracks=[("other", "UNKNOWN")])
        yield NearMiss("with a tracking number made up", (made_up,))
        yield NearMiss("put on hold afterwards", (right, calls.hold(p.number)))
        yield NearMiss("filled in, not created", ui=lambda page: _filled(page, p))

    def still_right(self, before: Snapshot, p: Units) -> Iterator[NearMiss]:
        """Without the mail; held and released first; by the page's address."""
        quiet = calls.ship(p.number, {p.item: p.units}, notify=False)
        yield NearMiss("without telling the customer", (quiet,))
        yield NearMiss("held and released before", (calls.hold(p.number), calls.unhold(p.number), quiet))
        yield NearMiss("by its address, all units first, without e-mail", ui=lambda page: self._by_address(page, p))

    def _by_address(self, page: Any, p: Units) -> Moves:
        page = yield navigate(f"{HOST}/orders/{p.number}/ship")
        page = yield click(page.find("button", "All units"))
        page = yield from _chosen(page, p)
        page = yield check(page.find("checkbox", "E-mail customer"), checked=False)
        yield click(page.find("button", "Create shipment"))


def _choices(db: Snapshot, order: Row) -> Iterator[Units]:
    """Articles of an order that may go in part, with the most units that leave something behind."""
    items = db.rows("order_items", order_id=order.id)
    skus = Counter(item.sku for item in items)
    left = sum(item.qty_ordered - item.qty_shipped - item.qty_canceled for item in items)
    shelf = _on_shelf(db, order, papers.ready(db, order))
    for item in items:
        units = min(shelf[item.id], left - 1)
        if units > 0 and skus[item.sku] == 1:
            yield Units(
                number=order.number,
                email=order.email,
                sku=item.sku,
                product=product(db, item.variant_id),
                item=item.id,
                units=units,
            )


def _on_shelf(db: Snapshot, order: Row, ready: dict[int, int]) -> dict[int, int]:
    """Units that may go and are on hand, by order item; lines of one variant share what there is."""
    found: dict[int, int] = {}
    taken: Counter[int] = Counter()
    for item in db.rows("order_items", order_id=order.id):
        there = db.row("stock", variant_id=item.variant_id).on_hand - taken[item.variant_id]
        found[item.id] = max(0, min(ready[item.id], there))
        taken[item.variant_id] += found[item.id]
    return found


def _filled(page: Any, p: Units) -> Moves:
    """The page that ships an order filled in, nothing created yet; returns the page."""
    page = yield from open_order(page, p.number)
    page = yield click(page.find("link", "Ship", within=("main", None)))
    return (yield from _chosen(page, p))


def _chosen(page: Any, p: Units) -> Moves:
    page = yield click(page.find("button", "No units"))
    return (yield type_(page.find("spinbutton", f"Quantity to ship of {p.sku}"), str(p.units)))
