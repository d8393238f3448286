"""Raise or lower the prices of some colours and sizes of a product."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ....verifiers import Expectation, Row, Snapshot
from ...page import Moves, click, navigate
from ...template import Call, Kind, NearMiss, Params, interleaved
from ..admin import HOST, AdminTemplate
from ..products import look_alikes, named, product_entity
from . import writes
from .goods import Goods, goods_of, joined
from .prices import Change, changes, price_misses, retried, typed
from .roads import open_product, skus_of, tab, ticked


@dataclass(frozen=True, kw_only=True)
class RepriceSome(Params):
    """Which product, as the task names it; which colours; from which to which value of the other kind; the change."""

    of: int
    product: str
    name: str
    colors: tuple[str, ...]
    kind: str = ""
    values: tuple[str, ...] = ()
    change: Change = field(default_factory=Change)

    def entities(self) -> tuple[str, ...]:
        """The product."""
        return (product_entity(self.of),)


class ChangeSomePrices(AdminTemplate[RepriceSome]):
    """Raise or lower the prices of the variants of a product in some colours and a range of sizes, lengths, packs …

    Traps: the ends of the range belong to it, Grey and Gray (T17), products of similar names (T1), running sales. Also
    fails: one size too many or too few, another colour, all variants, the sale price.
    """

    id = "store.admin/change-some-prices"
    kind = Kind.CHANGE
    tags = ("P01", "P07", "P50", "P61", "T1", "T17")
    max_steps = 60

    def instances(self, db: Snapshot, rng: Random) -> Iterator[RepriceSome]:
        """Up to two choices of variants of every active product that has colours; those with traps in turn."""
        goods, alike, words = goods_of(db), look_alikes(db), named(db)
        greys: list[RepriceSome] = []
        similar: list[RepriceSome] = []
        ranges: list[RepriceSome] = []
        plain: list[RepriceSome] = []
        for id_, row in goods.products.items():
            types = goods.types(id_) if row.status == "active" and id_ in words else []
            if "Color" not in types or len(types) > 2:
                continue
            kind = next((one for one in types if one != "Color"), "")
            seen: set[frozenset[int]] = set()
            for _ in range(2):
                colors, values = _drawn(goods, id_, kind, rng)
                p = RepriceSome(of=id_, product=words[id_], name=row.name, colors=colors, kind=kind, values=values)
                meant = _meant(goods, p)
                fit = next((change for change in changes(rng) if change.fits(meant)), None)
                mark = frozenset(one.id for one in meant)
                if fit is None or mark in seen or not 0 < len(meant) < len(goods.variants[id_]):
                    continue
                seen.add(mark)
                p = RepriceSome(**{**vars(p), "change": fit})
                grey = {"Grey", "Gray"} <= set(goods.values(id_, "Color")) and {"Grey", "Gray"} & set(p.colors)
                (greys if grey else similar if id_ in alike else ranges if len(p.values) > 1 else plain).append(p)
        yield from interleaved(rng, greys, similar, ranges, plain)

    def intents(self, p: RepriceSome) -> Sequence[str]:
        """The colours one by one, the other kind as a range with both ends."""
        verb, by, which = p.change.verb, p.change.words, _which(p)
        way = "up" if p.change.raises else "down"
        rest = "Only the usual price of exactly these variants changes; sale prices, costs and all others stay."
        if p.change.basis_points:
            rest += " Round to the cent."
        return [
            f"{verb} the price of {p.product} by {by} in {which}. {rest}",
            f"For {p.product}, {verb.lower()} the price of the variants in {which} by {by}. {rest}",
            f"Please change prices of {p.product}: the variants in {which} go {way} by {by} each. {rest}",
            f"Prices of {p.product} in {which}: {way} by {by} each. {rest}",
            f"Hello, purchasing has a new list for {p.product}. In {which} each variant is to cost {by}"
            f" {'more' if p.change.raises else 'less'} than it does now. Could you enter that? {rest}",
        ]

    def expected(self, before: Snapshot, p: RepriceSome) -> Expectation:
        """E.variant(price) for each."""
        variants = _meant(goods_of(before), p)
        return writes.priced(variants, {row.id: p.change.of(row.price) for row in variants})

    def oracle(self, page: Any, p: RepriceSome) -> Moves:
        """Open the product's variants, tick those that are meant, change their prices."""
        page = yield from open_product(page, p.name)
        page = yield from tab(page, "Variants")
        page = yield from ticked(page, _skus(page, p))
        page = yield from typed(page, p.change)
        yield click(page.find("button", "Apply prices"))

    def calls(self, before: Snapshot, p: RepriceSome) -> Sequence[Call]:
        """One call."""
        return [p.change.calls(_meant(goods_of(before), p))]

    def near_misses(self, before: Snapshot, p: RepriceSome) -> Iterator[NearMiss]:
        """What goes wrong with prices; other variants; the tool left without applying."""
        goods = goods_of(before)
        meant = _meant(goods, p)
        ids = {row.id for row in meant}
        yield from price_misses(before, goods, p.of, meant, p.change)
        for name, rows in self._others(goods, p):
            rest = [row for row in rows if row.id not in ids]
            if rest and p.change.fits([*meant, *rest]):
                yield NearMiss(name, (p.change.calls([*meant, *rest]),))
        yield NearMiss("previewed, not applied", ui=lambda page: self._unapplied(page, p))

    def _others(self, goods: Goods, p: RepriceSome) -> Iterator[tuple[str, Sequence[Row]]]:
        """Variants that somebody may change as well."""
        yield "all variants", goods.variants[p.of]
        if p.kind:
            yield "of any color as well", goods.having(p.of, **{p.kind: p.values})
            every = goods.values(p.of, p.kind)
            first, last = every.index(p.values[0]), every.index(p.values[-1])
            before, after = every[max(0, first - 1) : first], every[last + 1 : last + 2]
            yield "one more below the range", goods.having(p.of, **{"Color": p.colors, p.kind: before})
            yield "one more above the range", goods.having(p.of, **{"Color": p.colors, p.kind: after})
        others = [color for color in goods.values(p.of, "Color") if color not in p.colors]
        for color in sorted(others, key=lambda one: one not in ("Grey", "Gray"))[:1]:
            values = {p.kind: p.values} if p.kind else {}
            yield f"{color} as well", goods.having(p.of, **{"Color": [color], **values})

    def _unapplied(self, page: Any, p: RepriceSome) -> Moves:
        page = yield navigate(f"{HOST}/products/{p.of}/variants")
        page = yield from ticked(page, _skus(page, p))
        yield from typed(page, p.change)

    def still_right(self, before: Snapshot, p: RepriceSome) -> Iterator[NearMiss]:
        """Variant by variant; after a mistake; by the address of the variants, a wrong one ticked and unticked."""
        yield from retried(_meant(goods_of(before), p), p.change)
        yield NearMiss("by the address of its variants", ui=lambda page: self._by_address(page, p))

    def _by_address(self, page: Any, p: RepriceSome) -> Moves:
        page = yield navigate(f"{HOST}/products/{p.of}/variants")
        page = yield from ticked(page, _skus(page, p)[::-1])
        page = yield from typed(page, p.change)
        yield click(page.find("button", "Apply prices"))


