"""Which customer wrote the worst review of a product."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ....verifiers import Expectation, Finish, Row, Snapshot
from ....verifiers.answers import Answer, Email, Text
from ...page import Moves, back, finish, navigate
from ...template import Kind, NearMiss, Params, interleaved
from ..admin import AdminTemplate, customer
from ..lists import filtered, sorted_by
from ..products import look_alikes, product_entity, sibling
from . import counts, mass
from .voices import is_newest, voices


@dataclass(frozen=True, kw_only=True)
class Worst(Params):
    """Which product, as the task names it; whose review is meant; and what is asked of its author."""

    of: int
    product: str
    name: str
    fact: str
    """email or name."""
    email: str

    def entities(self) -> tuple[str, ...]:
        """The product and the customer."""
        return (product_entity(self.of), customer(self.email))


class WorstReviewAuthor(AdminTemplate[Worst]):
    """Name or e-mail address of the customer with the worst review of a product: fewest stars, then the newest.

    Only reviews that belong to a customer account count, of whatever status. Traps: guests with worse or newer reviews,
    several reviews of as few stars, nicknames that are not the name (T1). Also fails: the nickname, the oldest of them,
    approved ones only, the sibling product.
    """

    id = "store.admin/worst-review-author"
    kind = Kind.RETRIEVE
    tags = ("P16", "P57", "T1")

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Worst]:
        """Every product with two reviews or more, each answer once; those first where a guest or a tie misleads."""
        there = voices(db)
        alike = look_alikes(db)
        people = {row.id: row for row in db.rows("customers")}
        similar: list[Worst] = []
        trapped: list[Worst] = []
        plain: list[Worst] = []
        seen: set[str] = set()
        products = there.named_products(db)
        for id_, words in rng.sample(products, len(products)):
            worst = _worst(there.by_product[id_])
            if worst is None or len(there.by_product[id_]) < 2:
                continue
            someone = people[worst.customer_id]
            for fact in rng.sample(["email", "name"], 2):
                p = Worst(of=id_, product=words, name=there.products[id_], fact=fact, email=someone.email)
                answer = str(_fact(someone, fact)).casefold()
                if answer not in seen:
                    seen.add(answer)
                    misleads = _misleads(there.by_product[id_], worst)
                    (similar if id_ in alike else trapped if misleads else plain).append(p)
                    break
        yield from interleaved(rng, similar, trapped, plain)

    def intents(self, p: Worst) -> Sequence[str]:
        """What worst means, and whose reviews count."""
        which = (
            "The worst review is the one with the fewest stars; of several with as few, take the newest. Reviews of any"
            " status count, but not those of guests, which belong to no customer account."
        )
        what = {
            "email": ("the e-mail address", "Answer with the e-mail address of the customer account only."),
            "name": ("first and last name", "Answer with first and last name as the customer account has them."),
        }[p.fact]
        return [
            f"Which customer wrote the worst review of {p.product}? {which} {what[1]}",
            f"I need {what[0]} of the customer with the worst review of {p.product}. {which} {what[1]}",
            f"Find the worst review of {p.product} and tell me who it is by. {which} {what[1]}",
            f"Worst review of {p.product}: {what[0]} of its author, please. {which} {what[1]}",
            f"I would like to write to the customer who is least happy with {p.product}, judging by the reviews. Whose"
            f" is the worst one? {which} {what[1]}",
        ]

    def expected(self, before: Snapshot, p: Worst) -> Expectation:
        """The account's own name or address."""
        worst = _worst(voices(before).by_product[p.of])
        if worst is None:
            raise ValueError("nobody wrote the worst review without a doubt")
        return Expectation(answer=_fact(before.row("customers", id=worst.customer_id), p.fact))

    def oracle(self, page: Any, p: Worst) -> Moves:
        """Filter by product, sort by stars and open one after the other until one is a customer's; read the fact."""
        page = yield from filtered(page, "Reviews", typed=[("Product contains", p.name)])
        page = yield from sorted_by(page, "Stars", "rating")
        yield from self._read(page, p)

    def _read(self, page: Any, p: Worst) -> Moves:
        """Open the reviews of the product, fewest stars and newest first, until one is a customer's."""
        found = mass.lines(page, Product=p.name)
        found.sort(key=mass.moment, reverse=True)
        found.sort(key=mass.stars)
        for line in found:
            page = yield from mass.opened(page, line)
            author = _author(page)
            if author is not None:
                yield finish(author[p.fact])
                return
            page = yield back()

    def near_misses(self, before: Snapshot, p: Worst) -> Iterator[NearMiss]:
        """Authors of other reviews, the nickname, the other fact."""
        there = voices(before)
        own = there.by_product[p.of]
        worst = _worst(own)
        assert worst is not None
        right = str(self.finish(before, p).answer).casefold()
        mine = [row for row in own if row.customer_id is not None]
        few = [row for row in mine if row.rating == worst.rating]
        approved = [row for row in mine if row.status == "approved"]
        twin = there.by_product[sibling(before, p.of, there.by_product) or p.of]
        found: list[tuple[str, Row | None]] = [
            ("the oldest of as few stars", few[0]),
            ("the best review's", max(mine, key=lambda row: (row.rating, row.created_at))),
            ("the newest review's", mine[-1]),
            ("approved ones only", _worst(approved)),
            ("of the product with a similar name", _worst(twin)),
        ]
        for name, row in found:
            if row is not None:
                said = str(_fact(before.row("customers", id=row.customer_id), p.fact))
                if said.casefold() != right:
                    yield NearMiss(name, finish=Finish(said))
        other = "name" if p.fact == "email" else "email"
        yield NearMiss(f"the {other}", finish=Finish(str(_fact(before.row("customers", id=worst.customer_id), other))))
        nicknames = {worst.nickname, min(own, key=lambda row: (row.rating, -row.id)).nickname}
        for nickname in sorted(nicknames):
            if nickname.casefold() != right:
                yield NearMiss(f"the nickname {nickname}", finish=Finish(nickname))

    def still_right(self, before: Snapshot, p: Worst) -> Iterator[NearMiss]:
        """By address; in capitals."""
        yield NearMiss("by filters in the address", ui=lambda page: self._by_address(page, p))
        right = str(self.finish(before, p).answer)
        yield NearMiss("with blanks, in capitals", finish=Finish(f" {right.upper()} "))

    def _by_address(self, page: Any, p: Worst) -> Moves:
        page = yield navigate(counts.address(product=f"contains:{p.name}") + "&sort=rating,-created_at&size=100")
        yield from self._read(page, p)


def _fact(someone: Row, fact: str) -> Answer:
    return Email(someone.email) if fact == "email" else Text(f"{someone.first_name} {someone.last_name}".strip())


def _worst(rows: Sequence[Row]) -> Row | None:
    """The review that is meant, of those of one product; None where there is none, or two that are equally new."""
    mine = [row for row in rows if row.customer_id is not None]
    if not mine:
        return None
    few = [row for row in mine if row.rating == min(row.rating for row in mine)]
    few.sort(key=lambda row: row.created_at)
    return few[-1] if is_newest(few) else None


def _misleads(rows: Sequence[Row], worst: Row) -> bool:
    """Whether a guest's review is as bad, or several customers gave as few stars."""
    return any(row.rating <= worst.rating and row.id != worst.id for row in rows)


def _author(page: Any) -> dict[str, str] | None:
    """Name and e-mail address of the account that the open review belongs to; None for a guest."""
    for one in page.elements("definition"):
        if found := re.search(r"[^\s@]+@[^\s@]+", one.text):
            return {"email": found[0], "name": str(one.text.replace(found[0], "").strip())}
    return None
