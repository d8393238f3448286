"""How answers are taken apart before their values are read: one value, a list of items, or named fields.

JSON is always understood. The simple forms are: for a list, one item to a line or items separated by `;` (or by `,`
where no value of that type can hold a comma); for a record, `name: value`, one to a line or separated by `;`.
"""

from __future__ import annotations

import json
import re
from typing import Any

from .text import normal

MAX_CHARACTERS = 20_000
"""Longer answers are refused unread."""

_FENCE = re.compile(r"\s*```(?:json)?\s*\n(.*)\n\s*```\s*", re.DOTALL)


class Unreadable(Exception):
    """The answer can't be read as the asked type; the message says why."""


class NotOne(Unreadable):
    """More than one value, where one was asked for."""


def scalar(given: object) -> str:
    """One value as text, trimmed; a JSON string is unwrapped."""
    if isinstance(given, bool) or given is None:
        raise Unreadable("true, false and null are no answers")
    if isinstance(given, dict | list):
        raise NotOne("one plain value was asked for")
    if isinstance(given, int) and given.bit_length() > 64:
        raise Unreadable("no number is that long")
    if not isinstance(given, str):
        return str(given)
    _short(given)
    text = given.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        found = _json(text)
        return found.strip() if isinstance(found, str) else text
    return text


def items(given: object, *, commas: bool) -> list[object]:
    """A list's items; `commas` says whether a comma separates them too."""
    if isinstance(given, str):
        found = _json(given)
        if not isinstance(found, list):
            if isinstance(found, dict):
                raise Unreadable("a list was asked for, not an object")
            separators = r"[\n;,]" if commas else r"[\n;]"
            return [item.strip() for item in re.split(separators, given.strip()) if item.strip()]
        given = found
    if isinstance(given, dict):
        raise Unreadable("a list was asked for, not an object")
    return given if isinstance(given, list) else [given]


def fields(given: object) -> dict[str, object]:
    """A record's fields by their plain names."""
    if isinstance(given, str):
        found = _json(given)
        pairs = list(found.items()) if isinstance(found, dict) else _lines(given)
    elif isinstance(given, dict):
        pairs = list(given.items())
    else:
        raise Unreadable("a JSON object was asked for")
    named = {key_name(str(name)): value for name, value in pairs}
    if len(named) != len(pairs):
        raise NotOne("a field is given twice")
    return named


def key_name(name: str) -> str:
    """A field's name without case, spaces, hyphens and underscores: `E-mail` is `email`."""
    return re.sub(r"[\s_-]", "", normal(name))


def _lines(text: str) -> list[tuple[str, object]]:
    pairs: list[tuple[str, object]] = []
    for line in re.split(r"[\n;]", text.strip()):
        name, colon, value = line.partition(":")
        if line.strip() and not colon:
            raise Unreadable('a JSON object was asked for, or lines such as "name: value"')
        if line.strip():
            pairs.append((name, value.strip()))
    return pairs


def _json(text: str) -> Any:
    """The value of a JSON text, in a code fence or not, or None where it is none; repeated names are refused."""
    _short(text)
    fenced = _FENCE.fullmatch(text)
    try:
        return json.loads(
            fenced[1] if fenced else text, object_pairs_hook=_unique, parse_float=str, parse_int=str, parse_constant=str
        )
    except (ValueError, RecursionError):
        return None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = {key_name(name): value for name, value in pairs}
    if len(found) != len(pairs):
        raise NotOne("a field is given twice")
    return dict(pairs)


def _short(text: str) -> None:
    if len(text) > MAX_CHARACTERS:
        raise Unreadable(f"longer than {MAX_CHARACTERS} characters")
