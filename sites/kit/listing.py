"""Running a list: SQL from a parsed query, one page of rows, and the counts around it.

The rows of a page are found by key first and then fetched whole, so that a column nobody filters or sorts by is never
computed for rows nobody sees. Every order ends in the id, in the direction of the first column: two databases give the
same pages, and of two orders placed in one second the later is the newer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, bindparam, func, not_, or_, select
from sqlalchemy.orm import Session
from sqlalchemy.sql.util import find_tables

from .grid import Column, Filter, Query, Shape

Counted = Callable[[tuple[object, ...], Callable[[], int]], int]

EVERYTHING = {"check_columns": True, "include_aliases": True, "include_selects": True, "include_joins": True}
"""Tables are looked for in every part of an expression, its subqueries included."""

MOST_AT_ONCE = 500
"""Rows fetched by one statement; databases limit how many values it may name."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where the rows of a list come from: the key column, what to join, and the conditions that `q` stands for."""

    id: Any
    joins: Callable[[Select[Any]], Select[Any]]
    search: Callable[[str], list[ColumnElement[bool]]]
    needs: Mapping[str, Any] = field(default_factory=dict)
    """What every row has beside the columns shown, as name → SQL: its number, its version `v`, what its links need."""
    whole: bool = False
    """Whether the joins keep each row and add none (outer ones to a single row, or along a key that is never empty).
    Rows are then counted and ordered without joins that nothing asks for."""


