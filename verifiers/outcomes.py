"""How an episode ends: the codes an agent may finish with, and the finish itself."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import UnknownName

DONE = "DONE"
NOT_FOUND = "NOT_FOUND"
NOT_ALLOWED = "NOT_ALLOWED"
PERMISSION_DENIED = "PERMISSION_DENIED"
INVALID_INPUT = "INVALID_INPUT"

OUTCOMES = {
    DONE: "the task is done",
    NOT_FOUND: "what the task is about does not exist",
    NOT_ALLOWED: "a rule of the application forbids it in the present state",
    PERMISSION_DENIED: "the signed-in person's role may not do it",
    INVALID_INPUT: "a value that the task gives is refused as malformed",
}
"""Code to its meaning, as the documentation of `finish` prints it."""


class UnknownOutcome(UnknownName):
    """No outcome code has this name."""

    kind = "outcome"


@dataclass(frozen=True)
class Finish:
    """The agent's last word: an answer, where one was asked for, and an outcome code.

    The answer is text, or a JSON value where the agent's action carries JSON. Raises `UnknownOutcome`.
    """

    answer: object | None = None
    outcome: str = DONE

    def __post_init__(self) -> None:
        if self.outcome not in OUTCOMES:
            raise UnknownOutcome(str(self.outcome), OUTCOMES)

    def to_json(self) -> dict[str, object]:
        """The same as JSON."""
        return {"answer": self.answer, "outcome": self.outcome}
