"""Goods in: so many units of some sizes of one colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ....verifiers import Expectation, Row, Snapshot
from ...page import Moves, check, click, navigate, type_
from ...template import Call, Kind, NearMiss, Params, interleaved
from ..admin import HOST, AdminTemplate
from ..products import look_alikes, named, product_entity, sibling
from . import writes
from .goods import Goods, goods_of, joined
from .roads import open_product, skus_of, tab


@dataclass(frozen=True, kw_only=True)
class Receive(Params):
    """Which product, as the task names it; which colour; which values of the other kind; and how many of each."""

    of: int
    product: str
    name: str
    color: str
    kind: str
    values: tuple[str, ...]
    units: int

    def entities(self) -> tuple[str, ...]:
        """The product."""
        return (product_entity(self.of),)


class ReceiveGoods(AdminTemplate[Receive]):
    """Receive so many units of each of some sizes (or lengths, packs …) of a product in one colour.

    Graded by the units on hand, a receipt of each, and that what was out of stock is in stock again. Traps: one screen
    adds and another one sets, Grey and Gray (T17), variants that are out of stock (T7). Also fails: set to that number,
    one size more or less, another colour, one unit off.

    A number that was too high and then put right is right: a receipt can't be taken back, so that a correction is all
    that a careful person can do about it, and the shelf and its ledger come out true. A correction upwards does not
    stand for goods that came; a receipt has to.
    """

    id = "store.admin/receive-goods"
    kind = Kind.CHANGE
    tags = ("P02", "P48", "P49", "P50", "T7", "T17")
    max_steps = 50

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Receive]:
        """Two deliveries for every active product in colours and sizes; those with traps in turn."""
        goods, alike, words = goods_of(db), look_alikes(db), named(db)
        greys: list[Receive] = []
        trapped: list[Receive] = []
        plain: list[Receive] = []
        for id_, row in goods.products.items():
            types = goods.types(id_) if row.status == "active" and id_ in words else []
            if len(types) != 2 or "Color" not in types:
                continue
            (kind,) = (one for one in types if one != "Color")
            for color in rng.sample(_colors(goods, id_, kind), min(2, len(_colors(goods, id_, kind)))):
                values = goods.values(id_, kind, goods.having(id_, Color=[color]))
                some = rng.sample(values, rng.randint(2, min(4, len(values) - 1)) if len(values) > 2 else 1)
                some.sort(key=lambda value: goods.places[kind, value])
                p = Receive(of=id_, product=words[id_], name=row.name, color=color, kind=kind, values=tuple(some),
                            units=rng.randint(3, 48))  # fmt: skip
                out = any(goods.stock[one.id].status == "out_of_stock" for one in _meant(goods, p))
                grey = color in ("Grey", "Gray") and len(set(goods.values(id_, "Color")) & {"Grey", "Gray"}) == 2
                (greys if grey else trapped if out or id_ in alike else plain).append(p)
        yield from interleaved(rng, greys, trapped, plain)

    def intents(self, p: Receive) -> Sequence[str]:
        """Each of them as many; what happens to those that are out of stock is said."""
        which = f"{p.color}, {_plural(p.kind, p.values)} {joined(p.values)}"
        if len(p.values) == 1:
            rest = "If that variant is marked out of stock, it is to be in stock again."
            return [
                f"Goods have arrived for {p.product}: {p.units} units of {which}. Receive them into stock. {rest}",
                f"Receive {p.units} units of this variant of {p.product}: {which}. {rest}",
                f"Please book in a delivery of {p.product}: {which}, {p.units} units. {rest}",
                f"Goods in, {p.product}: {which}, {p.units} units. Please receive them. {rest}",
                f"Hi, a delivery of {p.product} is here. I count {p.units} units of {which}; could you receive these"
                f" in the shop, on top of what we have? {rest}",
            ]
        rest = "Variants among them that are marked out of stock are to be in stock again."
        return [
            f"Goods have arrived for {p.product}: {p.units} units each of {which}. Receive them into stock. {rest}",
            f"Receive {p.units} units of each of these variants of {p.product}: {which}. {rest}",
            f"Please book in a delivery of {p.product}: {which}, {p.units} units of each. {rest}",
            f"Goods in, {p.product}: {which}, {p.units} units of each. Please receive them. {rest}",
            f"Hi, a delivery of {p.product} is here. I count {p.units} units each of {which}; could you receive these"
            f" in the shop, on top of what we have? {rest}",
        ]

    def expected(self, before: Snapshot, p: Receive) -> Expectation:
        """E.receive for each."""
        return writes.received(before, _meant(goods_of(before), p), p.units)

    def oracle(self, page: Any, p: Receive) -> Moves:
        """Read the SKUs on the product's page, receive that many of each."""
        page = yield from open_product(page, p.name)
        page = yield from tab(page, "Variants")
        skus = skus_of(page, [p.color], p.values)
        page = yield from _entered(page, skus, p.units)
        yield from _booked(page)

    def calls(self, before: Snapshot, p: Receive) -> Sequence[Call]:
        """One call."""
        return [writes.receive([row.id for row in _meant(goods_of(before), p)], p.units)]

    def near_misses(self, before: Snapshot, p: Receive) -> Iterator[NearMiss]:
        """Another number, set instead of added, other variants, twice, corrected instead or in part, not confirmed."""
        goods = goods_of(before)
        meant = _meant(goods, p)
        ids = [row.id for row in meant]
        right = writes.receive(ids, p.units)
        stock = {id_: goods.stock[id_] for id_ in ids}
        yield NearMiss("one unit more", (writes.receive(ids, p.units + 1),))
        rest = (writes.receive(ids[1:], p.units),) if ids[1:] else ()
        yield NearMiss("one unit less of one", (*rest, writes.receive(ids[:1], p.units - 1)))
        yield NearMiss("received twice", (right, right))
        yield NearMiss("with a note", (Call("stock.receive", {**right.fields, "note": "As ordered."}),))
        settable = [id_ for id_ in ids if stock[id_].reserved <= p.units or stock[id_].backorder]
        if len(settable) == len(ids) and any(stock[id_].on_hand for id_ in ids):
            in_stock = tuple(writes.stock_status(id_, "in_stock") for id_ in ids)
            yield NearMiss("set to that number", (*(writes.on_hand(id_, p.units) for id_ in ids), *in_stock))
        added = tuple(writes.on_hand(id_, stock[id_].on_hand + p.units) for id_ in ids)
        yield NearMiss("the count corrected instead", added)
        yield NearMiss("one received, the rest corrected in", (writes.receive(ids, 1), *added))
        back = tuple(writes.on_hand(id_, stock[id_].on_hand) for id_ in ids)
        yield NearMiss("received, and corrected back", (right, *back))
        if any(stock[id_].status == "out_of_stock" for id_ in ids):
            yield NearMiss("left out of stock", (writes.receive(ids, p.units, set_in_stock=False),))
        if len(ids) > 1:
            yield NearMiss("one of them missed", (writes.receive(ids[:-1], p.units),))
        beside = [row.id for row in goods.having(p.of, Color=[p.color]) if row.id not in ids]
        if beside:
            yield NearMiss("one more of that color", (writes.receive([*ids, beside[0]], p.units),))
        other = [row.id for row in goods.having(p.of, **{p.kind: p.values}) if row.id not in ids]
        if other:
            yield NearMiss("in another color", (writes.receive(other[: len(ids)], p.units),))
        twin = sibling(before, p.of, goods.variants)
        if twin is not None:
            some = [row.id for row in goods.variants[twin]][: len(ids)]
            yield NearMiss("of the product with a similar name", (writes.receive(some, p.units),))
        yield NearMiss("entered, not received", ui=lambda page: _entered(page, [row.sku for row in meant], p.units))

    def still_right(self, before: Snapshot, p: Receive) -> Iterator[NearMiss]:
        """In two goes; one by one; a wrong number put right; typed straight into the screen."""
        meant = _meant(goods_of(before), p)
        ids = [row.id for row in meant]
        yield NearMiss("in two goes", (writes.receive(ids, 1), writes.receive(ids, p.units - 1)))
        yield NearMiss("one by one", tuple(writes.receive([id_], p.units) for id_ in ids[::-1]))
        more = (writes.receive(ids, p.units), writes.receive(ids[:1], 2))
        held = goods_of(before).stock[ids[0]].on_hand
        yield NearMiss("two too many, corrected", (*more, writes.on_hand(ids[0], held + p.units)))
        far = (writes.receive(ids, 999), *(writes.on_hand(id_, _held(before, id_) + p.units) for id_ in ids))
        yield NearMiss("far too many, corrected", far)
        beside = [row.id for row in goods_of(before).variants[p.of] if row.id not in ids][:1]
        wrong = tuple(writes.receive([id_], p.units, set_in_stock=False) for id_ in beside)
        undone = tuple(writes.on_hand(id_, _held(before, id_)) for id_ in beside)
        yield NearMiss("another one received first, and corrected", (*wrong, *undone, writes.receive(ids, p.units)))
        yield NearMiss(
            "straight to the screen, a number put right there", ui=lambda page: self._straight(page, p, meant)
        )

    def _straight(self, page: Any, p: Receive, meant: Sequence[Row]) -> Moves:
        page = yield from _entered(page, [row.sku for row in meant][::-1], p.units)
        page = yield type_(page.find("textbox", f"Add to {meant[0].sku}"), str(p.units + 10))
        page = yield type_(page.find("textbox", f"Add to {meant[0].sku}"), str(p.units))
        page = yield check(page.find("checkbox", "Set in stock"))
        yield from _booked(page)


