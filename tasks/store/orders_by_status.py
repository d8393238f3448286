"""Show the orders of one status."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...sites.store.labels import ORDER_STATUS
from ...verifiers import Expectation, Snapshot, ViewExpectation
from ..page import Attempt, Move, Moves, click, navigate
from ..template import Kind, NearMiss, Params
from .admin import HOST, AdminTemplate, chosen, grid_address, panel


@dataclass(frozen=True, kw_only=True)
class Status(Params):
    """Which status."""

    status: str

    def entities(self) -> tuple[str, ...]:
        """The status itself: there is nobody whom this task is about."""
        return (f"status:{self.status}",)


class OrdersByStatus(AdminTemplate[Status]):
    """Open the orders list showing only the orders of one status.

    Graded by the list that the active tab shows at the end: the path, that one filter and no other, no search words.
    Sorting, paging and page size are free. Also fails: a second status ticked, a text search, another list.
    """

    id = "store.admin/orders-by-status"
    kind = Kind.NAVIGATE
    tags = ("P16", "P01")
    max_steps = 25
    few = "an order has one of seven statuses"

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Status]:
        """Every status that some order has."""
        found = {row.status for row in db.query("SELECT DISTINCT status FROM orders")}
        for status in rng.sample(sorted(found), len(found)):
            yield Status(status=status)

    def intents(self, p: Status) -> Sequence[str]:
        """The status as the shop calls it, in quotes."""
        status = ORDER_STATUS[p.status]
        return [
            f'Open the orders list and show only the orders with the status "{status}". Leave that list open.',
            f'Show me the list of all orders whose status is "{status}", and no others. Finish while it is on screen.',
            f'I need the orders list filtered by status, so that only "{status}" is left. Finish while it is open.',
            f'Orders, status "{status}" only, no other filter. Leave it on screen.',
            f"Hi, could you put up the orders list for me? Filter it by the status"
            f' "{status}" and nothing else, and leave it open when you are done.',
            f'I am about to go through everything that is "{status}" with a colleague. Please have the orders list'
            " ready on screen with exactly that status as its only filter.",
        ]

    def expected(self, before: Snapshot, p: Status) -> Expectation:
        """The orders list, filtered by this status alone."""
        return Expectation(view=_shown(p.status))

    def oracle(self, page: Any, p: Status) -> Moves:
        """Orders, filters, the status, apply."""
        page = yield from _filter(page, [ORDER_STATUS[p.status]])
        yield click(page.find("button", "Apply filters"))

    def near_misses(self, before: Snapshot, p: Status) -> Iterator[NearMiss]:
        """Lists that come close: more, less, other, or not applied."""
        other = next(status for status in ORDER_STATUS if status != p.status)
        word = ORDER_STATUS[p.status]
        opened = {
            "a second status ticked": grid_address("orders", status=f"in:{p.status}|{other}"),
            "another status": grid_address("orders", status=f"in:{other}"),
            "everything but this status": grid_address("orders", status=f"ne:{p.status}"),
            "no filter": grid_address("orders"),
            "a text search": f"{HOST}/orders?q={word.replace(' ', '+')}",
            "the filter and a search": grid_address("orders", status=f"in:{p.status}") + "&q=100",
            "a further filter": grid_address("orders", status=f"in:{p.status}", total="gte:1.00"),
            "the customers": f"{HOST}/customers",
            "the invoices": f"{HOST}/invoices",
            "a list that does not exist": f"{HOST}/order?f=status:in:{p.status}",
        }
        for name, address in opened.items():
            yield NearMiss(name, ui=_go(navigate(address)))
        yield NearMiss("the right list, then the dashboard", ui=_go(navigate(_right(p)), navigate(f"{HOST}/")))
        yield NearMiss("chosen, not applied", ui=lambda page: _filter(page, [word]))
        yield NearMiss("a second status chosen", ui=lambda page: self._second(page, word, ORDER_STATUS[other]))

    def _second(self, page: Any, word: str, other: str) -> Moves:
        page = yield from _filter(page, [word, other])
        yield click(page.find("button", "Apply filters"))

    def still_right(self, before: Snapshot, p: Status) -> Iterator[NearMiss]:
        """By address, sorted otherwise, on the second page, after a wrong list."""
        yield NearMiss("by its address", ui=_go(navigate(_right(p))))
        yield NearMiss("sorted by total", ui=_go(navigate(f"{_right(p)}&sort=-total")))
        yield NearMiss("another page size", ui=_go(navigate(f"{_right(p)}&size=100")))
        wrong = grid_address("orders", status="in:pending|complete")
        yield NearMiss("a wrong list first", ui=_go(navigate(wrong), navigate(_right(p))))
        yield NearMiss("a wrong filter cleared", ui=lambda page: self._cleared(page, p))
        if p.status in ("pending", "on_hold", "fraud_review"):
            yield NearMiss("by the menu", ui=lambda page: self._menu(page, ORDER_STATUS[p.status]))

    def _cleared(self, page: Any, p: Status) -> Moves:
        page = yield navigate(grid_address("orders", pay_method="in:card"))
        page = yield click(page.find("link", "Remove filter Payment"))
        yield from self.oracle(page, p)

    def _menu(self, page: Any, word: str) -> Moves:
        page = yield click(page.find("link", "Orders", within=("navigation", "Main")))
        yield click(page.find("link", word, within=("navigation", "Main")))


def _shown(status: str) -> ViewExpectation:
    return ViewExpectation(path="/orders", host=HOST.removeprefix("http://"), filters={"status": [["in", [status]]]})


def _right(p: Status) -> str:
    return grid_address("orders", status=f"in:{p.status}")


def _filter(page: Any, words: Sequence[str]) -> Moves:
    """Choose statuses in the panel of filters, without applying them; returns the page."""
    page = yield from panel(page, "Orders")
    for word in words:
        page = yield from chosen(page, "Status", word)
    return page


def _go(*moves: Move) -> Attempt:
    def play(page: object) -> Moves:
        for move in moves:  # noqa: UP028 (a tuple's iterator can't be sent pages)
            yield move

    return play
