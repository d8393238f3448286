"""Small wrongs that a verifier must notice: a row deleted, a value shifted, a row added, rows or values swapped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from .diff import TableDiff, key_text, same
from .peers import Peers
from .shape import VOLATILE, Key, Shape, shape_of
from .snapshot import Row, Snapshot

KINDS = ("delete", "change", "insert", "swap")
TOUCHED, BESIDE, OTHER = "touched", "beside", "other"


@dataclass(frozen=True)
class Mutant:
    """One wrong: rows of one table as they are made to be (None = deleted), by key."""

    table: str
    kind: str
    """delete, change, insert or swap."""
    rows: Mapping[Key, Row | None]
    column: str | None = None
    """The column that is changed, or whose values are swapped; None for whole rows."""
    cls: str = ""
    """Class of the changed column, else of the rows."""
    near: str = OTHER
    """Whether the episode touched the row (one of them, in a swap), or the row before it, or neither."""

    def __str__(self) -> str:
        where = f".{self.column}" if self.column else ""
        return f"{self.kind} {self.table}{where} {', '.join(map(key_text, self.rows))} ({self.cls})"


@dataclass(frozen=True)
class _Chosen:
    row: Row
    near: str


def mutants(after: Snapshot, table: str, changes: TableDiff, rng: Random, *, rows: int = 3) -> Iterator[Mutant]:
    """Mutants of one table: of rows that the episode touched, of those right after them, and of some others.

    `rows` is how many of each sort are taken (twice as many of the touched). Of every chosen row, each column is
    changed by its smallest step, set to NULL where it may be, and set back to its old value where the episode changed
    it; the row is deleted, and swapped with the next one, as a whole and column by column. A further row is inserted
    like one of each sort, and each row that the episode deleted is put back. A volatile table gives one row's mutants,
    since nothing of it is ever compared.
    """
    shape = shape_of(after.metadata, table)
    chosen = _chosen(after, shape, changes, rng, 1 if shape.rows == VOLATILE else rows)
    peers = Peers(after, after.metadata.tables[table])
    for one in chosen:
        yield Mutant(table, "delete", {shape.key_of(one.row): None}, cls=shape.row_class(one.row), near=one.near)
        for column in shape.columns:
            yield from _changed(shape, one, column, peers, changes)
    yield from _inserted(shape, chosen, peers, changes)
    for one, other in pairwise(chosen):
        yield from _swapped(shape, one, other)
    for column in shape.columns:
        if column not in shape.key:
            yield from _exchanged(shape, chosen, column)


def _chosen(after: Snapshot, shape: Shape, changes: TableDiff, rng: Random, rows: int) -> list[_Chosen]:
    """Touched rows, the rows right after them, and some at random; none twice."""
    keys = _keys(after, shape)
    places = {key: place for place, key in enumerate(keys)}
    touched = sorted(places[key] for key in changes.touched() if key in places)
    touched = touched if len(touched) <= 2 * rows else rng.sample(touched, 2 * rows)
    beside = [place + 1 for place in touched[:rows] if place + 1 < len(keys)]
    others = rng.sample(range(len(keys)), min(rows, len(keys)))
    found: dict[int, str] = {}
    for near, some in ((TOUCHED, touched), (BESIDE, beside), (OTHER, others)):
        for place in some:
            found.setdefault(place, near)
    rows_at = ((after.get(shape.name, keys[place]), near) for place, near in found.items())
    return [_Chosen(row, near) for row, near in rows_at if row is not None]


def _keys(after: Snapshot, shape: Shape) -> list[Key]:
    """Every key of a table, in order."""
    names = ", ".join(f'"{name}"' for name in shape.key)
    found = after.connection.execute(f'SELECT {names} FROM "{shape.name}" ORDER BY {names}')
    return [values[0] if len(values) == 1 else values for values in found]


def _changed(shape: Shape, one: _Chosen, column: str, peers: Peers, changes: TableDiff) -> Iterator[Mutant]:
    row, key, cls = one.row, shape.key_of(one.row), shape.classes[column]
    if column in shape.key:
        moved = peers.other_key(shape, column, row)
        rows: dict[Key, Row | None] = {key: None, moved: Row(row, **shape.key_values(moved))}
        yield Mutant(shape.name, "change", rows, column, cls, one.near)
        return
    values = [peers.step(column, row[column])]
    if column in shape.nullable and row[column] is not None:
        values.append(None)
    old = changes.updated.get(key, {}).get(column)
    if old is not None and not any(same(old[0], value) for value in values):
        values.append(old[0])
    for value in values:
        yield Mutant(shape.name, "change", {key: Row(row, **{column: value})}, column, cls, one.near)


def _inserted(shape: Shape, chosen: Sequence[_Chosen], peers: Peers, changes: TableDiff) -> Iterator[Mutant]:
    like: dict[str, Row | None] = {one.near: one.row for one in chosen}
    for near, row in (like or {OTHER: None}).items():
        fresh = peers.fresh(row)
        yield Mutant(shape.name, "insert", {shape.key_of(fresh): fresh}, cls=shape.row_class(fresh), near=near)
    for key, gone in changes.deleted.items():
        yield Mutant(shape.name, "insert", {key: gone}, cls=shape.row_class(gone), near=TOUCHED)


def _swapped(shape: Shape, one: _Chosen, other: _Chosen) -> Iterator[Mutant]:
    """Two rows exchange everything but their keys and their unique columns' constraints (those may refuse)."""
    keys = {name: one.row[name] for name in shape.key}, {name: other.row[name] for name in shape.key}
    if any(one.row[name] != other.row[name] for name in shape.columns if name not in shape.key):
        swapped = {
            shape.key_of(one.row): Row(other.row, **keys[0]),
            shape.key_of(other.row): Row(one.row, **keys[1]),
        }
        yield Mutant(shape.name, "swap", swapped, cls=shape.row_class(one.row), near=one.near)


def _exchanged(shape: Shape, chosen: Sequence[_Chosen], column: str) -> Iterator[Mutant]:
    """The first two chosen rows with different values of a column exchange them; touched rows come first."""
    for one, other in pairwise(chosen):
        if not same(one.row[column], other.row[column]):
            rows = {
                shape.key_of(one.row): Row(one.row, **{column: other.row[column]}),
                shape.key_of(other.row): Row(other.row, **{column: one.row[column]}),
            }
            yield Mutant(shape.name, "swap", rows, column, shape.classes[column], one.near)
            return
