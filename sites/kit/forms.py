"""Reading a form: typed values, every problem at once, and what was typed kept for the next rendering.

form = Form(request.form)
name = form.text("name", "Name", required=True, most=80)
price = form.money("price", "Price")
form.check()          # raises Refused with all problems; the page renders again from `form`
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from .messages import Catalogue
from .rules import Problem, Refused

MONEY = re.compile(r"-?([0-9]{1,3}(,[0-9]{3})+|[0-9]+)(\.[0-9]{1,2})?")
EMAIL = re.compile(r"^[^@\s]+@[^@\s.]+(\.[^@\s.]+)+$")


class Form:
    """The fields of one form: `typed` is what a person sent (or nothing yet), `initial` what is stored.

    Values are read once by the typed methods; each wrong one becomes a problem and reads as None.
    """

    def __init__(self, catalogue: Catalogue, typed: Any = None, initial: Mapping[str, object] | None = None) -> None:
        self.catalogue = catalogue
        self.typed = typed
        self.initial = dict(initial or {})
        self.problems: list[Problem] = []

    def value(self, name: str) -> str:
        """What the input shows: the typed text if the form was sent, else the stored value."""
        if self.typed is not None and name in self.typed:
            return str(self.typed.get(name))
        stored = self.initial.get(name)
        return "" if stored is None else str(stored)

    def ticked(self, name: str) -> bool:
        """Whether a checkbox shows a tick; an unticked one is not sent at all."""
        return name in self.typed if self.typed is not None else bool(self.initial.get(name))

    def error(self, name: str) -> str:
        """The message beside one field, or nothing."""
        return next((p.message for p in self.problems if p.field == name), "")

    def check(self) -> None:
        """Raise `Refused` with every problem found so far."""
        if self.problems:
            raise Refused.of(self.problems)

    def refuse(self, error: Refused) -> None:
        """Take over the problems of a refusal, to show each beside its field."""
        known = {(p.code, p.field) for p in self.problems}
        self.problems += [p for p in error.problems if (p.code, p.field) not in known]

    def wrong(self, code: str, name: str, **values: object) -> None:
        """Note one problem."""
        self.problems.append(self.catalogue.problem(code, name, **values))

    def text(self, name: str, label: str, *, required: bool = False, most: int = 200) -> str:
        """A line or paragraph: NFC, outer white space removed, empty when nothing was given."""
        text = unicodedata.normalize("NFC", str(self._raw(name)).replace("\r\n", "\n")).strip()
        if required and not text:
            self.wrong("REQUIRED", name, label=label)
        if len(text) > most:
            self.wrong("TOO_LONG", name, label=label, most=most)
        return text

    def choice(self, name: str, label: str, options: Iterable[str], *, required: bool = True) -> str | None:
        """One of the options; None when nothing is chosen and nothing is required."""
        text = str(self._raw(name))
        if not text and not required:
            return None
        if text not in set(options):
            self.wrong("NOT_A_CHOICE" if text else "REQUIRED", name, label=label)
            return None
        return text

    def whole(self, name: str, label: str, *, least: int = 0, most: int = 10**9, required: bool = False) -> int | None:
        """A whole number within bounds."""
        text = str(self._raw(name)).strip().replace(",", "")
        if not text:
            self._missing(name, label, required)
            return None
        if not re.fullmatch(r"-?\d{1,12}", text):
            self.wrong("NOT_A_NUMBER", name, label=label)
            return None
        if not least <= int(text) <= most:
            self.wrong("OUT_OF_RANGE", name, label=label, least=least, most=most)
            return None
        return int(text)

    def money(self, name: str, label: str, *, required: bool = False) -> int | None:
        """An amount in cents; `1,250.00`, `1250` and `$1,250` are understood."""
        text = str(self._raw(name)).strip()
        if not text:
            self._missing(name, label, required)
            return None
        amount = cents(text)
        if amount is None:
            self.wrong("NOT_MONEY", name, label=label)
        return amount

    def day(self, name: str, label: str, *, required: bool = False) -> str | None:
        """A date as `2026-03-18`."""
        text = str(self._raw(name)).strip()
        if not text:
            self._missing(name, label, required)
            return None
        if not is_day(text):
            self.wrong("NOT_A_DATE", name, label=label)
            return None
        return text

    def email(self, name: str, label: str = "E-mail") -> str:
        """A lower-case e-mail address; required."""
        text = self.text(name, label, required=True, most=120).lower()
        if text and not EMAIL.match(text):
            self.wrong("EMAIL_FORMAT", name)
        return text

    def _raw(self, name: str) -> object:
        return self.typed.get(name, "") if self.typed is not None else ""

    def _missing(self, name: str, label: str, required: bool) -> None:
        if required:
            self.wrong("REQUIRED", name, label=label)


def cents(text: str) -> int | None:
    """`1,250.00` as 125000; None where it is no amount."""
    text = text.strip().removeprefix("$").strip()
    if not MONEY.fullmatch(text) or len(text) > 16:
        return None
    whole, _, part = text.replace(",", "").partition(".")
    sign = -1 if whole.startswith("-") else 1
    return sign * (int(whole.lstrip("-")) * 100 + int(part.ljust(2, "0") or 0))


def is_whole(text: str) -> bool:
    """Whether a text is a whole number of up to twelve plain digits, which every database holds."""
    return text.isascii() and text.isdigit() and len(text) <= 12


def is_day(text: str) -> bool:
    """Whether a text is a real date in the form `2026-03-18`."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
