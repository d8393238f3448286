"""Derived columns, computed again from the rows they follow from, for a verifier to compare with what is stored."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Protocol

from ..kit.money import half_up
from ..kit.text import query_tokens
from .keys import OWN_KEYS, order_search_key, own_keys, product_search_key

Row = Mapping[str, Any]
Key = Any
"""A primary key: the value itself where it is one column, else a tuple."""
Values = dict[Key, dict[str, Any]]


class Rows(Protocol):
    """Anything that gives the rows of a table, all or those that equal."""

    def rows(self, table: str, **equals: Any) -> Iterable[Row]:
        """Rows as mappings from column to stored value."""
        ...


def recompute(rows: Rows, tables: Collection[str] | None = None) -> dict[str, Values]:
    """The right value of every derived column: table, then primary key, then column.

    `tables` limits the work to these tables; None is all. `stock` gives on_hand and reserved as the sums of its moves.
    """
    wanted = DERIVED_TABLES if tables is None else [name for name in DERIVED_TABLES if name in set(tables)]
    return {name: _table(rows, name) for name in wanted}


def search_results(products: Collection[str], term: str) -> int:
    """How many of the active products, given by their `search_key`, a search for `term` finds."""
    wanted = query_tokens(term)
    if not wanted:
        return 0
    return sum(all(f" {token}" in key for token in wanted) for key in products)


def _table(rows: Rows, name: str) -> Values:
    """All derived columns of one table."""
    found: Values = {}
    if name in OWN_KEYS:
        found = {row["id"]: dict(own_keys(name, row)) for row in rows.rows(name)}
    for more in _SUMS.get(name, ()):
        for key, values in more(rows).items():
            found.setdefault(key, {}).update(values)
    return found


def _ratings(rows: Rows) -> Values:
    """Average (hundredths, half up) and number of approved reviews; both 0 without any."""
    stars: dict[int, list[int]] = defaultdict(list)
    for review in rows.rows("reviews", status="approved"):
        stars[review["product_id"]].append(review["rating"])
    return {
        product["id"]: {
            "rating_avg_x100": half_up(100 * sum(given), len(given)) if (given := stars[product["id"]]) else 0,
            "rating_count": len(stars[product["id"]]),
        }
        for product in rows.rows("products")
    }


def _product_search(rows: Rows) -> Values:
    """The words that find each product."""
    brands = {row["id"]: row["name"] for row in rows.rows("brands")}
    categories = _named(rows, "categories", "product_categories", "category_id")
    tags = _named(rows, "tags", "product_tags", "tag_id")
    skus: dict[int, list[str]] = defaultdict(list)
    for variant in rows.rows("variants"):
        skus[variant["product_id"]].append(variant["sku"])
    return {
        row["id"]: {
            "search_key": product_search_key(
                row["name"], brands[row["brand_id"]], categories[row["id"]], skus[row["id"]], tags[row["id"]]
            )
        }
        for row in rows.rows("products")
    }


def _named(rows: Rows, table: str, links: str, column: str) -> dict[int, list[str]]:
    """Product to the names of what it is linked to."""
    names = {row["id"]: row["name"] for row in rows.rows(table)}
    found: dict[int, list[str]] = defaultdict(list)
    for link in rows.rows(links):
        found[link["product_id"]].append(names[link[column]])
    return found


def _options(rows: Rows) -> Values:
    """The options of each variant as `type:value` ids, by type; empty for a variant without any."""
    pairs: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for row in rows.rows("variant_options"):
        pairs[row["variant_id"]].append((row["type_id"], row["value_id"]))
    return {row["id"]: {"options_key": options_key(pairs[row["id"]])} for row in rows.rows("variants")}


def options_key(pairs: Iterable[tuple[int, int]]) -> str:
    """A variant's (type id, value id) pairs as one text: `1:12|2:31`."""
    return "|".join(f"{type_id}:{value_id}" for type_id, value_id in sorted(pairs))


def _stock(rows: Rows) -> Values:
    """Units as the sums of the moves."""
    on_hand: Counter[int] = Counter()
    reserved: Counter[int] = Counter()
    for move in rows.rows("stock_moves"):
        on_hand[move["variant_id"]] += move["d_on_hand"]
        reserved[move["variant_id"]] += move["d_reserved"]
    return {
        row["variant_id"]: {"on_hand": on_hand[row["variant_id"]], "reserved": reserved[row["variant_id"]]}
        for row in rows.rows("stock")
    }


def _paid(rows: Rows) -> Values:
    """Money captured and money given back, in cents; store credit given back counts through its refund."""
    paid: Counter[int] = Counter()
    for payment in rows.rows("payments", kind="capture"):
        paid[payment["order_id"]] += payment["amount"]
    refunded: Counter[int] = Counter()
    for refund in rows.rows("refunds", status="issued"):
        refunded[refund["order_id"]] += refund["total"]
    return {row["id"]: {"paid": paid[row["id"]], "refunded": refunded[row["id"]]} for row in rows.rows("orders")}


def _order_search(rows: Rows) -> Values:
    """The words that find each order."""
    skus: dict[int, list[str]] = defaultdict(list)
    for item in rows.rows("order_items"):
        skus[item["order_id"]].append(item["sku"])
    return {
        row["id"]: {"search_key": order_search_key(row["number"], row["customer_name"], row["email"], skus[row["id"]])}
        for row in rows.rows("orders")
    }


def _verified(rows: Rows) -> Values:
    """Whether the author has had a unit of the product shipped."""
    products = {row["id"]: row["product_id"] for row in rows.rows("variants")}
    buyers = {row["id"]: row["customer_id"] for row in rows.rows("orders")}
    had = {
        (buyers[item["order_id"]], products[item["variant_id"]])
        for item in rows.rows("order_items")
        if item["qty_shipped"] > 0
    }
    return {
        row["id"]: {"verified": row["customer_id"] is not None and (row["customer_id"], row["product_id"]) in had}
        for row in rows.rows("reviews")
    }


def _coupon_uses(rows: Rows) -> Values:
    """How many orders used each coupon."""
    used = Counter(row["coupon_id"] for row in rows.rows("coupon_uses"))
    return {row["id"]: {"used_count": used[row["id"]]} for row in rows.rows("coupons")}


def _results(rows: Rows) -> Values:
    """How many active products each search term finds."""
    active = {row["id"] for row in rows.rows("products", status="active")}
    keys = [values["search_key"] for key, values in _product_search(rows).items() if key in active]
    return {row["id"]: {"results": search_results(keys, row["term"])} for row in rows.rows("search_terms")}


_SUMS: Mapping[str, tuple[Callable[[Rows], Values], ...]] = {
    "products": (_product_search, _ratings),
    "variants": (_options,),
    "stock": (_stock,),
    "orders": (_paid, _order_search),
    "reviews": (_verified,),
    "coupons": (_coupon_uses,),
    "search_terms": (_results,),
}

DERIVED_TABLES = sorted({*OWN_KEYS, *_SUMS})
"""The tables that `recompute` speaks about."""
