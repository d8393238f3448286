"""What an episode did to the database, told apart: damage, missing, expected, and records that are kept on the side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..rowdiff import label_of

QUIET = frozenset({"volatile", "derived", "preference", "trail", "generated"})
"""Classes of columns and rows whose change alone is nobody's deed."""


@dataclass(frozen=True)
class Cell:
    """One column of a changed row; `old` and `new` are text, None where there is no such side."""

    column: str
    old: str | None
    new: str | None
    quiet: bool = False


@dataclass(frozen=True)
class RowChange:
    """One row that differs: `kind` is inserted, deleted or updated; `why` says why it is damage."""

    table: str
    name: str
    kind: str
    cells: tuple[Cell, ...]
    why: str = ""


@dataclass
class Changes:
    """All row changes of an episode in the four groups of the report."""

    damage: list[RowChange] = field(default_factory=list)
    expected: list[RowChange] = field(default_factory=list)
    side: list[RowChange] = field(default_factory=list)
    missing: list[dict[str, Any]] = field(default_factory=list)
    """Checks of the verdict that failed."""


def sort_changes(changes: Mapping[str, Any], verdict: Mapping[str, Any]) -> Changes:
    """Put every changed cell in its group: what the verdict calls damage, then by class, and the rest was expected."""
    found = Changes(missing=[check for check in verdict.get("checks", ()) if not check["ok"]])
    damaged = {(one["table"], str(one["key"]), one["column"]) for one in verdict.get("damage", ())}
    names = {(table, row[0]): row[1] for table, change in changes.items() for row in _names(change)}
    found.damage = list(_damage(verdict.get("damage", ()), names))
    for table, change in changes.items():
        for row, quiet in _rows(table, change):
            key = row[0]
            kept = _undamaged(row[1], damaged, key)
            if kept is not None:
                (found.side if quiet or all(cell.quiet for cell in kept.cells) else found.expected).append(kept)
    return found


def shown(value: Any) -> str:
    """A database value as a person reads it."""
    if value is None:
        return "NULL"
    if isinstance(value, dict) and "base64" in value:
        return f"{len(value['base64']) * 3 // 4} bytes"
    return str(value)


def key_text(values: list[Any]) -> str:
    """A primary key as the verdict writes it."""
    return "/".join(str(value) for value in values)


def _damage(damage: Any, names: Mapping[tuple[str, str], str]) -> Iterator[RowChange]:
    together: dict[tuple[str, str, str], list[Cell]] = {}
    for one in damage:
        where = (one["table"], str(one["key"]), one.get("why", ""))
        together.setdefault(where, []).extend(_damage_cells(one))
    for (table, key, why), cells in together.items():
        sides = {(cell.old is None, cell.new is None) for cell in cells}
        kind = "inserted" if sides == {(True, False)} else "deleted" if sides == {(False, True)} else "updated"
        yield RowChange(table, names.get((table, key), key), kind, tuple(cells), why)


def _damage_cells(one: Mapping[str, Any]) -> Iterator[Cell]:
    if one["column"] is not None:
        yield Cell(one["column"], shown(one["old"]), shown(one["new"]))
        return
    old, new = one["old"], one["new"]
    row = new if isinstance(new, dict) else old if isinstance(old, dict) else {}
    for column, value in row.items():
        yield Cell(column, None if old is None else shown(value), None if new is None else shown(value))


def _undamaged(row: RowChange, damaged: set[tuple[str, str, str | None]], key: str) -> RowChange | None:
    if (row.table, key, None) in damaged:
        return None
    cells = tuple(cell for cell in row.cells if (row.table, key, cell.column) not in damaged)
    return RowChange(row.table, row.name, row.kind, cells) if cells else None


def _rows(table: str, change: Mapping[str, Any]) -> Iterator[tuple[tuple[str, RowChange], bool]]:
    """Each changed row with its key, and whether rows like it are quiet as a whole."""
    classes, columns, quiet = change["classes"], change["columns"], change["rows"] in QUIET
    trail, labels = set(change.get("trail", ())), change.get("labels", [])
    for index, (values, cells) in enumerate(change["updated"]):
        key, label = key_text(values), labels[index] if index < len(labels) else None
        listed = tuple(Cell(c, shown(old), shown(new), classes.get(c) in QUIET) for c, (old, new) in cells.items())
        yield (key, RowChange(table, _name(key, label), "updated", listed)), quiet
    for kind in ("inserted", "deleted"):
        for index, row in enumerate(change[kind]):
            values = dict(zip(columns, row, strict=True))
            key = key_text([values[name] for name in change["key"]])
            listed = tuple(_row_cells(values, classes, kind))
            is_quiet = quiet or (kind == "inserted" and index in trail)
            yield (key, RowChange(table, _name(key, label_of(values)), kind, listed)), is_quiet


def _row_cells(values: Mapping[str, Any], classes: Mapping[str, str], kind: str) -> Iterator[Cell]:
    for column, value in values.items():
        quiet = classes.get(column) in QUIET
        yield Cell(column, shown(value), None, quiet) if kind == "deleted" else Cell(column, None, shown(value), quiet)


def _names(change: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for (key, row), _ in _rows("", change):
        yield key, row.name


def _name(key: str, label: str | None) -> str:
    return f"{label} (#{key})" if label else f"#{key}"
