"""Why an accepted mutant is no wrong: the rules of the column classes and of an expectation, written down once more.

This is the reference that the mutation tests hold the verifier against, so it shares none of the verifier's code for
accounting: an accepted mutant without an excuse is a hole.
"""

from __future__ import annotations

from collections.abc import Mapping

from .diff import Diff
from .expectation import Expectation, Inserted, Updated
from .matchers import Matcher
from .mutants import Mutant
from .shape import GENERATED, ORDER, PREFERENCE, TRAIL, VOLATILE, Key, Shape, shape_of
from .snapshot import Row, Snapshot


def excuse(
    mutant: Mutant,
    old: Mapping[Key, Row | None],
    expectation: Expectation,
    before: Snapshot,
    after: Snapshot,
    changes: Diff,
) -> str | None:
    """The rule under which an accepted mutant is allowed, or None. `old` holds the mutated rows as they were."""
    shape = shape_of(after.metadata, mutant.table)
    asked = any(part.table == mutant.table for part in expectation.must)
    if shape.rows == VOLATILE or (mutant.column and shape.classes[mutant.column] == VOLATILE):
        return "volatile: never compared"
    if (shape.rows == PREFERENCE and not asked) or (mutant.column and shape.classes[mutant.column] == PREFERENCE):
        return "preference: may always change"
    there = [row for row in (*old.values(), *mutant.rows.values()) if row is not None]
    if _all_new(mutant, before):
        if all(shape.row_class(row) == TRAIL for row in there):
            return "trail: rows of this episode may come and go"
        if all(shape.row_class(row) == TRAIL or _may_exist(shape, row, expectation) for row in there):
            return "the expectation leaves it open"
    if mutant.column and shape.classes[mutant.column] == ORDER:
        return "order: the sequence is the same" if _same_sequence(shape, mutant, before, after) else None
    if _only_generated(shape, mutant, old, before):
        return "generated: a new row's value only has to be there"
    if _same_rows(shape, mutant, old, before):
        return "the new rows are the same rows in another place"
    if _may(shape, mutant, old, expectation, before):
        return "the expectation leaves it open"
    return None


def _all_new(mutant: Mutant, before: Snapshot) -> bool:
    return all(before.get(mutant.table, key) is None for key in mutant.rows)


def _only_generated(shape: Shape, mutant: Mutant, old: Mapping[Key, Row | None], before: Snapshot) -> bool:
    """New rows that differ from what they were only in generated columns that are still filled or still empty."""
    for key, row in mutant.rows.items():
        was = old[key]
        if row is None or was is None or before.get(mutant.table, key) is not None:
            return False
        other = [name for name in shape.columns if row[name] != was[name]]
        if any(shape.classes[name] != GENERATED or (row[name] is None) != (was[name] is None) for name in other):
            return False
    return True


def _same_rows(shape: Shape, mutant: Mutant, old: Mapping[Key, Row | None], before: Snapshot) -> bool:
    """Rows of this episode that exchanged their places."""
    if not _all_new(mutant, before):
        return False
    told = [name for name in shape.columns if shape.classes[name] not in (VOLATILE, GENERATED)]
    bags = [sorted(repr([row[name] for name in told]) for row in rows.values() if row) for rows in (old, mutant.rows)]
    return bags[0] == bags[1] and len(mutant.rows) > 1


def _same_sequence(shape: Shape, mutant: Mutant, before: Snapshot, after: Snapshot) -> bool:
    """Whether everybody still stands where they stood before, nobody sharing a place."""
    assert mutant.column
    return all(
        _undisturbed(shape, mutant.column, {name: row[name] for name in shape.within[mutant.column]}, before, after)
        for row in mutant.rows.values()
        if row is not None
    )


def _undisturbed(shape: Shape, column: str, group: Mapping[str, object], before: Snapshot, after: Snapshot) -> bool:
    orders = []
    for side in (before, after):
        places = [(one[column], shape.key_of(one)) for one in side.rows(shape.name, **group)]
        if len({place for place, _ in places}) != len(places):
            return False
        orders.append([key for _, key in sorted(places, key=lambda pair: pair[0])])
    return orders[0] == orders[1]


def _may(
    shape: Shape, mutant: Mutant, old: Mapping[Key, Row | None], expectation: Expectation, before: Snapshot
) -> bool:
    """Whether each mutated row, as it was and as it is, lies within what the expectation allows or leaves open."""
    return all(
        _open(shape, key, row, old[key], mutant, expectation) and _new_or_declared(shape, key, expectation, before)
        for key, row in mutant.rows.items()
    )


def _new_or_declared(shape: Shape, key: Key, expectation: Expectation, before: Snapshot) -> bool:
    declared = [part for part in (*expectation.must, *expectation.may) if isinstance(part, Updated)]
    return before.get(shape.name, key) is None or any(p.table == shape.name and p.key == key for p in declared)


def _open(shape: Shape, key: Key, row: Row | None, was: Row | None, mutant: Mutant, expectation: Expectation) -> bool:
    if row is None or was is None or mutant.column is None:
        return False
    parts = [part for part in (*expectation.must, *expectation.may) if part.table == shape.name]
    wanted = [
        part.values[mutant.column]
        for part in parts
        if isinstance(part, Inserted | Updated) and mutant.column in part.values
        if isinstance(part, Inserted) or part.key == key
    ]
    return any(isinstance(want, Matcher) and want.matches(row[mutant.column]) for want in wanted)


def _may_exist(shape: Shape, row: Row, expectation: Expectation) -> bool:
    may = (part for part in expectation.may if isinstance(part, Inserted) and part.table == shape.name)
    return any(_fits(part, row) for part in may)


def _fits(part: Inserted, row: Row) -> bool:
    cells = ((want, row[name]) for name, want in part.values.items())
    return all(want.matches(value) if isinstance(want, Matcher) else value == want for want, value in cells)
