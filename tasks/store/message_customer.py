"""Send a customer a message on the newest of their pending orders."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...verifiers import NOT_FOUND, Expectation, Row, Snapshot
from ...verifiers.answers import OrderNo
from ..page import Moves, check, click, finish, navigate, type_
from ..template import Call, Kind, NearMiss, Params, interleaved
from . import calls, effects
from .admin import HOST, AdminTemplate, customer, grid_address, open_order, tab

MESSAGES = (
    "Your parcel leaves our warehouse on Friday.",
    "The color you chose is back in stock, so we can send everything together.",
    "Could you tell us a phone number for the courier?",
    "We have added a spare strap free of charge.",
    "Your order will go out one day later than planned. Sorry about that!",
    "Thank you for your patience; we are packing your order now.",
    "The gift note you asked for is included.",
    "Please check the house number in your shipping address.",
    "We can hold the parcel until you are back on 6 April if you like.",
    "Our courier delivers to your street in the afternoon only.",
)


@dataclass(frozen=True, kw_only=True)
class Message(Params):
    """Whom to tell what."""

    customer_id: int
    name: str
    email: str
    text: str
    number: str | None = None
    """The order it belongs on."""

    def entities(self) -> tuple[str, ...]:
        """The customer."""
        return (customer(self.email),)


class MessageCustomer(AdminTemplate[Message]):
    """Tell a customer something on their newest pending order, so that they are notified.

    Its twin is a customer without a pending order: NOT_FOUND. Traps: newer orders of another status, several pending
    ones, customers of the same name (T2). Also fails: an internal note, the same message twice.
    """

    id = "store.admin/message-customer"
    kind = Kind.CHANGE
    tags = ("P16", "P48", "P50", "T2")

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Message]:
        """Every active customer with a pending order; as twins as many who have orders, but none pending."""
        found: dict[tuple[bool, bool], list[Message]] = {}
        names = Counter(row.name_key for row in db.rows("customers"))
        for row, orders in _customers(db):
            pending = [order.number for order in orders if order.status == "pending"]
            p = Message(
                feasible=bool(pending),
                customer_id=row.id,
                name=f"{row.first_name} {row.last_name}".strip(),
                email=row.email,
                text=rng.choice(MESSAGES),
                number=pending[0] if pending else None,
            )
            trap = names[row.name_key] > 1 or pending[1:] or (pending and pending[0] != orders[0].number)
            found.setdefault((p.feasible, bool(trap)), []).append(p)
        for feasible in (True, False):
            yield from interleaved(rng, found.get((feasible, True), []), found.get((feasible, False), []))

    def intents(self, p: Message) -> Sequence[str]:
        """Twins say the same; names repeat in the shop, so the e-mail address is always given."""
        otherwise = (
            "Newest means placed last. If they have no pending order, send nothing, and finish with the outcome"
            " NOT_FOUND and the number of their newest order of any status as the answer."
        )
        return [
            f'Tell the customer {p.name} ({p.email}) on their newest pending order: "{p.text}" They must be notified by'
            f" e-mail. {otherwise}",
            f'Comment on the newest pending order of {p.name}, e-mail address {p.email}, and notify them: "{p.text}"'
            f" {otherwise}",
            f"Send this message to {p.name} <{p.email}>, as a comment with e-mail notification on their newest pending"
            f' order: "{p.text}" {otherwise}',
            f"{p.name}, {p.email}: please add a comment to their newest pending order, with the e-mail notification to"
            f' the customer. The text is "{p.text}" {otherwise}',
            f"Could you let {p.name} ({p.email}) know something for me? Put it as a comment on the newest order of"
            f' theirs that is pending, and have it sent to them by e-mail: "{p.text}" {otherwise}',
        ]

    def expected(self, before: Snapshot, p: Message) -> Expectation:
        """E.note with the mail on the pending order placed last, or nothing."""
        newest = before.query(
            "SELECT number FROM orders WHERE customer_id = :c AND status = 'pending' ORDER BY placed_at DESC, id DESC",
            c=p.customer_id,
        )
        if not newest:
            last = before.query(
                "SELECT number FROM orders WHERE customer_id = :c ORDER BY placed_at DESC", c=p.customer_id
            )
            return Expectation(outcome=NOT_FOUND, blocker=OrderNo(last[0].number))
        return effects.note(before, newest[0].number, p.text, notify=True)

    def oracle(self, page: Any, p: Message) -> Moves:
        """Find the customer's pending orders in the list, open the first, write the comment."""
        page = yield from self._listed(page, p)
        if not _orders(page):
            page = yield click(page.find("link", re.compile("^Remove filter Status")))
            yield finish(_orders(page)[0], NOT_FOUND)
            return
        page = yield click(page.find("link", _orders(page)[0], within=("main", None)))
        page = yield from _typed(page, p.text)
        yield click(page.find("button", "Add comment"))

    def _listed(self, page: Any, p: Message) -> Moves:
        """The pending orders under the customer's e-mail address, newest first."""
        page = yield click(page.find("link", "Orders", within=("navigation", "Main")))
        page = yield click(page.find("link", "Pending", within=("navigation", "Main")))
        return (yield type_(page.find("searchbox", "Search orders"), p.email, submit=True))

    def calls(self, before: Snapshot, p: Message) -> Sequence[Call]:
        """One call."""
        return [calls.note(p.number, p.text, notify=True)] if p.number else []

    def near_misses(self, before: Snapshot, p: Message) -> Iterator[NearMiss]:
        """Another of their orders, a namesake's, an internal note, twice, another wording, never sent."""
        end = self.finish(before, p)
        for name, number in self._others(before, p):
            yield NearMiss(f"on {name}", (calls.note(number, p.text, notify=True),), finish=end)
        if p.number is None:
            return
        right = calls.note(p.number, p.text, notify=True)
        yield NearMiss("as an internal note", (calls.note(p.number, p.text, notify=False),))
        yield NearMiss("sent twice", (right, right))
        yield NearMiss("sent, and noted internally", (right, calls.note(p.number, p.text, notify=False)))
        yield NearMiss("the last letter lost", (calls.note(p.number, p.text[:-2], notify=True),))
        yield NearMiss("with a greeting", (calls.note(p.number, f"Hello! {p.text}", notify=True),))
        yield NearMiss("typed, not sent", ui=lambda page: self._unsent(page, p))
        yield NearMiss("notification unticked", ui=lambda page: self._unticked(page, p))

    def _others(self, before: Snapshot, p: Message) -> Iterator[tuple[str, str]]:
        """Orders that somebody may take for the right one."""
        theirs = before.query(
            "SELECT number, status FROM orders WHERE customer_id = :c ORDER BY placed_at DESC, id DESC", c=p.customer_id
        )
        if theirs[0].number != p.number:
            yield "their newest order of any status", theirs[0].number
        older = [row.number for row in theirs if row.status == "pending" and row.number != p.number]
        if older:
            yield "an older pending order of theirs", older[0]
        for row in before.query(_NAMESAKES, c=p.customer_id):
            yield "a namesake's pending order", row.number
        stranger = before.query(
            "SELECT number FROM orders WHERE status = 'pending' AND customer_id IS NOT :c ORDER BY id DESC LIMIT 1",
            c=p.customer_id,
        )
        yield "a stranger's pending order", stranger[0].number

    def _unsent(self, page: Any, p: Message) -> Moves:
        page = yield from open_order(page, str(p.number))
        yield from _typed(page, p.text)

    def _unticked(self, page: Any, p: Message) -> Moves:
        page = yield from open_order(page, str(p.number))
        page = yield from _typed(page, p.text)
        page = yield check(page.find("checkbox", "Notify customer by e-mail"), checked=False)
        yield click(page.find("button", "Add comment"))

    def still_right(self, before: Snapshot, p: Message) -> Iterator[NearMiss]:
        """The order found through the customer's page, or opened by its address; an empty comment refused first."""
        yield NearMiss("by filters in the address", ui=lambda page: self._by_address(page, p))
        if p.number is None:
            return
        yield NearMiss("through the customer's page", ui=lambda page: self._by_customer(page, p))
        yield NearMiss("an empty comment first", ui=lambda page: self._empty_first(page, p))
        spaced = calls.note(p.number, f"  {p.text}\n", notify=True)
        yield NearMiss("with blanks around it", (spaced,))

    def _by_address(self, page: Any, p: Message) -> Moves:
        page = yield navigate(grid_address("orders", status="in:pending", email=f"eq:{p.email}"))
        if not _orders(page):
            page = yield navigate(grid_address("orders", email=f"eq:{p.email}"))
            yield finish(_orders(page)[0], NOT_FOUND)
            return
        page = yield click(page.find("link", _orders(page)[0], within=("main", None)))
        page = yield from _typed(page, p.text)
        yield click(page.find("button", "Add comment"))

    def _by_customer(self, page: Any, p: Message) -> Moves:
        page = yield navigate(f"{HOST}/customers/{p.customer_id}/orders")
        page = yield click(page.find("link", p.number))
        page = yield from _typed(page, p.text)
        yield click(page.find("button", "Add comment"))

    def _empty_first(self, page: Any, p: Message) -> Moves:
        page = yield from open_order(page, str(p.number))
        page = yield tab(page, "Comments")
        page = yield click(page.find("button", "Add comment"))
        page = yield type_(page.find("textbox", "Comment"), p.text)
        yield click(page.find("button", "Add comment"))


