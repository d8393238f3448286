"""What the templates that count reviews share: reviews that meet conditions, fair numbers, and the number on a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from ....verifiers import Finish, Row, Snapshot
from ...page import Moves, finish, navigate
from ...template import NearMiss
from ..admin import grid_address
from ..lists import count as count_of

Q = TypeVar("Q")


def tellable(number: int, sentences: Iterable[str]) -> bool:
    """Whether a number is worth asking for: there is something to count, and no sentence happens to name it."""
    return number > 0 and not any(re.search(rf"(?<!\w){number}(?!\w)", sentence) for sentence in sentences)


def once_each(found: Iterable[tuple[Q, int]], intents: Callable[[Q], Sequence[str]]) -> Iterator[Q]:
    """The parameters whose count is tellable, each count once."""
    seen: set[int] = set()
    for p, number in found:
        if number not in seen and tellable(number, intents(p)):
            seen.add(number)
            yield p


def count(db: Snapshot, where: str, **values: object) -> int:
    """How many reviews meet an SQL condition."""
    return int(db.query(f"SELECT count(*) AS n FROM reviews WHERE {where}", **values)[0].n)


def reviews(db: Snapshot, where: str, **values: object) -> list[Row]:
    """The reviews that meet an SQL condition, oldest first."""
    return db.query(f"SELECT * FROM reviews WHERE {where} ORDER BY created_at, id", **values)


def wrong_counts(right: Finish, others: Iterable[tuple[str, int]]) -> Iterator[NearMiss]:
    """Other numbers as near misses, but for those that happen to be the right one."""
    for name, number in others:
        if str(number) != str(right.answer):
            yield NearMiss(name, finish=Finish(str(number)))


def counted_at(address: str) -> Callable[[Any], Moves]:
    """An attempt that opens a list by its address and answers with its total."""

    def play(page: Any) -> Moves:
        page = yield navigate(address)
        yield from said(page)

    return play


def said(page: Any) -> Moves:
    """Finish with the total of the list that is shown."""
    yield finish(str(count_of(page)))


def address(**filters: str) -> str:
    """The address of the list of reviews with filters."""
    return grid_address("reviews", **filters)
