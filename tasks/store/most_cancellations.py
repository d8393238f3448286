"""A fact about the customer with the most canceled orders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...verifiers import Expectation, Finish, Row, Snapshot
from ...verifiers.answers import Answer, Email, Int, List, Money, Phone, Text
from ..page import Moves, back, click, finish, type_
from ..template import Kind, NearMiss, Params, interleaved
from .accounts import Scope, by_account, by_address, counted, ranked, scopes
from .admin import AdminTemplate, customer
from .facts import after
from .lists import filtered, listed

MOST_ORDERS = 120
"""Canceled orders that somebody may be asked to go through."""


@dataclass(frozen=True)
class Fact:
    """One fact: `asked` completes "give", `form` says how the answer is written."""

    asked: str
    form: str
    answer: Callable[[Snapshot, Row, Scope], Answer]


@dataclass(frozen=True, kw_only=True)
class Canceler(Params):
    """The fact, and the month or region of the orders (both empty: all)."""

    fact: str
    month: str
    region: str
    email: str

    def entities(self) -> tuple[str, ...]:
        """The customer who is the answer."""
        return (customer(self.email),)

    @property
    def scope(self) -> Scope:
        """Which orders count."""
        return Scope(self.month, self.region)


class MostCancellations(AdminTemplate[Canceler]):
    """One fact about the account with the most canceled orders: name, e-mail, phone, spend, canceled SKUs or number.

    Nobody is level with that customer. Traps: orders that a guest placed under a customer's address belong to no
    account (T11). Also fails: the second, whoever has the most orders, orders of guests counted in.
    """

    id = "store.admin/most-cancellations"
    kind = Kind.RETRIEVE
    tags = ("P16", "P18", "P50", "P59", "T11")
    max_steps = 60

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Canceler]:
        """Each month, each region and all orders where one account is ahead, with each fact; each answer once."""
        seen: set[str] = set()
        trapped: list[Canceler] = []
        plain: list[Canceler] = []
        every = scopes(db, "canceled", MOST_ORDERS)
        for scope in rng.sample(every, len(every)):
            counts = by_account(db, "canceled", scope)
            first = ranked(counts, 1)
            if len(first) != 1 or max(counts.values()) < 2:
                continue
            (email,) = first
            row = db.row("customers", email=email)
            guests = by_address(db, "canceled", scope) != counts
            for fact in rng.sample(list(FACTS), len(FACTS)):
                p = Canceler(fact=fact, month=scope.month, region=scope.region, email=email)
                answer = _said(db, row, p, fact)
                told = any(re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", goal) for goal in self.intents(p))
                if answer and not told and answer.casefold() not in seen:
                    seen.add(answer.casefold())
                    (trapped if guests else plain).append(p)
        yield from interleaved(rng, trapped, plain)

    def intents(self, p: Canceler) -> Sequence[str]:
        """Guests are said to have no account."""
        fact = FACTS[p.fact]
        how = (
            "Orders placed as a guest belong to no account, whatever e-mail address they were placed with, so they"
            f" don't count. Answer with {fact.form}."
        )
        return [
            f"Which customer account has the most canceled orders{p.scope}? Give {fact.asked}. {how}",
            f"Find the customer account with the highest number of canceled orders{p.scope}, and tell me {fact.asked}."
            f" {how}",
            f"Look at the canceled orders{p.scope}: whose account has the most of them? I need {fact.asked}. {how}",
            f"Most canceled orders{p.scope}: which customer account is it? Just {fact.asked}, please. {how}",
            f"Hi, I am looking into canceled orders. Please go through those{p.scope or ' of all times'}, see which"
            f" customer account has the most of them, and report {fact.asked}. {how}",
        ]

    def expected(self, before: Snapshot, p: Canceler) -> Expectation:
        """The fact about the one account that is ahead."""
        (email,) = ranked(by_account(before, "canceled", p.scope), 1)
        return Expectation(answer=FACTS[p.fact].answer(before, before.row("customers", email=email), p.scope))

    def oracle(self, page: Any, p: Canceler) -> Moves:
        """Count the addresses in the list of canceled orders; see which orders of those in front are a guest's."""
        page, counts = yield from counted(page, "canceled", p.scope)
        page = yield from filtered(page, "Orders", choices=[("Status", "Canceled"), *p.scope.choices],
                                   typed=p.scope.typed)  # fmt: skip
        best, own, skus = "", 0, set[str]()
        for email, number in counts.most_common():
            if number <= own:
                break
            page = yield type_(page.find("searchbox", "Search orders"), email, submit=True)
            page, orders, held = yield from _own_orders(page)
            best, own, skus = (email, orders, held) if orders > own else (best, own, skus)
        if p.fact == "count":
            yield finish(str(own))
        elif p.fact == "skus":
            yield finish(str(List([Text(sku) for sku in sorted(skus)])))
        else:
            page = yield click(page.find("link", "Customers", within=("navigation", "Main")))
            page = yield type_(page.find("searchbox", "Search customers"), best, submit=True)
            page = yield click(page.elements("link", within=("row", re.compile(re.escape(best))))[0].ref)
            yield finish(_READ[p.fact](page))

    def near_misses(self, before: Snapshot, p: Canceler) -> Iterator[NearMiss]:
        """The fact about others: second, ahead in all orders or with guests; other facts of the right one."""
        right = self.finish(before, p)
        counts = by_account(before, "canceled", p.scope)
        others = {
            "the second": ranked(counts, 2),
            "ahead where guests count": ranked(by_address(before, "canceled", p.scope), 1),
            "ahead in orders of every status": ranked(by_account(before, None, p.scope), 1),
            "ahead in completed orders": ranked(by_account(before, "complete", p.scope), 1),
            "ahead of all times": ranked(by_account(before, "canceled", Scope()), 1),
        }
        said = {}
        for name, emails in others.items():
            for row in before.rows("customers", email=sorted(emails))[:1]:
                said[name] = _said(before, row, p, p.fact)
        row = before.row("customers", email=p.email)
        said |= {f"their {fact}": _said(before, row, p, fact) for fact in FACTS if fact != p.fact}
        for name, answer in said.items():
            if answer and answer.casefold() != str(right.answer).casefold():
                yield NearMiss(name, finish=Finish(answer))

    def still_right(self, before: Snapshot, p: Canceler) -> Iterator[NearMiss]:
        """Customers looked at first; spelled otherwise."""
        yield NearMiss("customers looked at first", ui=lambda page: self._detour(page, p))
        right = self.finish(before, p)
        loud = str(right.answer).upper()
        yield NearMiss("with blanks and in capitals", finish=Finish(f" {loud} "))

    def _detour(self, page: Any, p: Canceler) -> Moves:
        page = yield click(page.find("link", "Customers", within=("navigation", "Main")))
        yield from self.oracle(page, p)


