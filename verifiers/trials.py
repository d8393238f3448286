"""What became of mutants: each trial, and counts of them by table, kind, class or whatever else tells them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from .mutants import Mutant

REFUSED, ALLOWED, SURVIVED, IMPOSSIBLE = "refused", "allowed", "survived", "impossible"
UNNAMED = "unnamed"


@dataclass(frozen=True)
class Trial:
    """What became of a mutant: refused (good), allowed by the rules, survived (bad), or impossible in this schema."""

    mutant: Mutant
    result: str
    why: str
    """The reason of the verdict, or the rule that allows it."""
    named: bool = True
    """Whether the reason of a refusal names the table, the row and the column."""


@dataclass
class Mutation:
    """All trials of one episode."""

    trials: list[Trial] = field(default_factory=list)

    @property
    def survivors(self) -> list[Trial]:
        """Wrongs that nobody noticed."""
        return [trial for trial in self.trials if trial.result == SURVIVED]

    @property
    def unnamed(self) -> list[Trial]:
        """Refused, but for a reason that leaves a reader in the dark about what is wrong."""
        return [trial for trial in self.trials if not trial.named]

    def counts(self) -> Counter[str]:
        """How many mutants had each result."""
        return Counter(trial.result for trial in self.trials)

    def by_table(self) -> dict[str, Counter[str]]:
        """The same for each table."""
        return self.by(lambda mutant: mutant.table)

    def by(self, sort: Callable[[Mutant], str]) -> dict[str, Counter[str]]:
        """The same for each sort of mutants, with those that were refused but not named counted once more."""
        found: dict[str, Counter[str]] = {}
        for trial in self.trials:
            count = found.setdefault(sort(trial.mutant), Counter())
            count[trial.result] += 1
            count[UNNAMED] += not trial.named
        return found

    @property
    def kill_rate(self) -> float:
        """Refused mutants among those that had to be refused; 1.0 where there were none."""
        counts = self.counts()
        total = counts[REFUSED] + counts[SURVIVED]
        return counts[REFUSED] / total if total else 1.0
