"""Small wrongs that a verifier must notice: a row deleted, a value shifted, a row added, two rows swapped."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from random import Random

from sqlalchemy import Boolean, Column, Float, Integer, LargeBinary, Table, UniqueConstraint

from .diff import TableDiff, key_text
from .shape import VOLATILE, Key, Shape, shape_of
from .snapshot import Row, Snapshot

_FEW = 12
"""A column with at most this many different values is taken for an enumeration."""


@dataclass(frozen=True)
class Mutant:
    """One wrong: rows of one table as they are made to be (None = deleted), by key."""

    table: str
    kind: str
    """delete, change, insert or swap."""
    rows: Mapping[Key, Row | None]
    column: str | None = None
    cls: str = ""
    """Class of the changed column, else of the rows."""

    def __str__(self) -> str:
        where = f".{self.column}" if self.column else ""
        return f"{self.kind} {self.table}{where} {', '.join(map(key_text, self.rows))} ({self.cls})"


def mutants(after: Snapshot, table: str, changes: TableDiff, rng: Random, *, rows: int = 3) -> Iterator[Mutant]:
    """Mutants of one table: of rows that the episode touched, of their neighbours, and of some others.

    `rows` is how many of each sort are taken; every column of every chosen row is changed once, and set to NULL once
    where it may be. A volatile table gives one mutant of a kind, since nothing of it is ever compared.
    """
    shape = shape_of(after.metadata, table)
    here = after.rows(table)
    chosen = _chosen(shape, here, changes, rng, 1 if shape.rows == VOLATILE else rows)
    peers = _Peers(after, after.metadata.tables[table])
    for row in chosen:
        yield Mutant(table, "delete", {shape.key_of(row): None}, cls=shape.row_class(row))
        for column in shape.columns:
            if column not in shape.key:
                yield from _changed(shape, row, column, peers)
    fresh = peers.fresh(shape, rng.choice(here) if here else None)
    yield Mutant(table, "insert", {shape.key_of(fresh): fresh}, cls=shape.row_class(fresh))
    for one, other in pairwise(chosen):
        yield from _swapped(shape, one, other)


def _chosen(shape: Shape, here: list[Row], changes: TableDiff, rng: Random, rows: int) -> list[Row]:
    """Touched rows, the rows right after them, and some at random; none twice."""
    places = {shape.key_of(row): place for place, row in enumerate(here)}
    touched = sorted(places[key] for key in changes.touched() if key in places)
    touched = touched if len(touched) <= 2 * rows else rng.sample(touched, 2 * rows)
    beside = [place + 1 for place in touched[:rows] if place + 1 < len(here)]
    others = rng.sample(range(len(here)), min(rows, len(here)))
    return [here[place] for place in dict.fromkeys((*touched, *beside, *others))]


def _changed(shape: Shape, row: Row, column: str, peers: _Peers) -> Iterator[Mutant]:
    values = [peers.step(column, row[column])]
    if column in shape.nullable and row[column] is not None:
        values.append(None)
    for value in values:
        changed = Row(row, **{column: value})
        yield Mutant(shape.name, "change", {shape.key_of(row): changed}, column, shape.classes[column])


def _swapped(shape: Shape, one: Row, other: Row) -> Iterator[Mutant]:
    """Two rows exchange everything but their keys and their unique columns' constraints (those may refuse)."""
    keys = {name: one[name] for name in shape.key}, {name: other[name] for name in shape.key}
    if any(one[name] != other[name] for name in shape.columns if name not in shape.key):
        swapped = {shape.key_of(one): Row(other, **keys[0]), shape.key_of(other): Row(one, **keys[1])}
        yield Mutant(shape.name, "swap", swapped, cls=shape.row_class(one))


class _Peers:
    """What the rows of a table look like: other values of a column, and what a further row would hold."""

    def __init__(self, after: Snapshot, table: Table) -> None:
        self.after = after
        self.table = table
        self._values: dict[str, list[object]] = {}

    def values(self, column: str) -> list[object]:
        """A few different values of a column, the smallest first; no NULL."""
        if column not in self._values:
            name = f'"{column}"'
            rows = self.after.query(
                f'SELECT DISTINCT {name} AS value FROM "{self.table.name}" WHERE {name} IS NOT NULL'
                f" ORDER BY {name} LIMIT {_FEW + 1}"
            )
            self._values[column] = [row.value for row in rows]
        return self._values[column]

    def step(self, column: str, value: object) -> object:
        """The smallest plausible change of a value that keeps its type."""
        kind = self.table.columns[column]
        if value is None:
            return next(iter(self.values(column)), _some(kind, filled=True))
        if isinstance(kind.type, Boolean):
            return 0 if value else 1
        if isinstance(value, str) and not _TIME.fullmatch(value) and len(self.values(column)) <= _FEW:
            others = [one for one in self.values(column) if one != value]
            return others[0] if others else _text_step(value)
        return _step(value)

    def fresh(self, shape: Shape, like: Row | None) -> Row:
        """A further row: a copy with a key and unique values of its own, or one made up in an empty table."""
        row = Row(like) if like is not None else Row({col.name: _some(col) for col in self.table.columns})
        for group in self._unique(shape):
            name = group[-1]
            row[name] = self._further(name, row[name])
        return row

    def _unique(self, shape: Shape) -> list[tuple[str, ...]]:
        rules = [rule for rule in self.table.constraints if isinstance(rule, UniqueConstraint)]
        groups = [tuple(rule.columns.keys()) for rule in rules]
        groups += [tuple(index.columns.keys()) for index in self.table.indexes if index.unique]
        return list(dict.fromkeys([shape.key, *groups]))

    def _further(self, column: str, value: object) -> object:
        taken = {row.value for row in self.after.query(f'SELECT "{column}" AS value FROM "{self.table.name}"')}
        if isinstance(value, int):
            return max((one for one in taken if isinstance(one, int)), default=0) + 1
        text = "" if value is None else str(value)
        return next(name for number in range(1, len(taken) + 2) if (name := f"{text}{number}") not in taken)


_TIME = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?")


def _step(value: object) -> object:
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return math.nextafter(value, math.inf)
    if isinstance(value, bytes):
        return value[:-1] + bytes([(value[-1] + 1) % 256]) if value else b"x"
    text = str(value)
    if _TIME.fullmatch(text):
        return _later(text)
    return _text_step(text)


def _later(text: str) -> str:
    if len(text) == 10:
        return (date.fromisoformat(text) + timedelta(days=1)).isoformat()
    return (datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ") + timedelta(seconds=1)).strftime("%Y-%m-%dT%H:%M:%SZ")


def _text_step(text: str) -> str:
    """One more letter or one other letter at the end; never only another case."""
    last = text[-1:]
    if last in "0123456789" and last:
        return text[:-1] + str((int(last) + 1) % 10)
    if last.isascii() and last.isalpha():
        return text[:-1] + ("y" if last in "xX" else "x")
    return f"{text}x"


def _some(column: Column[object], *, filled: bool = False) -> object:
    if column.nullable and not filled:
        return None
    if isinstance(column.type, LargeBinary):
        return b"x"
    return 1 if isinstance(column.type, Integer | Boolean | Float) else "x"