def _held(before: Snapshot, variant_id: int) -> int:
    """The units of a variant on the shelf."""
    return int(goods_of(before).stock[variant_id].on_hand)


def _entered(page: Any, skus: Sequence[str], units: int) -> Moves:
    """The lines typed on the screen for receiving, not sent yet; returns the page."""
    page = yield navigate(f"{HOST}/inventory/receive")
    for sku in skus:
        page = yield type_(page.find("combobox", "SKU or product"), sku, submit=True)
        page = yield type_(page.find("textbox", f"Add to {sku}"), str(units))
    return page


def _booked(page: Any) -> Moves:
    """Send what was entered, and confirm it."""
    page = yield click(page.find("button", "Receive"))
    yield click(page.find("button", "Receive goods"))


def _meant(goods: Goods, p: Receive) -> list[Row]:
    return goods.having(p.of, **{"Color": [p.color], p.kind: p.values})


def _colors(goods: Goods, product_id: int, kind: str) -> list[str]:
    """The colours in which a product has several values of the other kind."""
    return [
        color
        for color in goods.values(product_id, "Color")
        if len(goods.values(product_id, kind, goods.having(product_id, Color=[color]))) > 1
    ]


def _plural(kind: str, values: Sequence[str]) -> str:
    return kind.lower() + "s" * (len(values) > 1)
