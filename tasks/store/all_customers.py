"""Show all customers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from ...verifiers import Expectation, Snapshot, ViewExpectation
from ..page import Move, Moves, click, navigate, type_
from ..template import Kind, NearMiss, Params
from .admin import HOST, AdminTemplate, grid_address
from .lists import sorted_by

SORTS = {
    "": ("", ""),
    "name": ("Name", "by last name from A to Z"),
    "-name": ("Name", "by last name from Z to A"),
    "email": ("E-mail", "by e-mail address from A to Z"),
    "-email": ("E-mail", "by e-mail address from Z to A"),
    "city": ("City", "by city from A to Z"),
    "-city": ("City", "by city from Z to A"),
    "orders_count": ("Orders", "by number of orders, the fewest first"),
    "-orders_count": ("Orders", "by number of orders, the most first"),
    "spend": ("Spend", "by spend, the lowest first"),
    "-spend": ("Spend", "by spend, the highest first"),
    "last_order": ("Last order", "by date of the last order, the longest ago first"),
    "-last_order": ("Last order", "by date of the last order, the most recent first"),
}
"""Sort to the heading that makes it and the words that ask for it; the first leaves it open."""


@dataclass(frozen=True, kw_only=True)
class Everybody(Params):
    """In what order."""

    sort: str

    def entities(self) -> tuple[str, ...]:
        """The order: there is nobody whom this task is about."""
        return (f"sort-of-customers:{self.sort or 'open'}",)


class AllCustomers(AdminTemplate[Everybody]):
    """Open the list of all customers, without any filter or search word; sorted as asked, where it is asked.

    The episode begins on a list that is filtered and searched. Also fails: a filter or word left over, another list.
    """

    id = "store.admin/all-customers"
    kind = Kind.NAVIGATE
    tags = ("P16", "P18")
    start_url: ClassVar[str] = f"{HOST}/customers?f=group:in:vip&q=a&sort=-created_at"
    detour = "/orders"
    max_steps = 15
    few = "the list can be sorted by six columns, either way, or not at all"

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Everybody]:
        """Each sort once."""
        for sort in rng.sample(list(SORTS), len(SORTS)):
            yield Everybody(sort=sort)

    def intents(self, p: Everybody) -> Sequence[str]:
        """All means without filter and search words."""
        order = f", sorted {SORTS[p.sort][1]}" if p.sort else ""
        return [
            f"Show all customers{order}. Finish while their list is on screen, with no filter and no search word.",
            f"Open the list of all our customers{order}, unfiltered and without a search word. Leave it open.",
            f"I want to see the complete list of customers{order}: no filters, nothing in the search. Finish while it"
            " is open.",
            f"Full customer list{order}, please. No filters, no search. Leave it on screen.",
            f"Somebody left a filter and a search on the customers. Could you get me back to the whole list{order}? No"
            " filter or search word may be left; just leave the list open.",
        ]

    def expected(self, before: Snapshot, p: Everybody) -> Expectation:
        """The list of customers without filters."""
        sort = (p.sort,) if p.sort else None
        return Expectation(view=ViewExpectation(path="/customers", host=HOST.removeprefix("http://"), sort=sort))

    def oracle(self, page: Any, p: Everybody) -> Moves:
        """Customers in the menu; then the column's heading."""
        page = yield click(page.find("link", "Customers", within=("navigation", "Main")))
        yield from _sorted(page, p)

    def near_misses(self, before: Snapshot, p: Everybody) -> Iterator[NearMiss]:
        """Something left over, another list, another sort."""
        sort = f"sort={p.sort}" if p.sort else ""
        opened = {
            "a filter left over": grid_address("customers", group="in:vip") + f"&{sort}",
            "a search word left over": f"{HOST}/customers?q=a&{sort}",
            "active ones only": grid_address("customers", status="in:active") + f"&{sort}",
            "every status ticked": grid_address("customers", status="in:active|blocked|merged|erased") + f"&{sort}",
            "the orders": f"{HOST}/orders",
            "the form for a new one": f"{HOST}/customers/new",
            "one customer": f"{HOST}/customers/1",
        }
        for name, address in opened.items():
            yield NearMiss(name, ui=_go(navigate(address)))
        if p.sort:
            reverse = p.sort.removeprefix("-") if p.sort.startswith("-") else f"-{p.sort}"
            yield NearMiss("the other way round", ui=_go(navigate(f"{HOST}/customers?sort={reverse}")))
            other = "email" if "email" not in p.sort else "spend"
            yield NearMiss("sorted by something else", ui=_go(navigate(f"{HOST}/customers?sort={other}")))
        yield NearMiss("the right list, then the dashboard", ui=_go(navigate(_right(p)), navigate(f"{HOST}/")))
        yield NearMiss("nothing but the filter removed", ui=self._half)

    def _half(self, page: Any) -> Moves:
        yield click(page.find("link", "Remove filter Group"))

    def still_right(self, before: Snapshot, p: Everybody) -> Iterator[NearMiss]:
        """By its address, another page, a second sort column; taking away what is left over; after a wrong search."""
        yield NearMiss("by its address", ui=_go(navigate(_right(p))))
        yield NearMiss("the second page", ui=_go(navigate(_right(p) + "&page=2")))
        if p.sort:
            further = "email" if "email" not in p.sort else "spend"
            yield NearMiss("ties sorted as well", ui=_go(navigate(f"{_right(p)},{further}")))
        yield NearMiss("a search first", ui=lambda page: self._searched(page, p))
        yield NearMiss("everything left over removed", ui=lambda page: self._removed(page, p))

    def _searched(self, page: Any, p: Everybody) -> Moves:
        page = yield type_(page.find("searchbox", "Search customers"), "lee", submit=True)
        page = yield click(page.find("link", "All customers", within=("navigation", "Main")))
        yield from _sorted(page, p)

    def _removed(self, page: Any, p: Everybody) -> Moves:
        page = yield click(page.find("link", "Clear all", within=("list", "Active filters")))
        yield from _sorted(page, p)


def _right(p: Everybody) -> str:
    return f"{HOST}/customers?sort={p.sort or 'name'}"


def _sorted(page: Any, p: Everybody) -> Moves:
    """The column's heading clicked until the list is sorted as asked; returns the page."""
    return (yield from sorted_by(page, SORTS[p.sort][0], p.sort, usual="name")) if p.sort else page


def _go(*moves: Move) -> Any:
    def play(page: object) -> Moves:
        for move in moves:  # noqa: UP028 (a tuple's iterator can't be sent pages)
            yield move

    return play
