"""What an attack of this suite is: its class, what is tried, what stands against it, and where it leaves its trace.

The table of attacks in the documentation is made from these marks by the tests themselves, see `docs/escapes.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

CLASSES = {
    "addresses": "Addresses beside those of sites",
    "hosts": "Other hosts and ports",
    "secrets": "What is not the agent's to read",
    "routes": "Guessed routes and methods",
    "sessions": "Forged sessions and forms",
    "injection": "Injection through fields and addresses",
    "giants": "Giant inputs, and pages that never rest",
    "races": "Races with the end",
    "answers": "Answers and the report",
}
"""Classes of attacks in the order of the table."""


@dataclass(frozen=True, kw_only=True)
class Attack:
    """One line of the table; `trace` says where the record shows it."""

    kind: str
    tried: str
    against: str
    trace: str

    def to_json(self) -> dict[str, str]:
        """As the table's file holds it."""
        return asdict(self)


def attack(kind: str, *, tried: str, against: str, trace: str) -> Callable[[Any], Any]:
    """Mark a test as an attack."""
    if kind not in CLASSES:
        raise ValueError(f"no class of attacks {kind!r}: there are {', '.join(CLASSES)}")

    def mark(test: Any) -> Any:
        test.attack = Attack(kind=kind, tried=tried, against=against, trace=trace)
        return test

    return mark
