"""Sort and search keys: which texts of a row each `*_key` column is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..kit.text import key, search_key

Row = Mapping[str, Any]

OWN_KEYS: Mapping[str, Mapping[str, Callable[[Row], str]]] = {
    "staff": {"name_key": lambda row: key(row["name"])},
    "brands": {"name_key": lambda row: key(row["name"])},
    "categories": {"name_key": lambda row: key(row["name"])},
    "products": {"name_key": lambda row: key(row["name"])},
    "option_values": {"value_key": lambda row: key(row["value"])},
    "tags": {"name_key": lambda row: key(row["name"])},
    "customers": {
        "name_key": lambda row: key(f"{row['first_name']} {row['last_name']}"),
        "last_name_key": lambda row: key(f"{row['last_name']} {row['first_name']}"),
        "search_key": lambda row: search_key(row["first_name"], row["last_name"], row["email"], _digits(row["phone"])),
    },
    "addresses": {"city_key": lambda row: key(row["city"])},
    "orders": {"customer_name_key": lambda row: key(row["customer_name"])},
    "order_addresses": {
        "full_name_key": lambda row: key(row["full_name"]),
        "city_key": lambda row: key(row["city"]),
    },
    "reviews": {
        "nickname_key": lambda row: key(row["nickname"]),
        "title_key": lambda row: key(row["title"]),
        "search_key": lambda row: search_key(row["title"], row["body"], row["nickname"]),
    },
    "contact_messages": {"name_key": lambda row: key(row["name"])},
    "promotions": {"name_key": lambda row: key(row["name"])},
    "pages": {"title_key": lambda row: key(row["title"])},
    "search_terms": {"term_key": lambda row: key(row["term"])},
}
"""Table to key column to what it is made of, for keys that need no other table."""


def own_keys(table: str, row: Row) -> dict[str, str]:
    """The keys of a row that follow from the row alone; empty for a table without any."""
    return {column: made(row) for column, made in OWN_KEYS.get(table, {}).items()}


def fill_keys(row: Any) -> None:
    """Set the keys of a model object from its other attributes; call it after every change of a name or text.

    `search_key` of orders and products also needs their lines: use `order_search_key` and `product_search_key`.
    """
    for column, value in own_keys(row.__tablename__, _Attributes(row)).items():
        if getattr(row, column) != value:
            setattr(row, column, value)


def order_search_key(number: str, customer_name: str, email: str, skus: Iterable[str]) -> str:
    """The words by which the orders grid finds an order."""
    return search_key(number, customer_name, email, *skus)


def product_search_key(
    name: str, brand: str, categories: Iterable[str], skus: Iterable[str], tags: Iterable[str]
) -> str:
    """The words by which shop and grids find a product."""
    return search_key(name, brand, *categories, *skus, *tags)


class _Attributes(Mapping[str, Any]):
    """A model object read like a row."""

    def __init__(self, row: Any) -> None:
        self._row = row

    def __getitem__(self, name: str) -> Any:
        return getattr(self._row, name)

    def __iter__(self) -> Any:
        return iter(self._row.__table__.columns.keys())

    def __len__(self) -> int:
        return len(self._row.__table__.columns)


def _digits(phone: str | None) -> str | None:
    """A stored phone as one word of digits."""
    return phone.removeprefix("+") if phone else None
