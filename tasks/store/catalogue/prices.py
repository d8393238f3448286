"""Changes of prices as tasks ask for them: by an amount or by a percentage, up or down, and what each price becomes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ....verifiers import Row, Snapshot
from ....verifiers.answers import Money
from ...page import Moves, click, select, type_
from ...template import Call, NearMiss
from ..products import sibling
from . import writes
from .goods import Goods

_BASIS = 10_000


@dataclass(frozen=True)
class Change:
    """`cents` to add, or a percentage in basis points; one of them is 0, both may be negative."""

    cents: int = 0
    basis_points: int = 0

    @property
    def raises(self) -> bool:
        """Whether prices go up."""
        return self.cents + self.basis_points > 0

    @property
    def verb(self) -> str:
        """Raise or lower."""
        return "Raise" if self.raises else "Lower"

    @property
    def amount(self) -> str:
        """By how much, without a sign and a unit: `2.50`, or `10`."""
        return str(Money(abs(self.cents))) if self.cents else f"{abs(self.basis_points) / 100:g}"

    @property
    def words(self) -> str:
        """By how much, in words: `$2.50` or `10%`."""
        return f"${self.amount}" if self.cents else f"{self.amount}%"

    @property
    def option(self) -> str:
        """What the price tool calls it."""
        return f"{self.verb} by {'an amount' if self.cents else 'a percentage'}"

    @property
    def opposite(self) -> Change:
        """The same the other way."""
        return Change(-self.cents, -self.basis_points)

    def of(self, price: int) -> int:
        """The new price in cents, rounded half up."""
        return price + self.cents if self.cents else (2 * price * (_BASIS + self.basis_points) + _BASIS) // (2 * _BASIS)

    def calls(self, variants: Iterable[Row], field: str = "price") -> Call:
        """The change as a call."""
        ids = [row.id for row in variants]
        if self.cents:
            return writes.add_to_prices(ids, self.cents, field)
        return writes.scale_prices(ids, self.basis_points, field)

    def fits(self, variants: Sequence[Row]) -> bool:
        """Whether the shop accepts it for all of them, also twice, and nobody can round it otherwise."""
        return all(self._fits(row) for row in variants)

    def _fits(self, row: Row) -> bool:
        once, twice = self.of(row.price), self.of(self.of(row.price))
        half = (row.price * self.basis_points) % _BASIS == _BASIS // 2
        return once != row.price and min(once, twice) > (row.sale_price or 49) and not half


def changes(rng: Random) -> Iterator[Change]:
    """Changes in random order: amounts and percentages that a shop asks for."""
    found = [Change(cents=cents) for cents in (100, 150, 200, 250, 300, 450, 500, 750, 1000)]
    found += [Change(basis_points=points) for points in (300, 400, 500, 750, 800, 1000, 1200, 1500, 2000)]
    found += [change.opposite for change in found]
    yield from rng.sample(found, len(found))


def typed(page: Any, change: Change) -> Moves:
    """The change filled into the price tool, for what is ticked or for all; not applied; returns the page."""
    page = yield click(page.find("button", "Change prices"))
    page = yield select(page.find("combobox", "What to do"), change.option)
    field = "Amount" if change.cents else "Percent"
    return (yield type_(page.find("textbox", field, within=("dialog", None)), change.amount))


def price_misses(
    before: Snapshot, goods: Goods, product_id: int, meant: Sequence[Row], change: Change
) -> Iterator[NearMiss]:
    """What goes wrong when the prices of some variants of a product are changed."""
    right = change.calls(meant)
    yield NearMiss("applied twice", (right, change.calls(meant)))
    if change.opposite.fits(meant):
        yield NearMiss("the other way", (change.opposite.calls(meant),))
    back = tuple(writes.edit(row.id, price=row.price) for row in meant)
    yield NearMiss("changed, and put back", (right, *back))
    yield NearMiss("one cent off", (right, writes.add_to_prices([meant[-1].id], 1)))
    if change.cents:
        yield NearMiss("a tenth of it", (Change(cents=change.cents // 10).calls(meant),))
    if len(meant) > 1:
        yield NearMiss("the first one left", (change.calls(meant[1:]),))
        yield NearMiss("the last one left", (change.calls(meant[:-1]),))
    costs = tuple(writes.edit(row.id, cost=max(0, change.of(row.cost))) for row in meant)
    yield NearMiss("the cost instead", costs)
    yield NearMiss("the cost as well", (right, *costs))
    on_sale = [row for row in meant if row.sale_price is not None]
    if on_sale and all(0 <= change.of(row.sale_price) < row.price for row in on_sale):
        yield NearMiss("the sale price instead", (change.calls(on_sale, "sale_price"),))
    lowest = min(change.of(row.price) for row in meant)
    if len({row.price for row in meant}) > 1 and all(lowest > (row.sale_price or 0) for row in meant):
        same = Call("variants.change_prices", {"ids": [row.id for row in meant], "mode": "set", "amount": lowest})
        yield NearMiss("one new price for all", (same,))
    twin = sibling(before, product_id, [id_ for id_, rows in goods.variants.items() if change.fits(rows)])
    if twin is not None:
        yield NearMiss("the product with a similar name", (change.calls(goods.variants[twin]),))
        yield NearMiss("the product with a similar name as well", (right, change.calls(goods.variants[twin])))


def retried(meant: Sequence[Row], change: Change) -> Iterator[NearMiss]:
    """The right prices variant by variant, and after a mistake."""
    edits = tuple(writes.edit(row.id, price=change.of(row.price)) for row in meant)
    yield NearMiss("variant by variant", edits[::-1])
    yield NearMiss("a wrong price first", (writes.add_to_prices([meant[0].id], 5), *edits))
