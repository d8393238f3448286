"""The table of actions: what `define` reads off a function, how arguments are checked, and how actions are written."""

from __future__ import annotations

import difflib
import functools
import inspect
import json
import re
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ParamSpec, get_type_hints

from ..errors import UsageError

P = ParamSpec("P")
_MISSING = object()
_REF = re.compile(r"(f\d+)?e\d+", re.ASCII)


class InvalidAction(UsageError):
    """This is not a call of one action; the message says what is wrong and what would be right."""


@dataclass(frozen=True)
class Param:
    """What a parameter takes.

    `kind` is ref, text, texts (one or a list), answer (text or JSON), key, int, bool, choice, several (a list of
    choices) or points (a list of [x, y]).
    """

    kind: str
    doc: str
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()
    name: str = ""
    default: object = _MISSING

    @property
    def required(self) -> bool:
        """Whether a call has to give it."""
        return self.default is _MISSING

    def schema(self) -> dict[str, object]:
        """JSON schema of its values."""
        schema: dict[str, object] = {"description": self.doc}
        match self.kind:
            case "int":
                schema |= {"type": "integer", "minimum": self.minimum, "maximum": self.maximum}
            case "bool":
                schema |= {"type": "boolean"}
            case "texts":
                texts = {"type": "array", "items": {"type": "string"}, "minItems": 1}
                schema |= {"anyOf": [{"type": "string"}, texts]}
            case "answer":
                schema |= {"type": ["string", "number", "array", "object"]}
            case "choice":
                schema |= {"type": "string", "enum": list(self.choices)}
            case "several":
                schema |= {"type": "array", "items": {"type": "string", "enum": list(self.choices)}}
                schema |= {"uniqueItems": True}
            case "points":
                number = {"type": "integer", "minimum": self.minimum, "maximum": self.maximum}
                schema |= {"type": "array", "items": {"type": "array", "items": number, "minItems": 2, "maxItems": 2}}
            case "ref":
                schema |= {"type": "string", "pattern": f"^{_REF.pattern}$"}
            case _:
                schema |= {"type": "string"}
        if not self.required and self.default is not None:
            schema["default"] = self.default
        return schema

    def check(self, action: str, value: object) -> object:
        """The value as the action holds it; raises `InvalidAction` where it is none of this kind."""
        if value is None and self.default is None:
            return None
        wrong = self._wrong(value)
        if wrong:
            raise InvalidAction(f"{action}: {self.name} {wrong}, not {_written(value)}")
        if self.kind == "answer" and not isinstance(value, str):
            return _written(value)
        if self.kind in ("several", "points") and not value:
            return self.default
        if self.kind == "points":
            return [list(point) for point in value]  # type: ignore[attr-defined]
        return list(value) if isinstance(value, (list, tuple)) else value

    def _wrong(self, value: object) -> str:
        match self.kind:
            case "int":
                return self._wrong_int(value)
            case "bool":
                return "" if isinstance(value, bool) else "is true or false"
            case "choice":
                return "" if value in self.choices else f"is one of {', '.join(self.choices)}"
            case "several":
                listed = isinstance(value, (list, tuple)) and all(item in self.choices for item in value)
                wanted = f'is a list such as ["{self.choices[0]}"], of {", ".join(self.choices)}'
                return "" if listed and len(set(value)) == len(value) else wanted  # type: ignore[arg-type, call-overload]
            case "points":
                good = isinstance(value, (list, tuple)) and all(self._is_point(item) for item in value)
                return "" if good else "is a list of points such as [[40, 60], [80, 60]]"
            case "ref":
                good = isinstance(value, str) and _REF.fullmatch(value)
                return "" if good else 'is a reference from the tree, such as "e12"'
            case "texts":
                listed = isinstance(value, (list, tuple)) and value and all(isinstance(item, str) for item in value)
                return "" if isinstance(value, str) or listed else "is a text or a list of texts"
            case "answer":
                kinds = (str, int, float, list, tuple, dict)
                fits = isinstance(value, kinds) and not isinstance(value, bool) and _is_json(value)
                return "" if fits else "is a text, or a JSON number, array or object"
            case "key":
                return "" if isinstance(value, str) and value else 'is a key such as "Enter" or "Control+A"'
            case _:
                return "" if isinstance(value, str) else "is a text in quotes"

    def _is_point(self, value: object) -> bool:
        return isinstance(value, (list, tuple)) and len(value) == 2 and not any(map(self._wrong_int, value))

    def _wrong_int(self, value: object) -> str:
        bounds = f"is a whole number from {self.minimum} to {self.maximum}"
        if isinstance(value, bool) or not isinstance(value, int):
            return bounds
        assert self.minimum is not None
        assert self.maximum is not None
        return "" if self.minimum <= value <= self.maximum else bounds


@dataclass(frozen=True)
class Spec:
    """One action: its name, what it does, and its parameters in the order of the call."""

    name: str
    doc: str
    params: tuple[Param, ...]

    def signature(self) -> str:
        """How it is called: `type(ref, text, submit=false, clear=true)`."""
        parts = [p.name if p.required else f"{p.name}={_written(p.default)}" for p in self.params]
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
        value = _written(self.args[param.name])
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
    default = _MISSING if parameter.default is inspect.Parameter.empty else parameter.default
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
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _is_json(value: object) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True


def _written(value: object) -> str:
    """A value as the string form writes it: JSON, with any Unicode left as it is."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return repr(value)
