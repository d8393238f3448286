"""The sums and counts behind derived columns, each computed for some rows of a table or for all of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Protocol

from ..kit.money import half_up
from ..kit.text import query_tokens
from .keys import order_search_key, product_search_key

Row = Mapping[str, Any]
Key = Any
"""A primary key: the value itself where it is one column, else a tuple."""
Keys = Collection[Key] | None
"""The rows asked for; None is all."""
Values = dict[Key, dict[str, Any]]


class Rows(Protocol):
    """Anything that gives the rows of a table, all or those that equal; a list as a value means "one of"."""

    def rows(self, table: str, **equals: Any) -> Iterable[Row]:
        """Rows as mappings from column to stored value."""
        ...


def some(rows: Rows, table: str, column: str, keys: Keys, **equals: Any) -> Iterable[Row]:
    """The rows of a table whose `column` is among `keys`; all of them for None."""
    return rows.rows(table, **equals) if keys is None else rows.rows(table, **{column: list(keys)}, **equals)


def options_key(pairs: Iterable[tuple[int, int]]) -> str:
    """A variant's (type id, value id) pairs as one text: `1:12|2:31`."""
    return "|".join(f"{type_id}:{value_id}" for type_id, value_id in sorted(pairs))


def search_results(products: Collection[str], term: str) -> int:
    """How many of the active products, given by their `search_key`, a search for `term` finds."""
    wanted = query_tokens(term)
    if not wanted:
        return 0
    found = products
    for token in wanted:
        start = f" {token}"
        found = [key for key in found if start in key]
    return len(found)


def ratings(rows: Rows, keys: Keys) -> Values:
    """Average (hundredths, half up) and number of approved reviews per product; both 0 without any."""
    stars: dict[int, list[int]] = defaultdict(list)
    for review in some(rows, "reviews", "product_id", keys, status="approved"):
        stars[review["product_id"]].append(review["rating"])
    return {
        product["id"]: {
            "rating_avg_x100": half_up(100 * sum(given), len(given)) if (given := stars[product["id"]]) else 0,
            "rating_count": len(stars[product["id"]]),
        }
        for product in some(rows, "products", "id", keys)
    }


def product_search(rows: Rows, keys: Keys) -> Values:
    """The words that find each product."""
    brands = {row["id"]: row["name"] for row in rows.rows("brands")}
    categories = _named(rows, "categories", "product_categories", "category_id", keys)
    tags = _named(rows, "tags", "product_tags", "tag_id", keys)
    skus: dict[int, list[str]] = defaultdict(list)
    for variant in some(rows, "variants", "product_id", keys):
        skus[variant["product_id"]].append(variant["sku"])
    return {
        row["id"]: {
            "search_key": product_search_key(
                row["name"], brands[row["brand_id"]], categories[row["id"]], skus[row["id"]], tags[row["id"]]
            )
        }
        for row in some(rows, "products", "id", keys)
    }


def _named(rows: Rows, table: str, links: str, column: str, keys: Keys) -> dict[int, list[str]]:
    """Product to the names of what it is linked to."""
    names = {row["id"]: row["name"] for row in rows.rows(table)}
    found: dict[int, list[str]] = defaultdict(list)
    for link in some(rows, links, "product_id", keys):
        found[link["product_id"]].append(names[link[column]])
    return found


def options(rows: Rows, keys: Keys) -> Values:
    """The options of each variant; empty for a variant without any."""
    pairs: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for row in some(rows, "variant_options", "variant_id", keys):
        pairs[row["variant_id"]].append((row["type_id"], row["value_id"]))
    return {row["id"]: {"options_key": options_key(pairs[row["id"]])} for row in some(rows, "variants", "id", keys)}


def stock(rows: Rows, keys: Keys) -> Values:
    """Units as the sums of the moves."""
    on_hand: Counter[int] = Counter()
    reserved: Counter[int] = Counter()
    for move in some(rows, "stock_moves", "variant_id", keys):
        on_hand[move["variant_id"]] += move["d_on_hand"]
        reserved[move["variant_id"]] += move["d_reserved"]
    return {
        row["variant_id"]: {"on_hand": on_hand[row["variant_id"]], "reserved": reserved[row["variant_id"]]}
        for row in some(rows, "stock", "variant_id", keys)
    }


def money(rows: Rows, keys: Keys) -> Values:
    """Money captured and money given back per order, in cents; what became store credit counts by its refund."""
    paid: Counter[int] = Counter()
    for payment in some(rows, "payments", "order_id", keys, kind="capture"):
        paid[payment["order_id"]] += payment["amount"]
    refunded: Counter[int] = Counter()
    for refund in some(rows, "refunds", "order_id", keys, status="issued"):
        refunded[refund["order_id"]] += refund["total"]
    return {
        row["id"]: {"paid": paid[row["id"]], "refunded": refunded[row["id"]]}
        for row in some(rows, "orders", "id", keys)
    }


def order_search(rows: Rows, keys: Keys) -> Values:
    """The words that find each order."""
    skus: dict[int, list[str]] = defaultdict(list)
    for item in some(rows, "order_items", "order_id", keys):
        skus[item["order_id"]].append(item["sku"])
    return {
        row["id"]: {"search_key": order_search_key(row["number"], row["customer_name"], row["email"], skus[row["id"]])}
        for row in some(rows, "orders", "id", keys)
    }


def verified(rows: Rows, keys: Keys) -> Values:
    """Whether the author of a review has had a unit of the product shipped."""
    reviews = list(some(rows, "reviews", "id", keys))
    authors = None if keys is None else {row["customer_id"] for row in reviews} - {None}
    buyers = {row["id"]: row["customer_id"] for row in some(rows, "orders", "customer_id", authors)}
    bought = [
        item
        for item in some(rows, "order_items", "order_id", None if keys is None else buyers)
        if item["qty_shipped"] > 0
    ]
    variants = None if keys is None else {item["variant_id"] for item in bought}
    products = {row["id"]: row["product_id"] for row in some(rows, "variants", "id", variants)}
    had = {(buyers[item["order_id"]], products[item["variant_id"]]) for item in bought}
    return {
        row["id"]: {"verified": row["customer_id"] is not None and (row["customer_id"], row["product_id"]) in had}
        for row in reviews
    }


def coupon_uses(rows: Rows, keys: Keys) -> Values:
    """How many orders used each coupon."""
    used = Counter(row["coupon_id"] for row in some(rows, "coupon_uses", "coupon_id", keys))
    return {row["id"]: {"used_count": used[row["id"]]} for row in some(rows, "coupons", "id", keys)}


def results(rows: Rows, keys: Keys) -> Values:
    """How many active products each search term finds, by the search keys that the products have.

    In a data set that is being made they have none yet: then by those that they will get.
    """
    active: dict[Key, str | None] = {row["id"]: row.get("search_key") for row in rows.rows("products", status="active")}
    made = {} if all(active.values()) else product_search(rows, None)
    found = [words or made[key]["search_key"] for key, words in active.items()]
    return {
        row["id"]: {"results": search_results(found, row["term"])} for row in some(rows, "search_terms", "id", keys)
    }
