"""How answers are taken apart before their values are read: one value, a list of items, or named fields.

JSON is always understood, and a code fence around the whole answer (three backticks, with `json`, `text` or nothing
behind them) counts as white space. The simple forms are: for a list, one item to a line or items separated by `;` or
`,`; for a record, `name: value`, one to a line or separated by `;`.
"""

from __future__ import annotations

import json
import re
from typing import Any

from .text import normal, visible

MAX_CHARACTERS = 20_000
"""Longer answers are refused unread."""


class Unreadable(Exception):
    """The answer can't be read as the asked type; the message says why."""


class NotOne(Unreadable):
    """More than one value, where one was asked for."""


def too_long(given: object) -> None:
    """Raise `Unreadable` for a text that nobody needs to read."""
    if isinstance(given, str) and len(given) > MAX_CHARACTERS:
        raise Unreadable(f"longer than {MAX_CHARACTERS:,} characters")


def scalar(given: object) -> str:
    """One value as text: trimmed, without a fence, the quotes of a JSON string, and what nobody can see."""
    if isinstance(given, bool) or given is None:
        raise Unreadable("true, false and null are no answers")
    if isinstance(given, dict):
        raise NotOne("one plain value was asked for, not an object")
    if isinstance(given, list):
        raise NotOne("one plain value was asked for, not a list")
    if isinstance(given, int) and given.bit_length() > 64:
        raise Unreadable("no number is that long")
    if not isinstance(given, str):
        return str(given)
    too_long(given)
    text = _plain(given)
    while len(text) > 1 and text[0] == text[-1] == '"' and isinstance(found := _json(text), str):
        text = _plain(found)
    return text


def items(given: object, separators: str) -> list[object]:
    """A list's items; `separators` is the regular expression of what stands between them where it is no JSON."""
    if isinstance(given, str):
        found = _json(given)
        if isinstance(found, dict):
            raise Unreadable("a list was asked for, not an object")
        if not isinstance(found, list):
            return [item.strip() for item in re.split(separators, _plain(given)) if item.strip()]
        given = found
    if isinstance(given, dict):
        raise Unreadable("a list was asked for, not an object")
    return given if isinstance(given, list) else [given]


def fields(given: object) -> dict[str, object]:
    """A record's fields by their plain names."""
    if isinstance(given, str):
        found = _json(given)
        if isinstance(found, list):
            raise Unreadable("one object was asked for, not a list")
        pairs = list(found.items()) if isinstance(found, dict) else _lines(_plain(given))
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


def _plain(text: str) -> str:
    """The text without what surrounds it and what can't be seen."""
    return _unfenced(visible(text)).strip()


def _unfenced(text: str) -> str:
    """What stands between the marks of a code fence around the whole text; the text itself where there is none.

    Without a regular expression: over thousands of line breaks one with several runs of white space takes for ever.
    """
    first, _, rest = text.strip().partition("\n")
    body, line, last = rest.rpartition("\n")
    fenced = first.startswith("```") and first[3:].strip().lower() in ("", "json", "text") and last.strip() == "```"
    return body if line and fenced and "```" not in body else text


def _lines(text: str) -> list[tuple[str, object]]:
    pairs: list[tuple[str, object]] = []
    for line in re.split(r"[\n;]", text):
        name, colon, value = line.partition(":")
        if line.strip() and not colon:
            raise Unreadable('a JSON object was asked for, or lines such as "name: value"')
        if line.strip():
            pairs.append((name, value.strip()))
    return pairs


def _json(text: str) -> Any:
    """The value of a JSON text, in a code fence or not, or None where it is none; repeated names are refused."""
    too_long(text)
    try:
        return json.loads(_plain(text), object_pairs_hook=_unique, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = {key_name(name): value for name, value in pairs}
    if len(found) != len(pairs):
        raise NotOne("a field is given twice")
    return dict(pairs)
