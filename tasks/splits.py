"""Splits: which instances may be trained on, and which are kept for validation and test.

Three ways, each a pure function of names, so that nobody can mix them up by accident: by entity (the default; no
customer and no product of one split is ever the subject of a task of another), by template, and by data seed.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from ..errors import UnknownSplit

SPLITS = ("train", "validation", "test")
_SALT = "sitegym/7"  # another salt is another benchmark; with this one every split has a template and a status


def split_of(name: str) -> str:
    """The split of one entity, such as `customer:ann@example.com`: 70 % train, 10 % validation, 20 % test."""
    place = int.from_bytes(sha256(f"{_SALT}:{name}".encode()).digest()[:4], "big") % 100
    return "train" if place < 70 else "validation" if place < 80 else "test"


def split_of_all(names: Iterable[str]) -> str | None:
    """The split that all these entities share; None where they don't, so that such an instance is in no split."""
    found = {split_of(name) for name in names}
    return found.pop() if len(found) == 1 else None


def split_of_template(template_id: str) -> str:
    """The split of a template, for tests of generalisation to tasks that were never seen."""
    return split_of(f"template:{template_id}")


def split_of_data_seed(data_seed: int) -> str:
    """The split of a generated world; the published seed 1 is for training."""
    place = data_seed % 10
    return "train" if place < 7 else "validation" if place == 7 else "test"


def known_split(split: str | None) -> str | None:
    """The split, checked. Raises `UnknownSplit`."""
    if split is not None and split not in SPLITS:
        raise UnknownSplit(split, SPLITS)
    return split
