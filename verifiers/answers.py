"""Typed answers: what an agent says is read as a value of the asked type and compared; nothing is matched by pattern.

Every type accepts the spellings that a careful person would use and refuses the rest with a reason: another type,
several candidates, a sentence around the value, more than was asked. `ask()` says in words what form is wanted, for
the intent of a task.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from ..errors import VerifierError
from .forms import NotOne, Unreadable, fields, items, key_name, scalar
from .text import normal, shown

_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)


class Answer:
    """A wanted value and the rule by which a given one is read."""

    commas = False
    """Whether a value of this type can hold a comma, so that commas can't separate the items of a list."""

    def problem(self, given: object | None) -> str | None:
        """Why the given answer is not the wanted one, or None where it is."""
        if given is None or (isinstance(given, str) and not given.strip()):
            return "no answer"
        try:
            found = self.read(given)
        except (Unreadable, NotOne) as why:
            return f"{shown(given)}: {why}"
        return None if found == self.wanted() else shown(given)

    def read(self, given: object) -> object:
        """The given answer as a comparable value; raises `Unreadable`."""
        raise NotImplementedError

    def wanted(self) -> object:
        """The right value, in the form that `read` returns."""
        raise NotImplementedError

    def ask(self) -> str:
        """The form in which the answer is asked for, as part of a sentence."""
        raise NotImplementedError

    def spelled(self) -> object:
        """The right answer as an agent would give it: text, or JSON values inside lists and records."""
        raise NotImplementedError

    def __str__(self) -> str:
        spelled = self.spelled()
        return spelled if isinstance(spelled, str) else json.dumps(spelled, ensure_ascii=False)


@dataclass(frozen=True)
class Money(Answer):
    """An amount in cents of the shop's currency (dollars), given like `1,234.50`, `$1234.50` or `1234.5`."""

    cents: int
    commas = True

    def read(self, given: object) -> int:
        text = scalar(given).removesuffix("USD").removeprefix("USD").strip()
        sign = -1 if text[:1] in ("-", "−") else 1
        text = text[1:] if sign < 0 else text
        text = text.removeprefix("US").removeprefix("$").strip()
        if not re.fullmatch(r"(\d{1,18}|\d{1,3}(,\d{3}){1,5})(\.\d{1,2})?", text, re.ASCII):
            raise Unreadable("not an amount of money such as 41.50")
        return sign * int(Decimal(text.replace(",", "")) * 100)

    def wanted(self) -> int:
        return self.cents

    def ask(self) -> str:
        return "an amount such as 41.50"

    def spelled(self) -> str:
        return f"{'-' if self.cents < 0 else ''}{abs(self.cents) // 100}.{abs(self.cents) % 100:02d}"


@dataclass(frozen=True)
class Int(Answer):
    """A whole number, in digits, thousands separated by commas or not."""

    value: int
    commas = True

    def read(self, given: object) -> int:
        text = scalar(given)
        if not re.fullmatch(r"[-−]?(\d{1,18}|\d{1,3}(,\d{3}){1,5})", text, re.ASCII):
            raise Unreadable("not a whole number in digits")
        return int(text.replace(",", "").replace("−", "-"))

    def wanted(self) -> int:
        return self.value

    def ask(self) -> str:
        return "a whole number in digits"

    def spelled(self) -> str:
        return str(self.value)


@dataclass(frozen=True)
class Date(Answer):
    """A day, given like `2026-03-18`, or with the month's name: `March 18, 2026`, `18 Mar 2026`."""

    iso: str
    commas = True

    def read(self, given: object) -> str:
        text = normal(scalar(given))
        if found := re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})", text, re.ASCII):
            year, month, day = map(int, found.groups())
        elif found := re.fullmatch(r"([a-z]+)\.? (\d{1,2}),? (\d{4})", text, re.ASCII):
            year, month, day = int(found[3]), _month(found[1]), int(found[2])
        elif found := re.fullmatch(r"(\d{1,2}) ([a-z]+)\.?,? (\d{4})", text, re.ASCII):
            year, month, day = int(found[3]), _month(found[2]), int(found[1])
        else:
            raise Unreadable("not a date such as 2026-03-18")
        return _calendar(year, month, day).isoformat()

    def wanted(self) -> str:
        return self.iso

    def ask(self) -> str:
        return "a date as YYYY-MM-DD"

    def spelled(self) -> str:
        return self.iso


@dataclass(frozen=True)
class Month(Answer):
    """A month of a year, given like `2026-02` or `February 2026`."""

    iso: str

    def read(self, given: object) -> str:
        text = normal(scalar(given))
        if found := re.fullmatch(r"(\d{4})-(\d{1,2})", text, re.ASCII):
            year, month = int(found[1]), int(found[2])
        elif found := re.fullmatch(r"([a-z]+)\.? (\d{4})", text, re.ASCII):
            year, month = int(found[2]), _month(found[1])
        else:
            raise Unreadable("not a month such as 2026-02")
        return _calendar(year, month, 1).isoformat()[:7]

    def wanted(self) -> str:
        return self.iso

    def ask(self) -> str:
        return "a month as YYYY-MM"

    def spelled(self) -> str:
        return self.iso


