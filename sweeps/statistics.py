"""Intervals, tests and smallest differences for rates of success, where episodes of one template are alike.

Episodes are not independent draws: those of one template succeed and fail together, and repeats of one instance tell
of that instance alone. So an instance counts once, however often it was played, and what is said of several templates
takes a template as the unit that was drawn (a cluster). Faults have no outcome and never get here.

Sources: Wilson, JASA 22 (1927); Korn and Graubard, Survey Methodology 24 (1998), for the effective sample size in an
interval of a proportion; Cameron and Miller, J. Human Resources 50 (2015), for the variance and its degrees of freedom;
Miller, "Adding Error Bars to Evals", arXiv:2411.00640, for both in evaluations of models; Bloom, Evaluation Review 19
(1995), for the smallest detectable difference.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from .student import t_quantile

CONFIDENCE = 0.95
POWER = 0.8
LEVEL = 0.05
"""Of tests, two-sided."""

Clusters = Mapping[Any, Sequence[float]]
"""The outcomes of each cluster."""


@dataclass(frozen=True)
class Interval:
    """From `low` to `high`, at 95 % confidence."""

    low: float
    high: float


@dataclass(frozen=True)
class Estimate:
    """A mean of outcomes in [0, 1] and how sure it is."""

    mean: float | None
    """None of nothing."""
    interval: Interval | None
    n: int
    """Outcomes, or the instances of plays: repeats of an instance count once."""
    clusters: int
    n_effective: float
    """As many independent outcomes would be as sure."""
    plays: int
    """Repeats included; `n` where each instance was played once."""


def wilson(successes: float, n: float, z: float | None = None) -> Interval | None:
    """Wilson's score interval of a proportion; None where `n` is 0.

    With p = successes / n: (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n). `n` may be an effective sample size.
    """
    if n <= 0:
        return None
    z = normal_quantile(0.5 + CONFIDENCE / 2) if z is None else z
    p, square = successes / n, z * z
    middle = p + square / (2 * n)
    half = z * math.sqrt(max(p * (1 - p) / n + square / (4 * n * n), 0.0))
    whole = 1 + square / n
    return Interval(
        0.0 if p == 0 else max((middle - half) / whole, 0.0), 1.0 if p == 1 else min((middle + half) / whole, 1.0)
    )


def estimate(clusters: Clusters) -> Estimate:
    """The mean over all outcomes, each in [0, 1], with an interval that is robust to likeness inside of clusters.

    The variance of the mean p of n outcomes y in G clusters is G/(G-1) · Σ_g (Σ_i∈g (y_i - p))² / n². The effective
    sample size n* is p(1-p) over that variance, at most n, times (z/t)², with t of G-1 degrees of freedom; the interval
    is Wilson's of p and n*. Where all outcomes are the same, nothing tells how alike clusters are: n* is then G, so
    that each counts once. With one outcome a cluster, or a single cluster, it is Wilson's of p and n.
    """
    return _estimate({name: [(value, 1) for value in some] for name, some in clusters.items()})


def estimate_plays(plays: Iterable[tuple[Hashable, Hashable, float]]) -> Estimate:
    """`estimate` of plays, each given as its template, its instance and its outcome.

    The rule, which every rate of a report and of `view` follows: an instance is one outcome, the mean of its plays, so
    that more repeats of the same instances never narrow an interval by themselves. Instances are clustered by template
    where there are several templates, else each is a cluster; of one instance alone n is 1. An instance weighs as much
    as it has plays, which makes the mean that of all plays.
    """
    by_template: dict[Hashable, dict[Hashable, list[float]]] = {}
    for template, instance, outcome in plays:
        by_template.setdefault(template, {}).setdefault(instance, []).append(outcome)
    if len(by_template) > 1:
        return _estimate({one: [_weighed(some) for some in each.values()] for one, each in by_template.items()})
    return _estimate({one: [_weighed(some)] for each in by_template.values() for one, some in each.items()})


def pass_at_k(n: int, successes: int, k: int) -> float | None:
    """The chance that at least one of `k` plays out of `n` succeeds: 1 - C(n-c, k) / C(n, k); None where n < k.

    The unbiased estimator of Chen et al., "Evaluating Large Language Models Trained on Code", arXiv:2107.03374.
    """
    _check_plays(n, successes, k)
    return None if n < k else 1 - math.comb(n - successes, k) / math.comb(n, k)


def pass_hat_k(n: int, successes: int, k: int) -> float | None:
    """The chance that all of `k` plays out of `n` succeed (pass^k): C(c, k) / C(n, k); None where n < k.

    The unbiased estimator of Yao et al., "τ-bench", arXiv:2406.12045.
    """
    _check_plays(n, successes, k)
    return None if n < k else math.comb(successes, k) / math.comb(n, k)


@dataclass(frozen=True)
class Paired:
    """Two contenders on the same instances: `first` minus `second`."""

    instances: int
    clusters: int
    first_mean: float | None
    second_mean: float | None
    difference: float | None
    interval: Interval | None
    """Of the difference; None where nothing, or nothing that varies, was compared."""
    first_better: int
    """Instances on which the first did better."""
    second_better: int
    p_value: float | None
    """Exact, two-sided; None where no instance differs."""
    detectable: float | None
    """The smallest true difference that this comparison would have found."""


def paired(pairs: Mapping[Any, Sequence[tuple[float, float]]]) -> Paired:
    """Compare by pairs of outcomes on the same instance, given by cluster.

    The p-value is the exact sign test on instances that differ, with one play each McNemar's exact test: twice the
    smaller tail of Binomial(b + c, ½) at min(b, c). The interval of the mean difference d over n instances is
    d ± t · √V with G-1 degrees of freedom, where V is the cluster-robust variance as in `estimate`, or that of
    independent differences, Σ (d_i - d)² / (n (n-1)), where that is larger.
    """
    differences = {name: [one - other for one, other in some] for name, some in pairs.items()}
    both = [pair for some in pairs.values() for pair in some]
    n, groups = len(both), sum(bool(some) for some in pairs.values())
    if not n:
        return Paired(0, 0, None, None, None, None, 0, 0, None, None)
    first, second = (math.fsum(pair[side] for pair in both) / n for side in (0, 1))
    better = sum(one > other for one, other in both)
    worse = sum(one < other for one, other in both)
    mean = first - second
    error, freedom = _error_of_difference(differences, n, groups)
    return Paired(
        instances=n,
        clusters=groups,
        first_mean=first,
        second_mean=second,
        difference=mean,
        interval=_around(mean, error, freedom, groups, better + worse),
        first_better=better,
        second_better=worse,
        p_value=sign_test(better, worse),
        detectable=_detectable(error, freedom) if error else None,
    )


def sign_test(better: int, worse: int) -> float | None:
    """Exact two-sided p-value that both are as likely; None where there is neither."""
    n, fewer = better + worse, min(better, worse)
    if not n:
        return None
    tail = sum(math.comb(n, k) for k in range(fewer + 1))
    return float(min(1.0, 2 * tail / 2**n))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """The p-values of several tests, corrected so that one wrong finding among all is as rare as said (Holm 1979)."""
    known = sorted((p, at) for at, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    least = 0.0
    for rank, (p, at) in enumerate(known):
        least = max(least, min(1.0, p * (len(known) - rank)))
        corrected[at] = least
    return corrected


def smallest_difference(found: Estimate) -> float | None:
    """The smallest true difference between an agent of this success and another one that the same instances show.

    (t at 1 - α/2 + t at power) · √(2 p(1-p) / n*), with 80 % power at α = 5 %, t of G-1 degrees of freedom, and n* as
    in `estimate` without its (z/t)². The other is taken to be as variable and, for caution, not to succeed on the same
    instances; `paired` says more once both were played. Where all outcomes are the same, p is taken to be ½ and n* G.
    None where there are fewer than two clusters.
    """
    if found.mean is None or found.clusters < 2:
        return None
    varies = 0 < found.mean < 1
    z = normal_quantile(0.5 + CONFIDENCE / 2)
    back = 1.0 if found.clusters == found.n else (t_quantile(0.5 + CONFIDENCE / 2, found.clusters - 1) / z) ** 2
    size = found.n_effective * back if varies else float(found.clusters)
    p = found.mean if varies else 0.5
    return _detectable(math.sqrt(2 * p * (1 - p) / size), found.clusters - 1)


def normal_quantile(p: float) -> float:
    """The point below which `p` of a standard normal distribution lies."""
    return NormalDist().inv_cdf(p)


def _weighed(plays: Sequence[float]) -> tuple[float, int]:
    return math.fsum(plays) / len(plays), len(plays)


def _estimate(clusters: Mapping[Hashable, Sequence[tuple[float, int]]]) -> Estimate:
    """As `estimate` says, of outcomes with how much each weighs."""
    values = [value for some in clusters.values() for value, _ in some]
    n, groups = len(values), sum(bool(some) for some in clusters.values())
    if not n:
        return Estimate(None, None, 0, 0, 0.0, 0)
    weights = [weight for some in clusters.values() for _, weight in some]
    plays = sum(weights)
    most = plays**2 / sum(weight * weight for weight in weights)  # n where all weigh the same (Kish)
    p = math.fsum(value * weight for some in clusters.values() for value, weight in some) / plays
    if groups < 2 or groups == n:
        return Estimate(p, wilson(p * most, most), n, groups, most, plays)
    spread = p * (1 - p)
    if min(values) == max(values):
        size = float(groups)
    else:
        variance = _variance(clusters.values(), p, plays, groups)
        z = normal_quantile(0.5 + CONFIDENCE / 2)
        size = min(most, spread / variance) if variance else most
        size *= (z / t_quantile(0.5 + CONFIDENCE / 2, groups - 1)) ** 2
    return Estimate(p, wilson(p * size, size), n, groups, size, plays)


def _variance(clusters: Iterable[Sequence[tuple[float, int]]], mean: float, weights: int, groups: int) -> float:
    sums = (math.fsum(weight * (value - mean) for value, weight in some) for some in clusters if some)
    return groups / (groups - 1) * math.fsum(one * one for one in sums) / weights**2


def _variance_of_mean(clusters: Clusters, mean: float, n: int, groups: int) -> float:
    return _variance(([(value, 1) for value in some] for some in clusters.values()), mean, n, groups)


def _error_of_difference(differences: Clusters, n: int, groups: int) -> tuple[float | None, int]:
    """Standard error of the mean and its degrees of freedom; clusters of one instance each where there is one only."""
    values = [value for some in differences.values() for value in some]
    mean = math.fsum(values) / n
    if n < 2:
        return None, 0
    independent = math.fsum((value - mean) ** 2 for value in values) / (n * (n - 1))
    if groups < 2:
        return math.sqrt(independent), n - 1
    return math.sqrt(max(independent, _variance_of_mean(differences, mean, n, groups))), groups - 1


def _around(mean: float, error: float | None, freedom: int, groups: int, discordant: int) -> Interval | None:
    if not discordant or error is None:
        return None
    if error:
        half = t_quantile(0.5 + CONFIDENCE / 2, freedom) * error
        return Interval(max(mean - half, -1.0), min(mean + half, 1.0))
    sure = wilson(groups, groups) if abs(mean) == 1 else None  # each cluster counts once, as in `estimate`
    if sure is None:
        return None
    least = 2 * sure.low - 1
    return Interval(least, 1.0) if mean > 0 else Interval(-1.0, -least)


def _detectable(error: float, freedom: int) -> float:
    return (t_quantile(1 - LEVEL / 2, freedom) + t_quantile(POWER, freedom)) * error


def _check_plays(n: int, successes: int, k: int) -> None:
    if k < 1 or not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} plays succeeded, taken {k} at a time: no such plays")
