"""The verdict on an episode: two facts (goal met, nothing else harmed), each with its evidence, and a reward."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .diff import json_value, key_text
from .shape import Key
from .text import shown


@dataclass(frozen=True)
class Check:
    """One thing that the task asks for: what, what was wanted, what was there."""

    what: str
    wanted: str
    found: str
    ok: bool

    def __str__(self) -> str:
        return f"{self.what}: wanted {self.wanted}, found {self.found}"

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {"what": self.what, "wanted": self.wanted, "found": self.found, "ok": self.ok}


@dataclass(frozen=True)
class Damage:
    """One change that nobody asked for; `column` is None where a whole row came (`old` None) or went (`new` None)."""

    table: str
    key: Key
    column: str | None
    old: object
    new: object
    why: str = ""

    def __str__(self) -> str:
        row = f"{self.table} {key_text(self.key)}"
        why = f" ({self.why})" if self.why else ""
        if self.column is None and self.new is None:
            return f"{row} deleted{why}"
        if self.column is None:
            return f"{row} inserted: {shown(self.new)}{why}"
        return f"{row}: {self.column} {shown(self.old)} → {shown(self.new)}{why}"

    def to_json(self) -> dict[str, Any]:
        """The same as JSON; the key is text, binary values are shown by size and hash."""
        return {
            "table": self.table,
            "key": key_text(self.key),
            "column": self.column,
            "old": _json(self.old),
            "new": _json(self.new),
            "why": self.why,
        }


@dataclass(frozen=True)
class Verdict:
    """What an episode earned and why. A reward of None means that it could not be scored, which is not a 0."""

    reward: float | None
    goal_met: bool | None
    clean: bool | None
    checks: tuple[Check, ...]
    damage: tuple[Damage, ...]
    reason: str

    @classmethod
    def of(cls, checks: tuple[Check, ...], damage: tuple[Damage, ...], *, finished: bool = True) -> Verdict:
        """The verdict that checks and damage add up to; an episode that never finished earns nothing."""
        goal_met, clean = all(check.ok for check in checks), not damage
        reward = 1.0 if goal_met and clean and finished else 0.0
        return cls(reward, goal_met, clean, checks, damage, _reason(checks, damage, finished))

    @classmethod
    def unscored(cls, reason: str) -> Verdict:
        """No score: the machinery or the verifier failed, not the agent."""
        return cls(None, None, None, (), (), reason)

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "reward": self.reward,
            "goal_met": self.goal_met,
            "clean": self.clean,
            "checks": [check.to_json() for check in self.checks],
            "damage": [damage.to_json() for damage in self.damage],
            "reason": self.reason,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Verdict:
        """A verdict read back from its JSON; keys of damaged rows stay text."""
        return cls(
            reward=data["reward"],
            goal_met=data["goal_met"],
            clean=data["clean"],
            checks=tuple(Check(**check) for check in data["checks"]),
            damage=tuple(Damage(**damage) for damage in data["damage"]),
            reason=data["reason"],
        )


def _reason(checks: tuple[Check, ...], damage: tuple[Damage, ...], finished: bool) -> str:
    failed = [str(check) for check in checks if not check.ok]
    parts = [] if finished else ["the episode ended before the agent finished"]
    if failed:
        parts.append(f"{failed[0]}{_more(len(failed), 'check')}")
    if damage:
        parts.append(f"damage: {damage[0]}{_more(len(damage), 'change')}")
    return "; ".join(parts) or "the goal is met and nothing else changed"


def _more(count: int, what: str) -> str:
    rest = count - 1
    return f" (and {rest} more {what}{'s' if rest > 1 else ''})" if rest else ""


def _json(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(name): json_value(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_json(one) for one in value]
    return json_value(value)
