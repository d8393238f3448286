"""The server's own record of what it rendered: what a navigation task is judged by, instead of an address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from threading import Lock
from typing import Any

Filters = Mapping[str, Sequence[Sequence[Any]]]
"""Column to its conditions: `{"status": [["in", ["pending"]]]}`."""


@dataclass(frozen=True, kw_only=True)
class View:
    """One document that was rendered. `id` counts from 1 in each episode and is sent along in the header `X-View`."""

    id: int
    host: str
    path: str
    filters: Filters = field(default_factory=dict)
    sort: tuple[str, ...] = ()
    """Column names in order, `-` before those that descend."""
    page: int | None = None
    size: int | None = None
    q: str | None = None
    status: int = 200
    """The HTTP status that the document went out with."""
    staff_id: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Whatever else a site says about the view."""
    declared: bool = True
    """False where the site said nothing and only host, path and status are known."""

    def to_json(self) -> dict[str, Any]:
        """A plain form that crosses a pipe."""
        return asdict(self)

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> View:
        """The view that `to_json` came from."""
        return cls(**{**plain, "sort": tuple(plain["sort"])})


class ViewLog:
    """All views of one episode, oldest first; safe to use from several threads."""

    def __init__(self, views: Sequence[View] = ()) -> None:
        self._views = list(views)
        self._lock = Lock()

    def add(self, **fields: Any) -> View:
        """Record one more view and give it the next id."""
        with self._lock:
            view = View(id=len(self._views) + 1, **fields)
            self._views.append(view)
            return view

    def set_status(self, id: int, status: int) -> None:
        """Note the status that a view's response really went out with."""
        with self._lock:
            self._views[id - 1] = replace(self._views[id - 1], status=status)

    def all(self) -> list[View]:
        """A copy of the record."""
        with self._lock:
            return list(self._views)

    def get(self, id: int) -> View:
        """One view. Raises `LookupError` where nothing with this id was rendered."""
        with self._lock:
            if not 1 <= id <= len(self._views):
                raise LookupError(f"no view {id}: {len(self._views)} were rendered in this episode")
            return self._views[id - 1]
