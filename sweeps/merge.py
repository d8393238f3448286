"""Several runs of one plan put together as one: shards, or a run that was continued elsewhere."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .plan import EpisodeSpec, Plan
from .results import EpisodeResult, Status
from .run_folder import RunFolder
from .shards import part_of

_SAME = ("status", "reward", "goal_met", "clean", "damage", "answer", "outcome", "steps", "hashes")
"""What of two results must be equal for them to be the same."""


@dataclass(frozen=True)
class _Part:
    """One episode in one of the runs."""

    place: int
    spec: EpisodeSpec
    result: EpisodeResult | None
    folder: RunFolder


def merge(runs: Sequence[Path | str], out: Path | str) -> RunFolder:
    """A run in the new folder `out` that holds every episode of `runs`; the table and the report are as of one.

    Episodes of which one run has a verdict and another only a fault, or nothing, have the verdict. Evidence is linked
    where the file system can, else copied. Raises `UsageError` for runs of different plans, and where the same episode
    has different results.
    """
    if not runs:
        raise UsageError("name at least one run to merge")
    folders = [RunFolder.open(Path(run)) for run in runs]
    _same_plan(folders)
    chosen: dict[int, _Part] = {}
    for part in _parts(folders):
        chosen[part.place] = _better(chosen[part.place], part) if part.place in chosen else part
    parts = [chosen[place] for place in sorted(chosen)]
    merged = RunFolder.create(Path(out), Plan(episodes=tuple(part.spec for part in parts)), **_about(folders, parts))
    with merged.locked():
        for part in parts:
            _take(part, merged)
    over = len(parts) == sum(part.result is not None for part in parts)
    merged.note(state="over" if over else "interrupted")
    return merged


def _same_plan(folders: Sequence[RunFolder]) -> None:
    first, *others = folders
    for other in others:
        if whole_plan(other)["hash"] != whole_plan(first)["hash"]:
            raise UsageError(
                f"{first.path} and {other.path} are runs of different plans (or on other data or observations); "
                "only runs and shards of one plan can be merged"
            )


def whole_plan(folder: RunFolder) -> dict[str, Any]:
    """What `run.json` says of the whole plan; runs that are older than shards are their own."""
    manifest = folder.manifest
    about = {"settings": manifest.get("settings", {}), "hashes": manifest.get("hashes", {})}
    found: dict[str, Any] = manifest.get("plan_of") or part_of(folder.plan, None, about)[1]
    return found


def _parts(folders: Sequence[RunFolder]) -> Iterator[_Part]:
    for folder in folders:
        results = folder.results()
        places = whole_plan(folder).get("positions") or range(len(folder.plan.episodes))
        for place, spec in zip(places, folder.plan.episodes, strict=True):
            yield _Part(place, spec, results.get(spec.id), folder)


def _better(one: _Part, other: _Part) -> _Part:
    """The one of two that says more; raises `UsageError` where they contradict each other."""
    first, second = one.result, other.result
    if second is None or (first is not None and second.status == Status.FAULT):
        return one
    if first is None or first.status == Status.FAULT:
        return other
    differ = [name for name in _SAME if getattr(first, name) != getattr(second, name)]
    if differ:
        raise UsageError(
            f"{one.folder.path} and {other.folder.path} both hold {first.id}, with different results "
            f"({', '.join(differ)}); merge only one of them"
        )
    return one


def _about(folders: Sequence[RunFolder], parts: Sequence[_Part]) -> dict[str, Any]:
    first = folders[0].manifest
    whole = whole_plan(folders[0])
    plan_of = {"hash": whole["hash"], "episodes": whole["episodes"]}
    if len(parts) < whole["episodes"]:
        plan_of["positions"] = [part.place for part in parts]
    templates: dict[str, Any] = {}
    for folder in folders:
        templates.update(folder.manifest.get("templates", {}))
    return {
        "created": datetime.now().astimezone().isoformat(timespec="seconds"),
        "versions": first.get("versions", {}),
        "plan_of": plan_of,
        "settings": first.get("settings", {}),
        "hashes": first.get("hashes", {}),
        "templates": templates,
        "merged": [{"run": str(one.path), "versions": one.manifest.get("versions", {})} for one in folders],
        "state": "running",
    }


def _take(part: _Part, merged: RunFolder) -> None:
    source = part.folder.episode(part.spec.id)
    if part.result is None:
        return
    if source.is_dir():
        shutil.copytree(source, merged.episode(part.spec.id), copy_function=_link_or_copy)
        (merged.episode(part.spec.id) / "result.json").unlink(missing_ok=True)
    merged.write(part.result)


def _link_or_copy(source: str, target: str) -> str:
    """A second name for a file that is not written any more; a copy on another file system."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
    return target
