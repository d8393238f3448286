"""Facts of an order: how each is asked for, what the right answer is, and where the order's page shows it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...verifiers import Row, Snapshot
from ...verifiers.answers import Answer, Date, Email, Money, OrderNo, Text


@dataclass(frozen=True)
class Fact:
    """One fact: `asked` completes "give …", `form` says how the answer is to be written."""

    asked: str
    form: str
    answer: Callable[[Snapshot, Row], Answer]
    """From the database and the order's row."""
    read: Callable[[Any], str]
    """From the order's page, as a person reads it."""


def _name_in(kind: str) -> Callable[[Snapshot, Row], Answer]:
    return lambda before, order: Text(before.row("order_addresses", order_id=order.id, kind=kind).full_name)


def _first_line(region: str) -> Callable[[Any], str]:
    """The first line of an address as the page shows it."""

    def read(page: Any) -> str:
        lines = [one for one in page.elements("generic", within=("region", region)) if not one.children and one.text]
        return str(lines[0].text)

    return read


def after(term: str) -> Callable[[Any], str]:
    """What stands beside a term in a list of terms."""

    def read(page: Any) -> str:
        pairs = [*page.elements("term"), *page.elements("definition")]
        holder = next(one for one in page.elements("generic") if [c.text for c in one.children[:1]] == [term])
        assert pairs
        return str(holder.children[1].text)

    return read


def _placed(page: Any) -> str:
    line = next(one.text for one in page.elements("generic") if one.text.startswith("Placed "))
    return str(re.match(r"Placed (\w+ \d+, \d{4})", line)[1])  # type: ignore[index]


def _email(page: Any) -> str:
    text = page.text_of(page.find("region", "Customer"))
    return str(re.search(r"[^\s@]+@[^\s@]+", text)[0])  # type: ignore[index]


def _number(page: Any) -> str:
    return str(re.search(r"/orders/(\d+)", page.url)[1])  # type: ignore[index]


FACTS = {
    "placed": Fact(
        "the date on which it was placed", "a date as YYYY-MM-DD", lambda _, order: Date(order.placed_at[:10]), _placed
    ),
    "billing_name": Fact(
        "the full name in its billing address",
        "the name only",
        _name_in("billing"),
        _first_line("Billing address"),
    ),
    "shipping_name": Fact(
        "the full name in its shipping address",
        "the name only",
        _name_in("shipping"),
        _first_line("Shipping address"),
    ),
    "email": Fact("the e-mail address it was placed with", "the address only", lambda _, o: Email(o.email), _email),
    "total": Fact("its grand total", "an amount such as 41.50", lambda _, o: Money(o.total), after("Grand total")),
    "number": Fact("its order number", "the number only", lambda _, o: OrderNo(o.number), _number),
}
