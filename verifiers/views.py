"""What a page showed, by the server's own record: host, path, filters and sort, compared after parsing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

Filters = Mapping[str, Sequence[Sequence[object]]]
"""Column to its conditions, each an operator and a value: `{"status": [["in", ["pending"]]]}`."""


class RecordedView(Protocol):
    """A page as the server recorded it."""

    @property
    def host(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def filters(self) -> Filters: ...
    @property
    def sort(self) -> Sequence[str]: ...
    @property
    def q(self) -> str | None: ...
    @property
    def status(self) -> int: ...


@dataclass(frozen=True, kw_only=True)
class ViewExpectation:
    """The page that the active tab must show: this path, exactly these filters, no search words, answered with 200.

    Filters are compared as sets of conditions (`eq x` and `in [x]` are one condition), sort by its first columns: those
    that follow only settle ties. Page number and page size are comfort and never compared.
    """

    path: str
    host: str | None = None
    filters: Filters = field(default_factory=dict)
    sort: tuple[str, ...] | None = None
    """The first sort columns in order, `-` for descending; () for no sort, None where any order is right."""
    q: str = ""

    def problems(self, view: RecordedView | None) -> list[str]:
        """What is wrong with the view, in words; empty where it is the right one."""
        if view is None:
            return ["the active tab shows no page of the site"]
        return [
            f"{what}: wanted {wanted}, found {found}"
            for what, wanted, found in self._facts(view)
            if wanted is not None and wanted != found
        ]

    def facts(self, view: RecordedView) -> dict[str, bool]:
        """What is asked of the view, each with whether it is so."""
        return {what: wanted == found for what, wanted, found in self._facts(view) if wanted is not None}

    def _facts(self, view: RecordedView) -> list[tuple[str, object, object]]:
        return [
            ("status", 200, view.status),
            ("host", self.host, view.host),
            ("path", _path(self.path), _path(view.path)),
            ("filters", conditions(self.filters), conditions(view.filters)),
            ("search words", self.q.split(), (view.q or "").split()),
            ("sort", None if self.sort is None else list(self.sort), self._leading(view)),
        ]

    def _leading(self, view: RecordedView) -> list[str]:
        """As many sort columns as are asked for; all of them where none is asked for or they are too few."""
        return list(view.sort)[: len(self.sort or ()) or None]

    def __str__(self) -> str:
        filters = ", ".join(f"{col} {op} {value}" for col, op, value in conditions(self.filters)) or "no filter"
        order = "" if self.sort is None else f", sorted by {', '.join(self.sort) or 'nothing'}"
        return f"{self.path} with {filters}{order}"


def view_text(view: RecordedView | None) -> str:
    """A recorded view, for a message."""
    if view is None:
        return "no view"
    filters = ", ".join(f"{col} {op} {value}" for col, op, value in conditions(view.filters)) or "no filter"
    search = f", search {view.q!r}" if view.q else ""
    return f"{view.path} with {filters}{search}, status {view.status}"


def conditions(filters: Filters) -> list[tuple[str, str, str]]:
    """Filters as a sorted list without repeats, so that two spellings of one set are equal."""
    found = {(column, *_condition(condition)) for column, several in filters.items() for condition in several}
    return sorted(found)


def _condition(condition: Sequence[object]) -> tuple[str, str]:
    operator, value = str(condition[0]), condition[1] if len(condition) > 1 else ""
    if operator in ("eq", "in"):
        values = value if isinstance(value, list | tuple | set) else [value]
        return "in", "|".join(sorted({str(one) for one in values}))
    if isinstance(value, list | tuple):
        return operator, "..".join(str(one) for one in value)
    return operator, str(value)


def _path(path: str) -> str:
    return path.rstrip("/") or "/"
