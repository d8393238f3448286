"""Views of a database that take a while to put together, kept for as long as somebody asks for the same one."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from ...verifiers import Snapshot

V = TypeVar("V")


def kept(make: Callable[[Snapshot], V]) -> Callable[[Snapshot], V]:
    """`make`, with its last two results kept: a snapshot of a file never changes, nor does what is made of it."""
    remembered = lru_cache(maxsize=2)(make)

    def view(db: Snapshot) -> V:
        return make(db) if db.path is None else remembered(db)

    return view
