"""A task set: a frozen list of instances, each with hashes of what it does, so that scores on a set compare.

What counts is how an instance behaves (see `behaviour`), not the source text that makes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .. import tasks as task_room
from ..errors import SitegymError, UsageError
from ..sites.world.baseline import baseline
from .behaviour import ASKED, PLAYED, Grounds, asked, played
from .evidence import fingerprint
from .plan import Plan, check_count, make_plan
from .sealing import Key
from .seen import plain

FOLDER = Path(task_room.__file__).parent / "sets"
_TOLD = 5
"""How many changed instances an error names."""


@dataclass(frozen=True, kw_only=True)
class Instance:
    """One instance of a set, as it was when the set was frozen. Of a sealed set, the hashes are keyed once more."""

    task: str
    seed: int
    kind: str
    tags: tuple[str, ...]
    difficulty: str
    """`short`, `medium` or `long`, by the steps of the oracle."""
    feasible: bool
    """False for the twin that can't be done; its pair is in the set as well."""
    goal: str
    """SHA-256 of the words."""
    expectation: str
    """SHA-256 of what it is graded by; the `hashes.expectation` of a result."""
    verdicts: str
    """SHA-256 of what its verifier says of right and of wrong ends."""
    outcome: str
    """Hash of the state that the right way leads to."""

    @property
    def name(self) -> str:
        """`store.admin/cancel-order:3`."""
        return f"{self.task}:{self.seed}"


@dataclass(frozen=True)
class Found:
    """How an instance behaves today."""

    instance: Instance
    differs: tuple[str, ...]
    """Of `ASKED` and `PLAYED`, what is no longer as it was frozen."""
    error: str = ""
    """Why it can't be made or played at all any more."""

    @property
    def same(self) -> bool:
        """Whether it behaves as it was frozen."""
        return not self.differs and not self.error

    @property
    def told(self) -> str:
        """What differs: `differs: goal, verdicts`, or why there is nothing to compare."""
        return f"can't be played: {self.error}" if self.error else f"differs: {', '.join(self.differs)}"

    def __str__(self) -> str:
        return f"{self.instance.name} ({self.error or 'its ' + ' and its '.join(self.differs)})"


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
    key: Key | None = field(default=None, repr=False)
    """Of a sealed set, whose file says neither seeds nor tasks."""

    @property
    def content(self) -> dict[str, Any]:
        """What the file says."""
        about = {"name": self.name, "data": self.data, "split": self.split, "baselines": dict(self.baselines)}
        if self.key is None:
            return {**about, "data_seed": self.data_seed, "instances": [plain(asdict(one)) for one in self.instances]}
        listed = [
            {
                "template": self.key.of(f"template {one.task}"),
                "feasible": self.key.of(feasibility(one.name, feasible=one.feasible)),
                **{name: getattr(one, name) for name in ("difficulty", *ASKED, *PLAYED)},
            }
            for one in self.instances
        ]
        return {**about, "key": self.key.fingerprint, "instances": listed}

    @property
    def hash(self) -> str:
        """SHA-256 over all that the file says."""
        return fingerprint(self.content)

    @property
    def card(self) -> dict[str, Any]:
        """What a run says of its set."""
        sealed = {} if self.key is None else {"key": self.key.fingerprint}
        return {"name": self.name, "hash": self.hash, "instances": len(self.instances), **sealed}

    @property
    def clusters(self) -> dict[str, str]:
        """The cluster of each instance by name: its template, as instances of one succeed and fail together."""
        return {one.name: one.task for one in self.instances}

    def kept(self, what: str, hash: str) -> str:
        """A hash as the set keeps it: as it is, or keyed by what it is of."""
        return hash if self.key is None else self.key.of(f"{what} {hash}")

    def check(self) -> None:
        """Raise `UsageError`, which names them, where instances ask for something else than when this was frozen.

        A look at baselines, goals and expectations, which takes seconds; `look` sees the rest as well.
        """
        self.check_baselines()
        changed = [str(found) for found in self.look(play=False) if not found.same]
        if changed:
            more = f" and {len(changed) - _TOLD} more" if len(changed) > _TOLD else ""
            raise UsageError(
                f"{len(changed)} of {len(self.instances)} instances of the task set {self.name} are no longer what was "
                f"frozen: {'; '.join(changed[:_TOLD])}{more}. Their scores would not compare; freeze a new set"
            )

    def check_baselines(self) -> None:
        """Raise `UsageError` where the data is another: then every instance is."""
        for site, frozen in self.baselines.items():
            today = self.kept(f"baseline of {site}", baseline(site, self.data, self.data_seed).hash)
            if today != frozen:
                raise UsageError(
                    f"the task set {self.name} was frozen on another {site} (baseline {frozen[:12]}, now "
                    f"{today[:12]}): all its {len(self.instances)} instances have changed"
                )

    def look(self, *, play: bool = True) -> Iterator[Found]:
        """Each instance as it behaves today; with `play` the right way is played and graded, on the service layer."""
        with Grounds(self.data, self.data_seed) as grounds:
            for one in self.instances:
                try:
                    task = grounds.task(one.task, one.seed, self.split)
                    today = {**asked(task, grounds), **(played(task, grounds) if play else {})}
                except SitegymError as error:
                    yield Found(one, (), str(error))
                    continue
                differs = (
                    name
                    for name, hash in today.items()
                    if self.kept(f"{name} of {one.name}", hash) != getattr(one, name)
                )
                yield Found(one, tuple(differs))

    def plan(self, *, agents: tuple[str, ...] | list[str], repeats: int = 1, **budgets: Any) -> Plan:
        """Every instance, `repeats` times by every agent; `budgets` are those of `make_plan`."""
        check_count(1, len(self.instances), repeats, len(agents))
        seeds: dict[str, list[int]] = {}
        for one in self.instances:
            seeds.setdefault(one.task, []).append(one.seed)
        where: dict[str, Any] = {"data": self.data, "data_seed": self.data_seed, "split": self.split}
        parts = (
            make_plan(tasks=task, seeds=some, agents=agents, repeats=repeats, **where, **budgets)
            for task, some in seeds.items()
        )
        return Plan(episodes=tuple(episode for part in parts for episode in part.episodes))


def feasibility(name: str, *, feasible: bool) -> str:
    """What the keyed hash is of that says whether an instance of a sealed set can be done."""
    return f"{name} {'can' if feasible else 'can not'} be done"


def clusters_of(plan: Plan) -> dict[str, str]:
    """The same as `TaskSet.clusters` for what a run plays: each instance, as `task:seed`, with its template."""
    return {f"{one.task}:{one.task_seed}": one.task for one in plan.episodes}
