"""How many reviews mention a word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ....sites.kit.text import key
from ....verifiers import Expectation, Finish, Row, Snapshot
from ....verifiers.answers import Int
from ...page import Moves, click, navigate, type_
from ...template import Kind, NearMiss, Params, interleaved
from ..admin import HOST, AdminTemplate
from ..kept import kept
from . import counts
from .voices import voices


@dataclass(frozen=True, kw_only=True)
class Mentioned(Params):
    """Which word, in small letters."""

    word: str

    def entities(self) -> tuple[str, ...]:
        """The word."""
        return (f"word:{self.word}",)


class ReviewsMentioning(AdminTemplate[Mentioned]):
    """The number of reviews that have a word in their title or text.

    Graded by the number. Only words are asked for that are never part of a longer word or of a nickname, so that
    reading, searching and counting agree. Traps: the word stands in the title of one review and in the text of another.
    Also fails: titles only, texts only, approved ones only, the rows of one page.
    """

    id = "store.admin/reviews-mentioning"
    kind = Kind.RETRIEVE
    tags = ("P16", "P17")
    max_steps = 25

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Mentioned]:
        """Every fair word, each number once; words first that stand in titles too or in reviews of several statuses."""
        words = sorted(_fair(voices(db).rows).items())
        drawn = rng.sample(words, len(words))
        trapped = {word for word, found in drawn if _in_titles(found, word) or len({row.status for row in found}) > 1}
        drawn.sort(key=lambda pair: pair[0] not in trapped)
        fair = list(counts.once_each(((Mentioned(word=word), len(found)) for word, found in drawn), self.intents))
        yield from interleaved(rng, [p for p in fair if p.word in trapped], [p for p in fair if p.word not in trapped])

    def intents(self, p: Mentioned) -> Sequence[str]:
        """The word in quotes, and where it may stand."""
        how = "Count every review once, whatever its status. Answer with the number only."
        return [
            f'How many reviews have the word "{p.word}" in their title or in their text? {how}',
            f'In how many reviews does the word "{p.word}" occur, in the title or in the text? {how}',
            f'I need the number of reviews that mention "{p.word}" in their title or text. {how}',
            f'Reviews with "{p.word}" in title or text: how many? {how}',
            f'Marketing wonders whether people care about the word "{p.word}". Can you find out how many of our reviews'
            f" use it, be it in the title or in the text? {how}",
        ]

    def expected(self, before: Snapshot, p: Mentioned) -> Expectation:
        """The number of reviews with the word."""
        return Expectation(answer=Int(len(_by_word(before)[p.word])))

    def oracle(self, page: Any, p: Mentioned) -> Moves:
        """Search the reviews for the word and read how many there are."""
        page = yield click(page.find("link", "Reviews", within=("navigation", "Main")))
        page = yield type_(page.find("searchbox", "Search reviews"), p.word, submit=True)
        yield from counts.said(page)

    def near_misses(self, before: Snapshot, p: Mentioned) -> Iterator[NearMiss]:
        """Titles only, texts only, some statuses only, a page of them."""
        found = _by_word(before)[p.word]
        others = [
            ("in titles only", len(_in_titles(found, p.word))),
            ("in texts only", sum(p.word in _words(row.body) for row in found)),
            ("approved ones only", sum(row.status == "approved" for row in found)),
            ("pending ones only", sum(row.status == "pending" for row in found)),
            ("the rows of one page", min(20, len(found))),
            ("how often it occurs", sum(f"{row.title} {row.body}".casefold().count(p.word) for row in found)),
        ]
        yield from counts.wrong_counts(self.finish(before, p), others)
        yield NearMiss("one less", finish=Finish(str(len(found) - 1)))

    def still_right(self, before: Snapshot, p: Mentioned) -> Iterator[NearMiss]:
        """By address, oldest first; in capitals."""
        yield NearMiss("by an address, in capitals", ui=lambda page: self._by_address(page, p))
        number = len(_by_word(before)[p.word])
        yield NearMiss("with blanks around it", finish=Finish(f" {number}\n"))

    def _by_address(self, page: Any, p: Mentioned) -> Moves:
        page = yield navigate(f"{HOST}/reviews?q={p.word.upper()}&sort=created_at")
        yield from counts.said(page)


_SMALL = frozenset({
    "about", "after", "again", "back", "been", "before", "could", "does", "from", "half", "have", "just", "like",
    "more", "most", "much", "only", "over", "than", "that", "their", "them", "then", "there", "they", "this", "very",
    "were", "what", "when", "which", "while", "will", "with", "without", "would", "your",
})  # fmt: skip
"""Words that nobody looks for."""


def _fair(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Words of four letters or more on which everybody agrees, and the reviews with each.

    The reviews that have it as a word, those that have it as a part of a word, and those whose title, text or nickname
    has a word that begins with it are the same.
    """
    texts = [(row, f"{row.title} {row.body}".casefold()) for row in rows]
    nicknames = "\n".join(sorted({key(row.nickname) for row in rows}))
    return {
        word: found
        for word, found in _indexed(rows).items()
        if len(word) >= 4 and word.isascii() and word.isalpha() and word not in _SMALL
        if word not in nicknames and len(found) == sum(word in text for _, text in texts)
    }


def _in_titles(rows: Iterable[Row], word: str) -> list[Row]:
    return [row for row in rows if word in _words(row.title)]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _indexed(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The reviews with each word in title or text."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        for word in set(_words(f"{row.title} {row.body}")):
            found.setdefault(word, []).append(row)
    return found


_by_word = kept(lambda db: _indexed(voices(db).rows))
