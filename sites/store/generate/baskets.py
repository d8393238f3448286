"""Who buys what: buyers with their addresses, baskets of what is in stock, and how people pay and get it."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from random import Random

from .books import Buyer
from .calendar import Slot
from .catalogue import Catalogue, Thing
from .desk import Desk
from .names import email, person, second_line, street
from .people import Place, Someone, phone, places
from .plan import START
from .sheet import Row

Basket = list[tuple[Row, int]]

_NOTES = (
    "Please leave with the porter.", "Ring twice, the bell is weak.",
    "It's a birthday present, no invoice in the box please.",
    "Gate code 4471.", "Can you pack the small things together?", "Leave at the side door if nobody is home.",
    "Happy to wait if it can go in one parcel.", "Call before delivery.", "Second floor, no lift, sorry!",
    "We're away until Friday.", "Please no plastic tape.", "For the scout troop, thank you!",
    "Deliver after 5 pm if you can.",
    "Use the blue mailbox.", "The dog is friendly.",
)  # fmt: skip


class Market:
    """Draws buyers and baskets for the desk."""

    def __init__(
        self, desk: Desk, people: Sequence[Someone], catalogue: Catalogue, rng: Random, taken: set[str]
    ) -> None:
        self.desk, self.people, self.rng, self.taken = desk, people, rng, taken
        self.phones: set[str] = {someone.row["phone"] for someone in people if someone.row["phone"]}
        self.things = [thing for thing in catalogue.things if thing.row["status"] != "draft"]
        self.sums = list(accumulate(thing.weight for thing in self.things))
        self.dear = [t for t in self.things if t.row["status"] == "active" and t.variants[0]["price"] > 14_000]

    def buyer(self, slot: Slot) -> Buyer:
        """The account's owner with an address of theirs, or a guest."""
        if slot.owner is not None:
            return self._known(self.people[slot.owner])
        if slot.guest_uses_account:
            known = self._known(self.rng.choice(self.people[: len(self.people) // 2]))
            return Buyer(known.name, known.email, known.billing, known.shipping)
        return self._guest()

    def _known(self, someone: Someone) -> Buyer:
        row, book = someone.row, someone.addresses
        by_id = {address["id"]: address for address in book}
        shipping = by_id.get(row["default_shipping_id"], book[0])
        if len(book) > 1 and self.rng.random() < 0.22:
            shipping = self.rng.choice(book)
        billing = by_id.get(row["default_billing_id"], book[0])
        return Buyer(f"{row['first_name']} {row['last_name']}", row["email"], billing, shipping, someone)

    def _guest(self) -> Buyer:
        rng = self.rng
        country = rng.choices(("US", "CA", "GB", "DE"), (80, 8, 6, 6))[0]
        place: Place = rng.choice(places()[country])
        first, last = person(rng, country)
        name = f"{first} {last}"
        address = {
            "full_name": name, "company": None, "line1": street(rng, country), "line2": second_line(rng, country),
            "city": place.city, "region": place.region, "postcode": place.postcode, "country": country,
            "phone": phone(rng, place, self.phones) if rng.random() < 0.5 else None,
        }  # fmt: skip
        shipping = address
        if rng.random() < 0.12:
            to_first, _ = person(rng, country)
            other = rng.choice(places()[country])
            shipping = {**address, "full_name": f"{to_first} {last}", "line1": street(rng, country), "city": other.city,
                        "region": other.region, "postcode": other.postcode, "phone": None}  # fmt: skip
        return Buyer(name, email(rng, first, last, self.taken), address, shipping)

    def basket(self, slot: Slot, buyer: Buyer) -> Basket:
        """Lines of different variants; as large as the order's fate needs."""
        rng, fate = self.rng, slot.fate
        count = rng.choices((1, 2, 3, 4, 5, 6), (32, 30, 20, 11, 5, 2))[0]
        if fate in ("processing:part_invoiced", "processing:part_shipped", "closed:twice", "complete:part_returned",
                    "complete:part_refunded"):  # fmt: skip
            count = max(2, count)
        lines: Basket = []
        for _ in range(count):
            self._add(lines, slot, buyer)
        return lines

    def _add(self, lines: Basket, slot: Slot, buyer: Buyer) -> None:
        """One more line of something that was sold then and is in stock."""
        for _ in range(60):
            thing = self.things[min(bisect(self.sums, self.rng.random() * self.sums[-1]), len(self.things) - 1)]
            gone = thing.row["status"] != "active" and slot.at > START - 70 * 86_400
            if thing.since > slot.at or gone:
                continue
            variant = self.rng.choice(thing.variants)
            qty = self._qty(variant, buyer)
            if variant["active"] and self._free(lines, variant, qty):
                lines.append((variant, qty))
                return

    def add_dear(self, lines: Basket, *, many: bool) -> None:
        """One more line of something expensive; `many` allows several of it."""
        thing = self.rng.choice(self.dear)
        variant = self.rng.choice(thing.variants)
        qty = self.rng.choice((1, 2, 2, 3)) if many else 1
        if self._free(lines, variant, qty):
            lines.append((variant, qty))

    def _free(self, lines: Basket, variant: Row, qty: int) -> bool:
        """Not in the basket yet, and there are enough."""
        return all(other is not variant for other, _ in lines) and self.desk.available(variant["id"]) >= qty

    def _qty(self, variant: Row, buyer: Buyer) -> int:
        rng = self.rng
        if buyer.someone and buyer.someone.group_id == 2 and variant["price"] < 8_000:
            return rng.choice((2, 3, 4, 6, 6, 8, 10))
        many = (70, 20, 6, 4) if variant["price"] < 5_000 else (90, 9, 1, 0)
        return rng.choices((1, 2, 3, 4), many)[0]

    def shipping(self, slot: Slot, buyer: Buyer) -> str:
        """Pickup is for people near the shop."""
        if slot.fate == "complete:free" or (buyer.shipping["region"] == "OH" and self.rng.random() < 0.5):
            return "pickup"
        return self.rng.choices(("standard", "express"), (80, 20))[0]

    def pay(self, slot: Slot, buyer: Buyer, shipping: str) -> str:
        """How it is paid; some fates ask for a way."""
        fate = slot.fate
        if fate in ("processing:unpaid", "pending:bank", "canceled:unpaid"):
            return "bank_transfer"
        if fate == "processing:cod":
            return "cod"
        ways, odds = ("card", "wallet", "bank_transfer", "cod"), (66, 21, 8, 5)
        if fate.startswith(("closed", "complete:", "processing", "fraud", "canceled:fraud")) or shipping == "pickup":
            odds = (72, 23, 5, 0)
        if buyer.someone and buyer.someone.credit > 2_000 and not fate.startswith(("closed", "complete:")):
            return "store_credit"
        return self.rng.choices(ways, odds)[0]

    def card(self) -> str:
        """The last four digits of a card."""
        return f"{self.rng.randrange(10_000):04d}"

    def note(self) -> str | None:
        """What some customers write with their order."""
        return self.rng.choice(_NOTES) if self.rng.random() < 0.11 else None

    def other_variant(self, variant_id: int) -> Row:
        """Another variant of the same product, for an exchange; the same one where there is no other."""
        thing: Thing = self.desk.catalogue.by_variant[variant_id]
        others = [
            v for v in thing.variants if v["id"] != variant_id and v["active"] and self.desk.available(v["id"]) >= 2
        ]
        return self.rng.choice(others) if others else next(v for v in thing.variants if v["id"] == variant_id)
