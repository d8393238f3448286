"""Pairing the new rows that an expectation asks for with the new rows that are there, references included."""

from __future__ import annotations

from collections.abc import Mapping

from .diff import Diff
from .expectation import Inserted, insertable
from .matchers import cells_text
from .shape import Key, Shapes
from .snapshot import Row

Pairs = dict[int, Row]
"""Position of a wanted row in the list to the row that fills it."""


def pair(wanted: list[Inserted], diff: Diff, known: Shapes) -> Pairs:
    """A different new row for each wanted one; as many as can be had where not all are there."""
    possible = [index for index, part in enumerate(wanted) if _candidates(part, diff, known, {}, {})]
    full = _search(possible, wanted, diff, known, {})
    if full is not None:
        return full
    some: Pairs = {}
    for index in possible:
        some = _search([index], wanted, diff, known, some) or some
    return some


def nearest(part: Inserted, wanted: list[Inserted], diff: Diff, known: Shapes, taken: Pairs) -> tuple[str, str]:
    """What is wanted, and what the new row that comes closest holds instead; rows that fill another part are none."""
    shape, keys = known[part.table], _labels(wanted, known, taken)
    used = {id(row) for row in taken.values()}
    free = [row for row in diff.of(part.table).inserted.values() if id(row) not in used]
    rows = [(insertable(shape, part, row, keys), row) for row in free]
    if not rows:
        return cells_text(part.values), "no new row"
    wrong, row = min(rows, key=lambda found: len(found[0]))
    if not wrong:
        return cells_text(part.values), "one row too few, or one that belongs to another"
    told = cells_text(part.values, wrong) or f"{', '.join(wrong)} filled in"
    return told, cells_text({name: row[name] for name in wrong})


def _search(todo: list[int], wanted: list[Inserted], diff: Diff, known: Shapes, taken: Pairs) -> Pairs | None:
    """Try every way to fill the wanted rows, first fit first; None where there is none."""
    if not todo:
        return taken
    index, rest = todo[0], todo[1:]
    for row in _candidates(wanted[index], diff, known, _labels(wanted, known, taken), taken):
        found = _search(rest, wanted, diff, known, {**taken, index: row})
        if found is not None and _consistent(wanted, known, found):
            return found
    return None


def _candidates(part: Inserted, diff: Diff, known: Shapes, keys: Mapping[str, Key], taken: Pairs) -> list[Row]:
    used = {id(row) for row in taken.values()}
    rows = diff.of(part.table).inserted.values()
    return [row for row in rows if id(row) not in used and not insertable(known[part.table], part, row, keys)]


def _consistent(wanted: list[Inserted], known: Shapes, taken: Pairs) -> bool:
    """References of rows that were filled before the row they point to are looked at again, now that it is known."""
    keys = _labels(wanted, known, taken)
    return all(not insertable(known[wanted[index].table], wanted[index], row, keys) for index, row in taken.items())


def _labels(wanted: list[Inserted], known: Shapes, taken: Pairs) -> dict[str, Key]:
    return {
        wanted[index].label: known[wanted[index].table].key_of(row)
        for index, row in taken.items()
        if wanted[index].label
    }
