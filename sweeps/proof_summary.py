"""What is published of a proof: its matrix, kill rates by template and table, constant policies, dated by content.

Each template has its own part with the hash of what it promises, so that one that was mended is proven again alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .content import commit_hash
from .files import read_json
from .proof import KINDS, InstanceProof
from .proof_folder import ProvenOf

FORMAT, VERSION = "sitegym-proof-summary", 2
SORTS = ("table", "kind", "class", "near")
"""Ways in which mutants are told apart."""
Tallies = dict[str, dict[str, int]]


def summary(
    instances: Sequence[InstanceProof],
    constants: Mapping[str, Any],
    settings: Mapping[str, Any],
    of: ProvenOf,
    *,
    workers: int,
    seconds: float,
) -> dict[str, Any]:
    """A JSON value; the same proof of the same contents gives the same but for `runs`."""
    by_task: dict[str, list[InstanceProof]] = defaultdict(list)
    for instance in instances:
        by_task[instance.task].append(instance)
    run = {
        "day": f"{datetime.now(UTC):%Y-%m-%d}",
        "commit": commit_hash(),
        "code": of.code,
        "seconds": round(seconds),
        "workers": workers,
        "wanted": settings["instances"],
        "work_seconds": round(sum(one.seconds for one in instances)),
        "instances": len(instances),
        "templates": len(by_task),
    }
    return {
        "format": FORMAT,
        "version": VERSION,
        **_about(settings),
        "runs": [run],
        "templates": {task: _template(some, of.templates[task]) for task, some in sorted(by_task.items())},
        "constants": dict(constants),
    }


def to_update(path: Path, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The summary in `path`; raises `UsageError` where a proof with these settings can't be put into it."""
    if not path.is_file():
        raise UsageError(f"there is no summary {path} to update: write one with --save first")
    known: dict[str, Any] = read_json(path)
    if (known.get("format"), known.get("version")) != (FORMAT, VERSION):
        raise UsageError(f"{path} is no summary of a proof that this sitegym has written; --save writes one")
    for name, value in _about(settings).items():
        if known[name] != value:
            raise UsageError(f"{path} tells of another proof: its {name} is {known[name]}, and this one's {value}")
    if settings["constants"] and not set(known["templates"]) <= set(settings["tasks"]):
        raise UsageError(
            f"constant policies are tried over all templates together, and {path} tells of more templates than these: "
            "leave --task out, or --constants"
        )
    return known


def updated(known: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """`known` with what `new` tried in the place of what it says of these templates, and of constant policies."""
    return {
        **known,
        "runs": [*known["runs"], *new["runs"]],
        "templates": dict(sorted({**known["templates"], **new["templates"]}.items())),
        "constants": new["constants"] or known["constants"],
    }


def failures(told: Mapping[str, Any]) -> list[str]:
    """A sentence for each promise that was broken."""
    return [sentence for one in told["templates"].values() for sentence in one["failures"]]


def tallies(told: Mapping[str, Any], sort: str) -> Tallies:
    """Mutants of all templates by table (kind, class, nearness): how many had each result."""
    return _added([one["mutants"][sort] for one in told["templates"].values()])


def _about(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What two proofs must have in common to be told together."""
    data = f"{settings['data']}, seed {settings['data_seed']}"
    return {"data": data, "only_mutations": settings["mutations"]}


def _template(instances: Sequence[InstanceProof], content: str) -> dict[str, Any]:
    tried = [one for instance in instances for one in instance.tried]
    kinds = {kind: [one for one in tried if one.kind == kind] for kind in KINDS}
    return {
        "content": content,
        "instances": len(instances),
        "failures": [sentence for one in instances for sentence in one.failures()],
        "kept": {kind: [sum(one.kept for one in some), sum(one.count for one in some)] for kind, some in kinds.items()},
        "names": {kind: sorted({one.name for one in kinds[kind]}) for kind in ("near_miss", "still_right")},
        "mutants": {sort: _added([one.detail.get(sort, {}) for one in tried]) for sort in SORTS},
    }


def _added(some: Sequence[Mapping[str, Mapping[str, int]]]) -> Tallies:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for one in some:
        for name, counts in one.items():
            found[name].update(counts)
    return {name: {result: count for result, count in sorted(found[name].items()) if count} for name in sorted(found)}
