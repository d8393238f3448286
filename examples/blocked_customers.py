"""A task of one's own: how many customers of a group are blocked? Added by SITEGYM_TASKS=examples.blocked_customers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from sitegym.tasks import Kind, Moves, NearMiss, Params, Template
from sitegym.tasks.page import click, finish, press, type_
from sitegym.verifiers import Expectation, Finish, Snapshot
from sitegym.verifiers.answers import Int

STATUS = {"blocked": "Blocked", "active": "Active"}


@dataclass(frozen=True, kw_only=True)
class Blocked(Params):
    """Which group, by its code and its name."""

    group: str
    name: str

    def entities(self) -> tuple[str, ...]:
        """Whom it is about; decides the split."""
        return (f"group:{self.group}",)


class BlockedCustomers(Template[Blocked]):
    """Count the blocked customers of a group.

    Also fails: those of all groups, all customers of the group, one more or less, the right number after a write.
    """

    id = "store.admin/blocked-customers"
    kind = Kind.RETRIEVE
    tags = ("P01", "P16")
    detour = "/orders"

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Blocked]:
        """Every group that has a blocked customer, so that the answer is never 0."""
        groups = [group for group in db.rows("customer_groups") if blocked(db, group.id)]
        for group in rng.sample(groups, len(groups)):
            yield Blocked(group=group.code, name=group.name)

    def intents(self, p: Blocked) -> Sequence[str]:
        """What a person would write, in several phrasings."""
        return [
            f'How many customers of the group "{p.name}" are blocked? Answer with the number.',
            f'Count the blocked customers in the customer group "{p.name}", and answer with that number.',
        ]

    def expected(self, before: Snapshot, p: Blocked) -> Expectation:
        """The number, counted in the database; no row may change."""
        return Expectation(answer=Int(blocked(before, before.row("customer_groups", code=p.group).id)))

    def oracle(self, page: Any, p: Blocked) -> Moves:
        """Customers, filters, group and status, apply, read the count."""
        page = yield click(page.find("link", "Customers", within=("navigation", "Main")))
        page = yield click(page.find("button", "Filters"))
        for box, option in (("Group", p.name), ("Status", STATUS["blocked"])):
            yield type_(page.find("combobox", box), option)
            page = yield press("Enter")
        page = yield click(page.find("button", "Apply filters"))
        told = next(one.text for one in page.elements("status") if re.search(r"\d+ customer", one.text))
        yield finish(re.search(r"\d+", told)[0])  # type: ignore[index]

    def near_misses(self, before: Snapshot, p: Blocked) -> Iterator[NearMiss]:
        """Wrong counts that a hasty agent comes to."""
        group = before.row("customer_groups", code=p.group).id
        right = blocked(before, group)
        counts = {
            "blocked customers of all groups": len(before.rows("customers", status="blocked")),
            "all customers of the group": len(before.rows("customers", group_id=group)),
            "one more": right + 1,
            "one less": right - 1,
        }
        for name, count in counts.items():
            if count != right:
                yield NearMiss(name, finish=Finish(str(count)))


def blocked(db: Snapshot, group_id: int) -> int:
    """How many customers of a group are blocked."""
    return len(db.rows("customers", group_id=group_id, status="blocked"))


TEMPLATES = (BlockedCustomers,)
