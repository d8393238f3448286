"""A catalogue of messages: a code to the sentence that people read, so that nothing depends on wording."""

from __future__ import annotations

from collections.abc import Mapping

from .rules import Problem, Refused


class Catalogue:
    """The messages of one site. `texts` maps a code to a sentence with `{placeholders}`.

    Raises `LookupError` for a code that is not in the catalogue: a message nobody wrote is a bug.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = dict(texts)

    def say(self, code: str, **values: object) -> str:
        """The sentence for a code, its placeholders filled."""
        if code not in self.texts:
            raise LookupError(f"message {code!r} is not in the catalogue")
        return self.texts[code].format(**values)

    def problem(self, code: str, field: str | None = None, **values: object) -> Problem:
        """One thing wrong, to be collected before refusing."""
        return Problem(code=code, message=self.say(code, **values), field=field)

    def refused(self, code: str, field: str | None = None, **values: object) -> Refused:
        """The exception to raise: `raise refused("QTY_TOO_HIGH", "qty", left=2, doing="ship")`."""
        return Refused(code, self.say(code, **values), field)


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: `1 order`, `2,500 orders`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
