"""Fourteen months of orders, lived one after the other: each order is a generator that says when it goes on."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence

from . import clock
from .baskets import Basket, Market
from .books import Buyer, Case
from .calendar import Slot
from .catalogue import Catalogue
from .desk import CLERKS, MANAGERS, Desk, track
from .marketing import Offers
from .people import Someone
from .plan import DAY, OPENED, START, Plan
from .sheet import Row, Sheet, stream

Life = Iterator[int]

COUNTED = START - 40 * 3600
"""When the shelves are counted; after that nothing is ordered any more, so that some things are out of stock today."""

_INNER = (
    "Called the customer, no answer.", "Address looks odd, checked on the map, fine.",
    "Asked the warehouse to pack this today.",
    "Customer wrote again, see mail.", "Gift, no prices in the parcel.", "Second parcel follows from the back store.",
    "Box was wet, repacked.", "Old customer, handle with care.", "Wholesale price agreed by phone.",
    "Waiting for the supplier.",
    "Checked the card with the bank, all good.", "Wrong label, printed a new one.",
)  # fmt: skip
_TOLD = (
    "Your order will leave our warehouse tomorrow.", "One item is a day late, we will send everything together.",
    "Thank you for your patience, the parcel is packed.", "We have added the spare buckle you asked for.",
    "Please confirm the apartment number, the courier asked.", "The color you chose is in again, so we go ahead.",
)  # fmt: skip
_RETURN_NOTES = {
    "damaged": ("It arrived with a dent.", "The seam was open when I unpacked it.", "Broken on arrival."),
    "wrong_item": ("This is not what I ordered.", "You sent a different model.", "Wrong color in the bag."),
    "wrong_size": ("Too small, sadly.", "A size too large.", "I need one size up."),
    "not_as_described": (
        "It looks different from the picture.",
        "The site promised more pockets.",
        "Not the material listed.",
    ),
    "changed_mind": ("I found mine again.", "Bought two, need one.", "It was a present that nobody wanted."),
}
_REFUND_REASONS = ("Damaged in transit", "Customer changed their mind", "Late delivery", "Part missing", "Price match")
_UNSENT_REASONS = ("Out of stock after all", "Customer changed their mind", "Duplicate purchase", "Took too long")


class History:
    """Lives all orders of a data set at one desk."""

    def __init__(self, sheet: Sheet, plan: Plan, seed: int, catalogue: Catalogue, people: Sequence[Someone],
                 offers: Offers) -> None:  # fmt: skip
        self.plan, self.rng = plan, stream(seed, "history")
        self.desk = Desk(sheet, catalogue, offers, self.rng)
        emails = {someone.row["email"] for someone in people}
        self.market = Market(self.desk, people, catalogue, stream(seed, "baskets"), emails)
        self.offers, self.catalogue = offers, catalogue
        self.queue: list[tuple[int, int, Life]] = []
        self.out: set[int] = set()

    def run(self, slots: Sequence[Slot]) -> list[Case]:
        """Everything that happened, in order of time; returns the orders."""
        self._open()
        for slot in slots:
            self._start(slot.at, self._life(slot))
        self._start(COUNTED, self._count())
        while self.queue:
            self.desk.now, order, life = heapq.heappop(self.queue)
            self.desk.staff = None
            following = next(life, None)
            if following is not None:
                heapq.heappush(self.queue, (following, order, life))
        self._close()
        return self.desk.cases

    def _start(self, at: int, life: Life) -> None:
        heapq.heappush(self.queue, (at, len(self.queue), life))

    def _open(self) -> None:
        """Fill the shelves before the first order."""
        desk, rng = self.desk, self.rng
        for thing in self.catalogue.things:
            for variant in thing.variants:
                desk.stock[variant["id"]] = desk.sheet.add(
                    "stock", variant_id=variant["id"], low_at=rng.choices((5, 3, 10, 0, 20), (70, 12, 10, 4, 4))[0],
                    backorder=rng.random() < 0.03,
                )  # fmt: skip
        opening = OPENED - 3 * DAY + 30_600
        for index, thing in enumerate(self.catalogue.things):
            desk.now, desk.staff = max(opening, thing.since) + index * 40, rng.choice(CLERKS)
            self._stock_up(thing.weight, thing.variants)

    def _stock_up(self, weight: float, variants: Sequence[Row]) -> None:
        for variant in variants:
            self.desk.receive(variant["id"], int(8 + min(60, weight * 12)) + self.rng.randrange(12))

    def _count(self) -> Life:
        """A stock count that finds some shelves empty and some nearly so."""
        desk, rng = self.desk, self.rng
        desk.refilling = False
        active = [thing for thing in self.catalogue.things if thing.row["status"] == "active"]
        out = rng.sample(active, self.plan.wholly_out)
        self.out = {thing.row["id"] for thing in out}
        rest = [v for thing in active if thing not in out for v in thing.variants]
        rng.shuffle(rest)
        empty, low = len(rest) * 5 // 100, len(rest) * 8 // 100
        for variant in [v for thing in out for v in thing.variants] + rest[:empty]:
            self._correct(variant, 0)
        for variant in rest[empty : empty + low]:
            self._correct(variant, rng.randrange(1, 5))
        yield from ()

    def _correct(self, variant: Row, left: int) -> None:
        """Write a counted number of sellable units over the one in the books."""
        desk = self.desk
        desk.staff = self.rng.choice(CLERKS)
        if (off := left - desk.available(variant["id"])) != 0:
            desk.move(variant["id"], "correction", on_hand=off, note="Stock count")

    def _close(self) -> None:
        """Say out of stock where nothing is left; shelves that must be empty are."""
        desk = self.desk
        desk.now = START - 1500
        for thing in self.catalogue.things:
            for variant in thing.variants:
                if thing.row["id"] in self.out and desk.available(variant["id"]) > 0:
                    self._correct(variant, 0)
                stock = desk.stock[variant["id"]]
                empty = desk.available(variant["id"]) <= 0 and not stock["backorder"]
                if empty and (thing.row["id"] in self.out or self.rng.random() < 0.8):
                    stock["status"] = "out_of_stock"

    # lives

    def _life(self, slot: Slot) -> Life:
        """An order from its placing to its fate."""
        status, _, detail = slot.fate.partition(":")
        case = self._place(slot)
        yield from self._suspected(case, status, detail)
        steps: dict[str, Callable[[Case, str], Life]] = {
            "canceled": self._canceled,
            "processing": self._processing,
            "on_hold": self._held,
            "complete": self._complete,
            "closed": self._closed,
            "pending": self._waiting,
        }
        if status in steps:
            yield from steps[status](case, detail)

    def _place(self, slot: Slot) -> Case:
        market, rng = self.market, self.rng
        buyer = market.buyer(slot)
        basket = market.basket(slot, buyer)
        shipping = market.shipping(slot, buyer)
        pay = market.pay(slot, buyer, shipping)
        coupon = self._coupon(slot, buyer, basket, shipping)
        least = 150_000 if slot.fate in ("fraud_review", "canceled:fraud") else 10_500 if "refund_" in slot.fate else -1
        while self.desk.price(buyer, basket, shipping, coupon["code"] if coupon else None).total <= least:
            market.add_dear(basket, many=least > 100_000)
        phone_order = not slot.fate.startswith(("fraud", "canceled:fraud")) and rng.random() < 0.08
        self.desk.staff = rng.choice(CLERKS) if phone_order else None
        case = self.desk.place(
            buyer, basket, shipping=shipping, pay=pay, channel="phone" if phone_order else "web", card=market.card(),
            coupon=coupon, note=None if phone_order else market.note(),
        )  # fmt: skip
        if rng.random() < (0.3 if slot.age_days < 40 else 0.12):
            case.order["assigned_to"] = rng.choice((*CLERKS, MANAGERS[0]))
        return case

    def _coupon(self, slot: Slot, buyer: Buyer, basket: Basket, shipping: str) -> Row | None:
        """A coupon that applies: for free orders one that takes everything, else an ordinary one for a fifth."""
        found = self.offers.coupons(clock.date(slot.at))
        whole = {row["id"] for row in self.offers.rows if row["action"] == "percent" and row["amount"] == 10_000}
        if slot.fate == "complete:free":
            return next(coupon for coupon in found if coupon["promotion_id"] in whole)
        plain = [coupon for coupon in found if coupon["promotion_id"] not in whole]
        if slot.fate.startswith("fraud") or not plain or self.rng.random() > 0.205:
            return None
        seasons = {row["id"] for row in self.offers.rows if row["starts_on"] and row["ends_on"]}
        weights = [8 if coupon["promotion_id"] in seasons else 1 for coupon in plain]
        for coupon in self.rng.choices(plain, weights, k=5):
            if coupon["promotion_id"] in self.desk.price(buyer, basket, shipping, coupon["code"]).applied:
                return coupon
        return None

    def _suspected(self, case: Case, status: str, detail: str) -> Life:
        """Large first orders are looked at before anything else happens to them."""
        if case.order["status"] == "fraud_review" and status != "fraud_review" and detail != "fraud":
            yield self._staffed(2, 30)
            self.desk.staff = self.rng.choice(MANAGERS)
            self.desk.accept(case)

    def _waiting(self, case: Case, detail: str) -> Life:
        if self.rng.random() < 0.12:
            yield self._staffed(1, 40)
            self._clerk()
            self.desk.comment(case, self.rng.choice(_INNER), notify=False)
        elif detail == "stale":
            yield self._staffed(200, 500)
            self._clerk()
            self.desk.comment(case, "Waiting for the supplier.", notify=False)

    def _canceled(self, case: Case, detail: str) -> Life:
        hours = {"unpaid": (150, 340), "customer_request": (0.2, 20), "out_of_stock": (4, 60)}.get(detail, (2, 48))
        by_customer = detail == "customer_request" and case.buyer.someone is not None and self.rng.random() < 0.5
        yield clock.anytime(self.rng, self.desk.now, *hours) if by_customer else self._staffed(*hours)
        if not by_customer:
            self._clerk()
        if detail == "fraud":
            self.desk.staff = self.rng.choice(MANAGERS)
        self.desk.cancel(case, detail, notify=self.rng.random() < 0.9)

    def _held(self, case: Case, detail: str) -> Life:
        if detail == "processing":
            yield from self._bill(case)
        yield self._staffed(1, 30)
        self._clerk()
        reasons = ("payment_check", "address_check", "stock_check", "customer_request", "other")
        self.desk.hold(case, self.rng.choices(reasons, (35, 25, 20, 15, 5))[0])
        if self.rng.random() < 0.4:
            yield self._staffed(0.2, 3)
            self._clerk()
            self.desk.comment(case, self.rng.choice(_INNER), notify=False)

    def _processing(self, case: Case, detail: str) -> Life:
        if detail == "part_invoiced":
            yield self._staffed(2, 40)
            self._clerk()
            self.desk.invoice(case, _half(case, "qty_invoiced"))
            self._maybe_paid_at_once(case)
            return
        yield from self._bill(case, pay=detail != "unpaid")
        if detail == "part_shipped":
            yield self._staffed(3, 40)
            self._clerk()
            self._send(case, _half(case, "qty_shipped"))
        elif self.rng.random() < 0.1:
            yield self._staffed(1, 20)
            self._clerk()
            self.desk.comment(case, self.rng.choice(_TOLD), notify=True)

    def _complete(self, case: Case, detail: str) -> Life:
        if self.rng.random() < 0.03 and not detail:
            yield self._staffed(0.5, 4)
            self._clerk()
            self.desk.hold(case, "payment_check")
            yield self._staffed(2, 30)
            self._clerk()
            self.desk.unhold(case)
        yield from self._bill(case)
        yield from self._deliver(case, split=not detail and self.rng.random() < 0.1)
        if detail:
            yield from self._after(case, detail)

    def _closed(self, case: Case, detail: str) -> Life:
        yield from self._bill(case)
        if detail != "unshipped":
            yield from self._deliver(case)
        if detail == "returned":
            yield from self._returned(case, whole=True)
            return
        yield self._staffed(4, 120)
        self.desk.staff = self.rng.choice(MANAGERS)
        reason = self.rng.choice(_UNSENT_REASONS if detail == "unshipped" else _REFUND_REASONS)
        if detail == "twice":
            first = case.items[0]
            self.desk.refund(case, [(first, first["qty_ordered"])], reason=reason, restock=self.rng.random() < 0.5)
            yield self._staffed(20, 200)
            self.desk.staff = self.rng.choice(MANAGERS)
            lines = [(item, item["qty_ordered"]) for item in case.items[1:]]
            self.desk.refund(case, lines, shipping=case.order["shipping"], reason="The rest was refunded too")
            return
        lines = [(item, item["qty_ordered"]) for item in case.items]
        self.desk.refund(case, lines, shipping=case.order["shipping"], reason=reason, restock=self.rng.random() < 0.6)

    # steps

    def _bill(self, case: Case, *, pay: bool = True) -> Life:
        """Invoice all, sometimes in two papers or after a void one; transfers come in some days later."""
        yield self._staffed(1, 28)
        self._clerk()
        units = sum(item["qty_ordered"] for item in case.items)
        if pay and units > 1 and case.order["paid"] == 0 and self.rng.random() < 0.015:
            self.desk.invoice(case, _half(case, "qty_invoiced"))
            self._maybe_paid_at_once(case)
            yield self._staffed(2, 30)
            self._clerk()
        elif pay and case.order["pay_method"] == "bank_transfer" and self.rng.random() < 0.06:
            wrong = self.desk.invoice(case)
            yield self._staffed(1, 20)
            self._clerk()
            self.desk.void(case, wrong)
            yield self._staffed(0.1, 2)
            self._clerk()
        invoice = self.desk.invoice(case)
        if pay and case.order["pay_method"] == "bank_transfer":
            yield self._staffed(20, 110)
            self._clerk()
            self.desk.mark_paid(case, invoice)

    def _maybe_paid_at_once(self, case: Case) -> None:
        """A transfer for a first part came with the order."""
        if case.order["pay_method"] == "bank_transfer":
            self.desk.mark_paid(case, case.invoices[-1])

    def _deliver(self, case: Case, *, split: bool = False) -> Life:
        """Ship everything, perhaps in two parcels, and see it arrive."""
        yield self._staffed(3, 44)
        self._clerk()
        if split and sum(item["qty_ordered"] for item in case.items) > 1:
            first = self._send(case, _half(case, "qty_shipped"))
            yield self._staffed(20, 90)
            self._clerk()
            self._send(case)
            self.desk.arrive(case, first)
        else:
            self._send(case)
        last = case.shipments[-1]
        arrives = clock.by_day(self.rng, self.desk.now, 20, 140)
        if arrives > self.desk.now and START - self.desk.now > 30 * 3600:
            yield arrives
            self.desk.arrive(case, last, lost=case.order["pay_method"] == "card" and self.rng.random() < 0.008)
        if case.order["pay_method"] == "cod" and last["status"] == "delivered":
            yield self._staffed(2, 40)
            self._clerk()
            self.desk.mark_paid(case, case.invoices[-1])

    def _send(self, case: Case, lines: list[tuple[Row, int]] | None = None) -> Row:
        """A shipment, nine times in ten with a track; pickups have none."""
        if lines is None:
            lines = [(item, units) for item in case.items if (units := case.open_units(item))]
        tracked = case.order["shipping_code"] != "pickup" and self.rng.random() < 0.955
        tracks = [track(self.rng, case.buyer.shipping["country"])] if tracked else []
        if tracked and self.rng.random() < 0.015:
            tracks.append(track(self.rng, case.buyer.shipping["country"]))
        return self.desk.ship(case, lines, tracks)

    def _after(self, case: Case, detail: str) -> Life:
        """What follows a delivery: returns and refunds."""
        if detail.startswith("return_") or detail in ("exchanged", "part_returned"):
            yield from self._returned(case, whole=False, until=detail)
        elif detail == "part_refunded":
            yield self._staffed(20, 200)
            self.desk.staff = self.rng.choice(MANAGERS)
            self.desk.refund(case, [(case.items[0], 1)], reason=self.rng.choice(_REFUND_REASONS), restock=False)
        elif detail in ("refund_waiting", "refund_rejected"):
            yield self._staffed(10, 120)
            self._clerk()
            lines = [(item, item["qty_ordered"]) for item in case.items]
            refund = self.desk.refund(case, lines, reason=self.rng.choice(_REFUND_REASONS), waits=True)
            if detail == "refund_rejected":
                yield self._staffed(3, 60)
                self.desk.staff = self.rng.choice(MANAGERS)
                self.desk.reject_refund(refund, self.rng.choice(("No photo of the damage.", "Outside our terms.",
                                                                 "Already replaced.")))  # fmt: skip

    def _returned(self, case: Case, *, whole: bool, until: str = "closed") -> Life:
        """A return from request to the stage that the fate names."""
        rng, desk = self.rng, self.desk
        late = until == "return_requested" and START - desk.now > 31 * DAY
        yield clock.later(rng, START - 4 * DAY, 1, 60) if late else clock.anytime(rng, desk.now, 20, 400)
        desk.staff = rng.choice(CLERKS) if late else None
        lines = [(item, item["qty_shipped"]) for item in case.items] if whole else [
            (case.items[0], rng.randint(1, case.items[0]["qty_shipped"]))]  # fmt: skip
        reason = rng.choice(tuple(_RETURN_NOTES))
        resolution = (
            "exchange" if until == "exchanged" else rng.choices(("refund", "store_credit", "exchange"), (65, 25, 10))[0]
        )
        if whole or until == "part_returned":
            resolution = "refund" if rng.random() < 0.75 else "store_credit"
        rma = desk.ask_return(case, lines, reason, resolution, rng.choice(_RETURN_NOTES[reason]))
        if until == "return_requested":
            return
        if until == "return_canceled":
            yield clock.anytime(rng, desk.now, 5, 60)
            desk.decide_return(case, rma, "canceled")
            return
        yield self._staffed(3, 50)
        self._clerk()
        if until == "return_rejected":
            desk.decide_return(case, rma, "rejected", rng.choice((
                "Past the 30 days.", "Final sale items cannot come back.",
                "The item shows signs of heavy use.")))  # fmt: skip
            return
        desk.decide_return(case, rma, "approved")
        if until == "return_approved":
            return
        yield self._staffed(70, 260)
        self._clerk()
        bad = reason == "damaged"
        conditions = [rng.choice(("damaged",) if bad else ("unopened", "unopened", "opened")) for _ in lines]
        desk.decide_return(case, rma, "received", conditions=conditions)
        if until == "return_received":
            return
        yield self._staffed(1, 40)
        if until == "exchanged":
            self._exchange(case, rma, lines, restock=not bad)
            return
        desk.staff = rng.choice(MANAGERS)
        method = "store_credit" if resolution == "store_credit" else "original"
        desk.refund(case, lines, shipping=case.order["shipping"] if whole else 0, method=method,
            reason=f"Return {rma['number']}",
                    rma=rma, restock=not bad)  # fmt: skip
        desk.decide_return(case, rma, "closed")

    def _exchange(self, case: Case, rma: Row, lines: list[tuple[Row, int]], *, restock: bool) -> None:
        """Send something else for what came back."""
        self._clerk()
        for item, units in lines:
            item["qty_returned"] += units
            if restock:
                self.desk.move(item["variant_id"], "restock", on_hand=units, ref=("return", rma["id"]))
        basket = [(self.market.other_variant(item["variant_id"]), units) for item, units in lines]
        new = self.desk.exchange(case, rma, basket)
        self._start(self.desk.now + 1, self._finish(new))

    def _finish(self, case: Case) -> Life:
        """An exchange order is billed over nothing and sent."""
        yield from self._bill(case)
        yield from self._deliver(case)

    def _staffed(self, low_h: float, high_h: float) -> int:
        """The next instant at which somebody is there, so many hours on."""
        return clock.later(self.rng, self.desk.now, low_h, high_h)

    def _clerk(self) -> None:
        """A clerk does it, now and then a manager."""
        self.desk.staff = self.rng.choice(CLERKS if self.rng.random() < 0.9 else MANAGERS)


def _half(case: Case, column: str) -> list[tuple[Row, int]]:
    """About half of the units, at least one and not all."""
    units = [item["qty_ordered"] - item[column] for item in case.items]
    if len(units) > 1:
        return [(item, count) for item, count in zip(case.items[:-1], units[:-1], strict=True) if count]
    return [(case.items[0], max(1, units[0] // 2))]


def live(sheet: Sheet, plan: Plan, seed: int, catalogue: Catalogue, people: Sequence[Someone], offers: Offers,
         slots: Sequence[Slot]) -> list[Case]:  # fmt: skip
    """Write the history of a data set; returns its orders in the order of their numbers."""
    return History(sheet, plan, seed, catalogue, people, offers).run(slots)
