"""What an agent is told where an action can't be taken."""

from __future__ import annotations


class Refusal(Exception):
    """The page does not take this action; the message is for the agent. `touched`: finding out has moved the page."""

    def __init__(self, message: str, *, touched: bool = False) -> None:
        super().__init__(message)
        self.touched = touched
