"""What an episode came to, one JSON line each: the table and the report are made of these."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .files import read_json


class Status(StrEnum):
    """How an episode ended."""

    FINISHED = "finished"
    """The agent called `finish`; the verdict decides."""
    TRUNCATED = "truncated"
    """Out of steps: graded for the record, reward 0."""
    FAULT = "fault"
    """Ours, not the agent's: no reward, which is not a reward of 0."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One failed attempt at an episode."""

    cause: str
    """Machine-readable: browser_died, server_died, worker_killed, timed_out, verifier_raised, agent_raised …"""
    message: str
    attempt: int
    usage: dict[str, float] = field(default_factory=dict)
    """Sums over the calls of models that it had recorded, as in `EpisodeResult.usage`: they were paid for as well."""


@dataclass(frozen=True, kw_only=True)
class EpisodeResult:
    """The line of one episode in `results.jsonl`."""

    id: str
    task: str
    task_seed: int
    agent: str
    status: Status
    reward: float | None = None
    """None where there is no verdict (status fault)."""
    goal_met: bool | None = None
    clean: bool | None = None
    damage: int = 0
    """Changes that the task did not allow, counted by cell."""
    refused: int = 0
    """Requests and addresses that world or browser refused; the trajectory tells them by step."""
    reason: str = ""
    """Why, in one sentence."""
    answer: str | None = None
    outcome: str | None = None
    """What the agent finished with, or why it stopped without (`budget_tokens`, `budget_cost`, `context_length`)."""
    steps: int = 0
    seconds: float = 0.0
    """Wall clock of the attempt that counts."""
    timings: dict[str, float] = field(default_factory=dict)
    """Seconds by phase: model, browser, site, observe, grading, recording."""
    usage: dict[str, float] = field(default_factory=dict)
    """Sums over calls of models in the attempt that counts: tokens, `calls`, `retries` and, with prices, `cost_usd`."""
    attempts: int = 1
    faults: tuple[Fault, ...] = ()
    """Failed attempts, also those that a retry made good."""
    versions: dict[str, str] = field(default_factory=dict)
    hashes: dict[str, str] = field(default_factory=dict)
    """`baseline`: rows before, `after`: rows after, `expectation`: what the task demanded."""

    @property
    def graded(self) -> bool:
        """Whether there is a verdict."""
        return self.reward is not None

    @property
    def success(self) -> bool:
        """Reward 1."""
        return self.reward == 1.0

    @property
    def spent(self) -> dict[str, float]:
        """`usage` of all attempts, also the failed ones: what was paid for."""
        names = {name: None for usage in self._usages for name in usage}
        return {name: sum(usage.get(name, 0) for usage in self._usages) for name in names}

    @property
    def _usages(self) -> tuple[dict[str, float], ...]:
        return (self.usage, *(fault.usage for fault in self.faults))

    def to_json(self) -> dict[str, Any]:
        """A plain dict."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Any) -> EpisodeResult:
        """The result that `to_json` wrote; raises `UsageError` where it is something else."""
        names = {f.name for f in fields(cls)}
        if not isinstance(value, dict) or not {"id", "task", "task_seed", "agent", "status"} <= value.keys() <= names:
            raise UsageError(f"this is not an episode's result of this version: {str(value)[:80]}")
        faults = tuple(Fault(**fault) for fault in value.get("faults", ()))
        return cls(**{**value, "status": Status(value["status"]), "faults": faults})


def read_result(path: Path) -> EpisodeResult:
    """The result in an episode's `result.json`."""
    try:
        return EpisodeResult.from_json(read_json(path))
    except (TypeError, ValueError) as cause:
        raise UsageError(f"{path} is not an episode's result of this version: {cause}") from cause


def share(part: int, whole: int) -> str:
    """`4/5  80 %`; a dash where there is nothing to share."""
    return f"{part}/{whole} {100 * part / whole:.0f} %" if whole else "–"


def mean(values: Iterable[float]) -> float | None:
    """The mean, or None of nothing."""
    found = list(values)
    return sum(found) / len(found) if found else None