def _customers(db: Snapshot) -> Iterator[tuple[Row, list[Row]]]:
    """Active customers with their orders, newest first, where "their newest" can mean one order only.

    Left out is who ordered under another e-mail address, whose address is on somebody else's order, and who placed two
    orders at one instant.
    """
    by_customer: dict[int, list[Row]] = {}
    by_email: dict[str, set[int | None]] = {}
    for order in db.query("SELECT * FROM orders ORDER BY placed_at DESC, id DESC"):
        by_customer.setdefault(order.customer_id, []).append(order)
        by_email.setdefault(order.email.casefold(), set()).add(order.customer_id)
    for row in db.rows("customers", status="active"):
        orders = by_customer.get(row.id, [])
        own = {order.email.casefold() for order in orders} == {row.email.casefold()}
        if own and by_email[row.email.casefold()] == {row.id} and len({o.placed_at for o in orders}) == len(orders):
            yield row, orders


def _orders(page: Any) -> list[str]:
    """The numbers of the orders that a list shows, first to last."""
    return [one.name for one in page.elements("link", re.compile(r"^\d{6}$"), within=("main", None))]


def _typed(page: Any, text: str) -> Moves:
    """The comment typed on an order's page, not yet sent; returns the page."""
    page = yield tab(page, "Comments")
    return (yield type_(page.find("textbox", "Comment"), text))


_NAMESAKES = """
SELECT o.number FROM customers c JOIN customers n ON n.name_key = c.name_key AND n.id <> c.id
JOIN orders o ON o.customer_id = n.id AND o.status = 'pending' WHERE c.id = :c
ORDER BY o.placed_at DESC, o.id DESC LIMIT 1
"""
