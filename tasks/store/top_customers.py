"""Who has the most, second most … or exactly so many completed orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...verifiers import Expectation, Finish, Snapshot
from ...verifiers.answers import Email, List
from ..page import Moves, click, finish, type_
from ..template import Kind, NearMiss, Params, interleaved
from .accounts import Counts, Scope, by_account, by_address, counted, ranked, scopes
from .admin import AdminTemplate, customer
from .lists import count, filtered, listed, sorted_by

RANKS = {1: "most", 2: "second most", 3: "third most", 4: "fourth most", 5: "fifth most"}
MOST_ORDERS = 100
"""Orders that somebody may be asked to go through."""
MOST_ACCOUNTS = 16
"""Accounts that somebody may be asked to look into."""
MOST_NAMED = 6


@dataclass(frozen=True, kw_only=True)
class Top(Params):
    """The place (1 is the most) or the exact number, and the month or region of the orders (both empty: all)."""

    rank: int
    exactly: int
    month: str
    region: str
    emails: tuple[str, ...]

    def entities(self) -> tuple[str, ...]:
        """The customers who are the answer."""
        return tuple(map(customer, self.emails))

    @property
    def scope(self) -> Scope:
        """Which orders count."""
        return Scope(self.month, self.region)


class TopCustomers(AdminTemplate[Top]):
    """E-mail addresses of the customers with the k-th most or exactly N completed orders, all who are level.

    Asked for only where orders counted by account and by e-mail address give the same, and where nobody above shares a
    place. Also fails: counting orders of every status, one of those who are level, the next place.
    """

    id = "store.admin/top-customers"
    kind = Kind.RETRIEVE
    tags = ("P16", "P18", "P59", "T21")
    max_steps = 60

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Top]:
        """Places and exact numbers among all orders, those of a month or to a region; each set of customers once."""
        totals = by_account(db, None, Scope())
        seen: set[tuple[str, ...]] = set()
        trapped: list[Top] = []
        plain: list[Top] = []
        every = scopes(db, "complete", MOST_ORDERS)
        for scope in rng.sample(every, len(every)):
            accounts, mails = (of(db, "complete", scope) for of in (by_account, by_address))
            highest = max(accounts.values(), default=0)
            wishes = [(rank, 0) for rank in RANKS] + [(0, number) for number in range(2, highest + 1)]
            for rank, exactly in rng.sample(wishes, len(wishes)):
                emails = _meant(accounts, rank, exactly)
                within = max((accounts[email] for email in emails), default=0)
                near = scope != Scope() or sum(number >= within for number in totals.values()) <= MOST_ACCOUNTS
                same = emails == _meant(mails, rank, exactly)
                if same and near and within > 1 and 0 < len(emails) <= MOST_NAMED and emails not in seen:
                    seen.add(emails)
                    p = Top(rank=rank, exactly=exactly, month=scope.month, region=scope.region, emails=emails)
                    (trapped if len(emails) > 1 or scope == Scope() else plain).append(p)
        yield from interleaved(rng, trapped, plain)

    def intents(self, p: Top) -> Sequence[str]:
        """Completed is a status; ties are to be named in full."""
        number = f"the {RANKS[p.rank]}" if p.rank else f"exactly {p.exactly}"
        which = f"completed orders{p.scope}"
        how = (
            "Completed means that the status of the order is Complete now. Answer with a JSON array of e-mail"
            " addresses, all of them if several customers are level."
        )
        return [
            f"Which customer or customers have {number} {which}? {how}",
            f"Find out who has {number} {which}. {how}",
            f"I need the e-mail address of every customer with {number} {which}. {how}",
            f"E-mail addresses, please, of whoever has {number} {which}. {how}",
            f"We are sending out thank-you cards. Could you look up which of our customers has {number} {which}? {how}",
        ]

    def expected(self, before: Snapshot, p: Top) -> Expectation:
        """The e-mail addresses, in any order."""
        return Expectation(answer=_answer(_meant(by_account(before, "complete", p.scope), p.rank, p.exactly)))

    def oracle(self, page: Any, p: Top) -> Moves:
        """Count the addresses in the list of a month; of all times look into those with the most orders."""
        if p.scope == Scope():
            counts = yield from self._looked_into(page, p)
        else:
            _, counts = yield from counted(page, "complete", p.scope)
        yield finish(str(_answer(_meant(dict(counts), p.rank, p.exactly))))

    def _looked_into(self, page: Any, p: Top) -> Moves:
        """Customers by orders, as long as they may matter; each one's completed orders by a search."""
        page = yield click(page.find("link", "Customers", within=("navigation", "Main")))
        page = yield from sorted_by(page, "Orders", "-orders_count", usual="name")
        lines = listed(page, "Customers")
        page = yield from filtered(page, "Orders", choices=[("Status", "Complete")])
        counts: Counts = {}
        for line in lines:
            levels = sorted(set(counts.values()), reverse=True)
            enough = p.exactly or (levels[p.rank - 1] if len(levels) >= p.rank else 0)
            if int(line["Orders"]) < enough:
                break
            page = yield type_(page.find("searchbox", "Search orders"), line["E-mail"], submit=True)
            counts[line["E-mail"]] = count(page)
        return counts

    def near_misses(self, before: Snapshot, p: Top) -> Iterator[NearMiss]:
        """Other statuses, other places, other months, some of those who are level."""
        right = set(p.emails)
        completed = by_account(before, "complete", p.scope)
        said = {
            "orders of every status": _meant(by_account(before, None, p.scope), p.rank, p.exactly),
            "closed ones": _meant(by_account(before, "closed", p.scope), p.rank, p.exactly),
            "the next place": _next(completed, p, 1),
            "the place above": _next(completed, p, -1),
            "of all orders": _meant(by_account(before, "complete", Scope()), p.rank, p.exactly),
            "at least so many": tuple(sorted(e for e, n in completed.items() if p.exactly and n >= p.exactly)),
            "the last of them left out": p.emails[:-1],
            "somebody more": (*p.emails, *sorted(set(completed) - right)[:1]),
            "somebody else": tuple(sorted(set(completed) - right)[:1]),
        }
        for name, emails in said.items():
            if emails and set(emails) != right:
                yield NearMiss(name, finish=Finish(str(_answer(emails))))

    def still_right(self, before: Snapshot, p: Top) -> Iterator[NearMiss]:
        """One address a line; all read from the list of completed orders."""
        yield NearMiss("one address a line", finish=Finish("\n".join(reversed(p.emails)).upper()))
        yield NearMiss("customers looked at first", ui=lambda page: self._twice(page, p))

    def _twice(self, page: Any, p: Top) -> Moves:
        page = yield click(page.find("link", "Customers", within=("navigation", "Main")))
        page = yield from sorted_by(page, "Spend", "-spend", usual="name")
        yield from self.oracle(page, p)


def _meant(counts: Counts, rank: int, exactly: int) -> tuple[str, ...]:
    """The addresses at a place, or with exactly so many."""
    found = ranked(counts, rank) if rank else {email for email, number in counts.items() if number == exactly}
    return tuple(sorted(found))


def _next(counts: Counts, p: Top, step: int) -> tuple[str, ...]:
    """Those one place or one order off."""
    if p.rank:
        return _meant(counts, p.rank + step, 0) if p.rank + step > 0 else ()
    return _meant(counts, 0, p.exactly - step)


def _answer(emails: Sequence[str]) -> List:
    return List([Email(email) for email in emails])
