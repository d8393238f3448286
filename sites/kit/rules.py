"""How a site says no: a rule refuses, a role is missing, or somebody was faster; each is an exception with a code.

Services raise them, routes turn them into pages (422, 403, 409), and the control channel carries them to the harness,
so they survive pickling. Texts come from a site's message catalogue; code and tests look at `code`, never at wording.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ...errors import SitegymError

R = TypeVar("R", bound="RuleError")


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One thing that is wrong: `code` from the catalogue, `message` for people, `field` the input it belongs to."""

    code: str
    message: str
    field: str | None = None


class RuleError(SitegymError):
    """Base of the three; nobody's fault, and nothing was written."""

    status = 422

    def __init__(self, code: str, message: str, field: str | None = None) -> None:
        self.code = code
        self.message = message
        self.field = field
        super().__init__(message)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), dict(self.__dict__))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that was wrong, in the order of the form."""
        return (Problem(code=self.code, message=self.message, field=self.field),)

    def to_json(self) -> dict[str, Any]:
        """A plain form that crosses a pipe: kind, code, message, field."""
        return {"kind": type(self).__name__, "code": self.code, "message": self.message, "field": self.field}


class Refused(RuleError):
    """A rule of the shop forbids it (a wrong field, a wrong state); the form comes back with the message."""

    def __init__(self, code: str, message: str, field: str | None = None, *, also: Iterable[Problem] = ()) -> None:
        super().__init__(code, message, field)
        self.also = tuple(also)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The first problem and the others found with it."""
        return (*super().problems, *self.also)

    @classmethod
    def of(cls, problems: Iterable[Problem]) -> Refused:
        """One refusal for several problems; raises `ValueError` where there is none."""
        first, *rest = problems
        return cls(first.code, first.message, first.field, also=rest)


class Forbidden(RuleError):
    """The actor's role may not do this; answered with 403 and an audit row `denied`."""

    status = 403

    def __init__(self, message: str, *, action: str = "", code: str = "FORBIDDEN") -> None:
        super().__init__(code, message)
        self.action = action


@dataclass(frozen=True, kw_only=True)
class FieldConflict:
    """One field that both people touched: its `label`, `mine` as typed, `theirs` as saved, in words for people."""

    field: str
    label: str
    mine: str
    theirs: str


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """Who changed the record meanwhile, when (`…Z`), what it is called, and its version now."""

    what: str
    by: str
    at: str
    version: int
    fields: tuple[FieldConflict, ...] = field(default=())


class Stale(RuleError):
    """The record changed since it was read; answered with 409, nothing written.

    `conflict` says who and when, and both values per field, where the service knows them.
    """

    status = 409

    def __init__(self, message: str, *, conflict: Conflict | None = None, code: str = "STALE") -> None:
        super().__init__(code, message)
        self.conflict = conflict


class NotFound(RuleError):
    """No such record, or none that this actor may see; answered with 404."""

    status = 404

    def __init__(self, message: str, *, code: str = "NOT_FOUND") -> None:
        super().__init__(code, message)


def _rebuild(kind: type[R], state: Mapping[str, Any]) -> R:
    """Make the exception again on the other side of a pipe, without guessing its constructor."""
    error = kind.__new__(kind)
    error.__dict__.update(state)
    error.args = (state["message"],)
    return error
