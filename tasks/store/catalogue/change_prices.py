"""Raise or lower the price of the product whose page is open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ....verifiers import Expectation, Snapshot
from ...page import Moves, click, navigate, type_
from ...template import Call, Kind, NearMiss, Params, interleaved
from ..admin import HOST, AdminTemplate
from ..products import look_alikes, named, product_entity
from . import writes
from .goods import goods_of
from .prices import Change, changes, price_misses, retried, typed
from .roads import tab


@dataclass(frozen=True, kw_only=True)
class Reprice(Params):
    """Which product, as the task names it, and the change."""

    of: int
    product: str
    change: Change = field(default_factory=Change)

    def entities(self) -> tuple[str, ...]:
        """The product."""
        return (product_entity(self.of),)


class ChangePrices(AdminTemplate[Reprice]):
    """Raise or lower the price of all variants of the product whose page is open, by an amount or a percentage.

    Traps: a running sale with a price of its own, variants with different prices, inactive ones. Also fails: the sale
    price or the cost, applied twice, the other way, one variant left, the new price of one for all.
    """

    id = "store.admin/change-prices"
    kind = Kind.CHANGE
    tags = ("P01", "P07", "P19", "P61")

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Reprice]:
        """Every active product with a change that the shop accepts; those with sales or several prices in turn."""
        goods, alike, words = goods_of(db), look_alikes(db), named(db)
        inactive: list[Reprice] = []
        sales: list[Reprice] = []
        trapped: list[Reprice] = []
        plain: list[Reprice] = []
        for id_, row in goods.products.items():
            variants = goods.variants[id_]
            fit = next((change for change in changes(rng) if change.fits(variants)), None)
            if row.status != "active" or id_ not in words or fit is None:
                continue
            p = Reprice(of=id_, product=words[id_], change=fit)
            if any(not one.active for one in variants):
                inactive.append(p)
            elif any(one.sale_price is not None for one in variants):
                sales.append(p)
            else:
                (trapped if len({one.price for one in variants}) > 1 or id_ in alike else plain).append(p)
        yield from interleaved(rng, inactive, sales, trapped, plain)

    def intents(self, p: Reprice) -> Sequence[str]:
        """Names the product as well, and says that it is the usual price of all variants."""
        verb, by = p.change.verb, p.change.words
        rest = "Change the usual price of all its variants, active or not; sale prices and costs stay as they are."
        if p.change.basis_points:
            rest += " Round to the cent."
        return [
            f"You are on the page of {p.product}. {verb} the price of this product by {by}. {rest}",
            f"{verb} the price of the open product, {p.product.removeprefix('the product ')}, by {by}. {rest}",
            f"The price of {p.product}, whose page is open, has to be {verb.lower().rstrip('e')}ed by {by}. {rest}",
            f"Price of {p.product} (it is on screen): {'up' if p.change.raises else 'down'} by {by}. {rest}",
            f"Hi, I have left {p.product} open for you. Purchasing says it should cost {by}"
            f" {'more' if p.change.raises else 'less'} from now on; could you enter that? {rest}",
        ]

    def start(self, p: Reprice) -> str:
        """The product's page."""
        return f"{HOST}/products/{p.of}"

    def expected(self, before: Snapshot, p: Reprice) -> Expectation:
        """E.variant(price) for each."""
        variants = goods_of(before).variants[p.of]
        return writes.priced(variants, {row.id: p.change.of(row.price) for row in variants})

    def oracle(self, page: Any, p: Reprice) -> Moves:
        """Variants, the price tool for all of them, the change, apply."""
        page = yield from tab(page, "Variants")
        page = yield from typed(page, p.change)
        yield click(page.find("button", "Apply prices"))

    def calls(self, before: Snapshot, p: Reprice) -> Sequence[Call]:
        """One call."""
        return [p.change.calls(goods_of(before).variants[p.of])]

    def near_misses(self, before: Snapshot, p: Reprice) -> Iterator[NearMiss]:
        """What goes wrong with prices, and the tool left without applying."""
        yield from price_misses(before, goods_of(before), p.of, goods_of(before).variants[p.of], p.change)
        yield NearMiss("previewed, not applied", ui=lambda page: self._unapplied(page, p))

    def _unapplied(self, page: Any, p: Reprice) -> Moves:
        page = yield from tab(page, "Variants")
        yield from typed(page, p.change)

    def still_right(self, before: Snapshot, p: Reprice) -> Iterator[NearMiss]:
        """Variant by variant; the other way by mistake and back; each in its own dialog."""
        variants = goods_of(before).variants[p.of]
        yield from retried(variants, p.change)
        if len(variants) <= 6:
            yield NearMiss("each in its own dialog", ui=lambda page: self._one_by_one(page, before, p))
        else:
            yield NearMiss("by the address of its variants", ui=lambda page: self._by_address(page, p))

    def _one_by_one(self, page: Any, before: Snapshot, p: Reprice) -> Moves:
        page = yield from tab(page, "Variants")
        for row in goods_of(before).variants[p.of]:
            page = yield click(page.find("button", f"Edit {row.sku}"))
            new = p.change.of(row.price)
            page = yield type_(page.find("textbox", "Price"), f"{new // 100}.{new % 100:02d}")
            page = yield click(page.find("button", "Save variant"))

    def _by_address(self, page: Any, p: Reprice) -> Moves:
        page = yield navigate(f"{HOST}/products/{p.of}/variants")
        page = yield from typed(page, p.change)
        yield click(page.find("button", "Apply prices"))
