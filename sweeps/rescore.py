"""`sitegym rescore`: the databases that a run left, rebuilt and graded again by the verifiers of today."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console

from .. import tasks as task_room
from ..errors import SitegymError, UsageError
from ..sites import registry
from ..sites.kit.views import View
from ..sites.world.baseline import baseline
from ..tasks import Task
from ..verifiers import Finish, Snapshot, Verdict, grade
from .beginning import same_world
from .evidence import evidence, fingerprint
from .files import read_json, write_json
from .plan import EpisodeSpec, site_of
from .progress import make_console, many
from .results import EpisodeResult
from .rowdiff import rebuild
from .run_folder import RunFolder
from .seen import plain

FILE = "rescored.json"
_FACTS = ("reward", "goal_met", "clean", "damage")


@dataclass(frozen=True, kw_only=True)
class Change:
    """One episode that is graded otherwise today: facts by name, before and now."""

    id: str
    facts: dict[str, tuple[Any, Any]]
    reason: str
    """The reason of today's verdict."""

    def sentence(self) -> str:
        """What changed, for a person."""
        told = ", ".join(f"{name} {old} → {new}" for name, (old, new) in self.facts.items())
        return f"{self.id}: {told} ({self.reason})"


@dataclass
class Rescored:
    """What grading a run again gave."""

    graded: int = 0
    changes: list[Change] = field(default_factory=list)
    broken: dict[str, str] = field(default_factory=dict)
    """Episodes that can't be graded again, by id, and why."""
    other_versions: list[str] = field(default_factory=list)
    """Episodes whose task asks for something else today; there are some only where that was allowed."""

    @property
    def exit_code(self) -> int:
        """0 where every episode could be graded again, whatever changed."""
        return int(bool(self.broken))

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return asdict(self)


def rescore(run: Path | str, *, other_versions: bool = False, quiet: bool = False) -> Rescored:
    """Grade every graded episode of `run` again; its results are left as they are.

    Writes `rescored.json`. Raises `UsageError` where the run was made on another baseline, and where a task asks for
    something else than it did then, unless `other_versions` allows that.
    """
    folder = RunFolder.open(Path(run))
    same_world(folder)
    results = folder.results()
    specs = [spec for spec in folder.plan.episodes if spec.id in results and results[spec.id].graded]
    found, console = Rescored(), make_console(quiet=quiet)
    if not other_versions:
        _refuse_other_versions(folder, specs, results)
    with TemporaryDirectory(prefix="sitegym-rescore-") as place:
        for spec in specs:
            _one(folder, spec, results[spec.id], found, Path(place) / "after.sqlite")
    write_json(folder.path / FILE, found.to_json())
    _say(console, found)
    return found


def _refuse_other_versions(folder: RunFolder, specs: list[EpisodeSpec], results: dict[str, EpisodeResult]) -> None:
    other = []
    for spec in specs:
        with suppress(UsageError):  # evidence that is gone is told of with the others'
            if not _same_version(spec, results[spec.id], folder):
                other.append(spec.id)
    if other:
        raise UsageError(
            f"{many(len(other), 'episode')} of {folder.path} did tasks that ask for something else today, {other[0]} "
            "for one: their scores would not compare; to grade them all the same, add --other-versions"
        )


def _same_version(spec: EpisodeSpec, result: EpisodeResult, folder: RunFolder) -> bool:
    """Whether the task asks for the same today, in the same words, as when it was played."""
    task = _task(spec)
    with Snapshot(baseline(site_of(spec.task), spec.data, spec.data_seed).path, _metadata(spec)) as before:
        today = fingerprint(plain(task.expectation(before)))
    goal = read_json(folder.episode(spec.id) / "verdict.json").get("goal", task.goal)
    return today == result.hashes.get("expectation") and goal == task.goal


def _one(folder: RunFolder, spec: EpisodeSpec, result: EpisodeResult, found: Rescored, after: Path) -> None:
    try:
        if not _same_version(spec, result, folder):
            found.other_versions.append(spec.id)
        verdict = _graded(folder.episode(spec.id), spec, after)
    except (SitegymError, KeyError, OSError) as error:
        found.broken[spec.id] = f"{type(error).__name__}: {error}"
        return
    found.graded += 1
    now = {
        "reward": verdict.reward,
        "goal_met": verdict.goal_met,
        "clean": verdict.clean,
        "damage": len(verdict.damage),
    }
    facts = {name: (getattr(result, name), now[name]) for name in _FACTS if getattr(result, name) != now[name]}
    if facts:
        found.changes.append(Change(id=spec.id, facts=facts, reason=verdict.reason))


def _graded(folder: Path, spec: EpisodeSpec, after: Path) -> Verdict:
    """Today's verdict on what an episode left; `after` is where its database is rebuilt."""
    recorded, changes = read_json(folder / "verdict.json"), read_json(folder / "changes.json")
    start = baseline(site_of(spec.task), spec.data, spec.data_seed)
    site = registry.get(start.site)
    after.unlink(missing_ok=True)
    rebuild(start.path, changes["tables"], after)
    if evidence(start.path, start.hash, after, site.metadata)["after"] != changes["after"]:
        raise UsageError("the database that changes.json leads to is not the one that was graded")
    said = recorded["said"]
    finish = None if recorded["truncated"] else Finish(said["answer"], said["outcome"])
    view = None if recorded["view"] is None else View.from_json(recorded["view"])
    with Snapshot(start.path, site.metadata) as before, Snapshot(after, site.metadata) as left:
        return grade(_task(spec).expectation(before), before, left, finish, view, site.recompute)


def _task(spec: EpisodeSpec) -> Task:
    return task_room.task(spec.task, spec.task_seed, data=spec.data, data_seed=spec.data_seed, split=spec.split)


def _metadata(spec: EpisodeSpec) -> Any:
    return registry.get(site_of(spec.task)).metadata


def _say(console: Console, found: Rescored) -> None:
    lines = [change.sentence() for change in found.changes]
    lines += [f"{id} can't be graded again: {why}" for id, why in found.broken.items()]
    lines.append(f"{many(found.graded, 'episode')} graded again, {len(found.changes)} otherwise than before.")
    for line in lines:
        console.print(line, highlight=False, markup=False, soft_wrap=True)
