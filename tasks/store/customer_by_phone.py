"""Whose account has a phone number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...sites.kit.phones import written
from ...verifiers import Expectation, Finish, Snapshot
from ...verifiers.answers import Email, Record, Text
from ..page import Moves, click, finish, navigate, type_
from ..template import Kind, NearMiss, Params, interleaved
from .admin import HOST, AdminTemplate, customer, look_alike, mistakable


@dataclass(frozen=True, kw_only=True)
class Phone(Params):
    """The number as it is kept, and as it is asked for."""

    phone: str
    shown: str
    email: str

    def entities(self) -> tuple[str, ...]:
        """The customer who is looked for."""
        return (customer(self.email),)


class CustomerByPhone(AdminTemplate[Phone]):
    """Name and e-mail address of the customer account with a given phone number, as a record.

    Traps: the number is written in another form than the shop shows it (T14), orders carry other names. Also fails: the
    customer whose number differs in one digit, the name on a guest's order.
    """

    id = "store.admin/customer-by-phone"
    kind = Kind.RETRIEVE
    tags = ("P16", "P50", "T14")
    max_steps = 25
    detour = "/orders"

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Phone]:
        """Every active account with a number of its own; those with a look-alike or another name in turn."""
        rows = db.query(
            "SELECT phone, email FROM customers c WHERE c.status = 'active' AND phone IS NOT NULL AND NOT EXISTS"
            " (SELECT 1 FROM customers o WHERE o.phone = c.phone AND o.id <> c.id) ORDER BY id"
        )
        alike = mistakable(row.phone for row in rows)
        others = {row.phone for row in db.query(_OTHER_NAMES)}
        found: dict[bool, list[Phone]] = {True: [], False: []}
        named: list[Phone] = []
        for row in rows:
            p = Phone(phone=row.phone, shown=_shown(row.phone, rng), email=row.email)
            (named if p.phone in others else found[p.phone in alike]).append(p)
        yield from interleaved(rng, named, found[True], found[False])

    def intents(self, p: Phone) -> Sequence[str]:
        """The number as people write it."""
        how = 'Answer with a JSON object: {"name": first and last name, "email": e-mail address}.'
        return [
            f"Which customer account has the phone number {p.shown}? {how}",
            f"Somebody called from {p.shown}. Find the customer account with this phone number. {how}",
            f"I need the name and e-mail address of the customer account whose phone number is {p.shown}. {how}",
            f"Phone {p.shown}: whose customer account is that? {how}",
            f"Hey, I have a missed call from {p.shown} on the shop's phone. Can you look up which customer account has"
            f" that number? {how}",
            f"A note on my desk says only to call back {p.shown}. There is a customer account with this phone number;"
            f" please tell me whose it is. {how}",
        ]

    def expected(self, before: Snapshot, p: Phone) -> Expectation:
        """The account's own name and address."""
        row = before.row("customers", phone=p.phone)
        name = f"{row.first_name} {row.last_name}".strip()
        return Expectation(answer=Record({"name": Text(name), "email": Email(row.email)}))

    def oracle(self, page: Any, p: Phone) -> Moves:
        """Search the customers for the number, open the one found, read name and address."""
        page = yield click(page.find("link", "Customers", within=("navigation", "Main")))
        page = yield type_(page.find("searchbox", "Search customers"), p.shown, submit=True)
        yield from self._read(page)

    def _read(self, page: Any) -> Moves:
        row = next(one for one in page.elements("row") if re.search(r"\S+@\S+", one.text))
        name = page.elements("link", within=row)[0].name
        email = re.search(r"[^\s@]+@[^\s@]+", row.text)
        assert email is not None
        yield finish(str(Record({"name": Text(name), "email": Email(email[0])})))

    def near_misses(self, before: Snapshot, p: Phone) -> Iterator[NearMiss]:
        """The look-alike number's account, and mixtures of the two."""
        right = before.row("customers", phone=p.phone)
        other = look_alike(p.phone, (row.phone for row in before.rows("customers", status="active") if row.phone))
        if other is not None:
            twin = before.rows("customers", phone=other)[0]
            yield NearMiss("the look-alike number's account", finish=_said(twin.first_name, twin.last_name, twin.email))
            yield NearMiss("the e-mail of another", finish=_said(right.first_name, right.last_name, twin.email))
        yield NearMiss("surname only", finish=_said("", right.last_name, right.email))
        guest = before.query(
            "SELECT a.full_name, o.email FROM order_addresses a JOIN orders o ON o.id = a.order_id"
            " WHERE a.phone = :phone AND lower(o.email) <> lower(:email) ORDER BY o.id LIMIT 1",
            phone=p.phone,
            email=p.email,
        )
        for row in guest:
            yield NearMiss("the name on a guest's order", finish=_said("", row.full_name, row.email))

    def still_right(self, before: Snapshot, p: Phone) -> Iterator[NearMiss]:
        """The number as it is kept, the global search, other spellings of the answer."""
        row = before.row("customers", phone=p.phone)
        lines = Finish(f"Name: {row.first_name} {row.last_name}\nE-mail: {row.email.upper()}")
        yield NearMiss("answered line by line", finish=lines)
        yield NearMiss("by an address with the number in it", ui=lambda page: self._by_address(page, p))

    def _by_address(self, page: Any, p: Phone) -> Moves:
        page = yield navigate(f"{HOST}/customers?q={p.phone.removeprefix('+')}")
        yield from self._read(page)


_OTHER_NAMES = """
SELECT DISTINCT c.phone FROM customers c JOIN order_addresses a ON a.phone = c.phone
WHERE a.full_name <> c.first_name || ' ' || c.last_name
"""


def _said(first: str, last: str, email: str) -> Finish:
    return Finish(str(Record({"name": Text(f"{first} {last}".strip()), "email": Email(email)})))


def _shown(phone: str, rng: Random) -> str:
    """A number as somebody might write it."""
    usual = written(phone)
    if not phone.startswith("+1"):
        return rng.choice([phone, usual, usual.replace(" ", "-").replace("+44-", "+44 ").replace("+49-", "+49 ")])
    area, exchange, line = phone[2:5], phone[5:8], phone[8:]
    forms = [f"({area}) {exchange}-{line}", f"{area}.{exchange}.{line}", f"{area}-{exchange}-{line}", phone]
    return rng.choice([*forms, f"+1 {area} {exchange} {line}"])
