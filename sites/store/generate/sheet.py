"""The rows under construction: tables as lists of dicts, written to a database in one go at the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from sqlalchemy import Connection, MetaData, Table, insert

Row = dict[str, Any]


class Sheet:
    """Rows by table; ids are given in the order of adding, so what is added in order of time is numbered in order."""

    def __init__(self, metadata: MetaData) -> None:
        self.metadata = metadata
        self.tables: dict[str, list[Row]] = defaultdict(list)
        self.numbers: dict[str, int] = {}
        self._blank = {name: _defaults(table) for name, table in metadata.tables.items()}
        self._numbered = {name for name, table in metadata.tables.items() if "id" in table.columns}
        self._last: dict[str, int] = defaultdict(int)

    def add(self, table: str, **values: Any) -> Row:
        """Append a row; columns that are not given hold their default or None."""
        row = {**self._blank[table], **values}
        if table in self._numbered and row["id"] is None:
            self._last[table] += 1
            row["id"] = self._last[table]
        self.tables[table].append(row)
        return row

    def number(self, table: str, start: int = 0) -> int:
        """The next document number of a table."""
        self.numbers[table] = self.numbers.get(table, start) + 1
        return self.numbers[table]

    def rows(self, table: str, **equals: Any) -> Iterator[Row]:
        """The rows of a table whose columns equal."""
        found: Iterable[Row] = self.tables[table]
        for column, value in equals.items():
            found = [row for row in found if row[column] == value]
        return iter(found)

    def insert(self, connection: Connection) -> None:
        """Write all rows, and the sequences that go on behind them."""
        for name, last in sorted(self._last.items()):
            self.add("sequences", name=name, last=last)
        for name, last in sorted(self.numbers.items()):
            self.add("sequences", name=f"{name}.number", last=last)
        for table in self.metadata.sorted_tables:
            if rows := self.tables.get(table.name):
                connection.execute(insert(table), rows)


def stream(seed: int, name: str) -> Random:
    """The random numbers of one subject; another subject's draws never move them."""
    return Random(f"{seed}:{name}")


def exact(rng: Random, counts: dict[str, int]) -> list[str]:
    """Each word as often as asked, shuffled."""
    words = [word for word, count in counts.items() for _ in range(count)]
    rng.shuffle(words)
    return words


def _defaults(table: Table) -> Row:
    """A blank row: plain defaults of the columns, else None."""
    return {
        column.name: getattr(column.default, "arg", None) if column.default is not None else None
        for column in table.columns
    }
