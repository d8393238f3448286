"""All reviews of a database at hand, by product and by nickname."""

from __future__ import annotations

from collections.abc import Sequence

from ....sites.store.generate.phrases import mentioned
from ....verifiers import Row, Snapshot
from ..kept import kept
from ..products import named
from . import counts


class Voices:
    """All reviews of a database, by product and by nickname, oldest first."""

    def __init__(self, db: Snapshot) -> None:
        self.rows = counts.reviews(db, "1")
        self.products = {row.id: str(row.name) for row in db.rows("products")}
        self.by_product: dict[int, list[Row]] = {}
        self.by_nickname: dict[str, list[Row]] = {}
        for row in self.rows:
            self.by_product.setdefault(row.product_id, []).append(row)
            self.by_nickname.setdefault(row.nickname, []).append(row)

    def longer(self, nickname: str) -> list[Row]:
        """Reviews whose nickname begins with this one and goes on."""
        names = [name for name in self.by_nickname if nickname and name != nickname and name.startswith(nickname)]
        return [row for name in names for row in self.by_nickname[name]]

    def clear_nicknames(self) -> list[str]:
        """Nicknames that nobody spells otherwise."""
        spellings: dict[str, set[str]] = {}
        for row in self.rows:
            spellings.setdefault(row.nickname_key, set()).add(row.nickname)
        return [min(names) for names in spellings.values() if len(names) == 1]

    def named_products(self, db: Snapshot) -> list[tuple[int, str]]:
        """Products with reviews and without a namesake, by number and words."""
        return [(id_, words) for id_, words in named(db).items() if id_ in self.by_product and "namesake" not in words]


def contradicts(row: Row) -> bool:
    """Whether all that a review says goes against its stars (T13)."""
    return row.rating != 3 and set(mentioned(row.body).values()) == {row.rating < 3}


def is_newest(rows: Sequence[Row]) -> bool:
    """Whether the last of these reviews is the newest without a doubt, to the minute that pages show."""
    return bool(rows) and [row.created_at[:16] for row in rows].count(rows[-1].created_at[:16]) == 1


voices = kept(Voices)
"""The reviews of a snapshot."""
