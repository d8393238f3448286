"""What is published of a proof: its matrix, kill rates by template and table, constant policies, dated by content."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from .proof import KINDS, InstanceProof

SORTS = ("table", "kind", "class", "near")
"""Ways in which mutants are told apart."""


def summary(
    instances: Sequence[InstanceProof],
    constants: Mapping[str, Any],
    settings: Mapping[str, Any],
    hashes: Mapping[str, str],
    *,
    workers: int,
    seconds: float,
) -> dict[str, Any]:
    """A JSON value; the same proof of the same contents gives the same but for `took`."""
    by_task: dict[str, list[InstanceProof]] = defaultdict(list)
    for instance in instances:
        by_task[instance.task].append(instance)
    return {
        "format": "sitegym-proof-summary",
        "version": 1,
        "hashes": dict(hashes),
        "data": f"{settings['data']}, seed {settings['data_seed']}",
        "only_mutations": settings["mutations"],
        "wanted": settings["instances"],
        "instances": len(instances),
        "failures": [sentence for one in instances for sentence in one.failures()],
        "took": {
            "seconds": round(seconds),
            "workers": workers,
            "work_seconds": round(sum(one.seconds for one in instances)),
        },
        "templates": {task: _template(some) for task, some in sorted(by_task.items())},
        "mutants": {sort: _tallies(instances, sort) for sort in SORTS},
        "constants": dict(constants),
    }


def _template(instances: Sequence[InstanceProof]) -> dict[str, Any]:
    tried = [one for instance in instances for one in instance.tried]
    kinds = {kind: [one for one in tried if one.kind == kind] for kind in KINDS}
    return {
        "instances": len(instances),
        "kept": {kind: [sum(one.kept for one in some), sum(one.count for one in some)] for kind, some in kinds.items()},
        "names": {kind: sorted({one.name for one in kinds[kind]}) for kind in ("near_miss", "still_right")},
    }


def _tallies(instances: Sequence[InstanceProof], sort: str) -> dict[str, dict[str, int]]:
    """Mutants by table (kind, class, nearness): how many had each result."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for instance in instances:
        for one in instance.tried:
            for name, counts in one.detail.get(sort, {}).items():
                found[name].update(counts)
    return {name: {result: count for result, count in sorted(found[name].items()) if count} for name in sorted(found)}
