"""The products of a database at hand, with their variants and what these are by colour, size and the like."""

from __future__ import annotations

from collections.abc import Sequence

from ....verifiers import Row, Snapshot
from ..kept import kept


class Goods:
    """Products by id; variants by product, as in their table; options by variant, as their types are ordered."""

    def __init__(self, db: Snapshot) -> None:
        self.products = {row.id: row for row in db.rows("products")}
        self.stock = {row.variant_id: row for row in db.rows("stock")}
        self.variants: dict[int, list[Row]] = {}
        for row in db.query("SELECT * FROM variants ORDER BY product_id, position, id"):
            self.variants.setdefault(row.product_id, []).append(row)
        self.options: dict[int, dict[str, str]] = {}
        self.places: dict[tuple[str, str], int] = {}
        for row in db.query(_OPTIONS):
            self.options.setdefault(row.variant_id, {})[row.type] = row.value
            self.places[row.type, row.value] = row.place

    def types(self, product_id: int) -> list[str]:
        """The kinds of choice that all variants of a product are told apart by: Color, Size …"""
        found = {tuple(self.options.get(row.id, {})) for row in self.variants[product_id]}
        return list(found.pop()) if len(found) == 1 else []

    def values(self, product_id: int, kind: str, among: Sequence[Row] | None = None) -> list[str]:
        """The values that variants of a product have of one kind, in the order of the kind's list."""
        rows = self.variants[product_id] if among is None else among
        found = {self.options[row.id][kind] for row in rows}
        return sorted(found, key=lambda value: self.places[kind, value])

    def having(self, product_id: int, **wanted: Sequence[str]) -> list[Row]:
        """The variants of a product with one of the values of each kind."""
        return [
            row
            for row in self.variants[product_id]
            if all(self.options[row.id].get(kind) in values for kind, values in wanted.items())
        ]


goods_of = kept(Goods)
"""The goods of a snapshot."""

_OPTIONS = """
SELECT o.variant_id, t.name AS type, v.value, v.position AS place FROM variant_options o
JOIN variants r ON r.id = o.variant_id JOIN option_types t ON t.id = o.type_id JOIN option_values v ON v.id = o.value_id
LEFT JOIN product_option_types p ON p.product_id = r.product_id AND p.type_id = o.type_id
ORDER BY o.variant_id, p.position, o.type_id
"""


def joined(values: Sequence[str]) -> str:
    """Values as people list them: S, M and XL."""
    return " and ".join(part for part in (", ".join(values[:-1]), values[-1]) if part)
