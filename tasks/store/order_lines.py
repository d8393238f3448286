"""What was ordered with the newest or oldest order of a kind: products, quantities, prices."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...sites.store.labels import ORDER_STATUS
from ...verifiers import Expectation, Finish, Row, Snapshot
from ...verifiers.answers import Int, List, Money, Record, Text
from ..page import Moves, click, finish, navigate
from ..template import Kind, NearMiss, Params, interleaved
from .admin import AdminTemplate, customer, grid_address
from .lists import cents, filtered, sorted_by
from .order_sets import at_end, conditions, matching, which, word

_NUMBER = re.compile(r"^\d{6}$")


@dataclass(frozen=True, kw_only=True)
class Lines(Params):
    """Which order."""

    end: str
    """newest or oldest."""
    status: str
    by: str
    """The column of the second condition: pay_method or ship_region."""
    value: str
    email: str

    def entities(self) -> tuple[str, ...]:
        """The order's customer."""
        return (customer(self.email),)


class OrderLines(AdminTemplate[Lines]):
    """Products, quantities and unit prices of the newest or oldest order with a status and a payment or region.

    Newest is by the time of placing; orders placed at one instant are never asked for. Traps: prices that have changed
    since, several lines. Also fails: today's prices, totals of lines, the other end, a line missing.
    """

    id = "store.admin/order-lines"
    kind = Kind.RETRIEVE
    tags = ("P16", "P18", "P13")

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Lines]:
        """Conditions and ends that single out an order, each order once; other prices than today's first."""
        prices = {row.id: row.price for row in db.rows("variants")}
        items: dict[int, list[Row]] = {}
        for item in db.query("SELECT * FROM order_items ORDER BY id"):
            items.setdefault(item.order_id, []).append(item)
        found = list(conditions(db))
        seen: set[str] = set()
        trapped: list[Lines] = []
        plain: list[Lines] = []
        for status, by, value, orders in rng.sample(found, len(found)):
            for end in rng.sample(["newest", "oldest"], 1 if len(orders) == 1 else 2):
                order = at_end(orders, end)
                if order is None or str(_answer(items[order.id])) in seen:
                    continue
                seen.add(str(_answer(items[order.id])))
                differ = any(item.unit_price != prices[item.variant_id] for item in items[order.id])
                p = Lines(end=end, status=status, by=by, value=value, email=order.email)
                (trapped if differ and len(items[order.id]) > 1 else plain).append(p)
        yield from interleaved(rng, trapped, plain)

    def intents(self, p: Lines) -> Sequence[str]:
        """What a record holds is said field by field."""
        status, those = ORDER_STATUS[p.status], which(p.by, p.value)
        placed = "placed last" if p.end == "newest" else "placed first"
        how = (
            "Answer with a JSON array that has one object for each line of the order:"
            ' {"product": name of the product without its options, "quantity": units ordered, "unit_price": price of'
            " one unit in that order, such as 41.50}."
        )
        return [
            f'Look at the orders with the status "{status}" {those}. What was ordered with the {p.end} of them (the one'
            f" {placed})? {how}",
            f'Find the {p.end} order ({placed}) with the status "{status}" {those}, and list its products, quantities'
            f" and unit prices. {how}",
            f'Among all "{status}" orders {those}, take the one {placed}. I need its products with quantity and unit'
            f" price. {how}",
            f'Contents of the {p.end} order ({placed}) {those} whose status is "{status}": products, quantities, unit'
            f" prices. {how}",
            f'I want to compare baskets. From the orders {those} that have the status "{status}", please open the one'
            f" that was {placed} and write down what was ordered, how many of each, and at what price per unit. {how}",
        ]

    def expected(self, before: Snapshot, p: Lines) -> Expectation:
        """The order's lines as they were frozen when it was placed."""
        return Expectation(answer=_answer(_items(before, _order(before, p))))

    def oracle(self, page: Any, p: Lines) -> Moves:
        """Filter the orders, turn the list around if the oldest is asked for, open the first, read its lines."""
        box = ("Payment" if p.by == "pay_method" else "Region", word(p.by, p.value))
        page = yield from filtered(page, "Orders", choices=[("Status", ORDER_STATUS[p.status]), box])
        page = yield from sorted_by(page, "Placed", "-placed_at" if p.end == "newest" else "placed_at")
        yield from self._read(page)

    def _read(self, page: Any) -> Moves:
        page = yield click(page.find("link", _NUMBER, within=("main", None)))
        rows = page.elements("row", within=("table", "Items"))
        yield finish(str(List([_shown(rows[0], row) for row in rows[1:]])))

    def near_misses(self, before: Snapshot, p: Lines) -> Iterator[NearMiss]:
        """Other prices, other quantities, other orders, lines lost or put together."""
        order = _order(before, p)
        items = _items(before, order)
        right = _answer(items)
        prices = {row.id: row.price for row in before.rows("variants")}
        said: dict[str, Sequence[Record]] = {
            "today's prices": [_record(item, price=prices[item.variant_id]) for item in items],
            "totals of the lines": [_record(item, price=item.row_total) for item in items],
            "SKUs for names": [_record(item, name=item.sku) for item in items],
            "a unit more": [_record(items[0], units=items[0].qty_ordered + 1), *map(_record, items[1:])],
            "a cent more": [_record(items[0], price=items[0].unit_price + 1), *map(_record, items[1:])],
            "a line twice": [*map(_record, items), _record(items[0])],
            "units shipped": [_record(item, units=item.qty_shipped) for item in items],
        }
        other = at_end(_orders(before, p), "oldest" if p.end == "newest" else "newest")
        for name, beside in (
            ("the order at the other end", other),
            ("of any payment or region", at_end(matching(before, status=p.status), p.end)),
            ("of any status", at_end(matching(before, by=p.by, value=p.value), p.end)),
        ):
            if beside is not None:
                said[name] = [_record(item) for item in _items(before, beside)]
        for name, records in said.items():
            if List(records).wanted() != right.wanted():
                yield NearMiss(name, finish=Finish(str(List(records))))

    def still_right(self, before: Snapshot, p: Lines) -> Iterator[NearMiss]:
        """By filters in the address; the lines in another order, prices with a sign."""
        yield NearMiss("by filters in the address", ui=lambda page: self._by_address(page, p))
        items = _items(before, _order(before, p))
        backwards = [{**_record(one).spelled(), "unit_price": f"${Money(one.unit_price)}"} for one in items[::-1]]
        yield NearMiss("the lines in another order", finish=Finish(json.dumps(backwards)))

    def _by_address(self, page: Any, p: Lines) -> Moves:
        sort = "-placed_at" if p.end == "newest" else "placed_at"
        terms = {"status": f"in:{p.status}", p.by: f"in:{p.value}"}
        page = yield navigate(grid_address("orders", **terms) + f"&sort={sort}")
        yield from self._read(page)