def _said(before: Snapshot, row: Row, p: Canceler, fact: str) -> str:
    """The answer that would be right for this account; empty where it has no such thing."""
    if (fact == "phone" and not row.phone) or not by_account(before, "canceled", p.scope).get(row.email.casefold()):
        return ""
    return str(FACTS[fact].answer(before, row, p.scope))


def _own_orders(page: Any) -> Moves:
    """Open the orders listed one by one; returns the page, how many are an account's, and the SKUs in those."""
    own, skus = 0, set[str]()
    for number in [line["Order"] for line in listed(page, "Orders")]:
        page = yield click(page.find("link", number, within=("table", "Orders")))
        if not any(one.text == "Guest" for one in page.elements("generic", within=("region", "Customer"))):
            own += 1
            skus.update(_sku(row) for row in page.elements("row", within=("table", "Items"))[1:])
        page = yield back()
    return page, own, skus


def _sku(row: Any) -> str:
    """The SKU of a line, which stands last beneath the name of the product."""
    return [str(one.text) for one in row.children[0].walk() if one.text and not one.children][-1]


def _skus(before: Snapshot, row: Row, scope: Scope) -> Answer:
    lines = before.query(
        "SELECT DISTINCT i.sku FROM orders o JOIN order_items i ON i.order_id = o.id JOIN order_addresses a"
        " ON a.order_id = o.id AND a.kind = 'shipping' WHERE o.customer_id = :c AND o.status = 'canceled'"
        " AND (:month = '' OR substr(o.placed_at, 1, 7) = :month)"
        " AND (:region = '' OR a.country || '-' || a.region = :region) ORDER BY i.sku",
        c=row.id,
        month=scope.month,
        region=scope.region,
    )
    return List([Text(line.sku) for line in lines])


def _spend(before: Snapshot, row: Row, scope: Scope) -> Answer:
    orders = before.rows("orders", customer_id=row.id, status="complete")
    return Money(sum(order.total - order.refunded for order in orders))


FACTS = {
    "name": Fact(
        "the first and last name in that account",
        "the name only",
        lambda _, row, __: Text(f"{row.first_name} {row.last_name}".strip()),
    ),
    "email": Fact("the e-mail address of that account", "the e-mail address only", lambda _, row, __: Email(row.email)),
    "phone": Fact(
        "the phone number in that account",
        "the phone number only, with its country code",
        lambda _, row, __: Phone(row.phone),
    ),
    "skus": Fact(
        "the SKUs in those canceled orders of that account, each once", "a JSON array of the SKUs, in any order", _skus
    ),
    "spend": Fact(
        "what that account has spent in all (totals of all its complete orders less refunds, which the shop shows as"
        " Spend)",
        "an amount such as 41.50",
        _spend,
    ),
    "count": Fact(
        "the number of those canceled orders of that account",
        "a whole number in digits",
        lambda before, row, scope: Int(by_account(before, "canceled", scope).get(row.email.casefold(), 0)),
    ),
}
_READ: dict[str, Callable[[Any], str]] = {
    "name": lambda page: str(page.elements("heading", within=("main", None))[0].name),
    "email": lambda page: str(page.text_of(page.find("textbox", "E-mail"))),
    "phone": lambda page: str(page.text_of(page.find("textbox", "Phone"))),
    "spend": after("Spend"),
}
"""Facts as an account's page shows them."""
