"""What the proof of one instance found, and the matrix over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.table import Table

KINDS = {
    "oracle": "UI oracle",
    "service": "Service oracle",
    "noop": "Doing nothing",
    "near_miss": "Near misses",
    "still_right": "Other right ways",
    "mutation": "Mutations",
}
"""Kinds of promises, as failures name them."""
HEADS = {
    "oracle": "UI\noracle",
    "service": "Service\noracle",
    "noop": "Doing\nnothing",
    "near_miss": "Near\nmisses",
    "still_right": "Other\nways",
    "mutation": "\nMutations",
}
"""Their columns in the matrix."""


@dataclass(frozen=True, kw_only=True)
class Tried:
    """One promise tried out, or (mutations) many of one kind: `kept` of `count` were kept."""

    kind: str
    name: str
    wanted: str
    found: str
    """What came instead; the reason of the verdict."""
    count: int = 1
    kept: int = 1
    detail: dict[str, Any] = field(default_factory=dict, repr=False)
    """Of mutations: by table, kind, class and nearness, how many had each result."""

    @property
    def ok(self) -> bool:
        """Whether all were kept, and there was something to keep."""
        return self.kept == self.count > 0


@dataclass(frozen=True, kw_only=True)
class InstanceProof:
    """All that was tried on one instance; `fault` says why it could not be tried to the end."""

    id: str
    task: str
    task_seed: int
    tried: tuple[Tried, ...] = ()
    fault: str = ""
    seconds: float = 0.0
    goal: str = field(default="", repr=False)

    def failures(self) -> list[str]:
        """A sentence for each broken promise."""
        where = f"{self.task}, seed {self.task_seed}"
        if self.fault:
            return [f"{where}: could not be proven: {self.fault}"]
        return [
            f"{where}: {KINDS[one.kind].lower()}, {one.name}: wanted {one.wanted}, found {one.found}"
            for one in self.tried
            if not one.ok
        ]

    def to_json(self) -> dict[str, Any]:
        """A plain dict."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> InstanceProof:
        """The proof that `to_json` wrote."""
        return cls(**{**value, "tried": tuple(Tried(**one) for one in value["tried"])})


def proof_matrix(instances: Sequence[InstanceProof], *, wanted: int) -> Table:
    """Templates down, kinds of promises across, `kept/tried` in the cells; fewer outcomes than wanted are marked."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("\nTemplate", no_wrap=True)
    for head in ("\nOutcomes", *HEADS.values(), "\nSec."):
        table.add_column(head, justify="right", no_wrap=True)
    for task in dict.fromkeys(instance.task for instance in instances):
        mine = [instance for instance in instances if instance.task == task]
        count = f"{len(mine)}" + ("" if len(mine) >= wanted else " (all)")
        seconds = sum(instance.seconds for instance in mine)
        table.add_row(task, count, *(_cell(mine, kind) for kind in KINDS), f"{seconds:.0f}")
    return table


def _cell(instances: Iterable[InstanceProof], kind: str) -> str:
    tried = [one for instance in instances for one in instance.tried if one.kind == kind]
    count, kept = sum(one.count for one in tried), sum(one.kept for one in tried)
    if not count:
        return "–"
    return f"{kept}/{count}" if kept == count else f"[red]{kept}/{count}[/red]"
