"""What the templates of ShopAdmin share: words for codes, look-alike numbers, and ways through its pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from ...verifiers import Snapshot
from ..page import Move, Moves, click, navigate, press, type_
from ..template import NearMiss, P, Template, Unrelated
from . import calls

HOST = "http://admin.shop.localhost"


class AdminTemplate(Template[P]):
    """A template played in ShopAdmin."""

    def unrelated(self, before: Snapshot, p: P) -> Iterator[Unrelated]:
        """Hold some other customer's pending order, and release it."""
        values = [value if isinstance(value, tuple) else (value,) for value in p.to_dict().values()]
        about = {str(one) for value in values for one in value}
        for order in before.rows("orders", status="pending"):
            if not about & {order.number, order.email} and f"customer:{order.email.casefold()}" not in p.entities():
                yield Unrelated((calls.hold(order.number),), (calls.unhold(order.number),))
                return

    def asides(self, p: P) -> Iterator[NearMiss]:
        """Open the help, and save a view of a list."""
        yield NearMiss("the help opened and a view saved first", ui=lambda page: self._aside(page, p))

    def _aside(self, page: Any, p: P) -> Moves:
        page = yield click(page.find("button", "Help"))
        yield press("Escape")
        page = yield navigate(grid_address("shipments", carrier="in:dhl"))
        page = yield click(page.find("button", "Views"))
        page = yield click(page.find("menuitem", re.compile("^Save as new view")))
        page = yield type_(page.find("textbox", "Name", within=("dialog", None)), "Parcels with DHL")
        yield click(page.find("button", "Save view", within=("dialog", None)))
        page = yield navigate(self.start(p))
        yield from self.oracle(page, p)


def customer(email: str) -> str:
    """The entity that a customer is, by e-mail address; guests count as who they say they are."""
    return f"customer:{email.casefold()}"


def product(before: Snapshot, variant_id: int) -> str:
    """The entity that a variant's product is."""
    return f"product:{before.row('variants', id=variant_id).product_id}"


def look_alike(number: str, among: Iterable[str]) -> str | None:
    """The number that is easiest to mistake for `number`: most digits alike in place; None where there is no other."""
    others = sorted(other for other in among if other != number)
    return min(others, key=lambda other: (_unlike(number, other), other), default=None)


def neighbours(number: str) -> int:
    """The same for orders with numbers in a row: as new as each other, so that a number tells nothing about a twin."""
    return int(number) // 50


def mistakable(numbers: Iterable[str]) -> set[str]:
    """Those of the numbers that differ from another one in a single place."""
    by_gap: dict[tuple[int, str], set[str]] = {}
    for number in numbers:
        for place in range(len(number)):
            by_gap.setdefault((place, number[:place] + number[place + 1 :]), set()).add(number)
    return {number for group in by_gap.values() if len(group) > 1 for number in group}


def _unlike(one: str, other: str) -> int:
    if len(one) != len(other):
        return 99
    return sum(a != b for a, b in zip(one, other, strict=True))


def open_order(page: Any, number: str) -> Moves:
    """Go to an order's page through the search at the top; returns the page."""
    page = yield type_(page.find("combobox", "Search everything"), number, submit=True)
    if f"/orders/{number}" not in page.url:
        page = yield click(page.find("link", re.compile(rf"(^|\D){number}(\D|$)")))
    return page


def tab(page: Any, name: str) -> Move:
    """Open one of the tabs of an order's page."""
    return click(page.find("link", re.compile(rf"^{name}\b"), within=("navigation", "Order")))


def grid_address(grid: str, **filters: str) -> str:
    """The address of a list with filters, each written `op:value`."""
    terms = "&".join(f"f={quote(f'{column}:{term}', safe=':|')}" for column, term in filters.items())
    return f"{HOST}/{grid}?{terms}" if terms else f"{HOST}/{grid}"


def panel(page: Any, grid: str) -> Moves:
    """Open a list from the menu, and its panel of filters; returns the page."""
    page = yield click(page.find("link", grid, within=("navigation", "Main")))
    return (yield click(page.find("button", "Filters")))


def chosen(page: Any, filter_name: str, option: str) -> Moves:
    """Choose an option in one of the panel's boxes, without applying it; returns the page."""
    page = yield type_(page.find("combobox", filter_name), option)
    return (yield press("Enter"))
