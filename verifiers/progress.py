"""How far an episode has come: the share of its expectation that already holds, and what was damaged on the way.

A potential for reward shaping (Ng, Harada and Russell, "Policy invariance under reward transformations", ICML 1999): a
function of the state alone, so that shaping by its differences changes no optimal policy. It is 0 where an episode
begins, whatever the task: what holds from the start is left out of the share, so that the start tells nothing about
whether a task can be done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..errors import VerifierError, boundary
from .account import Account
from .diff import Diff, diff
from .expectation import Deleted, Expectation, Inserted, Ordered, Part, Summed, Updated
from .matchers import matches
from .newrows import pair
from .outcomes import DONE
from .sequences import members
from .shape import ORDER, shape_of, shapes
from .snapshot import Snapshot
from .views import RecordedView, ViewExpectation

DAMAGE_COST = 0.25
"""What each change that nobody asked for takes from the potential."""

MOST_COST = 1.0
"""What damage takes in all at most."""


@dataclass(frozen=True)
class Progress:
    """How far an episode has come at some moment before its end."""

    met: float
    """Share of what the task asks for that holds now and did not at the start, from 0 to 1."""
    damage: int
    """Changes that nobody asked for, and things asked for that held at the start and no longer do."""

    @property
    def potential(self) -> float:
        """`met - min(1, 0.25 * damage)`, from -1 to 1; 0 at the start."""
        return self.met - min(MOST_COST, DAMAGE_COST * self.damage)


def progress(
    expectation: Expectation,
    before: Snapshot,
    now: Snapshot,
    view: RecordedView | None = None,
    start: RecordedView | None = None,
    *,
    changes: Diff | None = None,
) -> Progress:
    """How far `now` is on the way from `before` to what is expected.

    Each part of `must`, the page to be shown, the answer and the outcome code weigh the same; a part that is a row with
    several values, or a page with several filters, counts by how many of them are right. An answer and an outcome can
    only come with the finish, so they do not count before: a task that only asks, or that can't be done, stays at 0.
    `view` is the page that the active tab shows, `start` the one that it showed first; `changes` spares the comparison
    of the rows where the caller has made it. Raises `VerifierError` for whatever goes wrong in here.
    """
    with boundary(VerifierError, "measuring progress"):
        found = diff(before, now) if changes is None else changes
        shares = list(_shares(expectation, before, now, found))
        if expectation.view is not None:
            shares.append((_shown(expectation.view, start), _shown(expectation.view, view)))
        asked = [expectation.answer, expectation.blocker, expectation.outcome != DONE or None]
        shares += [(0.0, 0.0) for one in asked if one is not None]
        _, damage = Account(expectation, before, now, found).settle()
        lost = sum(was >= 1.0 > share for was, share in shares)
        gains = [max(0.0, share - was) / (1.0 - was) for was, share in shares if was < 1.0]
        return Progress(sum(gains) / len(gains) if gains else 0.0, len(damage) + lost)


Share = tuple[float, float]
"""How much of something held at the start, and holds now; from 0 to 1."""


def _shares(expectation: Expectation, before: Snapshot, now: Snapshot, changes: Diff) -> Iterator[Share]:
    """Of each part that must hold."""
    wanted = [part for part in expectation.must if isinstance(part, Inserted)]
    yield from ((0.0, float(index in pair(wanted, changes, shapes(before.metadata)))) for index in range(len(wanted)))
    for part in expectation.must:
        if isinstance(part, Summed):
            yield 0.0, _sum(part, changes)
        elif not isinstance(part, Inserted):
            yield _held(part, before), _held(part, now)


def _held(part: Part, side: Snapshot) -> float:
    """How much of a part holds in one snapshot."""
    if isinstance(part, Updated):
        row = side.get(part.table, part.key)
        return 0.0 if row is None else _fits(part.values, row)
    if isinstance(part, Deleted):
        return float(side.get(part.table, part.key) is None)
    assert isinstance(part, Ordered)
    shape = shape_of(side.metadata, part.table)
    found = members(shape, shape.of(ORDER)[0], part.within, side)
    apart = len({place for _, place in found}) == len(found)
    return float(apart and tuple(key for key, _ in found) == part.keys)


def _fits(wanted: Mapping[str, object], row: Mapping[str, object]) -> float:
    return sum(matches(value, row[name]) for name, value in wanted.items()) / len(wanted) if wanted else 1.0


def _sum(part: Summed, changes: Diff) -> float:
    rows = changes.of(part.table).inserted.values()
    meant = (row for row in rows if all(matches(wanted, row[name]) for name, wanted in part.where.items()))
    found = sum(int(row[part.column]) for row in meant)
    return 1.0 if found >= part.least else max(0.0, found / part.least)


def _shown(wanted: ViewExpectation, view: RecordedView | None) -> float:
    """How much of a page is right: nothing on another page, else the share of address, filters, words and sort."""
    if view is None:
        return 0.0
    facts = wanted.facts(view)
    if any(not ok for what, ok in facts.items() if what in ("status", "host", "path")):
        return 0.0
    told = [ok for what, ok in facts.items() if what not in ("status", "host")]
    return sum(told) / len(told)
