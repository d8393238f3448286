"""What a parameter of an action takes: kinds of values, their JSON schema, and the check that says what is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import UsageError

MISSING = object()
"""The default of a parameter that has none."""

LONGEST = 100_000
"""Characters that a text or an answer can have: more than any page takes, and little enough to keep and to show."""

_MESSAGE = 4000
_REF = re.compile(r"(f\d+)?e\d+", re.ASCII)


class InvalidAction(UsageError):
    """This is not a call of one action; the message says what is wrong and what would be right."""

    def __init__(self, message: str) -> None:
        super().__init__(message if len(message) <= _MESSAGE else f"{message[:_MESSAGE]}…")


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
    default: object = MISSING

    @property
    def required(self) -> bool:
        """Whether a call has to give it."""
        return self.default is MISSING

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

    def check(self, action: str, value: Any) -> object:
        """The value as the action holds it; raises `InvalidAction` where it is none of this kind."""
        if value is None and self.default is None:
            return None
        wrong = self._wrong(value)
        if wrong:
            raise InvalidAction(f"{action}: {self.name} {wrong}, not {_shortened(written(value))}")
        if self.kind == "answer" and not isinstance(value, str):
            whole = isinstance(value, float) and value.is_integer()  # some clients make every number one with a point
            return written(int(value) if whole else value)
        if self.kind in ("several", "points") and not value:
            return self.default
        if self.kind == "points":
            return [list(point) for point in value]
        return list(value) if isinstance(value, (list, tuple)) else value

    def _wrong(self, value: Any) -> str:
        if _longest(value) > LONGEST:
            return f"has at most {LONGEST:,} characters"
        match self.kind:
            case "int":
                return self._wrong_int(value)
            case "bool":
                return "" if isinstance(value, bool) else "is true or false"
            case "choice":
                return "" if value in self.choices else f"is one of {', '.join(self.choices)}"
            case "several" | "points" | "texts":
                return self._wrong_list(value)
            case "ref":
                good = isinstance(value, str) and _REF.fullmatch(value)
                return "" if good else 'is a reference from the tree, such as "e12"'
            case "answer":
                kinds = (str, int, float, list, tuple, dict)
                fits = isinstance(value, kinds) and not isinstance(value, bool) and _is_json(value)
                return "" if fits else "is a text, or a JSON number, array or object"
            case "key":
                return "" if isinstance(value, str) and value else 'is a key such as "Enter" or "Control+A"'
            case _:
                return "" if isinstance(value, str) else "is a text in quotes"

    def _wrong_list(self, value: Any) -> str:
        items: Sequence[Any] | None = value if isinstance(value, (list, tuple)) else None
        match self.kind:
            case "several":
                good = items is not None and all(items.count(item) == 1 and item in self.choices for item in items)
                return "" if good else f'is a list such as ["{self.choices[0]}"], of {", ".join(self.choices)}'
            case "points":
                good = items is not None and all(self._is_point(item) for item in items)
                return "" if good else "is a list of points such as [[40, 60], [80, 60]]"
        texts = items is not None and len(items) > 0 and all(isinstance(item, str) for item in items)
        return "" if isinstance(value, str) or texts else "is a text or a list of texts"

    def _is_point(self, value: Any) -> bool:
        return isinstance(value, (list, tuple)) and len(value) == 2 and not any(map(self._wrong_int, value))

    def _wrong_int(self, value: object) -> str:
        bounds = f"is a whole number from {self.minimum} to {self.maximum}"
        if isinstance(value, bool) or not isinstance(value, int):
            return bounds
        assert self.minimum is not None
        assert self.maximum is not None
        return "" if self.minimum <= value <= self.maximum else bounds


def _longest(value: Any) -> int:
    """Characters of a text, or of what a list or object is when it is written."""
    if isinstance(value, str):
        return len(value)
    return len(written(value)) if isinstance(value, (list, tuple, dict)) else 0


def _shortened(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}… ({len(text):,} characters)"


def _is_json(value: object) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def written(value: object) -> str:
    """A value as the string form writes it: JSON, with any Unicode left as it is."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return repr(value)
    except RecursionError:
        return f"{type(value).__name__} that is nested too deeply"
