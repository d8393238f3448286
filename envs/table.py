"""The table of actions: what `define` reads off a function, how arguments are checked, and how actions are written."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ParamSpec, get_type_hints

from ..errors import closest
from .param import MISSING, InvalidAction, Param, written

P = ParamSpec("P")


@dataclass(frozen=True)
class Spec:
    """One action: its name, what it does, and its parameters in the order of the call."""

    name: str
    doc: str
    params: tuple[Param, ...]

    def signature(self) -> str:
        """How it is called: `type(ref, text, submit=false, clear=true)`."""
        parts = [p.name if p.required else f"{p.name}={written(p.default)}" for p in self.params]
        return f"{self.name}({', '.join(parts)})"

    def parameters(self) -> dict[str, object]:
        """JSON schema of the arguments alone."""
        required = [p.name for p in self.params if p.required]
        properties = {p.name: p.schema() for p in self.params}
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}

    def schema(self) -> dict[str, object]:
        """JSON schema of the dict form, with the name of the action under `action`."""
        schema = self.parameters()
        properties = {"action": {"const": self.name}, **{p.name: p.schema() for p in self.params}}
        required = ["action", *(p.name for p in self.params if p.required)]
        return {**schema, "title": self.name, "description": self.doc, "properties": properties, "required": required}


@dataclass(frozen=True)
class Action:
    """One call of one action, checked against the table. `args` holds every argument, defaults too."""

    name: str
    args: Mapping[str, object]

    def __post_init__(self) -> None:
        object.__setattr__(self, "args", types.MappingProxyType(dict(self.args)))

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[object, ...]:
        return Action, (self.name, dict(self.args))

    def __str__(self) -> str:
        """The string form, which `parse` turns back into an equal action."""
        spec = _SPECS[self.name]
        parts = [self._argument(p) for p in spec.params if p.required or self.args[p.name] != p.default]
        return f"{self.name}({', '.join(parts)})"

    def _argument(self, param: Param) -> str:
        value = written(self.args[param.name])
        return value if param.required else f"{param.name}={value}"

    def to_dict(self) -> dict[str, object]:
        """The dict form, without arguments that have their default."""
        spec = _SPECS[self.name]
        given = {p.name: self.args[p.name] for p in spec.params if p.required or self.args[p.name] != p.default}
        return {"action": self.name, **given}


_SPECS: dict[str, Spec] = {}


def specs() -> Mapping[str, Spec]:
    """Every action by name."""
    return types.MappingProxyType(_SPECS)


def define(function: Callable[P, None]) -> Callable[P, Action]:
    """Put a function into the table; calling it gives the action with these arguments."""
    hints = get_type_hints(function, include_extras=True)
    params = tuple(_param(p, hints[p.name].__metadata__[0]) for p in inspect.signature(function).parameters.values())
    spec = Spec(function.__name__.rstrip("_"), (inspect.getdoc(function) or "").strip(), params)
    _SPECS[spec.name] = spec

    @functools.wraps(function)
    def construct(*args: P.args, **kwargs: P.kwargs) -> Action:
        return build(spec.name, args, kwargs)

    return construct


def _param(parameter: inspect.Parameter, param: Param) -> Param:
    default = MISSING if parameter.default is inspect.Parameter.empty else parameter.default
    return Param(param.kind, param.doc, param.minimum, param.maximum, param.choices, parameter.name, default)


def build(name: str, positional: Sequence[object], named: Mapping[str, object]) -> Action:
    """The action `name` with these arguments; raises `InvalidAction` where they do not fit."""
    spec = _spec(name)
    if len(positional) > len(spec.params):
        raise InvalidAction(f"{name} takes at most {len(spec.params)} arguments: {spec.signature()}")
    given = {param.name: value for param, value in zip(spec.params, positional, strict=False)}
    for key, value in named.items():
        if key in given:
            raise InvalidAction(f"{name}: {key} is given twice: {spec.signature()}")
        given[key] = value
    return Action(name, _checked(spec, given))


def _checked(spec: Spec, given: Mapping[str, object]) -> dict[str, object]:
    known = [param.name for param in spec.params]
    for key in given:
        if key not in known:
            raise InvalidAction(f"{spec.name} has no argument {key!r}{_close(str(key), known)}: {spec.signature()}")
    missing = [param.name for param in spec.params if param.required and param.name not in given]
    if missing:
        raise InvalidAction(f"{spec.name} needs {' and '.join(missing)}: {spec.signature()}")
    return {p.name: p.check(spec.name, given[p.name]) if p.name in given else p.default for p in spec.params}


def from_dict(action: Mapping[object, object]) -> Action:
    """The action of a dict such as `{"action": "click", "ref": "e12"}`."""
    fields = dict(action)
    name = fields.pop("action", None)
    if not isinstance(name, str):
        raise InvalidAction('the dict form names the action: {"action": "click", "ref": "e12"}')
    return build(name, (), {str(key): value for key, value in fields.items()})


def _spec(name: str) -> Spec:
    if name not in _SPECS:
        raise InvalidAction(f"no action {name!r}{_close(name, list(_SPECS))}; there are: {', '.join(_SPECS)}")
    return _SPECS[name]


def _close(name: str, known: list[str]) -> str:
    close = closest(name, known)
    return f" (did you mean {close!r}?)" if close else ""
