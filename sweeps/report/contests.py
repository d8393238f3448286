"""Agents against each other on the same instances, with the paired test of their difference."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from ..plan import EpisodeSpec, Plan
from ..results import EpisodeResult
from ..statistics import Paired, holm, paired
from .groups import instance_of

MOST = 6
"""Agents that are compared with each other at most; of more there would be more pairs than anybody reads."""

Plays = Mapping[Hashable, Sequence[tuple[EpisodeSpec, EpisodeResult]]]
"""The graded plays of a contender by instance."""


@dataclass(frozen=True)
class Contest:
    """Two contenders compared."""

    first: str
    second: str
    test: Paired
    left_out: int
    """Instances that only one of them has a graded play of."""
    corrected: float | None = None
    """The p-value, corrected for all pairs that are shown beside it."""


def contests(plan: Plan, results: dict[str, EpisodeResult]) -> list[Contest]:
    """Every pair of a run's agents; none where there are too many agents."""
    if len(plan.agents) > MOST:
        return []
    plays = {agent: plays_of(plan, results, agent) for agent in plan.agents}
    return corrected([contest(one, plays[one], other, plays[other]) for one, other in combinations(plan.agents, 2)])


def plays_of(plan: Plan, results: dict[str, EpisodeResult], agent: str) -> Plays:
    """The graded plays of an agent, repeats together."""
    found: dict[Hashable, list[tuple[EpisodeSpec, EpisodeResult]]] = {}
    for spec in plan.episodes:
        result = results.get(spec.id)
        if spec.agent == agent and result is not None and result.graded:
            found.setdefault(instance_of(spec), []).append((spec, result))
    return found


def contest(first: str, ones: Plays, second: str, others: Plays) -> Contest:
    """Compare on the instances that both have a graded play of."""
    both = [key for key in ones if key in others]
    several = len({ones[key][0][0].task for key in both}) > 1
    pairs: dict[Hashable, list[tuple[float, float]]] = {}
    for key in both:
        cluster = ones[key][0][0].task if several else key
        pairs.setdefault(cluster, []).append((rate(ones[key]), rate(others[key])))
    left_out = len(ones.keys() ^ others.keys())
    return Contest(first, second, paired(pairs), left_out)


def corrected(some: Sequence[Contest]) -> list[Contest]:
    """The same with p-values that take their number into account."""
    values = holm([one.test.p_value for one in some])
    return [replace(one, corrected=value) for one, value in zip(some, values, strict=True)]


def rate(plays: Sequence[tuple[EpisodeSpec, EpisodeResult]]) -> float:
    """The share of an instance's plays that succeeded."""
    return sum(result.success for _, result in plays) / len(plays)
