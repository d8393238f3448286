"""What every table of the store is made with: the declarative base and short names for the usual columns."""

from __future__ import annotations

from collections.abc import Sequence as Many
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, MetaData
from sqlalchemy.orm import DeclarativeBase, MappedColumn, mapped_column, relationship

from ...kit.schema import ColumnClass
from ...kit.schema import column as column

DATA, DERIVED, PREFERENCE = ColumnClass.DATA, ColumnClass.DERIVED, ColumnClass.PREFERENCE
TRAIL, ORDER, GENERATED, VOLATILE = ColumnClass.TRAIL, ColumnClass.ORDER, ColumnClass.GENERATED, ColumnClass.VOLATILE

_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """The declarative base of the store; `Base.metadata` holds all its tables.

    Attributes hold the stored values: `2026-03-18T10:00:00Z` for instants, `2026-03-18` for dates, int cents for money.
    """

    metadata = MetaData(naming_convention=_NAMES)


def table(
    *parts: Any,
    cls: ColumnClass = DATA,
    trail_when: dict[str, tuple[str, ...]] | None = None,
    data_with: tuple[str, ...] = (),
) -> tuple[Any, ...]:
    """`__table_args__` from constraints and indexes; `cls` is the class of each column that names none itself.

    `trail_when` ({column: values}) marks the rows of an otherwise judged table that are trail; `data_with` names the
    columns of a trail table for what somebody wrote: rows that hold something there are judged.
    """
    info: dict[str, Any] = {"class": str(cls)}
    if trail_when:
        info["trail_when"] = trail_when
    if data_with:
        info["data_with"] = data_with
    return (*parts, {"info": info})


def pk(cls: ColumnClass = GENERATED) -> MappedColumn[int]:
    """The integer key `id`, allocated by `kit.ids.next_id`, never by the database."""
    return column(primary_key=True, autoincrement=False, cls=cls)


def fk(target: str, *, name: str | None = None, use_alter: bool = False, **kwargs: Any) -> MappedColumn[Any]:
    """A foreign key column to `table.column`.

    Checked at commit, so that a service may add rows in any order.
    """
    key = ForeignKey(target, deferrable=True, initially="DEFERRED", name=name, use_alter=use_alter)
    return mapped_column(key, **kwargs)


def generated(**kwargs: Any) -> MappedColumn[Any]:
    """A value that the application allocates (a time, a number): on new rows only its presence counts."""
    return column(cls=GENERATED, **kwargs)


def derived(**kwargs: Any) -> MappedColumn[Any]:
    """A value that follows from other columns; `recompute` must give the same."""
    return column(cls=DERIVED, **kwargs)


def position(*within: str) -> MappedColumn[int]:
    """A place in the sequence of the rows that agree in the columns `within`; 1..n without gaps."""
    return column(cls=ORDER, within=within)


def version() -> MappedColumn[int]:
    """The optimistic lock `v`: one more with every write."""
    return column(cls=VOLATILE, default=1)


def one_of(name: str, choices: Many[str]) -> CheckConstraint:
    """A CHECK that column `name` holds one of `choices` (or NULL, where it may)."""
    listed = ", ".join(f"'{choice}'" for choice in choices)
    return CheckConstraint(f"{name} IN ({listed})", name=name)


def holds(name: str, condition: str) -> CheckConstraint:
    """A CHECK with an SQL condition."""
    return CheckConstraint(condition, name=name)


def index(*columns: str) -> Index:
    """An index over columns of the table it stands in."""
    return Index(None, *columns)


def reads(target: str, *, order_by: str | None = None, foreign: str | None = None, one: bool = False) -> Any:
    """A relationship for reading only; rows are written by adding them with their foreign keys."""
    extra: dict[str, Any] = {}
    if order_by:
        extra["order_by"] = order_by
    if foreign:
        extra["foreign_keys"] = foreign
    if one:
        extra["uselist"] = False
    return relationship(target, viewonly=True, **extra)
