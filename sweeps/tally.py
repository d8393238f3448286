"""Figures of a sweep so far, kept as results come: what its progress shows without looking at every result again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from .results import EpisodeResult


class Tally:
    """Counts by agent, and what the models have cost."""

    def __init__(self, results: Iterable[EpisodeResult] = ()) -> None:
        self.graded: Counter[str] = Counter()
        self.success: Counter[str] = Counter()
        self.lost = 0
        """Episodes that ended in a fault."""
        self.cost_usd = 0.0
        self.tokens = 0
        for result in results:
            self.add(result)

    def add(self, result: EpisodeResult) -> None:
        """One more episode is over."""
        if result.graded:
            self.graded[result.agent] += 1
            self.success[result.agent] += result.success
        self.lost += not result.graded
        spent = result.spent
        self.cost_usd += spent.get("cost_usd", 0.0)
        self.tokens += int(spent.get("prompt_tokens", 0) + spent.get("completion_tokens", 0))

    def success_so_far(self, agents: Iterable[str]) -> str:
        """`oracle 12/12, random 0/11`: rewards of 1 among the graded episodes of each agent."""
        return ", ".join(f"{one} {self.success[one]}/{self.graded[one]}" for one in agents if self.graded[one])

    def spent(self) -> str:
        """`$1.20`, or the tokens where no price is known; empty where no model was called."""
        if self.cost_usd:
            return f"${self.cost_usd:.2f}"
        return f"{self.tokens:,} tokens" if self.tokens else ""
