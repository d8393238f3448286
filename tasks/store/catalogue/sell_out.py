"""Mark all variants of a product out of stock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ....verifiers import Expectation, Row, Snapshot
from ...page import Moves, click, navigate, select
from ...template import Call, Kind, NearMiss, Params, interleaved
from ..admin import HOST, AdminTemplate
from ..products import look_alikes, named, product_entity, sibling
from . import writes
from .goods import Goods, goods_of
from .roads import all_ticked, open_product, tab


@dataclass(frozen=True, kw_only=True)
class SellOut(Params):
    """Which product, as the task names it."""

    of: int
    product: str
    name: str

    def entities(self) -> tuple[str, ...]:
        """The product."""
        return (product_entity(self.of),)


class SellOutProduct(AdminTemplate[SellOut]):
    """Mark every variant of a product out of stock, whatever lies on the shelf.

    Traps: some variants are out of stock already (T7), inactive ones count too, products of similar names (T1). Also
    fails: units set to 0, the product disabled, one variant left.
    """

    id = "store.admin/sell-out-product"
    kind = Kind.CHANGE
    tags = ("P12", "P19", "P50", "T1", "T7")
    max_steps = 60

    def instances(self, db: Snapshot, rng: Random) -> Iterator[SellOut]:
        """Every active product with several variants, most of them in stock; those with traps in turn."""
        goods, alike, words = goods_of(db), look_alikes(db), named(db)
        similar: list[SellOut] = []
        trapped: list[SellOut] = []
        plain: list[SellOut] = []
        for id_, row in goods.products.items():
            variants = goods.variants[id_]
            open_ones = _open(goods, id_)
            if row.status == "active" and id_ in words and len(variants) > 1 and len(open_ones) > 1:
                p = SellOut(of=id_, product=words[id_], name=row.name)
                trap = len(open_ones) < len(variants) or any(not one.active for one in variants)
                (similar if id_ in alike else trapped if trap else plain).append(p)
        yield from interleaved(rng, similar, trapped, plain)

    def intents(self, p: SellOut) -> Sequence[str]:
        """Says that numbers of units stay."""
        rest = "Change their stock status only: the units on hand and everything else stay as they are."
        return [
            f"Set every variant of {p.product} to out of stock. {rest}",
            f"Mark all variants of {p.product} as out of stock, inactive ones too. {rest}",
            f"We have to stop selling {p.product} for now: all of its variants should be out of stock. {rest}",
            f"All variants of {p.product}: out of stock, please. {rest}",
            f"Hi, the supplier of {p.product} has stopped all deliveries. Could you mark each of"
            f" its variants out of stock, whether it is active or not? {rest}",
        ]

    def expected(self, before: Snapshot, p: SellOut) -> Expectation:
        """E.oos for each that is not out already."""
        return writes.out_of_stock(_open(goods_of(before), p.of))

    def oracle(self, page: Any, p: SellOut) -> Moves:
        """Open the product's stock, tick all, set them out of stock at once."""
        page = yield from open_product(page, p.name)
        page = yield from tab(page, "Stock")
        yield from self._at_once(page)

    def _at_once(self, page: Any) -> Moves:
        page = yield from all_ticked(page)
        page = yield click(page.find("button", "Set out of stock"))
        yield click(page.find("button", "Set out of stock", within=("dialog", None)))

    def calls(self, before: Snapshot, p: SellOut) -> Sequence[Call]:
        """One call for each variant."""
        return [writes.stock_status(row.id, "out_of_stock") for row in _open(goods_of(before), p.of)]

    def near_misses(self, before: Snapshot, p: SellOut) -> Iterator[NearMiss]:
        """One left, another product, units set to 0, disabled, chosen and not saved."""
        goods = goods_of(before)
        right = tuple(self.calls(before, p))
        variants = _open(goods, p.of)
        yield NearMiss("the first one left", right[1:])
        yield NearMiss("the last one left", right[:-1])
        back = tuple(writes.stock_status(row.id, "in_stock") for row in variants)
        yield NearMiss("all set back", (*right, *back))
        yield NearMiss("one set back", (*right, writes.stock_status(variants[0].id, "in_stock")))
        twin = sibling(before, p.of, [id_ for id_ in goods.variants if _open(goods, id_)])
        if twin is not None:
            other = tuple(writes.stock_status(row.id, "out_of_stock") for row in _open(goods, twin))
            yield NearMiss("the product with a similar name", other)
            yield NearMiss("one of a similar product as well", (*right, other[0]))
        held = [(row.id, goods.stock[row.id]) for row in variants]
        emptied = tuple(writes.on_hand(id_, stock.reserved) for id_, stock in held)
        yield NearMiss("nothing left on the shelf instead", emptied)
        yield NearMiss("nothing left on the shelf as well", (*right, *emptied))
        if goods.products[p.of].status == "active":
            yield NearMiss("disabled instead", (writes.set_status(p.of, "disabled"),))
        yield NearMiss("inactive instead", tuple(writes.edit(row.id, active=False) for row in variants if row.active))
        yield NearMiss("chosen, not saved", ui=lambda page: self._unsaved(page, p, variants))

    def _unsaved(self, page: Any, p: SellOut, variants: Sequence[Row]) -> Moves:
        page = yield navigate(f"{HOST}/products/{p.of}/stock")
        yield from _chosen(page, variants)

    def still_right(self, before: Snapshot, p: SellOut) -> Iterator[NearMiss]:
        """One after the other in the table; last first; one put in stock again on the way."""
        variants = _open(goods_of(before), p.of)
        right = tuple(self.calls(before, p))
        yield NearMiss("last first", right[::-1])
        again = (right[0], writes.stock_status(variants[0].id, "in_stock"), *right)
        yield NearMiss("one put back on the way", again)
        if len(variants) <= 12:
            yield NearMiss("each in the table", ui=lambda page: self._in_table(page, p, variants))
        else:
            yield NearMiss("by the address of its stock", ui=lambda page: self._by_address(page, p))

    def _in_table(self, page: Any, p: SellOut, variants: Sequence[Row]) -> Moves:
        page = yield navigate(f"{HOST}/products/{p.of}/stock")
        page = yield from _chosen(page, variants)
        yield click(page.find("button", "Save stock"))

    def _by_address(self, page: Any, p: SellOut) -> Moves:
        page = yield navigate(f"{HOST}/products/{p.of}/stock")
        yield from self._at_once(page)


def _chosen(page: Any, variants: Sequence[Row]) -> Moves:
    """Choose "Out of stock" for each of them, without saving; returns the page."""
    for row in variants:
        page = yield select(page.find("combobox", f"Status of {row.sku}"), "Out of stock")
    return page


def _open(goods: Goods, product_id: int) -> list[Row]:
    """The variants that are not out of stock yet."""
    return [row for row in goods.variants.get(product_id, []) if goods.stock[row.id].status == "in_stock"]
