"""How texts are compared: what is typed by hand counts the same whatever its case, spacing or Unicode composition."""

from __future__ import annotations

import unicodedata


def normal(text: str) -> str:
    """NFC, trimmed, runs of white space as one space, case folded. Accents stay: `Ø` is no `O`."""
    folded = unicodedata.normalize("NFC", text).casefold()
    return " ".join(unicodedata.normalize("NFC", folded).split())


def shown(value: object, limit: int = 200) -> str:
    """A value for a message: its repr, cut where it would drown the sentence."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"
