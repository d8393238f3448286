"""Approve the pending reviews with many stars."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ....verifiers import Expectation, Row, Snapshot
from ...page import Moves, click, navigate
from ...template import Call, Kind, NearMiss, Params, interleaved
from ..admin import AdminTemplate
from ..kept import kept
from ..lists import filtered, long_day
from . import counts, mass, writes
from .voices import contradicts, voices

_MOST = 40
"""Reviews that one task is about; the whole queue may be longer."""


@dataclass(frozen=True, kw_only=True)
class Approve(Params):
    """From how many stars on, and written on which days (both empty: on any)."""

    stars: int
    first: str = ""
    last: str = ""

    def entities(self) -> tuple[str, ...]:
        """The part of the queue."""
        return (f"queue:{self.stars}:{self.first}..{self.last}",)


class ApprovePending(AdminTemplate[Approve]):
    """Approve all pending reviews with at least some stars, of the whole queue or of some days.

    Traps: stars that contradict the text (T13), reviews of those days that were rejected before, a queue of several
    pages. Also fails: one star more or less, the rejected ones too, one left out, only the first page.
    """

    id = "store.admin/approve-pending"
    kind = Kind.CHANGE
    tags = ("P13", "P16", "P61", "T13")

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Approve]:
        """The whole queue by stars, then spans of days, each set of reviews once; those with traps in turn."""
        days = sorted({row.created_at[:10] for row in _pending(db)})
        spans = [(a, b) for i, a in enumerate(days) for b in days[i : i + 7]]
        every = [Approve(stars=stars, first=a, last=b) for a, b in spans for stars in (2, 3, 4, 5)]
        whole = [Approve(stars=stars) for stars in (2, 3, 4, 5)]
        seen: set[frozenset[int]] = set()
        trapped: list[Approve] = []
        plain: list[Approve] = []
        for p in (*rng.sample(whole, len(whole)), *rng.sample(every, len(every))):
            chosen = frozenset(row.id for row in _chosen(db, p))
            if chosen and chosen not in seen and (not p.first or len(chosen) <= _MOST):
                seen.add(chosen)
                (trapped if _trapped(db, p) else plain).append(p)
        yield from interleaved(rng, trapped, plain)

    def intents(self, p: Approve) -> Sequence[str]:
        """Stars and days; what the reviews say is said not to matter."""
        stars, when = _stars(p.stars), _when(p)
        pending = f"still pending and were{when}" if when else "still pending"
        rest = "Go by the stars alone, whatever the reviews say, and leave every other review as it is."
        return [
            f"Approve all pending reviews with {stars}{when}. {rest}",
            f"Go through the reviews that are {pending}, and approve those with {stars}. {rest}",
            f"Every review{when} that is pending and has {stars} can be approved now. Please do that. {rest}",
            f"Pending reviews with {stars}{when}: approve all of them. {rest}",
            f"Hi, the queue of reviews is getting long. Could you approve each pending one with {stars}{when} for me?"
            f" {rest}",
        ]

    def expected(self, before: Snapshot, p: Approve) -> Expectation:
        """E.review for each of them."""
        return writes.moderated(_chosen(before, p), "approved")

    def oracle(self, page: Any, p: Approve) -> Moves:
        """Filter the queue, select all that match, approve them at once."""
        typed = [("Stars from", str(p.stars))]
        if p.first:
            typed += [("Date from", p.first), ("Date to", p.last)]
        page = yield from filtered(page, "Reviews", choices=[("Status", "Pending")], typed=typed)
        page = yield from mass.pick_all(page)
        yield from mass.act(page, "Approve")

    def calls(self, before: Snapshot, p: Approve) -> Sequence[Call]:
        """One call for each review."""
        return [writes.moderate(row.id, "approved") for row in _chosen(before, p)]

    def near_misses(self, before: Snapshot, p: Approve) -> Iterator[NearMiss]:
        """One missed, one too many of each sort, another decision, undone again, not confirmed."""
        right = tuple(self.calls(before, p))
        ids = [row.id for row in _chosen(before, p)]
        yield NearMiss("one left out", right[:-1])
        yield NearMiss("one rejected instead", (*right[:-1], writes.moderate(ids[-1], "rejected")))
        yield NearMiss("all put back", (*right, *(writes.moderate(id_, "pending") for id_ in ids)))
        yield NearMiss("one put back", (*right, writes.moderate(ids[0], "pending")))
        for name, where in (
            ("the star below as well", "status = 'pending' AND rating = :stars - 1"),
            ("a rejected one as well", "status = 'rejected' AND rating >= :stars"),
        ):
            found = counts.reviews(before, where, stars=p.stars)
            found = [row for row in found if _in(p, row)] or found
            if found:
                yield NearMiss(name, (*right, writes.moderate(found[-1].id, "approved")))
        if p.stars < 5:
            better = [row.id for row in _chosen(before, p) if row.rating > p.stars]
            if len(better) < len(ids):
                yield NearMiss("one star more asked for", tuple(writes.moderate(id_, "approved") for id_ in better))
        outside = [row for row in _pending(before) if row.rating >= p.stars and not _in(p, row)]
        if outside:
            yield NearMiss("one of another day as well", (*right, writes.moderate(outside[-1].id, "approved")))
        contrary = [row for row in _chosen(before, p) if contradicts(row)]
        if contrary:
            kept = tuple(call for call in right if call.fields["id"] != contrary[0].id)
            yield NearMiss("the one with the bad text left out", kept)
        yield NearMiss("a reply on top", (*right, writes.reply(ids[0], "Thank you!")))
        yield NearMiss("selected, not confirmed", ui=lambda page: self._unconfirmed(page, p))

    def _unconfirmed(self, page: Any, p: Approve) -> Moves:
        page = yield navigate(self._address(p))
        page = yield from mass.pick_all(page)
        yield from mass.begin(page, "Approve")

    def still_right(self, before: Snapshot, p: Approve) -> Iterator[NearMiss]:
        """One by one in another order; one rejected by mistake and then approved; each on its own page."""
        right = tuple(self.calls(before, p))
        first = right[0].fields["id"]
        yield NearMiss("newest first", right[::-1])
        yield NearMiss("one rejected by mistake, then approved", (writes.moderate(first, "rejected"), *right))
        if len(right) <= 6:
            yield NearMiss("each on its own page", ui=lambda page: self._one_by_one(page, p))
        else:
            yield NearMiss("by filters in the address", ui=lambda page: self._at_once(page, p))

    def _one_by_one(self, page: Any, p: Approve) -> Moves:
        page = yield navigate(self._address(p))
        for row in mass.lines(page):
            page = yield from mass.opened(page, row)
            page = yield click(page.find("button", "Approve"))
            page = yield navigate(self._address(p))

    def _at_once(self, page: Any, p: Approve) -> Moves:
        page = yield navigate(self._address(p))
        page = yield from mass.pick_all(page)
        yield from mass.act(page, "Approve")

    def _address(self, p: Approve) -> str:
        days = {"created_at": f"between:{p.first}..{p.last}"} if p.first else {}
        return counts.address(status="in:pending", rating=f"gte:{p.stars}", **days)


def _of_status(status: str) -> Callable[[Snapshot], list[Row]]:
    return kept(lambda db: [row for row in voices(db).rows if row.status == status])


_pending, _rejected = _of_status("pending"), _of_status("rejected")
_contradictions = kept(lambda db: [row for row in _pending(db) if contradicts(row)])


def _chosen(db: Snapshot, p: Approve) -> list[Row]:
    return [row for row in _pending(db) if row.rating >= p.stars and _in(p, row)]


def _in(p: Approve, row: Row) -> bool:
    return not p.first or p.first <= row.created_at[:10] <= p.last


def _trapped(db: Snapshot, p: Approve) -> bool:
    """Whether a text contradicts its stars, or a rejected review could be taken for one of the queue."""
    rejected = [row for row in _rejected(db) if p.first and row.rating >= p.stars and _in(p, row)]
    return bool(rejected) or any(_in(p, row) for row in _contradictions(db))


def _stars(stars: int) -> str:
    return "5 stars" if stars == 5 else f"{stars} or more stars"


def _when(p: Approve) -> str:
    if not p.first:
        return ""
    if p.first == p.last:
        return f" written on {long_day(p.first)}"
    return f" written from {long_day(p.first)} to {long_day(p.last)} (both days included)"
