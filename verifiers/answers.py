"""Typed answers: what an agent says is read as a value of the asked type and compared; nothing is matched by pattern.

Every type accepts the spellings that a careful person would use and refuses the rest with a reason: another type,
several candidates, a sentence around the value, more than was asked. `ask()` says in words what form is wanted, for
the intent of a task. The types of one value stand in `values.py`, several values here; docs/reference/answers.md lists
spellings that count and that do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import VerifierError
from .answer import Answer
from .forms import Unreadable, fields, items, key_name
from .values import Date, Email, Enum, Int, Money, Month, OrderNo, Phone, Text

__all__ = ["Answer", "Date", "Email", "Enum", "Int", "List", "Money", "Month", "OrderNo", "Phone", "Record", "Text"]


@dataclass(frozen=True)
class List(Answer):
    """Several values of one type, as a JSON array or one to a line; nothing missing, nothing on top, nothing twice.

    `;` and `,` separate items too, except where a wanted value holds such a mark itself.
    """

    values: Sequence[Answer]
    ordered: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(self.values))
        if not self.values:
            raise VerifierError("an empty list can't be asked for: use the outcome NOT_FOUND")
        if len({(type(value), value.ask()) for value in self.values}) > 1:
            raise VerifierError("the items of a list must be of one type")
        super().__post_init__()

    def read(self, given: object) -> tuple[object, ...]:
        kind = self.values[0]
        return self._settled([self._item(kind, *one) for one in enumerate(items(given, self._separators()), 1)])

    def _item(self, kind: Answer, number: int, item: object) -> object:
        try:
            return kind.read(item)
        except Unreadable as why:
            raise type(why)(f"item {number}: {why}") from None

    def _separators(self) -> str:
        kind = self.values[0]
        spelled = [str(value) for value in self.values]
        marks = {";": ";", ",": kind.comma}
        free = [how for mark, how in marks.items() if how and not any(mark in text for text in spelled)]
        return "|".join(["\n", *free])

    def wanted(self) -> tuple[object, ...]:
        return self._settled([value.wanted() for value in self.values])

    def _settled(self, values: list[object]) -> tuple[object, ...]:
        return tuple(values if self.ordered else sorted(values, key=repr))

    def beyond(self, given: object) -> str | None:
        return None

    def differs(self, found: Any) -> str:
        missing, extra = _beyond(self.wanted(), found), _beyond(found, self.wanted())
        if not missing and not extra:
            return "the right values in another order"
        return f"of {len(self.values)} values {missing} missing, {extra} too many"

    def ask(self) -> str:
        order = " in that order" if self.ordered else ""
        return f"a JSON array{order}, each item {self.values[0].ask()}"

    def spelled(self) -> list[object]:
        return [value.spelled() for value in self.values]


@dataclass(frozen=True)
class Record(Answer):
    """Named values, as a JSON object or one `name: value` to a line; exactly these names."""

    comma = ""

    values: Mapping[str, Answer]

    def __post_init__(self) -> None:
        if len({key_name(name) for name in self.values} - {""}) != len(self.values) or not self.values:
            raise VerifierError(f"the fields of a record need different names: {', '.join(self.values)}")
        super().__post_init__()

    def read(self, given: object) -> tuple[tuple[str, object], ...]:
        wanted = {key_name(name): answer for name, answer in self.values.items()}
        found = fields(given)
        if found.keys() != wanted.keys():
            raise Unreadable(f"the fields {', '.join(self.values)} were asked for, no more and no fewer")
        return tuple((name, self._field(name, answer, found[name])) for name, answer in wanted.items())

    def _field(self, name: str, answer: Answer, value: object) -> object:
        try:
            return answer.read(value)
        except Unreadable as why:
            raise type(why)(f"{name}: {why}") from None

    def wanted(self) -> tuple[tuple[str, object], ...]:
        return tuple((key_name(name), answer.wanted()) for name, answer in self.values.items())

    def beyond(self, given: object) -> str | None:
        return None

    def differs(self, found: Any) -> str:
        other = [name for name, value in found if (name, value) not in self.wanted()]
        return f"another value of {', '.join(other)}"

    def ask(self) -> str:
        example = ", ".join(f'"{name}": {answer.ask()}' for name, answer in self.values.items())
        return f"a JSON object {{{example}}}"

    def spelled(self) -> dict[str, object]:
        return {name: answer.spelled() for name, answer in self.values.items()}


def _beyond(some: Iterable[object], others: Iterable[object]) -> int:
    """How many of the values are not among the others."""
    return (Counter(map(repr, some)) - Counter(map(repr, others))).total()
