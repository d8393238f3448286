"""Parts of a plan for several machines: which episodes a shard plays, and how the whole plan is known again.

Episodes are dealt out in the order of a hash of their ids, so that every shard has its share of each task and agent,
and the same plan gives the same shards on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Self

from ..errors import UsageError
from .evidence import fingerprint
from .plan import Plan


@dataclass(frozen=True)
class Shard:
    """Part `number` of `count`, counted from 1."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """`3/8`; raises `UsageError` for anything else."""
        found = re.fullmatch(r"(\d+)/(\d+)", text.strip())
        if found is None:
            raise UsageError(f"{text!r} is no shard; write 3/8 for the third of eight")
        if not 1 <= int(found[1]) <= int(found[2]):
            last = max(1, int(found[2]))
            raise UsageError(f"there is no shard {text}: of {last} the first is 1/{last} and the last {last}/{last}")
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


def positions(plan: Plan, shard: Shard) -> list[int]:
    """Places in the plan, ascending, of the episodes that a shard plays."""
    dealt = sorted(range(len(plan.episodes)), key=lambda at: sha256(plan.episodes[at].id.encode()).digest())
    return sorted(dealt[shard.number - 1 :: shard.count])


def part_of(plan: Plan, shard: Shard | None, about: Mapping[str, Any]) -> tuple[Plan, dict[str, Any]]:
    """The episodes to play, and what `run.json` says of the whole plan under `plan`.

    `about` is what must be the same beside the episodes for two runs to be of one plan. Raises `UsageError` where the
    shard is empty.
    """
    whole = {"hash": fingerprint([plan.to_json(), about]), "episodes": len(plan.episodes)}
    if shard is None:
        return plan, whole
    places = positions(plan, shard)
    if not places:
        raise UsageError(f"shard {shard} is empty: the plan has {len(plan.episodes)} episodes")
    return Plan(episodes=tuple(plan.episodes[at] for at in places)), {**whole, "shard": str(shard), "positions": places}


def part_told(plan: Plan, manifest: Mapping[str, Any]) -> str:
    """What a run holds of its whole plan, `2 of 40 episodes, shard 1/20`; empty where it holds all of it."""
    whole = manifest.get("plan_of", {})
    if len(plan.episodes) >= whole.get("episodes", 0):
        return ""
    shard = f", shard {whole['shard']}" if "shard" in whole else ", merged from some of its shards"
    return f"{len(plan.episodes):,} of {whole['episodes']:,} episodes{shard}"
