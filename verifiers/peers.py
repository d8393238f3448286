"""What the rows of a table look like: a value beside another, and what a further row would hold."""

from __future__ import annotations

import math
import re
from datetime import date, datetime, timedelta

from sqlalchemy import Boolean, Column, Float, Integer, LargeBinary, Table, UniqueConstraint

from .shape import Key, Shape
from .snapshot import Row, Snapshot

_FEW = 12
"""A column with at most this many different values is taken for an enumeration."""


class Peers:
    """The rows of one table of a snapshot, as a source of plausible values."""

    def __init__(self, snapshot: Snapshot, table: Table) -> None:
        self.snapshot = snapshot
        self.table = table
        self._values: dict[str, list[object]] = {}
        self._groups = _unique(table)

    def values(self, column: str) -> list[object]:
        """A few different values of a column, the smallest first; no NULL."""
        if column not in self._values:
            name = f'"{column}"'
            rows = self.snapshot.query(
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

    def other_key(self, shape: Shape, column: str, row: Row) -> Key:
        """A key that no row has and in which only one column is altered, to another row's value where one is free."""
        for value in (*self.values(column), self._further(column, row[column])):
            key = shape.key_of({**row, column: value})
            if value != row[column] and self.snapshot.get(shape.name, key) is None:
                return key
        raise LookupError(f"no free key beside {shape.key_of(row)!r} in {shape.name}")

    def fresh(self, like: Row | None) -> Row:
        """A further row: a copy with a key and unique values of its own, or one made up in an empty table."""
        row = Row(like) if like is not None else Row({col.name: _some(col) for col in self.table.columns})
        for group in self._groups:
            name = group[-1]
            row[name] = self._further(name, row[name])
        return row

    def _further(self, column: str, value: object) -> object:
        """A value that no row has in this column."""
        if isinstance(value, int):
            most = self.snapshot.value(f'SELECT max("{column}") FROM "{self.table.name}"')
            return most + 1 if isinstance(most, int) else 1
        text, number = "" if value is None else str(value), 1
        while self._taken(column, f"{text}{number}"):
            number += 1
        return f"{text}{number}"

    def _taken(self, column: str, value: str) -> bool:
        rows = self.snapshot.query(f'SELECT 1 FROM "{self.table.name}" WHERE "{column}" = :value LIMIT 1', value=value)
        return bool(rows)


def _unique(table: Table) -> list[tuple[str, ...]]:
    """Groups of columns that no two rows share: the primary key first."""
    rules = [rule for rule in table.constraints if isinstance(rule, UniqueConstraint)]
    groups = [tuple(rule.columns.keys()) for rule in rules]
    groups += [tuple(index.columns.keys()) for index in table.indexes if index.unique]
    return list(dict.fromkeys([tuple(col.name for col in table.primary_key.columns), *groups]))


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
