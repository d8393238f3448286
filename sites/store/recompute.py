"""Derived columns, computed again from the rows they follow from, for a verifier to compare with what is stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from . import derived
from .derived import Key, Keys, Row, Rows, Values
from .keys import OWN_KEYS, own_keys
from .models import Base

Changed = Mapping[str, Collection[Key]]
"""Table to the keys of its rows that were added, altered or removed."""

Targets = Callable[[Rows, Row], Iterable[Key]]
"""From a changed row of a source to the keys of the rows that depend on it."""


@dataclass(frozen=True)
class Rule:
    """Some derived columns of a table: how they are computed, and which rows of which tables they follow from.

    A source without `Targets` moves every row of the table. So does a removed row of any source.
    """

    table: str
    compute: Callable[[Rows, Keys], Values]
    sources: Mapping[str, Targets | None]

    def touched(self, rows: Rows, changed: Changed) -> Keys:
        """The rows of the table to compute again; None is all."""
        found: set[Key] = set(changed.get(self.table, ()))
        for source, targets in self.sources.items():
            for key in changed.get(source, ()):
                row = None if targets is None else _row(rows, source, key)
                if targets is None or row is None:
                    return None
                found.update(targets(rows, row))
        return found


def recompute(
    rows: Rows, changed: Changed | Collection[str] | None = None, *, without: Collection[str] = ()
) -> dict[str, Values]:
    """The right values of derived columns: table, then primary key, then column.

    `changed` limits the work to what follows from these rows, or, where it only names tables, to these tables; None is
    everything. `stock` gives on_hand and reserved, which are data but must equal the sums of the moves. Tables named in
    `without` are left out.
    """
    rules = [rule for rule in RULES if rule.table not in without]
    if isinstance(changed, Mapping):
        return _join((rule.table, _again(rule, rows, changed)) for rule in rules)
    return _join((rule.table, rule.compute(rows, None)) for rule in rules if changed is None or rule.table in changed)


def _again(rule: Rule, rows: Rows, changed: Changed) -> Values:
    """The values of one rule for the rows that a change touches."""
    keys = rule.touched(rows, changed)
    return rule.compute(rows, keys) if keys is None or keys else {}


def _join(parts: Iterable[tuple[str, Values]]) -> dict[str, Values]:
    """Values of several rules by table."""
    joined: dict[str, Values] = {}
    for table, values in parts:
        rows = joined.setdefault(table, {})
        for key, columns in values.items():
            rows.setdefault(key, {}).update(columns)
    return {table: values for table, values in joined.items() if values}


def _row(rows: Rows, table: str, key: Key) -> Row | None:
    """The row with a primary key, or None."""
    names = [column.name for column in Base.metadata.tables[table].primary_key.columns]
    parts = key if isinstance(key, tuple) else (key,)
    return next(iter(rows.rows(table, **dict(zip(names, parts, strict=True)))), None)


def _of(column: str) -> Targets:
    """The row that a column of the source names."""
    return lambda rows, row: [row[column]]


def _reviews_of(customer_id: int | None, rows: Rows) -> list[Key]:
    """Reviews of one customer."""
    return [] if customer_id is None else [row["id"] for row in rows.rows("reviews", customer_id=customer_id)]


def _reviews_of_buyer(rows: Rows, item: Row) -> list[Key]:
    """Reviews of whoever placed the order that a line belongs to."""
    order = _row(rows, "orders", item["order_id"])
    return _reviews_of(order["customer_id"], rows) if order else []


def _keys_of(table: str) -> Callable[[Rows, Keys], Values]:
    """The `*_key` columns that follow from the row alone."""
    return lambda rows, keys: {row["id"]: dict(own_keys(table, row)) for row in derived.some(rows, table, "id", keys)}


_PRODUCT: Mapping[str, Targets | None] = {
    "variants": _of("product_id"),
    "product_categories": _of("product_id"),
    "product_tags": _of("product_id"),
    "brands": None,
    "categories": None,
    "tags": None,
}

RULES = (
    *(Rule(table, _keys_of(table), {}) for table in OWN_KEYS),
    Rule("products", derived.product_search, _PRODUCT),
    Rule("products", derived.ratings, {"reviews": _of("product_id")}),
    Rule("variants", derived.options, {"variant_options": _of("variant_id")}),
    Rule("stock", derived.stock, {"stock_moves": _of("variant_id")}),
    Rule("orders", derived.money, {"payments": _of("order_id"), "refunds": _of("order_id")}),
    Rule("orders", derived.order_search, {"order_items": _of("order_id")}),
    Rule(
        "reviews",
        derived.verified,
        {
            "orders": lambda rows, row: _reviews_of(row["customer_id"], rows),
            "order_items": _reviews_of_buyer,
            "variants": None,
        },
    ),
    Rule("coupons", derived.coupon_uses, {"coupon_uses": _of("coupon_id")}),
    Rule("search_terms", derived.results, {"products": None, **dict.fromkeys(_PRODUCT)}),
)
"""Every derived column of the store."""

DERIVED_TABLES = sorted({rule.table for rule in RULES})
"""The tables that `recompute` speaks about."""
