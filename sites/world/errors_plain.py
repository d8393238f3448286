"""Errors of ours as plain data, for a channel whose other end is not to be believed more than its words.

What comes back is an error of a class that is known here, with the fields that it had: nothing that is sent is run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from ...errors import EnvironmentFault, SitegymError
from ..kit.rules import Problem, RuleError
from .errors import unforeseen

_KEPT = (str, int, float, bool, type(None), list, dict)


def to_plain(error: BaseException, doing: str) -> dict[str, Any]:
    """An error as JSON can hold it; one that is not ours becomes an `EnvironmentFault` that says what was done."""
    if not isinstance(error, SitegymError):
        error = unforeseen(error, doing)
    names = [kind.__qualname__ for kind in type(error).__mro__ if issubclass(kind, SitegymError)]
    fields = {name: value for name, value in vars(error).items() if isinstance(value, _KEPT)}
    if isinstance(error, RuleError):
        fields["also"] = [asdict(problem) for problem in getattr(error, "also", ())]
    return {"kinds": names, "message": str(error), "fields": fields}


def from_plain(data: Any) -> SitegymError:
    """The error again, as the nearest class that is known here; a fault where it can't be read."""
    try:
        known = {kind.__qualname__: kind for kind in _kinds(SitegymError)}
        kind = next(known[name] for name in data["kinds"] if name in known)
        error = kind.__new__(kind, str(data["message"]))
        error.args = (str(data["message"]),)
        error.__dict__.update(data["fields"])
        if isinstance(error, RuleError):
            error.__dict__["also"] = tuple(Problem(**problem) for problem in error.__dict__.get("also", ()))
    except Exception as cause:
        return EnvironmentFault(f"the world server sent an error that can't be read: {cause!r}", cause="server_error")
    if isinstance(error, EnvironmentFault) and not {"cause", "retry"} <= error.__dict__.keys():
        error.cause, error.retry = "server_error", False
    return error


def _kinds(kind: type[SitegymError]) -> Iterator[type[SitegymError]]:
    yield kind
    for each in kind.__subclasses__():
        yield from _kinds(each)
