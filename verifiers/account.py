"""Accounting for a difference: each change is either what the task asks for, or allowed by its class, or damage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .diff import Diff, TableDiff, same
from .expectation import Deleted, Expectation, Inserted, Ordered, Part, Summed, Updated, insertable, part_name, targets
from .matchers import cells_text, matches
from .newrows import Pairs, nearest, pair
from .sequences import disturbed, members
from .shape import DERIVED, ORDER, PREFERENCE, TRAIL, VOLATILE, Key, Shape, shapes
from .snapshot import Row, Snapshot
from .text import shown
from .verdict import Check, Damage


@dataclass
class Account:
    """The books of one episode: a check for each part that must hold, and whatever nobody asked for."""

    expectation: Expectation
    before: Snapshot
    after: Snapshot
    diff: Diff
    checks: list[Check] = field(default_factory=list)
    rows: dict[str, set[Key]] = field(default_factory=dict)
    """New and deleted rows that are accounted for."""
    cells: dict[tuple[str, Key], set[str]] = field(default_factory=dict)
    """Changed cells that are accounted for."""

    def __post_init__(self) -> None:
        self.shapes = shapes(self.before.metadata)

    def settle(self) -> tuple[list[Check], list[Damage]]:
        """Book everything; returns the checks in the order of the expectation, and the damage with deletions first."""
        added = self._must_insert()
        for part in self.expectation.must:
            if isinstance(part, Inserted):
                self.checks.append(next(added))
            elif isinstance(part, Updated):
                self.checks.append(self._must_update(part))
            elif isinstance(part, Deleted):
                self.checks.append(self._must_delete(part))
            elif isinstance(part, Ordered):
                self.checks.append(self._must_order(part))
            elif isinstance(part, Summed):
                self.checks.append(self._must_sum(part))
        for part in self.expectation.may:
            self._may(part)
        damage = [one for name, table in self.diff.tables.items() for one in self._rest(name, table)]
        return self.checks, sorted(damage, key=gravity)

    def _must_insert(self) -> Iterator[Check]:
        """A check for each new row that is wanted; all are paired with the rows that are there before any is booked."""
        wanted = [part for part in self.expectation.must if isinstance(part, Inserted)]
        found = pair(wanted, self.diff, self.shapes)
        for index, part in enumerate(wanted):
            if index in found:
                self._row(part.table).add(self.shapes[part.table].key_of(found[index]))
        return iter([self._added(index, wanted, found) for index in range(len(wanted))])

    def _added(self, index: int, wanted: list[Inserted], found: Pairs) -> Check:
        part = wanted[index]
        what = f"{part_name(part)} added"
        if index in found:
            return Check(what, cells_text(part.values), "the same", True)
        return Check(what, *nearest(part, wanted, self.diff, self.shapes, found), ok=False)

    def _must_update(self, part: Updated) -> Check:
        what = f"{part_name(part)} updated"
        row = self.after.get(part.table, part.key)
        if row is None:
            return Check(what, cells_text(part.values), "the row is gone", False)
        self._cell(part.table, part.key).update(part.values)
        wrong = {name: row[name] for name, wanted in part.values.items() if not matches(wanted, row[name])}
        if wrong:
            return Check(what, cells_text(part.values, wrong), cells_text(wrong), False)
        return Check(what, cells_text(part.values), "the same", True)

    def _must_delete(self, part: Deleted) -> Check:
        gone = self.after.get(part.table, part.key) is None
        self._row(part.table).add(part.key)
        return Check(f"{part_name(part)} deleted", "no such row", "none" if gone else "it is still there", gone)

    def _must_order(self, part: Ordered) -> Check:
        shape = self.shapes[part.table]
        found = members(shape, shape.of(ORDER)[0], part.within, self.after)
        keys = tuple(key for key, _ in found)
        ok = keys == part.keys and len({place for _, place in found}) == len(found)
        return Check(part_name(part), shown(part.keys), "the same" if ok else shown(keys), ok)

    def _must_sum(self, part: Summed) -> Check:
        rows = self.diff.of(part.table).inserted.values()
        meant = (row for row in rows if all(matches(wanted, row[name]) for name, wanted in part.where.items()))
        found = sum(int(row[part.column]) for row in meant)
        return Check(f"{part_name(part)} in sum", f"at least {part.least}", str(found), found >= part.least)

    def _may(self, part: Part) -> None:
        table = self.diff.of(part.table)
        used = self._row(part.table)
        if isinstance(part, Inserted):
            shape = self.shapes[part.table]
            fits = (k for k, row in table.inserted.items() if k not in used and not insertable(shape, part, row, {}))
            used.update(list(fits)[:1])
        elif isinstance(part, Deleted):
            used.add(part.key)
        elif isinstance(part, Updated):
            cells = table.updated.get(part.key, {})
            fine = [name for name, want in part.values.items() if name in cells and matches(want, cells[name][1])]
            self._cell(part.table, part.key).update(fine)

    def _rest(self, name: str, table: TableDiff) -> list[Damage]:
        shape = self.shapes[name]
        if shape.rows == VOLATILE or (shape.rows == PREFERENCE and name not in targets(self.expectation.must)):
            return []
        used = self._row(name)
        damage = [
            Damage(name, key, None, _visible(shape, row), None) for key, row in table.deleted.items() if key not in used
        ]
        for key, row in table.inserted.items():
            if key not in used and shape.row_class(row) != TRAIL:
                damage.append(Damage(name, key, None, None, _visible(shape, row)))
        for key, cells in table.updated.items():
            known = self._cell(name, key)
            damage += [
                Damage(name, key, column, old, new)
                for column, (old, new) in cells.items()
                if column not in known and shape.classes[column] not in _UNTOLD
            ]
        return damage + self._sequences(shape, table)

    def _sequences(self, shape: Shape, table: TableDiff) -> list[Damage]:
        declared = [part for part in self.expectation.must if isinstance(part, Ordered) and part.table == shape.name]
        return [
            Damage(shape.name, tuple(within.values()), column, old, new, why="order")
            for column in shape.of(ORDER)
            for within, old, new in disturbed(shape, column, table, self.before, self.after)
            if not any(all(same(within.get(k), v) for k, v in part.within.items()) for part in declared)
        ]

    def _row(self, table: str) -> set[Key]:
        return self.rows.setdefault(table, set())

    def _cell(self, table: str, key: Key) -> set[str]:
        return self.cells.setdefault((table, key), set())


_UNTOLD = frozenset({VOLATILE, DERIVED, ORDER, PREFERENCE})
"""Classes of columns whose changed cells are judged elsewhere or never."""


def gravity(damage: Damage) -> tuple[int, str, str]:
    """Sort key: deletions first, then changed cells, then new rows."""
    kind = 1 if damage.column is not None else 0 if damage.new is None else 2
    return kind, damage.table, str(damage.key)


def _visible(shape: Shape, row: Row) -> dict[str, object]:
    return {name: value for name, value in row.items() if shape.classes[name] not in (VOLATILE, DERIVED)}
