"""The conversation with a chat model: the last few pages in full, what lies further back in a line each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Message = dict[str, Any]

ONE_CALL = "Not taken: one call at a time."
"""What the second call of an answer comes to."""


@dataclass
class Turn:
    """What the model was shown, and its answer; None while it is not there."""

    full: str
    line: str
    pictures: Sequence[str] = ()
    answer: Message | None = None
    call_ids: list[str] = field(default_factory=list)
    """The calls in the answer that want a result each."""


class Transcript:
    """`messages` are those of the chat completions API; `history` says how many turns show their page in full."""

    def __init__(self, system: str, goal: str, history: int) -> None:
        self.system, self.goal, self.history = system, goal, history
        self.turns: list[Turn] = []

    def show(self, turn: Turn) -> None:
        """The next thing that the model sees."""
        self.turns.append(turn)

    def answered(self, answer: Message, call_ids: list[str]) -> None:
        """What it said to that."""
        self.turns[-1].answer, self.turns[-1].call_ids = answer, call_ids

    def messages(self) -> list[Message]:
        """All that is to be sent now."""
        sent: list[Message] = [{"role": "system", "content": self.system}]
        called: list[str] = []
        for number, turn in enumerate(self.turns):
            whole = number >= len(self.turns) - self.history
            text, pictures = (turn.full, turn.pictures) if whole else (turn.line, ())
            if number == 0:
                sent.append(_user(f"Goal: {self.goal}\n\n{text}", pictures))
            elif called:
                sent.append({"role": "tool", "tool_call_id": called[0], "content": text})
                sent += [{"role": "tool", "tool_call_id": one, "content": ONE_CALL} for one in called[1:]]
                sent += [_user("The page now:", pictures)] if pictures else []  # results of tools are text
            else:
                sent.append(_user(text, pictures))
            called = turn.call_ids
            sent += [turn.answer] if turn.answer is not None else []
        return sent


def _user(text: str, pictures: Sequence[str]) -> Message:
    if not pictures:
        return {"role": "user", "content": text}
    parts: list[Mapping[str, Any]] = [{"type": "text", "text": text}]
    parts += [{"type": "image_url", "image_url": {"url": url}} for url in pictures]
    return {"role": "user", "content": parts}
