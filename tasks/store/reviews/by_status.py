"""How many reviews there are with a status, of all or of some stars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ....sites.store.labels import REVIEW_STATUS
from ....verifiers import Expectation, Finish, Snapshot
from ....verifiers.answers import Int
from ...page import Moves, click, press
from ...template import Kind, NearMiss, Params, interleaved
from ..admin import AdminTemplate
from ..lists import filtered
from . import counts

_SIZE = 20
"""Rows on a page of a list."""


@dataclass(frozen=True, kw_only=True)
class Counted(Params):
    """Which status, and from how many stars to how many."""

    status: str
    least: int
    most: int

    def entities(self) -> tuple[str, ...]:
        """The kind of review: there is nobody whom this task is about."""
        return (f"reviews:{self.status}:{self.least}-{self.most}",)


class ReviewsByStatus(AdminTemplate[Counted]):
    """The number of reviews with a status, of all or of some stars.

    Graded by the number. Traps: more reviews than a page holds. Also fails: the rows of one page, another status, one
    star more or less.
    """

    id = "store.admin/reviews-by-status"
    kind = Kind.RETRIEVE
    tags = ("P03", "P13", "P16")
    max_steps = 25

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Counted]:
        """Every status with every span of stars, each number once; those first that fill more than a page."""
        spans = [
            (1, 5),
            *((least, most) for least in range(1, 6) for most in range(least, 6) if (least, most) != (1, 5)),
        ]
        every = [Counted(status=status, least=a, most=b) for a, b in spans for status in REVIEW_STATUS]
        drawn = [*rng.sample(every[:3], 3), *rng.sample(every[3:], len(every) - 3)]
        fair = list(counts.once_each(((p, _count(db, p)) for p in drawn), self.intents))
        long = [p for p in fair if _count(db, p) > _SIZE]
        yield from interleaved(rng, long, [p for p in fair if p not in long])

    def intents(self, p: Counted) -> Sequence[str]:
        """The status as the shop calls it, in quotes."""
        status, stars = REVIEW_STATUS[p.status], _stars(p)
        return [
            f'How many reviews{stars} have the status "{status}"? Answer with the number only.',
            f'Count the reviews{stars} whose status is "{status}", and answer with the number only.',
            f'I need to know how many reviews{stars} have the status "{status}". Only the number, please.',
            f'Number of reviews{stars} with the status "{status}"? Just the number.',
            f"Hey, for the monthly mail to our suppliers: can you check how many reviews{stars} we have in the shop"
            f' that are "{status}" right now? The number is all I need.',
        ]

    def expected(self, before: Snapshot, p: Counted) -> Expectation:
        """The number of these reviews."""
        return Expectation(answer=Int(_count(before, p)))

    def oracle(self, page: Any, p: Counted) -> Moves:
        """Filter the reviews and read how many there are."""
        bounds = [("Stars from", str(p.least)), ("Stars to", str(p.most))] if (p.least, p.most) != (1, 5) else []
        choices = [("Status", REVIEW_STATUS[p.status])]
        page = yield from filtered(page, "Reviews", choices=choices, typed=bounds, apply=False)
        if not bounds:
            page = yield press("Escape")  # the list of statuses is still open, over the button
        page = yield click(page.find("button", "Apply filters"))
        yield from counts.said(page)

    def near_misses(self, before: Snapshot, p: Counted) -> Iterator[NearMiss]:
        """The rows of a page, other statuses, other stars."""
        right = self.finish(before, p)
        number = _count(before, p)
        others = [("the rows of one page", min(_SIZE, number)), ("the pages", -(-number // _SIZE))]
        others += [
            (f"{status} ones", _count(before, Counted(status=status, least=p.least, most=p.most)))
            for status in REVIEW_STATUS
            if status != p.status
        ]
        all_stars = Counted(status=p.status, least=1, most=5)
        others += [("of any stars", _count(before, all_stars)), ("of any status", _any_status(before, p))]
        if p.least > 1:
            others.append(("one star less", _count(before, Counted(status=p.status, least=p.least - 1, most=p.most))))
        if p.least < p.most:
            others.append(("one star more", _count(before, Counted(status=p.status, least=p.least + 1, most=p.most))))
        yield from counts.wrong_counts(right, others)
        yield NearMiss("one less", finish=Finish(str(number - 1)))

    def still_right(self, before: Snapshot, p: Counted) -> Iterator[NearMiss]:
        """By address, sorted otherwise; the number written with blanks."""
        where = counts.address(status=f"in:{p.status}", rating=f"between:{p.least}..{p.most}")
        yield NearMiss("by an address, worst first", ui=counts.counted_at(f"{where}&sort=rating&size=50"))
        yield NearMiss("with blanks around it", finish=Finish(f" {_count(before, p)}\n"))


def _stars(p: Counted) -> str:
    """The condition on stars, as it follows the word "reviews"."""
    if (p.least, p.most) == (1, 5):
        return ""
    if p.least == p.most:
        return f" of exactly {p.least} star{'s' * (p.least > 1)}"
    if p.most == 5:
        return f" of {p.least} or more stars"
    return f" of {p.most} or fewer stars" if p.least == 1 else f" of {p.least} to {p.most} stars (both included)"


def _count(db: Snapshot, p: Counted) -> int:
    where = "status = :status AND rating BETWEEN :least AND :most"
    return counts.count(db, where, status=p.status, least=p.least, most=p.most)


def _any_status(db: Snapshot, p: Counted) -> int:
    return counts.count(db, "rating BETWEEN :least AND :most", least=p.least, most=p.most)
