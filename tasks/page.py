"""What an oracle sees of the browser, and the actions it takes: a protocol and dicts, so that tasks need no browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from typing import Any, Protocol, TypeAlias

Move: TypeAlias = dict[str, Any]
"""An action in its dict form, as agents may send it too."""


class Element(Protocol):
    """An element of the accessibility tree."""

    @property
    def role(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...


class Page(Protocol):
    """One observation: what a person would find by role and name."""

    @property
    def goal(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def error(self) -> str: ...

    def find(self, role: str, name: str | re.Pattern[str] | None = None, *, nth: int = 0, within: Any = None) -> str:
        """The reference of an element; raises where the page shows none."""
        ...

    def find_all(self, role: str, name: str | re.Pattern[str] | None = None, *, within: Any = None) -> list[str]:
        """The references of all such elements."""
        ...

    def elements(
        self, role: str, name: str | re.Pattern[str] | None = None, *, within: Any = None
    ) -> Sequence[Element]:
        """All such elements."""
        ...

    def text(self, ref: str) -> str:
        """All that is written in an element."""
        ...


Moves: TypeAlias = Generator[Move, Any, Any]
"""An attempt under way: it yields actions and is sent the page that it sees after each."""
Attempt: TypeAlias = Callable[[Any], Moves]
"""A way to play a task, begun with the first page; one that ends without `finish` has finished with DONE."""


def click(ref: str) -> Move:
    """Click an element."""
    return {"action": "click", "ref": ref}


def type_(ref: str, text: str, *, submit: bool = False) -> Move:
    """Replace what a field holds; `submit` presses Enter."""
    return {"action": "type", "ref": ref, "text": text, "submit": submit}


def select(ref: str, option: str) -> Move:
    """Choose an option by its text."""
    return {"action": "select", "ref": ref, "option": option}


def check(ref: str, checked: bool = True) -> Move:
    """Tick a box, or take the tick away."""
    return {"action": "check", "ref": ref, "checked": checked}


def press(key: str) -> Move:
    """Press a key where the focus is."""
    return {"action": "press", "key": key}


def navigate(url: str) -> Move:
    """Open an address in the active tab."""
    return {"action": "navigate", "url": url}


def back() -> Move:
    """Go back one page."""
    return {"action": "back"}


def reload() -> Move:
    """Load the page again."""
    return {"action": "reload"}


def finish(answer: str | None = None, outcome: str = "DONE") -> Move:
    """End the episode."""
    return {"action": "finish", "answer": answer, "outcome": outcome}
