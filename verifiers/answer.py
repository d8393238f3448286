"""What every type of answer is: a wanted value, and the rule by which a given one is read and compared."""

from __future__ import annotations

import json
from typing import ClassVar

from ..errors import VerifierError
from .forms import Unreadable, too_long
from .refusals import amount, form
from .text import shown


class Answer:
    """A wanted value and the rule by which a given one is read. Raises `VerifierError` where it can't be answered."""

    comma: ClassVar[str] = ","
    """The comma that separates such values in a plain list, as a regular expression; empty where none does."""

    def __post_init__(self) -> None:
        for said in (self.spelled(), str(self)):
            if problem := self.problem(said):
                raise VerifierError(f"{type(self).__name__}: the wanted answer would itself be refused: {problem}")

    def problem(self, given: object | None) -> str | None:
        """Why the given answer is not the wanted one, or None where it is."""
        if given is None or (isinstance(given, str) and not given.strip()):
            return "no answer"
        try:
            too_long(given)
            found, why = self.read(given), ""
        except Unreadable as error:
            found, why = None, str(error)
        if not why and found == self.wanted():
            return None
        return f"{shown(given)}: {form(given) or self.beyond(given) or why or self.differs(found)}"

    def read(self, given: object) -> object:
        """The given answer as a comparable value; raises `Unreadable`."""
        raise NotImplementedError

    def beyond(self, given: object) -> str | None:
        """What a refused answer holds beside such a value, in words; None where it is something else."""
        return amount(given, self._counts)

    def _counts(self, part: str) -> bool:
        try:
            self.read(part)
        except Unreadable:
            return False
        return True

    def differs(self, found: object) -> str:
        """How a readable answer differs from the wanted one, in words."""
        return "another value"

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
