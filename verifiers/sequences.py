"""Positions compared as sequences: what matters is who stands before whom, not the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .diff import TableDiff
from .shape import Key, Shape
from .snapshot import Row, Snapshot

Group = tuple[object, ...]


def disturbed(
    shape: Shape, column: str, table: TableDiff, before: Snapshot, after: Snapshot
) -> Iterator[tuple[dict[str, object], list[Key], list[Key]]]:
    """Sequences whose remaining members changed places: what names the sequence, their old order, their new order.

    Members that came or went don't count (they are new or deleted rows and judged as such); two members on one
    position have no order, so that a tie which was not there before is a change too.
    """
    for group in _touched(shape, column, table, before):
        old, new = (_members(shape, column, group, side) for side in (before, after))
        stay = {key for key, _ in old} & {key for key, _ in new}
        was, now = ([(key, place) for key, place in side if key in stay] for side in (old, new))
        if [key for key, _ in was] != [key for key, _ in now] or _ties(now) > _ties(was):
            yield _named(shape, column, group), [key for key, _ in was], [key for key, _ in now]


def members(shape: Shape, column: str, within: Mapping[str, object], side: Snapshot) -> list[tuple[Key, object]]:
    """Keys of one sequence with their places, first to last."""
    rows = side.rows(shape.name, **within)
    return [(shape.key_of(row), row[column]) for row in sorted(rows, key=lambda row: _place(shape, column, row))]


def _touched(shape: Shape, column: str, table: TableDiff, before: Snapshot) -> list[Group]:
    names = shape.within[column]
    found: dict[Group, None] = {}
    for row in (*table.inserted.values(), *table.deleted.values()):
        found[tuple(row[name] for name in names)] = None
    for key, cells in table.updated.items():
        if column in cells or any(name in cells for name in names):
            old = before.get(shape.name, key) or Row()
            found[tuple(old.get(name) for name in names)] = None
            found[tuple(cells[name][1] if name in cells else old.get(name) for name in names)] = None
    return list(found)


def _members(shape: Shape, column: str, group: Group, side: Snapshot) -> list[tuple[Key, object]]:
    return members(shape, column, _named(shape, column, group), side)


def _named(shape: Shape, column: str, group: Group) -> dict[str, object]:
    return dict(zip(shape.within[column], group, strict=True))


def _place(shape: Shape, column: str, row: Row) -> tuple[bool, object, str]:
    place = row[column]
    return place is None, place or 0, str(shape.key_of(row)).zfill(20)


def _ties(found: list[tuple[Key, object]]) -> int:
    return len(found) - len({place for _, place in found})
