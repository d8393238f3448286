"""How many reviews came in during a period."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

from ....verifiers import Expectation, Finish, Snapshot
from ....verifiers.answers import Int
from ...page import Moves, navigate
from ...template import Kind, NearMiss, Params, interleaved
from ..admin import AdminTemplate
from ..lists import filtered
from . import counts
from .periods import Period, periods

_OPENED, _TODAY = date(2025, 1, 18), date(2026, 3, 18)


@dataclass(frozen=True, kw_only=True)
class Received(Params):
    """Which period: `words` as it is asked for, and its first and last day."""

    words: str
    first: str
    last: str

    def entities(self) -> tuple[str, ...]:
        """The period itself."""
        return (f"period:{self.first}..{self.last}",)


class ReviewsReceived(AdminTemplate[Received]):
    """The number of reviews that were written in a period, whatever became of them.

    Graded by the number. Traps: reviews on the first and on the last day, reviews that are pending or were rejected.
    Also fails: approved ones only, a day left out at either end, the rows of one page.
    """

    id = "store.admin/reviews-received"
    kind = Kind.RETRIEVE
    tags = ("P04", "P05", "P16")
    max_steps = 25

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Received]:
        """Every period with reviews, each number once; those first where ends and statuses matter."""
        found = list(periods(_OPENED, _TODAY))
        drawn = rng.sample(found, len(found))
        fair = counts.once_each(((_params(each), _count(db, _params(each))) for each in drawn), self.intents)
        trapped: list[Received] = []
        plain: list[Received] = []
        for p in fair:
            others = {number for _, number in _misread(db, p)}
            (plain if _count(db, p) in others else trapped).append(p)
        yield from interleaved(rng, trapped, plain)

    def intents(self, p: Received) -> Sequence[str]:
        """Always with the dates, so that nobody has to know when a week begins."""
        how = "Count all of them, whether they are approved, pending or rejected. Answer with the number only."
        return [
            f"How many reviews were written {p.words}? {how}",
            f"I need the number of reviews that customers sent us {p.words}. {how}",
            f"Find out how many reviews we received {p.words}. {how}",
            f"Reviews received {p.words}: how many? {how}",
            f"Hi, I am filling in a report. Could you look up how many reviews came in {p.words}? {how}",
        ]

    def expected(self, before: Snapshot, p: Received) -> Expectation:
        """The number of reviews with a date in the period."""
        return Expectation(answer=Int(_count(before, p)))

    def oracle(self, page: Any, p: Received) -> Moves:
        """Filter the reviews by date and read how many there are."""
        page = yield from filtered(page, "Reviews", typed=[("Date from", p.first), ("Date to", p.last)])
        yield from counts.said(page)

    def near_misses(self, before: Snapshot, p: Received) -> Iterator[NearMiss]:
        """The numbers of those who read the period or the list otherwise."""
        right = self.finish(before, p)
        yield from counts.wrong_counts(right, _misread(before, p))
        yield from counts.wrong_counts(right, [("one page of them", min(20, _count(before, p)))])
        yield NearMiss("one less", finish=Finish(str(_count(before, p) - 1)))

    def still_right(self, before: Snapshot, p: Received) -> Iterator[NearMiss]:
        """By address, sorted otherwise; the number written with blanks."""
        between = counts.address(created_at=f"between:{p.first}..{p.last}")
        yield NearMiss("by an address, oldest first", ui=counts.counted_at(f"{between}&sort=created_at&size=100"))
        yield NearMiss("after a wrong period", ui=lambda page: self._twice(page, p))
        yield NearMiss("with blanks around it", finish=Finish(f" {_count(before, p)}\n"))

    def _twice(self, page: Any, p: Received) -> Moves:
        page = yield navigate(counts.address(created_at=f"gte:{p.first}"))
        page = yield navigate(counts.address(created_at=f"between:{p.first}..{p.last}"))
        yield from counts.said(page)


def _params(period: Period) -> Received:
    return Received(words=period.words, first=period.first, last=period.last)


def _count(db: Snapshot, p: Received, where: str = "1") -> int:
    return counts.count(
        db, f"substr(created_at, 1, 10) BETWEEN :first AND :last AND {where}", first=p.first, last=p.last
    )


def _misread(db: Snapshot, p: Received) -> Iterator[tuple[str, int]]:
    """Numbers of those who look at the wrong days or statuses."""
    first, last = date.fromisoformat(p.first), date.fromisoformat(p.last)
    day = timedelta(1)
    yield "approved ones only", _count(db, p, "status = 'approved'")
    yield "without the rejected ones", _count(db, p, "status <> 'rejected'")
    if first < last:
        yield "without the last day", _count(db, _span(first, last - day))
        yield "without the first day", _count(db, _span(first + day, last))
    yield "one day more at the end", _count(db, _span(first, last + day))
    yield "one day more at the beginning", _count(db, _span(first - day, last))
    yield "since its first day", _count(db, _span(first, date.max))
    length = last - first + day
    yield "as many days before", _count(db, _span(first - length, last - length))
    yield "as many days after", _count(db, _span(first + length, last + length))


def _span(first: date, last: date) -> Received:
    return Received(words="", first=first.isoformat(), last=last.isoformat())
