"""The types of an answer that is one value: money, numbers, days, texts, addresses, names of a closed list."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from ..errors import VerifierError
from .answer import Answer
from .forms import Unreadable, scalar
from .text import normal

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
           "december")  # fmt: skip
_NUMBER = r"\d{1,18}|\d{1,3}(?:,\d{3}){1,5}"
_MONEY = re.compile(
    rf"(?P<sign>[-−])?\s?(?:US\s?\$|USD|\$)?\s?(?P<inner>[-−])?(?P<number>(?:{_NUMBER})(?:\.\d{{1,2}})?)\s?(?:US\$|USD|\$)?",
    re.ASCII | re.IGNORECASE,
)
_INT = re.compile(rf"[-−]?(?:{_NUMBER})", re.ASCII)


@dataclass(frozen=True)
class Money(Answer):
    """An amount in cents of the shop's currency (dollars), given like `1,234.50`, `$1234.50` or `1234.5 USD`.

    The point and the comma are those of en-US, in which every episode begins.
    """

    comma = r",\s"

    cents: int

    def read(self, given: object) -> int:
        text = normal(scalar(given))
        found = _MONEY.fullmatch(text)
        if found is None:
            raise Unreadable(_why_no_amount(text))
        if found["sign"] and found["inner"]:
            raise Unreadable("two signs before one amount")
        cents = int(Decimal(found["number"].replace(",", "")) * 100)
        return -cents if found["sign"] or found["inner"] else cents

    def wanted(self) -> int:
        return self.cents

    def ask(self) -> str:
        return "an amount such as 41.50"

    def spelled(self) -> str:
        return f"{'-' if self.cents < 0 else ''}{abs(self.cents) // 100}.{abs(self.cents) % 100:02d}"


@dataclass(frozen=True)
class Int(Answer):
    """A whole number, in digits, thousands separated by commas or not."""

    comma = r",\s"

    value: int

    def read(self, given: object) -> int:
        text = scalar(given)
        if not _INT.fullmatch(text):
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

    comma = r",(?=\s*\d{4}-)"

    iso: str

    def read(self, given: object) -> str:
        text = normal(scalar(given))
        if found := re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})", text, re.ASCII):
            year, month, day = map(int, found.groups())
        elif found := re.fullmatch(r"([a-z]+)\.? (\d{1,2}),? (\d{4})", text, re.ASCII):
            year, month, day = int(found[3]), _month(found[1]), int(found[2])
        elif found := re.fullmatch(r"(\d{1,2}) ([a-z]+)\.?,? (\d{4})", text, re.ASCII):
            year, month, day = int(found[3]), _month(found[2]), int(found[1])
        elif re.fullmatch(r"\d{1,2}[/.]\d{1,2}[/.]\d{2,4}", text, re.ASCII):
            raise Unreadable("day and month can be taken for each other; write the date as YYYY-MM-DD")
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
        elif found := re.fullmatch(r"([a-z]+)\.?,? (\d{4})", text, re.ASCII):
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
    """A text as it stands in the application, accents included; case, spacing and quotes around it don't matter."""

    value: str

    def read(self, given: object) -> str:
        if text := normal(scalar(given)):
            return text
        raise Unreadable("an empty text")

    def wanted(self) -> str:
        return normal(scalar(self.value))

    def _counts(self, part: str) -> bool:
        return normal(part) == self.wanted()  # any part could be some text

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
        name, at, host = text.partition("@")
        if not (name and at and host) or "@" in host or any(mark in text for mark in " ,;<>:"):
            raise Unreadable("not one bare e-mail address")
        return text

    def wanted(self) -> str:
        return normal(scalar(self.value))

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
        text = normal(scalar(given))
        if not re.fullmatch(r"(\+|00)[\d ().\-/‐‑–]{6,30}", text, re.ASCII):
            raise Unreadable("not a phone number with its country code such as +1 503-555-0123")
        digits = re.sub(r"\D", "", text.replace("(0)", ""), flags=re.ASCII)
        return "+" + (digits if text.startswith("+") else digits.removeprefix("00"))

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
        names = [_option(option) for option in self.options]
        if _option(self.value) not in names:
            raise VerifierError(f"{self.value!r} is none of the options {', '.join(self.options)}")
        if len({*names}) != len(names):
            raise VerifierError(f"two options are one name: {', '.join(self.options)}")
        super().__post_init__()

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


def _why_no_amount(text: str) -> str:
    if re.fullmatch(r"[\d.\s]+,\d{1,2}\s?\$?", text, re.ASCII):
        return "a comma separates thousands; cents stand behind a point, as in 41.50"
    return "not an amount of money such as 41.50"


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
