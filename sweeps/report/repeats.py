"""What repeats of an instance tell: whether at least one of k plays succeeds (pass@k), and whether all do (pass^k)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from ..plan import Plan
from ..results import EpisodeResult
from ..statistics import Estimate, estimate_plays, pass_at_k, pass_hat_k
from .groups import instance_of

_SHOWN = (1, 2, 3, 4, 5, 8, 10, 16, 32, 64, 100)
"""Values of k that are shown, as far as there are so many repeats, beside the number of repeats itself."""


@dataclass(frozen=True)
class AgentRepeats:
    """Of one agent, for each k; over the instances with at least k graded plays."""

    agent: str
    at_least_one: dict[int, Estimate]
    all_of_them: dict[int, Estimate]
    instances: int
    mixed: int
    """Instances of which some plays succeeded and some did not."""


@dataclass(frozen=True)
class Repeats:
    """Of a run."""

    ks: tuple[int, ...]
    agents: tuple[AgentRepeats, ...]


def over_repeats(plan: Plan, results: dict[str, EpisodeResult]) -> Repeats | None:
    """None where no instance is played twice by the same agent."""
    most = 1 + max((spec.repeat for spec in plan.episodes), default=0)
    if most < 2:
        return None
    ks = tuple(sorted({k for k in _SHOWN if k <= most} | {most}))
    return Repeats(ks, tuple(_agent(agent, ks, plan, results) for agent in plan.agents))


def _agent(agent: str, ks: tuple[int, ...], plan: Plan, results: dict[str, EpisodeResult]) -> AgentRepeats:
    plays: Counter[Hashable] = Counter()
    successes: Counter[Hashable] = Counter()
    tasks: dict[Hashable, str] = {}
    for spec in plan.episodes:
        if spec.agent == agent and spec.id in results and results[spec.id].graded:
            key = instance_of(spec)
            tasks[key] = spec.task
            plays[key] += 1
            successes[key] += results[spec.id].success

    def over(chance: Callable[[int, int, int], float | None], k: int) -> Estimate:
        each = ((tasks[key], key, chance(plays[key], successes[key], k)) for key in plays)
        return estimate_plays((task, key, value) for task, key, value in each if value is not None)

    return AgentRepeats(
        agent=agent,
        at_least_one={k: over(pass_at_k, k) for k in ks},
        all_of_them={k: over(pass_hat_k, k) for k in ks},
        instances=len(plays),
        mixed=sum(0 < successes[key] < plays[key] for key in plays),
    )
