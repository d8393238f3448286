"""Change the shipping address of an order, unless it has been shipped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from ...verifiers import NOT_ALLOWED, Expectation, Finish, Snapshot
from ...verifiers.answers import OrderNo
from ..page import Moves, click, finish, navigate, type_
from ..template import Call, Kind, NearMiss, interleaved, twins
from . import calls, effects
from .addresses import FIELDS, Move, drawn, slips, typed, word
from .admin import HOST, AdminTemplate, look_alike, neighbours, open_order


class ChangeAddress(AdminTemplate[Move]):
    """Change the shipping address of one order; its name, company and phone stay.

    Its twin names an order that has been shipped, which the shop refuses: NOT_ALLOWED, with the shipment's number. As
    many orders of each kind are asked for out of each fifty in a row, since new ones are rarely shipped. Traps: a
    second line that is new or has to go, cities that exist in two regions. Also fails: the billing address, the
    customer's address book, another region of the same name of city.
    """

    id = "store.admin/change-shipping-address"
    kind = Kind.CHANGE
    tags = ("P07", "P50", "P51")

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Move]:
        """Open orders without a shipment; as twins orders of the same days with exactly one shipment."""
        places = db.query("SELECT DISTINCT city, region, postcode, country FROM order_addresses ORDER BY 4, 2, 1, 3")
        twice = {row.city for row in db.query(_TWICE)}
        both = []
        for sql, feasible in ((_UNSHIPPED, True), (_SHIPPED, False)):
            trapped: list[Move] = []
            plain: list[Move] = []
            for row in db.query(sql):
                p = drawn(rng, row, places, twice, feasible=feasible)
                (trapped if p.city in twice or bool(row.line2) != bool(p.line2) else plain).append(p)
            both.append(interleaved(rng, trapped, plain))
        can, can_not = both
        yield from twins(can, can_not, lambda p: neighbours(p.number))

    def intents(self, p: Move) -> Sequence[str]:
        """Twins say the same; each field with its label."""
        address = "; ".join(f"{label}: {word(p, name)}" for name, label in FIELDS)
        rest = "The name, company and phone in it stay as they are, and nothing else is to be changed."
        otherwise = (
            "If the shop does not allow it because the order has been shipped, change nothing, and finish with the"
            " outcome NOT_ALLOWED and the number of its shipment (SHP-…) as the answer."
        )
        return [
            f"Change the shipping address of order {p.number} to {address}. {rest} {otherwise}",
            f"Order {p.number} has to go to another address. Correct its shipping address: {address}. {rest}"
            f" {otherwise}",
            f"The customer of order {p.number} has moved. Set the shipping address of this order to {address}. {rest}"
            f" {otherwise}",
            f"New shipping address for order {p.number} (for this order only): {address}. {rest} {otherwise}",
            f"Hi, I got a call about order {p.number}: it should be sent somewhere else. Could you put in the new"
            f" shipping address? It is {address}. {rest} {otherwise}",
        ]

    def expected(self, before: Snapshot, p: Move) -> Expectation:
        """E.addr on the shipping address, or nothing and the shipment's number."""
        order = effects.order_of(before, p.number)
        shipments = before.rows("shipments", order_id=order.id)
        if shipments:
            (shipment,) = shipments
            return Expectation(outcome=NOT_ALLOWED, blocker=OrderNo(shipment.number))
        return effects.addr(before, p.number, "shipping", p.fields)

    def oracle(self, page: Any, p: Move) -> Moves:
        """Search the order, open the dialog, type and choose, save; or read which shipment forbids it."""
        page = yield from open_order(page, p.number)
        page = yield click(page.find("button", "Edit shipping address"))
        if not page.find_all("textbox", "Address line 1"):
            shipment = page.elements("link", re.compile(r"^SHP-\d+"), within=("dialog", re.compile("address", re.I)))[0]
            yield finish(re.match(r"SHP-\d+", shipment.name)[0], NOT_ALLOWED)  # type: ignore[index]
            return
        page = yield from typed(page, p.fields)
        yield click(page.find("button", "Save address"))

    def calls(self, before: Snapshot, p: Move) -> Sequence[Call]:
        """One call."""
        return [calls.addr(p.number, "shipping", p.fields)] if p.feasible else []

    def near_misses(self, before: Snapshot, p: Move) -> Iterator[NearMiss]:
        """Another order, the other address, the address book, a field that is another, never saved."""
        end = self.finish(before, p)
        right = calls.addr(p.number, "shipping", p.fields)
        open_orders = [row.number for row in before.query(_UNSHIPPED)]
        other = look_alike(p.number, open_orders)
        if other is not None:
            wrong = calls.addr(other, "shipping", p.fields)
            yield NearMiss("on the look-alike order", (wrong,), finish=end)
            if p.feasible:
                yield NearMiss("on the look-alike order as well", (right, wrong))
        for call in self._in_the_book(before, p):
            yield NearMiss("in the address book", (call,), finish=end)
        if not p.feasible:
            yield NearMiss("the order named", finish=Finish(p.number, NOT_ALLOWED))
            yield NearMiss("a note instead", (calls.note(p.number, p.line1, notify=False),), finish=end)
            return
        yield NearMiss("the billing address", (calls.addr(p.number, "billing", p.fields),))
        yield NearMiss("both addresses", (right, calls.addr(p.number, "billing", p.fields)))
        for name, value in slips(before, p).items():
            yield NearMiss(f"{name} is another", (calls.addr(p.number, "shipping", {**p.fields, name: value}),))
        old = before.row("order_addresses", order_id=effects.order_of(before, p.number).id, kind="shipping")
        back = calls.addr(p.number, "shipping", {name: old[name] for name in p.fields})
        yield NearMiss("put back again", (right, back))
        yield NearMiss("filled in, not saved", ui=lambda page: self._unsaved(page, p))

    def _in_the_book(self, before: Snapshot, p: Move) -> Iterator[Call]:
        """The same change in the customer's own address, where there is an account."""
        order = effects.order_of(before, p.number)
        for row in before.rows("addresses", customer_id=order.customer_id)[:1] if order.customer_id else ():
            if before.row("customers", id=order.customer_id).status in ("active", "blocked"):
                yield Call("customers.edit_address", {"id": order.customer_id, "address_id": row.id, **p.fields})

    def _unsaved(self, page: Any, p: Move) -> Moves:
        page = yield from open_order(page, p.number)
        page = yield click(page.find("button", "Edit shipping address"))
        yield from typed(page, p.fields)

    def still_right(self, before: Snapshot, p: Move) -> Iterator[NearMiss]:
        """In two steps; spelled in other letters; by the order's address; a slip that was put right."""
        if not p.feasible:
            yield NearMiss("by its address", ui=lambda page: self._by_address(page, p))
            return
        right = calls.addr(p.number, "shipping", p.fields)
        first = calls.addr(p.number, "shipping", {"line1": p.line1, "line2": "Apt 99"})
        yield NearMiss("a wrong line first", (first, right))
        loud = {name: str(p.fields[name]).upper() for name in ("line1", "city")}
        yield NearMiss("in capitals", (calls.addr(p.number, "shipping", {**p.fields, **loud}),))
        yield NearMiss("a postcode that the shop refused first", ui=lambda page: self._slip(page, p))

    def _by_address(self, page: Any, p: Move) -> Moves:
        page = yield navigate(f"{HOST}/orders/{p.number}")
        page = yield click(page.find("link", re.compile("^Shipments"), within=("navigation", "Order")))
        yield finish(page.elements("link", re.compile(r"^SHP-\d+$"))[0].name, NOT_ALLOWED)

    def _slip(self, page: Any, p: Move) -> Moves:
        page = yield navigate(f"{HOST}/orders/{p.number}")
        page = yield click(page.find("button", "Edit shipping address"))
        page = yield from typed(page, {**p.fields, "postcode": "?"})
        page = yield click(page.find("button", "Save address"))
        page = yield type_(page.find("textbox", "Postcode"), p.postcode)
        yield click(page.find("button", "Save address"))


_UNSHIPPED = """
SELECT o.number, o.email, a.* FROM orders o JOIN order_addresses a ON a.order_id = o.id AND a.kind = 'shipping'
WHERE o.status IN ('pending', 'processing', 'on_hold', 'fraud_review')
AND NOT EXISTS (SELECT 1 FROM shipments s WHERE s.order_id = o.id) ORDER BY o.id
"""
_SHIPPED = """
SELECT o.number, o.email, a.*, min(s.number) AS shipment FROM orders o
JOIN order_addresses a ON a.order_id = o.id AND a.kind = 'shipping' JOIN shipments s ON s.order_id = o.id
WHERE o.status IN ('processing', 'complete') AND (o.placed_at >= '2026' OR o.status = 'processing')
GROUP BY o.id HAVING count(*) = 1 ORDER BY o.id
"""
_TWICE = "SELECT city FROM order_addresses GROUP BY city HAVING count(DISTINCT country || region) > 1 ORDER BY city"
