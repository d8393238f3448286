"""Grading an episode: two snapshots, what was expected, how the agent finished; nothing else counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..errors import VerifierError, boundary
from .account import Account, gravity
from .answers import Answer
from .diff import Diff, diff, same
from .expectation import Expectation
from .outcomes import DONE, Finish
from .shape import DERIVED, Key, shape_of, shapes
from .snapshot import Row, Snapshot
from .verdict import Check, Damage, Verdict
from .views import RecordedView, view_text

STALE = "does not follow from the data"
"""Why a derived value is damage."""
Recomputed = Mapping[str, Mapping[Key, Mapping[str, object]]]
"""Table to key to column to the value that must be there."""
Recompute = Callable[[Snapshot, Mapping[str, set[Key]]], Recomputed]
"""A site's function from a snapshot and the rows that changed to the derived values that follow."""


def grade(
    expectation: Expectation,
    before: Snapshot,
    after: Snapshot,
    finish: Finish | None,
    view: RecordedView | None = None,
    recompute: Recompute | None = None,
    *,
    changes: Diff | None = None,
) -> Verdict:
    """The verdict on what lies between `before` and `after`.

    `finish` is None where the episode was cut off: the state is graded, the reward is 0. `view` is the last page that
    the active tab shows. `recompute` gives the derived values; without it no derived value may have changed.
    `changes` spares the comparison where the caller has made it. Raises `VerifierError` for anything that goes wrong
    in here, so that a fault of ours is never a failed agent.
    """
    with boundary(VerifierError, "grading"):
        expectation.check(before)
        found = diff(before, after) if changes is None else changes
        checks, damage = judge(expectation, before, after, finish, view, changes=found)
        if not damage:  # where other damage decides already, rows that belong together may be gone
            damage = stale(after, found, recompute)
        return Verdict.of(tuple(checks), tuple(sorted(damage, key=gravity)), finished=finish is not None)


def judge(
    expectation: Expectation,
    before: Snapshot,
    after: Snapshot,
    finish: Finish | None,
    view: RecordedView | None,
    *,
    changes: Diff,
) -> tuple[list[Check], list[Damage]]:
    """The checks and the damage of `grade`, derived values left out."""
    checks, damage = Account(expectation, before, after, changes).settle()
    checks += _finish(expectation, finish)
    if expectation.view is not None:
        problems = expectation.view.problems(view)
        checks.append(Check("view", str(expectation.view), _joined(problems, view), not problems))
    return checks, damage


def _finish(expectation: Expectation, finish: Finish | None) -> list[Check]:
    """Checks of the outcome code, and of the answer or blocker where there is one."""
    given = "no finish" if finish is None else finish.outcome
    checks = []
    if finish is not None or expectation.outcome != DONE:
        checks.append(Check("outcome", expectation.outcome, given, given == expectation.outcome))
    for what, wanted in (("answer", expectation.answer), ("blocker", expectation.blocker)):
        if wanted is not None:
            checks.append(_answer(what, wanted, None if finish is None else finish.answer))
    return checks


def _answer(what: str, wanted: Answer, given: object | None) -> Check:
    problem = wanted.problem(given)
    return Check(what, str(wanted), problem or "the same", problem is None)


def _joined(problems: list[str], view: RecordedView | None) -> str:
    return f"{view_text(view)} ({'; '.join(problems)})" if problems else view_text(view)


def stale(after: Snapshot, found: Diff, recompute: Recompute | None) -> list[Damage]:
    """Derived values that do not follow from the data they are derived from, where `found` has moved any."""
    quiet = {name: shape.quiet for name, shape in shapes(after.metadata).items()}
    changed = found.changed_but_for(quiet)  # nothing follows from a volatile column
    must = recompute(after, changed) if recompute is not None and changed else {}
    damage = []
    for table, wanted in must.items():
        rows = _rows(after, table, wanted)
        for key, values in wanted.items():
            if key not in rows:
                raise VerifierError(f"recompute names {table} {key}, which does not exist")
            damage += [
                Damage(table, key, name, value, rows[key][name], why=STALE)
                for name, value in values.items()
                if not same(rows[key][name], value)
            ]
    _all_told(after, found, must)
    return damage


def _rows(after: Snapshot, table: str, wanted: Mapping[Key, object]) -> dict[Key, Row]:
    shape = shape_of(after.metadata, table)
    one_by_one = len(shape.key) > 1 or len(wanted) > 1000
    rows = after.rows(table) if one_by_one else after.rows(table, **{shape.key[0]: list(wanted)})
    return {shape.key_of(row): row for row in rows}


def _all_told(after: Snapshot, found: Diff, must: Recomputed) -> None:
    """Raise where a derived value changed that the site does not recompute: it would go unjudged."""
    for table, changes in found.tables.items():
        derived = set(shape_of(after.metadata, table).of(DERIVED))
        touched = dict.fromkeys(changes.inserted, derived)
        touched |= {key: derived & set(cells) for key, cells in changes.updated.items()}
        for key, names in touched.items():
            lost = names - set(must.get(table, {}).get(key, {}))
            if lost:
                raise VerifierError(f"{table} {key}: the site does not recompute {', '.join(sorted(lost))}")
