"""What all formats have in common: a table of calls, how a call is read, and which functions of ours go along."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...errors import UsageError
from .. import actions
from ..actions import Action, InvalidAction, Spec
from ..observation import Observation
from . import members
from .members import Handler, Member, Param
from .view import View


class Format(ABC):
    """One vendor's way of calling a computer or a browser, as pure functions: nothing here touches a page.

    `translate` makes actions of a call, `needs` says what is to be observed for its result, `result` makes of an
    observation what the vendor takes as the result, and `tools` is the declaration to send. Calls and results are the
    JSON values of the vendor's API; objects of its SDK will do for calls.
    """

    name: str
    """Such as `anthropic/computer_20251124`."""
    title: str
    source: str
    """Where the vendor says what its calls are."""

    def __init__(self, name: str, title: str, source: str) -> None:
        self.name, self.title, self.source = name, title, source
        self.members: dict[str, Member] = {}

    def member(
        self, name: str = "", needs: Sequence[str] = ("screenshot",), **example: object
    ) -> Callable[[Handler], Handler]:
        """Put a function into the table of calls; `example` are arguments that its documentation shows."""

        def add(handler: Handler) -> Handler:
            called = name or handler.__name__.rstrip("_")
            self.members[called] = members.member(called, handler, needs, example)
            return handler

        return add

    def refuse(self, reason: str, *names: str) -> None:
        """Put calls into the table that have no meaning here, and why."""
        self.members |= {name: Member(name, refusal=reason) for name in names}

    def translate(self, call: Any, view: View) -> list[Action]:
        """The actions that a call stands for, in order; none where it only looks.

        Raises `InvalidAction`, whose sentence is for the model, where the call is unknown, ill-formed, points outside
        the picture, or has no meaning here.
        """
        done: list[Action] = []
        for name, arguments in self.calls(plain(call)):
            done += self._read(name, arguments, view.moved(done))
        return done

    def needs(self, call: Any) -> tuple[str, ...]:
        """The kinds of observation that the result of a call shows."""
        known = [self.members[name] for name, _ in self.calls(plain(call)) if name in self.members]
        return tuple(dict.fromkeys(kind for one in known for kind in one.needs)) or ("screenshot",)

    @abstractmethod
    def calls(self, call: dict[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
        """The names and arguments in a call; several where it is a batch."""

    @abstractmethod
    def tools(self, view: View, *, also: Sequence[str] = ("finish",)) -> list[dict[str, Any]]:
        """What to send as tools: the vendor's own, and actions of ours that are offered as functions beside them."""

    @abstractmethod
    def result(self, call: Any, observation: Observation, view: View) -> Any:
        """What to send back for a call; `view` is the one that the call was read by.

        Raises `InvalidAction` as `translate` does, and `UsageError` where the observation lacks what the result shows.
        """

    def _read(self, name: str, arguments: Mapping[str, Any], view: View) -> list[Action]:
        if name in self.members:
            return self.members[name].read(arguments, view)
        if name in actions.specs():
            return [actions.parse({"action": name, **arguments})]
        raise members.unknown(self.title, name, self.members)

    def own(self, also: Sequence[str]) -> list[Spec]:
        """Our actions of these names; raises `UsageError` for one that is unknown or whose name the vendor uses."""
        for name in also:
            if name not in actions.specs():
                raise UsageError(f"no action {name!r}: there are {', '.join(actions.specs())}")
            if name in self.members:
                raise UsageError(f"{name!r} is a call of {self.title} already; it cannot be an action of ours as well")
        return [actions.specs()[name] for name in also]

    def offered(self) -> list[Member]:
        """The calls that are translated."""
        return [one for one in self.members.values() if not one.refusal]

    def refused(self) -> list[Member]:
        """The calls that are refused."""
        return [one for one in self.members.values() if one.refusal]


def plain(call: Any) -> dict[str, Any]:
    """A call as plain JSON values; objects of an SDK know how to become that."""
    if hasattr(call, "model_dump"):
        call = call.model_dump(exclude_none=True)
    if not isinstance(call, Mapping):
        raise InvalidAction(f"a call is an object, not {type(call).__name__}")
    return dict(call)


def given(value: Any, what: str) -> Mapping[str, Any]:
    """Arguments as an object; they may come as JSON text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            raise InvalidAction(f"the {what} hold no JSON") from None
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidAction(f"the {what} are an object, not {type(value).__name__}")
    return value


def text_of(value: Any, what: str) -> str:
    """A text that a call must have."""
    if not isinstance(value, str) or not value:
        raise InvalidAction(f"the call has no {what}")
    return value


__all__ = ["Format", "Member", "Param", "given", "plain", "text_of"]
