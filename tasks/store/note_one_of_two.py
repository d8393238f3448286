"""Note something on the one of two orders of equal total that goes to a given city."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...verifiers import Expectation, Row, Snapshot
from ...verifiers.answers import Money
from ..page import Moves, check, click, navigate, type_
from ..template import Call, Kind, NearMiss, Params
from . import calls, effects
from .admin import AdminTemplate, customer, grid_address, open_order, tab
from .lists import filtered, listed

NOTES = (
    "Customer asked for a call before delivery.",
    "Bank confirmed the payment by phone.",
    "Leave the parcel with the neighbor at number 12.",
    "Price was matched with last week's newsletter.",
    "Keep an eye on this one: second complaint about packing.",
    "Invoice copy was sent by post.",
    "Carton was damaged in our warehouse, contents are fine.",
    "Ask accounting before anything is paid back.",
    "Loyalty bonus has been promised for the next order.",
)


@dataclass(frozen=True, kw_only=True)
class Note(Params):
    """The total and the city that single an order out, and what to note."""

    total: int
    city: str
    text: str
    number: str
    twin: str
    """The other order of that total."""
    email: str

    def entities(self) -> tuple[str, ...]:
        """The order's customer."""
        return (customer(self.email),)


class NoteOneOfTwo(AdminTemplate[Note]):
    """Two orders come to the same total (T3); add an internal note to the one whose shipping address is in a city.

    Also fails: the other order, a comment that the customer is told of, the note on both, the note twice.
    """

    id = "store.admin/note-one-of-two"
    kind = Kind.CHANGE
    tags = ("P16", "P48", "P50", "T3")

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Note]:
        """Both orders of each total that exactly two orders have, where the city tells them apart."""
        found: dict[int, list[Row]] = {}
        for row in db.query(_PLACES):
            found.setdefault(row.total, []).append(row)
        pairs = [rows for rows in found.values() if len(rows) == 2 and _apart(*rows)]
        for places in ((0, 1), (1, 0)):
            for rows in rng.sample(pairs, len(pairs)):
                one, other = (rows[place] for place in places)
                yield Note(
                    total=one.total,
                    city=one.city,
                    text=rng.choice(NOTES),
                    number=one.number,
                    twin=other.number,
                    email=one.email,
                )

    def intents(self, p: Note) -> Sequence[str]:
        """Internal is said to be without a word to the customer."""
        total = f"${p.total // 100:,}.{p.total % 100:02d}"
        inside = "It is internal: the customer must not be notified."
        return [
            f"Two orders come to a grand total of {total}. Add this comment to the one that ships to {p.city}:"
            f' "{p.text}" {inside}',
            f"There are two orders with a grand total of exactly {total}. Put an internal note on the one with a"
            f' shipping address in {p.city}: "{p.text}" {inside}',
            f"Of the two orders with the grand total {total}, the one going to {p.city} needs an internal comment:"
            f' "{p.text}" {inside}',
            f'Internal comment "{p.text}" for the order over {total} that ships to {p.city}. Mind that another order'
            f" has the same grand total. {inside}",
            f"I only remember that the order had a grand total of {total} and goes to {p.city} (there is a second one"
            f' with that total, not that one). Could you leave a comment on it? It should say: "{p.text}" {inside}',
        ]

    def expected(self, before: Snapshot, p: Note) -> Expectation:
        """E.note without a mail on that order."""
        return effects.note(before, p.number, p.text, notify=False)

    def oracle(self, page: Any, p: Note) -> Moves:
        """Filter by the total, open the order whose city is right, write the comment with the tick taken away."""
        total = str(Money(p.total))
        page = yield from filtered(page, "Orders", typed=[("Total from", total), ("Total to", total)])
        number = next(line["Order"] for line in listed(page, "Orders") if line["City"] == p.city)
        page = yield click(page.find("link", number, within=("table", "Orders")))
        page = yield from _typed(page, p.text)
        yield click(page.find("button", "Add comment"))

    def calls(self, before: Snapshot, p: Note) -> Sequence[Call]:
        """One call."""
        return [calls.note(p.number, p.text, notify=False)]

    def near_misses(self, before: Snapshot, p: Note) -> Iterator[NearMiss]:
        """The twin, both, notified, twice, other words, never saved."""
        right, twin = (calls.note(number, p.text, notify=False) for number in (p.number, p.twin))
        yield NearMiss("on the other order of that total", (twin,))
        yield NearMiss("on both", (right, twin))
        yield NearMiss("the customer notified", (calls.note(p.number, p.text, notify=True),))
        yield NearMiss("noted, then sent as well", (right, calls.note(p.number, p.text, notify=True)))
        yield NearMiss("noted twice", (right, right))
        yield NearMiss("with a greeting", (calls.note(p.number, f"Note: {p.text}", notify=False),))
        yield NearMiss("the last letter lost", (calls.note(p.number, p.text[:-2], notify=False),))
        yield NearMiss("typed, not added", ui=lambda page: self._unsent(page, p))
        yield NearMiss("the tick left on", ui=lambda page: self._ticked(page, p))

    def _unsent(self, page: Any, p: Note) -> Moves:
        page = yield from open_order(page, p.number)
        yield from _typed(page, p.text)

    def _ticked(self, page: Any, p: Note) -> Moves:
        page = yield from open_order(page, p.number)
        page = yield from _typed(page, p.text, ticked=True)
        yield click(page.find("button", "Add comment"))

    def still_right(self, before: Snapshot, p: Note) -> Iterator[NearMiss]:
        """By a filter in the address, by way of the other order; with blanks around the text."""
        yield NearMiss("with blanks around it", (calls.note(p.number, f"  {p.text} ", notify=False),))
        yield NearMiss("the other order opened first", ui=lambda page: self._by_address(page, p))

    def _by_address(self, page: Any, p: Note) -> Moves:
        page = yield from open_order(page, p.twin)
        page = yield tab(page, "Comments")
        page = yield navigate(grid_address("orders", total=f"eq:{Money(p.total)}", ship_city=f"contains:{p.city}"))
        page = yield click(page.find("link", re.compile(r"^\d{6}$"), within=("main", None)))
        page = yield from _typed(page, p.text)
        yield click(page.find("button", "Add comment"))


_PLACES = """
SELECT o.number, o.email, o.total, s.city, s.city_key, b.city_key AS bill_key FROM orders o
JOIN order_addresses s ON s.order_id = o.id AND s.kind = 'shipping'
JOIN order_addresses b ON b.order_id = o.id AND b.kind = 'billing' ORDER BY o.total, o.id
"""


def _apart(one: Row, other: Row) -> bool:
    """Whether each order's city is neither a city of the other nor a part of its name."""
    keys = [(one.city_key, (other.city_key, other.bill_key)), (other.city_key, (one.city_key, one.bill_key))]
    return not any(mine in key for mine, theirs in keys for key in theirs)


def _typed(page: Any, text: str, *, ticked: bool = False) -> Moves:
    """The comment typed on an order's page, not yet added; returns the page."""
    page = yield tab(page, "Comments")
    page = yield type_(page.find("textbox", "Comment"), text)
    if ticked:
        return page
    return (yield check(page.find("checkbox", "Notify customer by e-mail"), checked=False))