def _orders(before: Snapshot, p: Lines) -> list[Row]:
    return matching(before, status=p.status, by=p.by, value=p.value)


def _order(before: Snapshot, p: Lines) -> Row:
    order = at_end(_orders(before, p), p.end)
    if order is None:
        raise ValueError("no order, or two that were placed at that instant")
    return order


def _items(before: Snapshot, order: Row) -> list[Row]:
    return before.rows("order_items", order_id=order.id)


def _answer(items: Sequence[Row]) -> List:
    return List([_record(item) for item in items])


def _record(item: Row, *, name: str | None = None, units: int | None = None, price: int | None = None) -> Record:
    """A line as it is asked for, or with something else in it."""
    return Record({
        "product": Text(item.name if name is None else name),
        "quantity": Int(item.qty_ordered if units is None else units),
        "unit_price": Money(item.unit_price if price is None else price),
    })  # fmt: skip


def _shown(head: Any, row: Any) -> Record:
    """A line of the table of items, as a person reads it."""
    cells = dict(zip((one.name for one in head.children), row.children, strict=False))
    product = next(one.text for one in cells["Product"].walk() if one.text and not one.children)
    units, price = int(cells["Ordered"].text), cents(cells["Price"].text)
    return Record({"product": Text(product), "quantity": Int(units), "unit_price": Money(price)})
