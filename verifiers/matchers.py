"""What a cell may hold where one exact value would be wrong: given texts, presence, references to other new rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from .diff import same
from .shape import Key
from .text import normal, shown


class Matcher:
    """A rule for one cell. Anything that is no matcher is compared exactly, type included."""

    def matches(self, value: object) -> bool:
        """Whether the cell's raw value satisfies the rule."""
        raise NotImplementedError


@dataclass(frozen=True)
class Given(Matcher):
    """A text that the task gives and a person types: equal after NFC, trim, single spaces and case folding.

    An empty text is the same as no text at all.
    """

    text: str | None

    def matches(self, value: object) -> bool:
        return (value is None or isinstance(value, str)) and normal(self.text or "") == normal(str(value or ""))

    def __str__(self) -> str:
        return f"{shown(self.text)} (as given)"


@dataclass(frozen=True)
class Containing(Matcher):
    """A text that the agent composes: every token occurs in it."""

    tokens: tuple[str, ...]

    def matches(self, value: object) -> bool:
        return isinstance(value, str) and all(normal(token) in normal(value) for token in self.tokens)

    def __str__(self) -> str:
        return "a text with " + ", ".join(map(repr, self.tokens))


@dataclass(frozen=True)
class OneOf(Matcher):
    """One of several values, each compared exactly."""

    values: tuple[object, ...]

    def matches(self, value: object) -> bool:
        return any(same(value, one) for one in self.values)

    def __str__(self) -> str:
        return "one of " + ", ".join(map(shown, self.values))


@dataclass(frozen=True)
class Present(Matcher):
    """Any value but none at all."""

    def matches(self, value: object) -> bool:
        return value is not None

    def __str__(self) -> str:
        return "a value"


@dataclass(frozen=True)
class Anything(Matcher):
    """Any value, also none: the task does not care."""

    def matches(self, value: object) -> bool:
        return True

    def __str__(self) -> str:
        return "anything"


@dataclass(frozen=True)
class New(Matcher):
    """The primary key of another new row of the same expectation, by its label."""

    label: str

    def __str__(self) -> str:
        return f"the key of the new {self.label}"


PRESENT = Present()
ANYTHING = Anything()


def matches(wanted: object, value: object, keys: Mapping[str, Key] | None = None) -> bool:
    """Whether a raw value is what is wanted; `keys` resolves references to new rows, unresolved ones match."""
    if isinstance(wanted, New):
        return wanted.label not in (keys or {}) or same(value, (keys or {})[wanted.label])
    if isinstance(wanted, Matcher):
        return wanted.matches(value)
    if isinstance(wanted, bool):
        return same(int(wanted), value)
    return same(wanted, value)


def wanted_text(wanted: object) -> str:
    """What is wanted, for a message."""
    return str(wanted) if isinstance(wanted, Matcher) else shown(wanted)


def cells_text(cells: Mapping[str, object], only: Collection[str] | None = None) -> str:
    """Columns and what is wanted of them, for a message."""
    return ", ".join(f"{name} = {wanted_text(value)}" for name, value in cells.items() if only is None or name in only)