@dataclass(frozen=True)
class Text(Answer):
    """A text as it stands in the application, accents included; case and spacing don't matter."""

    value: str
    commas = True

    def read(self, given: object) -> str:
        return normal(scalar(given))

    def wanted(self) -> str:
        return normal(self.value)

    def ask(self) -> str:
        return "the text as it is shown"

    def spelled(self) -> str:
        return self.value


@dataclass(frozen=True)
class Email(Answer):
    """An e-mail address."""

    value: str

    def read(self, given: object) -> str:
        text = normal(scalar(given))
        if text.count("@") != 1 or any(mark in text for mark in " ,;<>:"):
            raise Unreadable("not one bare e-mail address")
        return text

    def wanted(self) -> str:
        return normal(self.value)

    def ask(self) -> str:
        return "the e-mail address"

    def spelled(self) -> str:
        return self.value


@dataclass(frozen=True)
class Phone(Answer):
    """A phone number with its country code, however it is grouped: `+1 503-555-0123`, `+1 (503) 555 0123`."""

    value: str
    """As it is kept: `+15035550123`."""

    def read(self, given: object) -> str:
        text = scalar(given)
        if not re.fullmatch(r"(\+|00)[\d\s().\-/]{6,30}", text, re.ASCII):
            raise Unreadable("not a phone number with its country code such as +1 503-555-0123")
        digits = re.sub(r"\D", "", text.replace("(0)", ""))
        return "+" + digits.removeprefix("00")

    def wanted(self) -> str:
        return self.value

    def ask(self) -> str:
        return "the phone number with its country code"

    def spelled(self) -> str:
        return self.value


@dataclass(frozen=True)
class OrderNo(Answer):
    """The number of a document (order, invoice, shipment …), with or without a leading `#`."""

    value: str

    def read(self, given: object) -> str:
        text = normal(scalar(given)).removeprefix("#")
        if not re.fullmatch(r"([a-z]{2,4}-)?\d{1,12}", text, re.ASCII):
            raise Unreadable("not one document number")
        return text

    def wanted(self) -> str:
        return normal(self.value)

    def ask(self) -> str:
        return "the number"

    def spelled(self) -> str:
        return self.value


@dataclass(frozen=True)
class Enum(Answer):
    """One of a closed list of names; `on_hold`, `On hold` and `on-hold` are one name."""

    value: str
    options: tuple[str, ...]

    def __post_init__(self) -> None:
        if _option(self.value) not in map(_option, self.options):
            raise VerifierError(f"{self.value!r} is none of the options {', '.join(self.options)}")

    def read(self, given: object) -> str:
        text = _option(scalar(given))
        if text not in map(_option, self.options):
            raise Unreadable(f"none of {', '.join(self.options)}")
        return text

    def wanted(self) -> str:
        return _option(self.value)

    def ask(self) -> str:
        return f"one of {', '.join(self.options)}"

    def spelled(self) -> str:
        return self.value


@dataclass(frozen=True)
class List(Answer):
    """Several values of one type, as a JSON array or one to a line; nothing missing, nothing on top, nothing twice."""

    values: Sequence[Answer]
    ordered: bool = False
    commas = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(self.values))
        if not self.values:
            raise VerifierError("an empty list can't be asked for: use the outcome NOT_FOUND")

    def read(self, given: object) -> object:
        kind = self.values[0]
        return self._settled([kind.read(item) for item in items(given, commas=not kind.commas)])

    def wanted(self) -> object:
        return self._settled([value.wanted() for value in self.values])

    def _settled(self, values: list[object]) -> list[object]:
        return values if self.ordered else sorted(values, key=repr)

    def ask(self) -> str:
        order = " in that order" if self.ordered else ""
        return f"a JSON array{order}, each item {self.values[0].ask()}"

    def spelled(self) -> list[object]:
        return [value.spelled() for value in self.values]


@dataclass(frozen=True)
class Record(Answer):
    """Named values, as a JSON object or one `name: value` to a line; exactly these names."""

    values: Mapping[str, Answer]
    commas = True

    def read(self, given: object) -> object:
        wanted = {key_name(name): answer for name, answer in self.values.items()}
        found = fields(given)
        if found.keys() != wanted.keys():
            raise Unreadable(f"wanted the fields {', '.join(self.values)}")
        return tuple((name, answer.read(found[name])) for name, answer in wanted.items())

    def wanted(self) -> object:
        return tuple((key_name(name), answer.wanted()) for name, answer in self.values.items())

    def ask(self) -> str:
        example = ", ".join(f'"{name}": …' for name in self.values)
        return f"a JSON object {{{example}}}"

    def spelled(self) -> dict[str, object]:
        return {name: answer.spelled() for name, answer in self.values.items()}


def _month(name: str) -> int:
    for number, month in enumerate(_MONTHS, 1):
        if name in (month, month[:3]) or (name, number) == ("sept", 9):
            return number
    raise Unreadable(f"no month is called {name!r}")


def _calendar(year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError as error:
        raise Unreadable(f"no such day: {error}") from None


def _option(name: str) -> str:
    return normal(name.replace("_", " ").replace("-", " "))