@dataclass(frozen=True, kw_only=True)
class Page:
    """One page of a list. `query.page` is the page shown, which is the last one where a later one was asked for."""

    shape: Shape
    query: Query
    rows: list[Row[Any]]
    total: int

    @property
    def pages(self) -> int:
        """Number of pages, at least one."""
        return max(1, -(-self.total // self.query.size))

    @property
    def first(self) -> int:
        """Number of the first row shown, from 1; 0 where there is none."""
        return (self.query.page - 1) * self.query.size + 1 if self.rows else 0

    @property
    def last(self) -> int:
        """Number of the last row shown."""
        return self.first + len(self.rows) - 1 if self.rows else 0

    @property
    def columns(self) -> list[Column]:
        """The columns shown, in order."""
        return [column for name in self.query.columns if (column := self.shape.column(name)) is not None]

    def url(self, **changes: Any) -> str:
        """The address of this list with something changed."""
        return self.shape.url(self.query, **changes)

    def parts(self) -> list[tuple[str, str]]:
        """What the address of this list says, as names and values; forms carry along what they do not set."""
        return self.shape.parts(self.query)

    def neighbours(self) -> list[int | None]:
        """Page numbers for the pager; None stands for a gap."""
        near = {1, self.pages, *range(self.query.page - 2, self.query.page + 3)}
        numbers = sorted(number for number in near if 1 <= number <= self.pages)
        found: list[int | None] = []
        for number in numbers:
            if found and found[-1] is not None and number - found[-1] > 1:
                found.append(None)
            found.append(number)
        return found

    def direction(self, name: str) -> str:
        """`ascending`, `descending` or nothing: how a column is sorted."""
        if name in self.query.sort:
            return "ascending"
        return "descending" if f"-{name}" in self.query.sort else ""

    def rank(self, name: str) -> int:
        """Place of a column in a sort over several; 0 where it is not sorted, or alone."""
        names = [part.lstrip("-") for part in self.query.sort]
        return names.index(name) + 1 if name in names and len(names) > 1 else 0

    def sorted_by(self, name: str, *, add: bool = False) -> str:
        """The address after a click on a heading; with `add` (shift-click) the other columns stay."""
        turned = f"-{name}" if self.direction(name) == "ascending" else name
        kept = [part for part in self.query.sort if part.lstrip("-") != name] if add else []
        if add and self.direction(name):
            kept = [turned if part.lstrip("-") == name else part for part in self.query.sort]
            return self.url(sort=tuple(kept), page=1)
        return self.url(sort=(*kept, turned), page=1)


def run(db: Session, source: Source, shape: Shape, query: Query, counted: Counted | None = None) -> Page:
    """The page that a query asks for. `counted` may know the number of rows from before: what it is asked, and how."""
    conditions = where(source, shape, query)

    def count() -> int:
        return db.scalar(_from(source, select(func.count(source.id)), conditions).where(*conditions)) or 0

    total = count() if counted is None else counted((query.q, query.filters), count)
    page = min(query.page, max(1, -(-total // query.size)))
    query = replace(query, page=page)
    order = _order(source, shape, query)
    keys = _from(source, select(source.id), [*conditions, *order]).where(*conditions).order_by(*order)
    ids = list(db.scalars(keys.limit(query.size).offset((page - 1) * query.size)))
    return Page(shape=shape, query=query, rows=rows(db, source, shape, query, ids), total=total)


def _from(source: Source, statement: Select[Any], used: Sequence[ColumnElement[Any]]) -> Select[Any]:
    """A statement on the rows of a list, with the joins where something that is used needs them."""
    if source.whole:
        own = source.id.class_.__table__
        tables = {table for each in used for table in find_tables(each, **EVERYTHING)}
        if tables <= {own}:
            return statement.select_from(own)
    return source.joins(statement)


def matching(db: Session, source: Source, shape: Shape, query: Query) -> list[Row[Any]]:
    """All rows of a query in order, whatever its page: the id, and what every row has."""
    labelled = [value.label(name) for name, value in source.needs.items()]
    statement = source.joins(select(source.id.label("id"), *labelled)).where(*where(source, shape, query))
    return list(db.execute(statement.order_by(*_order(source, shape, query))))


def every(db: Session, source: Source, shape: Shape, query: Query) -> list[Row[Any]]:
    """All rows of a query in order with the columns it shows."""
    ids = [row.id for row in matching(db, source, shape, query)]
    parts = [ids[at : at + MOST_AT_ONCE] for at in range(0, len(ids), MOST_AT_ONCE)]
    return [row for part in parts for row in rows(db, source, shape, query, part)]


def where(source: Source, shape: Shape, query: Query) -> list[ColumnElement[bool]]:
    """The conditions of a query in SQL: every token of `q`, and every filter."""
    found = source.search(query.q) if query.q else []
    for each in query.filters:
        column = shape.column(each.column)
        if column is not None:
            found.append(clause(column, each))
    return found


def clause(column: Column, each: Filter) -> ColumnElement[bool]:
    """One condition in SQL."""
    if column.where is not None:
        return _of_codes(column.where, each)
    left = column.show if column.match is None else column.match
    if each.op == "empty":
        return or_(left.is_(None), left == "") if column.kind in ("text", "enum") else left.is_(None)
    if column.kind == "time":
        return _time(left, each)
    value: Any = each.value
    if isinstance(value, str) and column.typed is not None:
        value = column.typed(value)
    comparisons: dict[str, Callable[[], ColumnElement[bool]]] = {
        "in": lambda: left.in_(value),
        "ne": lambda: or_(left != value, left.is_(None)),
        "contains": lambda: left.contains(value, autoescape=True),
        "gte": lambda: left >= value,
        "lte": lambda: left <= value,
        "between": lambda: left.between(value[0], value[1]),
        "eq": lambda: left == value,
    }
    found: ColumnElement[bool] = comparisons[each.op]()
    return found


def _of_codes(where: Callable[[tuple[str, ...]], ColumnElement[bool]], each: Filter) -> ColumnElement[bool]:
    """A condition on codes that are not stored as such."""
    codes = tuple(str(code) for code in each.value) if isinstance(each.value, tuple) else (str(each.value),)
    found = where(codes)
    return not_(found) if each.op == "ne" else found


def _time(left: Any, each: Filter) -> ColumnElement[bool]:
    """Days against stored instants: the last day counts whole."""
    value: Any = each.value
    low, high = value if each.op == "between" else (value, value)
    after = left >= f"{low}T00:00:00Z"
    before = left < f"{date.fromisoformat(high) + timedelta(days=1)}T00:00:00Z"
    found: ColumnElement[bool] = {"gte": after, "lte": before}.get(each.op, and_(after, before))
    return found


def _order(source: Source, shape: Shape, query: Query) -> list[ColumnElement[Any]]:
    """The order of a query, which ends in the id."""
    found = []
    for part in query.sort:
        column = shape.column(part.lstrip("-"))
        if column is not None:
            by = column.show if column.sort is None else column.sort
            found.append(by.desc().nulls_last() if part.startswith("-") else by.asc().nulls_first())
    down = query.sort[:1] and query.sort[0].startswith("-")
    return [*found, source.id.desc() if down else source.id]


def rows(db: Session, source: Source, shape: Shape, query: Query, ids: list[int]) -> list[Row[Any]]:
    """The rows with these ids, in their order, with the columns that a query shows; ids that are gone are left out."""
    if query.columns not in shape.prepared:
        shape.prepared[query.columns] = _fetching(source, shape, query.columns)
    found = {row.id: row for row in db.execute(shape.prepared[query.columns], {"ids": ids})}
    return [found[each] for each in ids if each in found]


def _fetching(source: Source, shape: Shape, columns: Collection[str]) -> Select[Any]:
    """The statement that fetches rows by their ids with these columns."""
    shown = {column.name: column.show for column in shape.columns if column.name in columns and column.show is not None}
    labelled = [value.label(name) for name, value in {**source.needs, **shown}.items()]
    statement = source.joins(select(source.id.label("id"), *labelled))
    return statement.where(source.id.in_(bindparam("ids", expanding=True)))
