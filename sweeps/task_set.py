"""Task sets: frozen lists of instances, each with hashes of what it asked for, so that scores on a set compare.

A set is a JSON file (`tasks/sets/core.json`) with the data that it is on, the logical hash of each baseline, and of
every instance the hashes of its goal and of its expectation. Its own hash is over all of that. What counts is what an
instance is, not the source text that makes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from .. import tasks as task_room
from ..errors import SitegymError, UsageError, closest
from ..sites import registry
from ..sites.world.baseline import baseline
from ..verifiers import Snapshot
from .evidence import fingerprint
from .files import read_json
from .plan import Plan, make_plan, site_of
from .seen import plain

FOLDER = Path(task_room.__file__).parent / "sets"
FORMAT, VERSION = "sitegym-task-set", 1
_TOLD = 5
"""How many changed instances an error names."""


@dataclass(frozen=True, kw_only=True)
class Instance:
    """One instance of a set, as it was when the set was frozen."""

    task: str
    seed: int
    kind: str
    tags: tuple[str, ...]
    difficulty: str
    """`short`, `medium` or `long`, by the steps of the template's oracle."""
    feasible: bool
    """False for the twin that can't be done; its pair is in the set as well."""
    goal: str
    """SHA-256 of the words."""
    expectation: str
    """SHA-256 of what it is graded by; the `hashes.expectation` of a result."""

    @property
    def name(self) -> str:
        """`store.admin/cancel-order:3`."""
        return f"{self.task}:{self.seed}"


@dataclass(frozen=True, kw_only=True)
class TaskSet:
    """A set, read or just frozen."""

    name: str
    data: str
    data_seed: int
    split: str | None
    baselines: Mapping[str, str]
    """Logical hash of the rows that every episode begins with, by site."""
    instances: tuple[Instance, ...]

    @property
    def hash(self) -> str:
        """SHA-256 over all of it."""
        return fingerprint(plain(asdict(self)))

    @property
    def card(self) -> dict[str, Any]:
        """What a run says of its set."""
        return {"name": self.name, "hash": self.hash, "instances": len(self.instances)}

    def to_json(self) -> dict[str, Any]:
        """The file's content."""
        return {"format": FORMAT, "version": VERSION, "hash": self.hash, **plain(asdict(self))}

    def check(self) -> None:
        """Raise `UsageError`, which names them, where instances are no longer what they were when this was frozen."""
        for site, frozen in self.baselines.items():
            today = baseline(site, self.data, self.data_seed).hash
            if today != frozen:
                raise UsageError(
                    f"the task set {self.name} was frozen on another {site} (baseline {frozen[:12]}, now "
                    f"{today[:12]}): all its {len(self.instances)} instances have changed"
                )
        changed = list(self._changed())
        if changed:
            more = f" and {len(changed) - _TOLD} more" if len(changed) > _TOLD else ""
            raise UsageError(
                f"{len(changed)} of {len(self.instances)} instances of the task set {self.name} are no longer what was "
                f"frozen: {'; '.join(changed[:_TOLD])}{more}. Their scores would not compare; freeze a new set"
            )

    def _changed(self) -> Iterator[str]:
        with Befores(self.data, self.data_seed) as befores:
            for one in self.instances:
                try:
                    goal, expectation = hashes(one.task, one.seed, befores, self.split)
                except SitegymError as error:
                    yield f"{one.name} ({error})"
                    continue
                what = [
                    name for name, now in (("goal", goal), ("expectation", expectation)) if now != getattr(one, name)
                ]
                if what:
                    yield f"{one.name} (its {' and its '.join(what)})"

    def plan(self, *, agents: tuple[str, ...] | list[str], repeats: int = 1, **budgets: Any) -> Plan:
        """Every instance, `repeats` times by every agent; `budgets` are those of `make_plan`."""
        seeds: dict[str, list[int]] = {}
        for one in self.instances:
            seeds.setdefault(one.task, []).append(one.seed)
        where: dict[str, Any] = {"data": self.data, "data_seed": self.data_seed, "split": self.split}
        parts = (
            make_plan(tasks=task, seeds=some, agents=agents, repeats=repeats, **where, **budgets)
            for task, some in seeds.items()
        )
        return Plan(episodes=tuple(episode for part in parts for episode in part.episodes))


class Befores:
    """The snapshots of baselines by site, opened when first asked for. A context manager, which closes them."""

    def __init__(self, data: str, data_seed: int) -> None:
        self.data, self.data_seed = data, data_seed
        self._stack, self._open = ExitStack(), dict[str, Snapshot]()

    def of(self, site: str) -> Snapshot:
        """The database before, of a site."""
        if site not in self._open:
            path = baseline(site, self.data, self.data_seed).path
            self._open[site] = self._stack.enter_context(Snapshot(path, registry.get(site).metadata))
        return self._open[site]

    def __enter__(self) -> Befores:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def hashes(task_id: str, seed: int, befores: Befores, split: str | None) -> tuple[str, str]:
    """The hashes of the goal and of the expectation of an instance as it is today."""
    task = task_room.task(task_id, seed, data=befores.data, data_seed=befores.data_seed, split=split)
    return fingerprint(task.goal), fingerprint(plain(task.expectation(befores.of(site_of(task_id)))))


def names() -> list[str]:
    """The sets that come with sitegym."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def read_set(name: str) -> TaskSet:
    """A set by its name, or by the path of its file (`sets/mine.json`).

    Raises `UsageError` where there is none, and where the file was edited after it was frozen.
    """
    path = Path(name) if name.endswith(".json") else FOLDER / f"{name}.json"
    if not path.is_file():
        near = closest(name, names())
        meant = f" (did you mean {near!r}?)" if near else ""
        raise UsageError(f"there is no task set {name!r}{meant}; known: {', '.join(names())}, or the path of a .json")
    found = read_json(path)
    if not isinstance(found, dict) or (found.get("format"), found.get("version")) != (FORMAT, VERSION):
        raise UsageError(f"{path} is no task set of this version")
    try:
        known = {one.name: found[one.name] for one in fields(TaskSet) if one.name != "instances"}
        listed = tuple(Instance(**{**one, "tags": tuple(one["tags"])}) for one in found["instances"])
        read = TaskSet(**known, instances=listed)
    except (KeyError, TypeError) as cause:
        raise UsageError(f"{path} is no whole task set: {cause}") from cause
    if read.hash != found.get("hash"):
        raise UsageError(
            f"{path} was edited after it was frozen: its hash is not that of what it holds; freeze it anew"
        )
    return read


def set_plan(name: str, *, asked: Mapping[str, Any], **about: Any) -> tuple[Plan, dict[str, Any]]:
    """The plan of a set, checked, and its card. `asked` are arguments that the set decides, where one was given.

    Raises `UsageError` where one is given all the same, and what `read_set`, `check` and `make_plan` raise.
    """
    given = [argument for argument, value in asked.items() if value]
    if given:
        raise UsageError(f"a task set says itself what is played; leave out {', '.join(given)}, or the set")
    chosen = read_set(name)
    chosen.check()
    return chosen.plan(**about), chosen.card
