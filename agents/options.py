"""Options of agents as they are typed behind a name: `llm:model=qwen3,history=5,see=axtree+screenshot`."""

from __future__ import annotations

import inspect
import json
import math
import types
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ..errors import UsageError, closest


def parse(text: str) -> dict[str, Any]:
    """The options in `name=value,name=value`: each value a text up to the next comma, or JSON in `{}`, `[]` or `""`.

    Raises `UsageError`, which says where it is wrong.
    """
    found: dict[str, Any] = {}
    rest = text
    while rest:
        name, equals, rest = rest.partition("=")
        name = name.strip()
        if not equals or not name.isidentifier():
            raise UsageError(f"options are name=value,name=value; {(name + equals) or rest!r} in {text!r} is none")
        if name in found:
            raise UsageError(f"option {name!r} is given twice in {text!r}")
        found[name], rest = _value(name, rest)
    return found


def _value(name: str, text: str) -> tuple[Any, str]:
    if text[:1] not in ("{", "[", '"'):
        value, _, rest = text.partition(",")
        return value, rest
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except ValueError as error:
        raise UsageError(f"option {name!r} begins as JSON, and is none: {error}") from None
    rest = text[end:].lstrip()
    if rest and not rest.startswith(","):
        raise UsageError(f"option {name!r}: a comma must follow the JSON, not {rest[:20]!r}")
    return value, rest[1:]


def fit(agent: str, made_by: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Options as keyword arguments for `made_by`, each turned into the type that its parameter is annotated with.

    Raises `UsageError` for an option that there is not (naming those that there are), for a value of another type, and
    where one is missing that has to be given.
    """
    known = _parameters(made_by)
    for name in given:
        if name not in known:
            raise UsageError(_unknown(agent, name, list(known)))
    missing = [name for name, one in known.items() if one.default is one.empty and name not in given]
    if missing:
        raise UsageError(f"agent {agent!r} needs {' and '.join(missing)}: {agent}:{missing[0]}=…")
    hints = _hints(made_by)
    return {name: _typed(agent, name, value, hints.get(name)) for name, value in given.items()}


def _parameters(made_by: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    kinds = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        parameters = inspect.signature(made_by).parameters.values()
    except ValueError:  # made in C: it takes what it takes
        return {}
    return {one.name: one for one in parameters if one.kind in kinds}


def _hints(made_by: Callable[..., Any]) -> dict[str, Any]:
    asked = made_by.__init__ if inspect.isclass(made_by) and not is_dataclass(made_by) else made_by
    try:
        return get_type_hints(asked)  # of a dataclass, whose fields may stand in several modules, those of the class
    except (NameError, TypeError, AttributeError):
        return {}


def _unknown(agent: str, name: str, known: list[str]) -> str:
    close = closest(name, known)
    hint = f" (did you mean {close!r}?)" if close else ""
    there = f"there are: {', '.join(sorted(known))}" if known else "it takes none"
    return f"agent {agent!r} has no option {name!r}{hint}; {there}"


def _typed(agent: str, name: str, value: Any, kind: Any) -> Any:
    try:
        return _as(value, kind)
    except (TypeError, ValueError, KeyError):
        raise UsageError(f"agent {agent!r}: {name} is {_called(kind)}, not {value!r}") from None


def _as(value: Any, kind: Any) -> Any:
    """A value, typed as text or as JSON, as one of this type; raises `ValueError` or `TypeError`."""
    if kind is None or kind is Any:
        return _guessed(value)
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _one_of(value, inner)
    if origin is Literal:
        if value not in inner:
            raise ValueError
        return value
    if origin in (tuple, list):
        parts = value.split("+") if isinstance(value, str) else value
        return origin(_as(part, inner[0]) for part in parts)
    if kind is bool:
        return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[str(value).lower()]
    if kind in (int, float):
        number = kind(value)
        if kind is float and not math.isfinite(number):
            raise ValueError
        return number
    if kind is str and isinstance(value, str):
        return value
    wanted = kind if origin is None else origin
    if not isinstance(wanted, type) or not isinstance(value, wanted):
        raise TypeError
    return value


def _one_of(value: Any, kinds: tuple[Any, ...]) -> Any:
    if type(None) in kinds and str(value).lower() in ("none", "null", ""):
        return None
    for kind in kinds:
        if kind is not type(None):
            try:
                return _as(value, kind)
            except (TypeError, ValueError, KeyError):
                continue
    raise ValueError


def _guessed(value: Any) -> Any:
    """For a parameter without a type: a number, true or false where it looks like one, else the text."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _called(kind: Any) -> str:
    names = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return " or ".join(_called(one) for one in inner if one is not type(None))
    if origin is Literal:
        return f"one of {', '.join(map(str, inner))}"
    if origin in (tuple, list):
        return "a list such as one+two"
    return names.get(kind, "a JSON object in braces")
