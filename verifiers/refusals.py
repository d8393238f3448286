"""Why an answer was refused, in words. Asked only after the refusal: nothing in here can let an answer pass."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

_LOOKED_AT = 500
"""Longer answers are told from their type alone."""
_APART = re.compile(r"\s(?:or|and)\s|,(?!\d)|[;/|\n&]|\s[-–—]\s", re.IGNORECASE)
_ENDS = ".,;:!?"
_AROUND = " .:!?'\"()[]{}"
_PATTERN = re.compile(
    r"\.[*+]|\\[dwsbDWS]|\[[^\]]*\w-\w[^\]]*\]|\(\?|^\^|(?<!\\)\$$|\)[*+?]|\{\d+,?\d*\}|^[*%?_.+]+$|[\w@-]\*$|[a-zA-Z@-]%$|^[*%][\w@-]|^/.+/[a-z]*$"
)
_CODE = re.compile(
    r"\bselect\b.+\bfrom\b|\b(?:drop|insert|delete|update)\b.+\b(?:table|into|from|set)\b|=>|\blambda\b|\bimport\s+\w+"
    r"|\bdef\s+\w+\(|\bfunction\s*\(|\breturn\b.*;|\w+\([^()]*\)\s*;?$|\{\{.*\}\}|\$\{.*\}|<\w+[^>]*>|==|\|\|",
    re.IGNORECASE | re.DOTALL,
)


_DOLLARS = re.compile(r"-?[\d.,]+ ?\$")
"""An amount with its sign behind it, which ends as a pattern does."""


def form(given: object) -> str | None:
    """What an answer is instead of a value: a pattern, code, or None where it is neither."""
    if not isinstance(given, str) or len(given) > _LOOKED_AT:
        return None
    text = given.strip()
    if _is_json(text) or _DOLLARS.fullmatch(text):
        return None
    if _PATTERN.search(text):
        return "a pattern; the value itself was asked for"
    if _CODE.search(text):
        return "code; the value itself was asked for"
    return None


def amount(given: object, counts: Callable[[str], bool]) -> str | None:
    """That an answer holds more than the one value that was asked for; None where it does not.

    `counts` says whether a part is such a value; where any text at all would be one, whether it is the right one.
    """
    if not isinstance(given, str) or len(given) > _LOOKED_AT:
        return None
    text = given.strip()
    if text[:1] in ("[", "{") and text[-1:] in ("]", "}"):
        return "one plain value was asked for, neither a list nor an object"
    if (ends := text[-1:]) and ends in _ENDS and counts(text.rstrip(_ENDS + " ")):
        return f"a value and {ends!r} behind it; the value alone was asked for, without punctuation at its end"
    parts = [part.strip(_AROUND) for part in _APART.split(text)]
    if len(parts) > 1 and any(part and counts(part) for part in parts):
        return "several candidates; one answer was asked for"
    words = text.split()
    if len(words) > 1 and any(counts(word.strip(_AROUND + ",;")) for word in words):
        return "more than the value; the value alone was asked for"
    return None


def _is_json(text: str) -> bool:
    """Whether a text is a list, an object or a text of JSON."""
    if text[:1] not in ("[", "{", '"'):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
