"""Text as it is compared: sort and search keys, tokens, the normal form of typed text, and phone numbers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_PLAIN = str.maketrans({"ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ŋ": "n"})
_WORD = re.compile(r"[^\W_]+")
_MARKS = "@-'"
_SPACES = re.compile(r"\s+")


@lru_cache(maxsize=65_536)
def key(text: str) -> str:
    """The sort and search key: casefolded, without accents, single spaces (`Łukasz  Żak` → `lukasz zak`)."""
    if text.isascii():
        return " ".join(text.lower().split())
    apart = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(char for char in apart if not unicodedata.combining(char))
    return " ".join(bare.casefold().translate(_PLAIN).split())


def tokens(text: str) -> list[str]:
    """The words of a text as keys, in order; what is neither letter nor digit separates."""
    return _WORD.findall(key(text))


def search_key(*texts: str | None) -> str:
    """One line that finds a row: a space before each distinct word of `texts`, sorted (` ann lee`).

    A token is a prefix of some word where `search_key LIKE '% token%'`. E-mail addresses, SKUs and other values with
    marks inside are kept whole beside their parts, so that `a.lee@` and `RDG-20` find them too.
    """
    words = {word for text in texts if text for word in (*tokens(text), *_marked(text))}
    return "".join(f" {word}" for word in sorted(words))


def query_tokens(query: str) -> list[str]:
    """What a person typed into a search box, as the tokens that must all match a `search_key`.

    E-mail addresses and words with a hyphen or apostrophe stay whole; other marks only separate.
    """
    found: list[str] = []
    for part in key(query).split():
        bare = part.strip(".,;:!?()[]{}\"'@-")
        found += [bare] if any(mark in bare for mark in _MARKS) else tokens(bare)
    return found


def normal(text: str) -> str:
    """The form in which given text is compared (R23): NFC, trimmed, single spaces, casefolded."""
    return _SPACES.sub(" ", unicodedata.normalize("NFC", text)).strip().casefold()


def slug(text: str) -> str:
    """A name as a part of an address: `Ridge Pack 20 L` → `ridge-pack-20-l`."""
    return "-".join(tokens(text.replace("'", "").replace("’", "")))


def unique_slug(text: str, taken: Iterable[str]) -> str:
    """A slug that is not `taken`, with -2, -3 … behind it where needed."""
    base, used = slug(text), set(taken)
    if base not in used:
        return base
    return next(f"{base}-{n}" for n in range(2, len(used) + 3) if f"{base}-{n}" not in used)


def _marked(text: str) -> list[str]:
    """The blank-separated parts of a text that hold marks inside and are worth finding whole."""
    parts = (part.strip(".,;:!?()[]{}\"'@-") for part in key(text).split())
    return [part for part in parts if any(mark in part for mark in _MARKS)]
