"""The calls of a vendor: their arguments, how these are checked, and what each becomes or why it is refused."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_type_hints

from ...errors import closest
from ..actions import Action, InvalidAction
from .view import View

_MISSING = object()
_SAYS = {
    "text": "is a text", "int": "is a whole number", "number": "is a number", "bool": "is true or false",
    "texts": "is a list of texts", "point": "is a point [x, y] of whole numbers",
    "region": "is a region [x0, y0, x1, y1]",
    "objects": "is a list of objects", "object": "is an object", "any": "",
}  # fmt: skip


@dataclass(frozen=True)
class Param:
    """One argument: `kind` is text, int, number, bool, texts, point, region, object, objects, text_or_texts or any."""

    kind: str
    doc: str = ""
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    example: object = None
    """A value that the documentation and the tests use; None where the kind's own will do."""
    name: str = ""
    default: object = _MISSING

    @property
    def required(self) -> bool:
        """Whether a call has to give it."""
        return self.default is _MISSING

    def check(self, call: str, value: object) -> object:
        """The value itself; raises `InvalidAction` where it is none of this kind."""
        if value is None and not self.required:
            return self.default
        if wrong := self._wrong(value):
            raise InvalidAction(f"{call}: {self.name} {wrong}, not {_shown(value)}")
        return value

    def sample(self) -> object:
        """A value of this kind, for documentation and tests."""
        if self.example is not None:
            return self.example
        if self.choices:
            return list(self.choices[:1]) if self.kind == "texts" else self.choices[0]
        samples = {
            "text": "hello", "int": 1, "number": 1, "bool": True, "texts": ["hello"], "point": [640, 400],
            "region": [0, 0, 640, 400], "object": {}, "objects": [], "text_or_texts": "hello", "any": None,
        }  # fmt: skip
        return samples[self.kind]

    def schema(self) -> dict[str, object]:
        """JSON schema of its values."""
        text: dict[str, object] = {"type": "string", "enum": list(self.choices)} if self.choices else {"type": "string"}
        kinds: dict[str, dict[str, object]] = {
            "text": text, "int": {"type": "integer"}, "number": {"type": "number"}, "bool": {"type": "boolean"},
            "texts": {"type": "array", "items": text}, "object": {"type": "object"},
            "objects": {"type": "array", "items": {"type": "object"}},
            "text_or_texts": {"anyOf": [text, {"type": "array", "items": text}]},
        }  # fmt: skip
        schema = {"description": self.doc} | kinds[self.kind]
        bounds = {"minimum": self.minimum, "maximum": self.maximum}
        return schema | {name: bound for name, bound in bounds.items() if bound is not None}

    def _wrong(self, value: object) -> str:
        if self.choices:
            return self._wrong_choice(value)
        if not _is(self.kind, value):
            return _SAYS.get(self.kind, "is a text or a list of texts")
        if self.kind in ("int", "number") and not self._within(value):
            return f"is a number from {self.minimum:g} to {self.maximum:g}"
        return ""

    def _wrong_choice(self, value: object) -> str:
        listed = value if isinstance(value, (list, tuple)) else [value]
        good = all(item in self.choices for item in listed) and isinstance(value, (list, tuple)) == (
            self.kind == "texts"
        )
        many = "is a list of" if self.kind == "texts" else "is one of"
        return "" if good else f"{many} {', '.join(self.choices)}"

    def _within(self, value: Any) -> bool:
        return (self.minimum is None or value >= self.minimum) and (self.maximum is None or value <= self.maximum)