def _skus(page: Any, p: RepriceSome) -> list[str]:
    """The SKUs of the variants that are meant, from the table of variants."""
    return skus_of(page, p.colors, p.values) if p.kind else skus_of(page, p.colors)


def _drawn(goods: Goods, product_id: int, kind: str, rng: Random) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Some colours, Grey or Gray first where there are both, and a range of the other kind."""
    colors = goods.values(product_id, "Color")
    greys = [color for color in colors if color in ("Grey", "Gray")]
    number = rng.randint(1, max(1, min(3, len(colors) - 1)))
    some = rng.sample(colors, number)
    if len(greys) == 2 and not set(greys) & set(some):
        some[0] = rng.choice(greys)
    some.sort(key=lambda color: goods.places["Color", color])
    if not kind:
        return tuple(some), ()
    values = goods.values(product_id, kind)
    length = rng.randint(1, max(1, len(values) - 1))
    start = rng.randrange(len(values) - length + 1)
    return tuple(some), tuple(values[start : start + length])


def _meant(goods: Goods, p: RepriceSome) -> list[Row]:
    wanted: dict[str, Sequence[str]] = {"Color": p.colors}
    return goods.having(p.of, **{**wanted, **({p.kind: p.values} if p.kind else {})})


def _which(p: RepriceSome) -> str:
    """Colours and range, as they follow "in"."""
    colors = joined(p.colors)
    if not p.kind:
        return colors
    kind = p.kind.lower()
    if len(p.values) == 1:
        return f"{colors}, {kind} {p.values[0]}"
    return f"{colors}, {kind}s {p.values[0]} to {p.values[-1]} (both included)"
