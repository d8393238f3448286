"""Policies that do the same whatever they are asked for, tried on every instance: what a benchmark gives away.

None of them touches anything, so that each instance is graded on what opening its start page leaves behind. They must
earn nothing where something is to be changed or opened, and nothing on twins, where a pair counts if both are right.
What the best of them earns on single instances is chance, and is published.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .. import tasks as task_room
from ..errors import UsageError
from ..sites import registry
from ..sites.world.client import World
from ..sites.world.runtime import Runtime, as_runtime
from ..tasks import SPLITS, Params, Task
from ..verifiers import DONE, OUTCOMES, Diff, Expectation, Finish, Snapshot, diff, grade
from .first_page import FirstPage, first_page
from .plan import site_of

ALL = "all"
SCOPES = (ALL, *SPLITS)


@dataclass(frozen=True)
class Policy:
    """A constant policy: the same code each time, and the same answer, or the same part of what is seen at once."""

    outcome: str = DONE
    answer: str | None = None
    sees: str = ""
    """`goal` or `ids` where that is the answer."""
    about: str = ""
    """Where the answer is from: "the most common Int"."""

    @property
    def name(self) -> str:
        """What it does, in words."""
        said = {"goal": "echoes the goal", "ids": "answers every id on the first page"}.get(self.sees)
        if said is None:
            said = "does nothing" if self.answer is None else f"answers {self.about}, {self.answer}"
        return f"{said}, ends with {self.outcome}"

    def finish(self, task: Task, page: FirstPage) -> Finish:
        """How it ends an episode."""
        said = task.goal if self.sees == "goal" else page.ids if self.sees == "ids" else self.answer
        return Finish(said, self.outcome)


@dataclass
class Score:
    """What a policy earned over some instances, and over the pairs of twins among them."""

    instances: int = 0
    earned: int = 0
    done: int = 0
    """Of these, how many on an instance that can be done."""
    pairs: int = 0
    pairs_earned: int = 0

    @property
    def rate(self) -> float:
        """Share of single instances that it got right."""
        return self.earned / self.instances if self.instances else 0.0


@dataclass
class Constants:
    """Scores by policy, scope (`all` or a split) and template."""

    most: int | None = None
    """How many seeds of each template were taken in each scope; None is all that bring something new."""
    scores: dict[str, dict[str, dict[str, Score]]] = field(default_factory=dict)

    def failures(self) -> list[str]:
        """A sentence for each policy that earns where none may."""
        found = []
        for name, scopes in self.scores.items():
            for task, score in scopes[ALL].items():
                kind = task_room.template(task).kind
                if kind != "retrieve" and score.done:
                    found.append(f"{task}: a policy that {name} earns 1 on {score.done} of {score.instances}")
                if score.pairs_earned:
                    found.append(f"{task}: a policy that {name} gets {score.pairs_earned} of {score.pairs} pairs right")
        return found

    def total(self, policy: str, scope: str = ALL) -> Score:
        """A policy's score over all templates."""
        every = self.scores[policy].get(scope, {}).values()
        return Score(**{name: sum(getattr(one, name) for one in every) for name in Score.__dataclass_fields__})

    def best(self, scope: str = ALL) -> tuple[str, Score]:
        """The policy that earns most on single instances of a scope, and its score."""
        name = max(self.scores, key=lambda one: (self.total(one, scope).rate, one))
        return name, self.total(name, scope)

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "seeds": self.most,
            "failures": self.failures(),
            "best": {scope: {"policy": (best := self.best(scope))[0], **asdict(best[1])} for scope in SCOPES},
            "policies": {name: {scope: asdict(self.total(name, scope)) for scope in SCOPES} for name in self.scores},
            "templates": {
                task: max((scopes[ALL][task] for scopes in self.scores.values()), key=lambda one: one.rate).rate
                for task in next(iter(self.scores.values()), {}).get(ALL, {})
            },
        }


def try_constants(
    tasks: Sequence[str],
    *,
    data: str = "base",
    data_seed: int = 1,
    most: int | None = None,
    runtime: Runtime | None = None,
) -> Constants:
    """Try every constant policy on every instance of these templates, in every split.

    `most` limits how many seeds of each template are taken in each scope; None is all there are. Starts a world server
    to see the first pages; needs no browser.
    """
    found = Constants(most=most)
    by_site: dict[str, list[str]] = defaultdict(list)
    for task in tasks:
        by_site[site_of(task)].append(task)
    with as_runtime(runtime).start() as server, TemporaryDirectory(prefix="sitegym-constants-") as folder:
        for site, some in by_site.items():
            with server.open(site, data, data_seed) as world:
                bench = _Bench(world, Path(folder))
                try:
                    _try(bench, found, some, data, data_seed, most)
                finally:
                    bench.close()
    return found