def _is(kind: str, value: object) -> bool:
    listed = isinstance(value, (list, tuple))
    match kind:
        case "text":
            return isinstance(value, str)
        case "int":
            return _is_number(value) and float(value).is_integer()  # type: ignore[arg-type]
        case "number":
            return _is_number(value)
        case "bool":
            return isinstance(value, bool)
        case "texts":
            return listed and all(isinstance(item, str) for item in value)  # type: ignore[attr-defined]
        case "text_or_texts":
            return isinstance(value, str) or _is("texts", value)
        case "point" | "region":
            size = 2 if kind == "point" else 4
            return listed and len(value) == size and all(_is("int", item) for item in value)  # type: ignore[arg-type, attr-defined]
        case "object":
            return isinstance(value, Mapping)
        case "objects":
            return listed and all(isinstance(item, Mapping) for item in value)  # type: ignore[attr-defined]
    return True


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


Handler = Callable[..., list[Action]]


@dataclass(frozen=True)
class Member:
    """One call: what it takes, and either what it becomes or why it has no meaning here."""

    name: str
    params: tuple[Param, ...] = ()
    doc: str = ""
    """What it does here, in words for a model."""
    handler: Handler | None = None
    refusal: str = ""
    """Why it is refused; empty where it is translated."""
    needs: tuple[str, ...] = ()
    """The kinds of observation that its result shows."""
    example: Mapping[str, object] = field(default_factory=dict)
    """Arguments for documentation and tests beside the required ones."""

    def arguments(self, given: Mapping[str, object]) -> dict[str, Any]:
        """The arguments, checked; raises `InvalidAction` where one is missing, wrong or unknown."""
        known = {param.name: param for param in self.params}
        for name in given:
            if name not in known:
                takes = f"takes {', '.join(known)}" if known else "takes none"
                raise InvalidAction(f"{self.name}: no argument {name!r}{_close(name, known)}; it {takes}")
        for param in self.params:
            if param.required and given.get(param.name) is None:
                raise InvalidAction(f"{self.name}: {param.name} is missing; it {_needs(param)}")
        return {name: param.check(self.name, given.get(name)) for name, param in known.items()}

    def read(self, given: Mapping[str, object], view: View) -> list[Action]:
        """The actions of a call; raises `InvalidAction`."""
        if self.handler is None:
            raise InvalidAction(f"{self.name} has no meaning here: {self.refusal}")
        arguments = self.arguments(given)
        return self.handler(view, *arguments.values())

    def sample(self) -> dict[str, object]:
        """Arguments of a call that is well-formed: the required ones, and those of `example`."""
        return {param.name: param.sample() for param in self.params if param.required} | dict(self.example)

    def schema(self) -> dict[str, object]:
        """JSON schema of the arguments."""
        properties = {param.name: param.schema() for param in self.params}
        required = [param.name for param in self.params if param.required]
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def member(name: str, handler: Handler, needs: Sequence[str], example: Mapping[str, object]) -> Member:
    """The member that a function describes: `handler(view, …)` with an annotated `Param` for each argument."""
    hints = get_type_hints(handler, include_extras=True)
    parameters = list(inspect.signature(handler).parameters.values())[1:]
    params = tuple(_param(parameter, hints[parameter.name].__metadata__[0]) for parameter in parameters)
    doc = inspect.cleandoc(handler.__doc__ or "")
    return Member(name, params, doc, handler, needs=tuple(needs), example=example)


def _param(parameter: inspect.Parameter, about: Param) -> Param:
    default = _MISSING if parameter.default is parameter.empty else parameter.default
    name = about.name or parameter.name.rstrip("_")
    return Param(
        about.kind, about.doc, about.choices, about.minimum, about.maximum, about.example, name=name, default=default
    )


def unknown(title: str, name: object, known: Mapping[str, object]) -> InvalidAction:
    """The error for a call that the vendor does not have."""
    return InvalidAction(f"{title} has no {name!r}{_close(str(name), known)}; there are: {', '.join(known)}")


def _needs(param: Param) -> str:
    return _SAYS.get(param.kind, "is a text or a list of texts") or "has to be given"


def _close(name: str, known: Mapping[str, object]) -> str:
    close = closest(name, known)
    return f" (did you mean {close!r}?)" if close else ""


def _shown(value: object) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}…"
