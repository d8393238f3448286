"""How texts are compared: what is typed by hand counts the same whatever its case, spacing or Unicode composition."""

from __future__ import annotations

import unicodedata

_UNSEEN = dict.fromkeys((0xAD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Soft hyphen, zero-width space, word joiner, byte order mark, marks of direction; no joiners: they change letters."""


def normal(text: str) -> str:
    """NFC, trimmed, runs of white space as one space, each letter in lower case.

    Accents stay (`Ø` is no `O`), and a letter stays one letter (`ß` is no `ss`), as both tell people apart.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    lower = "".join(map(_lower, unicodedata.normalize("NFC", text)))
    return " ".join(unicodedata.normalize("NFC", lower).split())


def visible(text: str) -> str:
    """The text without characters that nobody sees or types, as copying from a page may bring them along."""
    return text if text.isascii() else text.translate(_UNSEEN)


def shown(value: object, limit: int = 200) -> str:
    """A value for a message: its repr, cut where it would drown the sentence."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def _lower(letter: str) -> str:
    """One letter folded to one letter (Unicode's simple case folding)."""
    folded = letter.casefold()
    return folded if len(folded) == 1 else letter.lower()
