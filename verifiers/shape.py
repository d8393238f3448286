"""What a verifier knows of a table: its key, its columns and the class of each, read from SQLAlchemy metadata."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from sqlalchemy import MetaData, Table

from ..errors import VerifierError

DATA, DERIVED, PREFERENCE, TRAIL = "data", "derived", "preference", "trail"
ORDER, GENERATED, VOLATILE = "order", "generated", "volatile"
CLASSES = frozenset({DATA, DERIVED, PREFERENCE, TRAIL, ORDER, GENERATED, VOLATILE})

Key = object
"""A primary key: the value itself, or a tuple of values where the key has several columns."""


@dataclass(frozen=True)
class Shape:
    """One table as a verifier sees it."""

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]
    classes: Mapping[str, str]
    """Column to its class."""
    rows: str
    """Class of its rows: data, trail, preference or volatile."""
    trail_when: Mapping[str, frozenset[object]]
    """Rows with one of these values in each of these columns are trail, whatever `rows` says."""
    data_with: frozenset[str]
    """Trail rows that hold something in one of these columns are data: words that somebody left there."""
    within: Mapping[str, tuple[str, ...]]
    """Order column to the columns that name the sequence it orders."""
    nullable: frozenset[str]

    def of(self, cls: str) -> tuple[str, ...]:
        """The columns of one class."""
        return tuple(name for name in self.columns if self.classes[name] == cls)

    @cached_property
    def quiet(self) -> frozenset[str]:
        """Columns that are never compared."""
        return frozenset(self.of(VOLATILE))

    def row_class(self, row: Mapping[str, object]) -> str:
        """How a change of this row is judged."""
        if self.trail_when and all(row.get(col) in values for col, values in self.trail_when.items()):
            return TRAIL
        if self.rows == TRAIL and any(row.get(col) not in (None, "") for col in self.data_with):
            return DATA
        return self.rows

    def key_of(self, row: Mapping[str, object]) -> Key:
        """The primary key of a row, in the form that `Key` describes."""
        return row[self.key[0]] if len(self.key) == 1 else tuple(row[name] for name in self.key)

    def key_values(self, key: Key) -> dict[str, object]:
        """A key taken apart into its columns."""
        values = key if len(self.key) > 1 else (key,)
        if not isinstance(values, tuple) or len(values) != len(self.key):
            raise VerifierError(f"{key!r} is no key of table {self.name}, whose key is {', '.join(self.key)}")
        return dict(zip(self.key, values, strict=True))


Shapes = Mapping[str, Shape]
_cache: WeakKeyDictionary[MetaData, dict[str, Shape]] = WeakKeyDictionary()


def shapes(metadata: MetaData) -> Shapes:
    """Every table of the metadata, by name, parents before children.

    Raises `VerifierError` for a column without a class: what is not classed can't be judged.
    """
    found = _cache.get(metadata)
    if found is None or len(found) != len(metadata.tables):
        found = _cache[metadata] = {table.name: _shape(table) for table in metadata.sorted_tables}
    return found


def shape_of(metadata: MetaData, table: str) -> Shape:
    """One table's shape; `VerifierError` for a name that does not exist."""
    try:
        return shapes(metadata)[table]
    except KeyError:
        raise VerifierError(f"no table {table!r} in this metadata") from None


def _shape(table: Table) -> Shape:
    key = tuple(col.name for col in table.primary_key.columns)
    if not key:
        raise VerifierError(f"table {table.name} has no primary key, so its rows can't be told apart")
    default = table.info.get("class")
    classes = {col.name: _class(table, col.name, col.info.get("class") or default) for col in table.columns}
    return Shape(
        name=table.name,
        key=key,
        columns=tuple(classes),
        classes=classes,
        rows=default if default in (TRAIL, PREFERENCE, VOLATILE) else DATA,
        trail_when={col: frozenset(values) for col, values in table.info.get("trail_when", {}).items()},
        data_with=frozenset(table.info.get("data_with", ())),
        within={col.name: tuple(col.info.get("within", ())) for col in table.columns if classes[col.name] == ORDER},
        nullable=frozenset(col.name for col in table.columns if col.nullable),
    )


def _class(table: Table, column: str, cls: str | None) -> str:
    if cls not in CLASSES:
        raise VerifierError(f"column {table.name}.{column} has the class {cls!r}; known: {', '.join(sorted(CLASSES))}")
    return str(cls)
