"""A task: one instance of a template in one generated world, as it is given to an agent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from .. import sites
from ..errors import UsageError, VerifierError, boundary
from ..sites.world.baseline import baseline
from ..verifiers import Expectation, Finish, Snapshot
from .common import near_misses, still_right
from .page import Attempt, Moves
from .registry import template
from .splits import known_split, split_of_all
from .template import Call, NearMiss, Params, Template


@dataclass(frozen=True, kw_only=True)
class Task:
    """One instance. Everything an agent may know is in `goal`, `role` and `start_url`."""

    template: Template[Any]
    instance: Params
    task_seed: int
    data: str
    data_seed: int
    split: str | None
    """The split that the instance belongs to; None where its entities belong to several."""
    goal: str
    """What is asked for, and how to finish."""

    @property
    def id(self) -> str:
        """The template's id."""
        return self.template.id

    @property
    def role(self) -> str:
        """The role of the person who is signed in."""
        return self.template.role

    @property
    def start_url(self) -> str:
        """The address that the episode starts on."""
        return self.template.start(self.instance)

    @property
    def max_steps(self) -> int:
        """Steps after which an episode is cut off."""
        return self.template.max_steps

    @property
    def params(self) -> dict[str, Any]:
        """The parameters by name; for people and records, never for the agent."""
        return self.instance.to_dict()

    @property
    def pair(self) -> int:
        """Twins share this number: seeds 2k and 2k + 1 are one that can be done and one that can't."""
        return self.task_seed // 2

    def expectation(self, before: Snapshot) -> Expectation:
        """What the episode is graded by. Raises `VerifierError` where the template can't say."""
        with boundary(VerifierError, f"expectation of {self.id} with seed {self.task_seed}"):
            return self.template.expected(before, self.instance)

    def oracle(self) -> Attempt:
        """The right way through the browser: begun with the first page, it yields actions."""

        def play(page: Any) -> Moves:
            return self.template.oracle(page, self.instance)

        return play

    @property
    def service_oracle(self) -> Sequence[Call]:
        """The right way on the service layer."""
        with _before(self.template.site, self.data, self.data_seed) as before:
            return tuple(self.template.calls(before, self.instance))

    @property
    def service_finish(self) -> Finish:
        """How the right way on the service layer ends."""
        with _before(self.template.site, self.data, self.data_seed) as before:
            return self.template.finish(before, self.instance)

    def near_misses(self, before: Snapshot) -> list[NearMiss]:
        """Attempts that come close and must earn nothing: those every template has, and the template's own."""
        return [*near_misses(self, before), *self.template.near_misses(before, self.instance)]

    def still_right(self, before: Snapshot) -> list[NearMiss]:
        """Attempts by other roads that must earn 1 as well."""
        shared = [*still_right(self, before), *self.template.asides(self.instance)]
        return [*shared, *self.template.still_right(before, self.instance)]


def task(task_id: str, task_seed: int, *, data: str = "base", data_seed: int = 1, split: str | None = None) -> Task:
    """The instance that a seed stands for; the same arguments always give the same task.

    Consecutive seeds give different outcomes as long as the data offers them. Where a template has instances that
    can't be done, seeds 2k and 2k + 1 are a pair with one wording, one of which can be done, in an order drawn by seed.
    `split` keeps to the instances of one split. Raises `UnknownTask`, `UnknownSplit`, `UsageError`.
    """
    found = template(task_id)
    known_split(split)
    if task_seed < 0:
        raise UsageError(f"the seed of an instance is 0 or more, not {task_seed}")
    offered = _offered(task_id, data, data_seed, split)
    instance = _chosen(task_id, task_seed, offered)
    wording = Random(f"{task_id}:wording:{task_seed // 2 if all(offered) else task_seed}")
    return Task(
        template=found,
        instance=instance,
        task_seed=task_seed,
        data=data,
        data_seed=data_seed,
        split=split_of_all(instance.entities()),
        goal=wording.choice(found.intents(instance)),
    )


def outcomes(task_id: str, *, data: str = "base", data_seed: int = 1, split: str | None = None) -> tuple[int, int]:
    """How many distinct outcomes a template has in a world: those that can be done, and those that can't."""
    can, can_not = _offered(template(task_id).id, data, data_seed, known_split(split))
    return len(can), len(can_not)


def _chosen(task_id: str, task_seed: int, offered: tuple[tuple[Params, ...], tuple[Params, ...]]) -> Params:
    can, can_not = offered
    if not can_not or not can:
        only = can or can_not
        return only[task_seed % len(only)]
    pair, second = divmod(task_seed, 2)
    feasible = (Random(f"{task_id}:twins:{pair}").random() < 0.5) != bool(second)
    some = can if feasible else can_not
    return some[pair % len(some)]


@lru_cache(maxsize=512)
def _offered(
    task_id: str, data: str, data_seed: int, split: str | None
) -> tuple[tuple[Params, ...], tuple[Params, ...]]:
    """All instances of a template in a world: those that can be done, those that can't."""
    if split is not None:
        both = _offered(task_id, data, data_seed, None)
        can, can_not = (tuple(p for p in some if split_of_all(p.entities()) == split) for some in both)
        if all(both) and bool(can) != bool(can_not):  # no pairs of twins: one constant end would always be right
            raise UsageError(
                f"the data set {data!r} with seed {data_seed} offers {task_id} only one of two twins in the split "
                f"{split}: use the larger data set 'base', another data seed, or no split"
            )
    else:
        with _before(template(task_id).site, data, data_seed) as before:
            every = list(template(task_id).instances(before, Random(f"{task_id}:{data_seed}")))
        can, can_not = (tuple(p for p in every if p.feasible is feasible) for feasible in (True, False))
    if not can and not can_not:
        where = f" in the split {split}" if split else ""
        raise UsageError(f"the data set {data!r} with seed {data_seed} offers no instance of {task_id}{where}")
    return can, can_not


def _before(site: str, data: str, data_seed: int) -> Snapshot:
    return Snapshot(baseline(site, data, data_seed).path, sites.get(site).metadata)


def every(task_id: str, *, data: str = "base", data_seed: int = 1) -> Iterator[Params]:
    """All instances of a template in a world, in the order in which seeds take them."""
    for some in _offered(template(task_id).id, data, data_seed, None):
        yield from some