def _try(bench: _Bench, found: Constants, tasks: Sequence[str], data: str, data_seed: int, most: int | None) -> None:
    drawn = {(task, scope): list(_drawn(task, scope, data, data_seed, most)) for task in tasks for scope in SCOPES}
    wanted = [bench.expectation(one) for (_, scope), some in drawn.items() if scope == ALL for one in some]
    for policy in policies(wanted):
        scopes = found.scores.setdefault(policy.name, {})
        for (task, scope), some in drawn.items():
            if some:
                score = scopes.setdefault(scope, {}).setdefault(task, Score())
                _add(score, some, [bench.earns(policy, one) for one in some])


def policies(wanted: Iterable[Expectation]) -> Iterator[Policy]:
    """Every constant policy; the most common answers are counted over these expectations, never typed."""
    answers: dict[str, Counter[str]] = defaultdict(Counter)
    for want in wanted:
        for asked in (want.answer, want.blocker):
            if asked is not None:
                answers[type(asked).__name__][str(asked)] += 1
    for outcome in OUTCOMES:
        yield Policy(outcome)
        yield Policy(outcome, sees="goal")
        yield Policy(outcome, sees="ids")
        for kind, values in sorted(answers.items()):
            most = max(values.values())
            yield Policy(outcome, min(v for v, n in values.items() if n == most), about=f"the most common {kind}")


def _drawn(task: str, scope: str, data: str, data_seed: int, most: int | None) -> Iterator[Task]:
    """The instances of a template as seeds draw them, until each outcome came; none where a split has none."""
    split = None if scope == ALL else scope
    try:
        can, can_not = task_room.outcomes(task, data=data, data_seed=data_seed, split=split)
    except UsageError:
        return
    count = 2 * max(can, can_not) if can and can_not else can + can_not
    for seed in range(min(count, most or count)):
        yield task_room.task(task, seed, data=data, data_seed=data_seed, split=split)


def _add(score: Score, tasks: Sequence[Task], earned: Sequence[bool]) -> None:
    score.instances += len(tasks)
    score.earned += sum(earned)
    score.done += sum(right and task.instance.feasible for task, right in zip(tasks, earned, strict=True))
    pairs: dict[int, list[bool]] = defaultdict(list)
    if len({task.instance.feasible for task in tasks}) == 2:
        for task, right in zip(tasks, earned, strict=True):
            pairs[task.pair].append(right)
    whole = [both for both in pairs.values() if len(both) == 2]
    score.pairs += len(whole)
    score.pairs_earned += sum(all(both) for both in whole)


class _Bench:
    """Grades finishes on what the first page of an instance leaves; each expectation and page is made once."""

    def __init__(self, world: World, folder: Path) -> None:
        self._world = world
        self._folder = folder
        self._site = registry.get(world.baseline.site)
        self._before = Snapshot(world.baseline.path, self._site.metadata)
        self._wanted: dict[tuple[str, Params], Expectation] = {}
        self._pages: dict[tuple[str, str], tuple[FirstPage, Snapshot, Diff]] = {}
        self._earned: dict[tuple[str, Params, str, object], bool] = {}

    def close(self) -> None:
        """Let go of the databases."""
        for _, after, _ in self._pages.values():
            after.close()
        self._before.close()

    def expectation(self, task: Task) -> Expectation:
        """What an instance is graded by."""
        key = (task.id, task.instance)
        if key not in self._wanted:
            self._wanted[key] = task.expectation(self._before)
        return self._wanted[key]

    def earns(self, policy: Policy, task: Task) -> bool:
        """Whether a policy earns 1 on an instance."""
        page, after, changes = self._page(task)
        said = policy.finish(task, page)
        key = (task.id, task.instance, said.outcome, said.answer)
        if key not in self._earned:
            want = self.expectation(task)
            verdict = grade(want, self._before, after, said, page.view, self._site.recompute, changes=changes)
            self._earned[key] = verdict.reward == 1.0
        return self._earned[key]

    def _page(self, task: Task) -> tuple[FirstPage, Snapshot, Diff]:
        key = (task.role, task.start_url)
        if key not in self._pages:
            page = first_page(self._world, *key)
            frozen = self._world.freeze(self._folder / f"{self._world.baseline.site}-{len(self._pages)}.db")
            after = Snapshot(frozen, self._site.metadata)
            self._pages[key] = page, after, diff(self._before, after)
        return self._pages[key]
