"""Derived columns kept right by the services that change what they follow from, by the very rules that verify them.

A change of a name, a SKU or a category moves the words that find a product, and those move what a search term finds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from ..derived import search_results
from ..models import Base, Product, SearchTerm
from ..recompute import recompute
from .base import Write

MODELS = {mapper.local_table.name: mapper.class_ for mapper in Base.registry.mappers}  # type: ignore[attr-defined]
"""Table to model class."""

FOUND_BY = frozenset(
    {"products", "variants", "product_categories", "product_tags", "brands", "categories", "tags", "search_terms"}
)
"""Tables whose changes move what a search term finds."""


class StoredRows:
    """The rows of a session, as `recompute` reads them."""

    def __init__(self, db: Session) -> None:
        self._db = db

    def rows(self, table: str, **equals: Any) -> Iterable[Mapping[str, Any]]:
        """Rows as mappings from column to stored value; a list means "one of"."""
        columns = Base.metadata.tables[table].columns
        small = [column for column in columns if str(column.type) != "BLOB"]
        conditions = [
            columns[name].in_(value) if isinstance(value, (list, tuple)) else columns[name] == value
            for name, value in equals.items()
        ]
        found: Any = self._db.execute(select(*small).where(*conditions)).mappings()
        return cast("Iterable[Mapping[str, Any]]", found)


def refresh(w: Write[Any], changed: Mapping[str, Collection[Any]]) -> None:
    """Bring every derived column in line that follows from these rows: table to the keys that were added or altered.

    Of a removed row, name the rows that depended on it instead (the product of a deleted variant). Derived values are
    no edit of their rows: versions stay, and the audit says nothing.
    """
    w.db.flush()
    for table, rows in recompute(StoredRows(w.db), changed, without=_untouched(changed)).items():
        for key, columns in rows.items():
            row = w.db.get_one(MODELS[table], key)
            for name, value in columns.items():
                if getattr(row, name) != value:
                    setattr(row, name, value)
    w.db.flush()
    if FOUND_BY & set(changed):
        count_results(w.db)


def _untouched(changed: Mapping[str, Collection[Any]]) -> set[str]:
    """Tables that need no look: terms are counted from stored keys, and a variant never changes its product."""
    return {"search_terms", *(() if {"reviews", "orders", "order_items"} & set(changed) else ("reviews",))}


def count_results(db: Session) -> None:
    """Set how many active products each search term finds, from the products' stored keys: a hundred times faster."""
    keys = list(db.scalars(select(Product.search_key).where(Product.status == "active")))
    for term in db.scalars(select(SearchTerm).order_by(SearchTerm.id)):
        results = search_results(keys, term.term)
        if term.results != results:
            term.results = results
    db.flush()
