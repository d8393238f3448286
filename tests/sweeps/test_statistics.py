"""Intervals and tests against published values, and what must hold of them whatever the outcomes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sitegym.sweeps.statistics import (
    estimate,
    estimate_plays,
    holm,
    paired,
    pass_at_k,
    pass_hat_k,
    sign_test,
    smallest_difference,
    wilson,
)
from sitegym.sweeps.student import t_cdf, t_quantile

OUTCOMES = st.lists(st.lists(st.sampled_from((0.0, 1.0)), min_size=1, max_size=8), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [  # Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval_is_the_published_one(successes: int, n: int, low: float, high: float) -> None:
    found = wilson(successes, n)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_of_nothing_there_is_no_interval() -> None:
    assert wilson(0, 0) is None
    assert estimate({}).mean is None
    assert estimate({"template": []}).interval is None
    assert smallest_difference(estimate({})) is None
    assert paired({}).difference is None
    assert sign_test(0, 0) is None


@pytest.mark.parametrize(
    ("p", "freedom", "expected"),
    [  # any table of the t distribution
        (0.975, 1, 12.706),
        (0.975, 5, 2.571),
        (0.975, 30, 2.042),
        (0.8, 10, 0.879),
        (0.05, 4, -2.132),
        (0.995, 120, 2.617),
    ],
)
def test_students_quantiles_are_those_of_the_tables(p: float, freedom: int, expected: float) -> None:
    assert t_quantile(p, freedom) == pytest.approx(expected, abs=5e-4)
    assert t_cdf(t_quantile(p, freedom), freedom) == pytest.approx(p)


@pytest.mark.parametrize(("p", "freedom"), [(0.0, 3), (1.0, 3), (0.5, 0)])
def test_a_quantile_that_there_is_not_is_refused(p: float, freedom: int) -> None:
    with pytest.raises(ValueError, match="no quantile"):
        t_quantile(p, freedom)


@given(OUTCOMES)
def test_an_interval_holds_its_mean_and_stays_within_shares(outcomes: list[list[float]]) -> None:
    found = estimate(dict(enumerate(outcomes)))
    assert found.interval is not None
    assert found.mean == pytest.approx(sum(map(sum, outcomes)) / sum(map(len, outcomes)))
    assert 0 <= found.interval.low <= found.mean <= found.interval.high <= 1
    assert found.interval.low < found.interval.high


@given(OUTCOMES)
def test_likeness_inside_of_clusters_never_makes_surer(outcomes: list[list[float]]) -> None:
    values = [value for some in outcomes for value in some]
    clustered, alone = estimate(dict(enumerate(outcomes))), estimate({at: [one] for at, one in enumerate(values)})
    assert clustered.n_effective <= alone.n_effective + 1e-9


@given(OUTCOMES)
def test_success_and_failure_mirror_each_other(outcomes: list[list[float]]) -> None:
    one = estimate(dict(enumerate(outcomes))).interval
    other = estimate({at: [1 - value for value in some] for at, some in enumerate(outcomes)}).interval
    assert one is not None
    assert other is not None
    assert (one.low, one.high) == pytest.approx((1 - other.high, 1 - other.low), abs=1e-6)


def test_one_outcome_a_cluster_is_wilsons_interval() -> None:
    found = estimate({at: [float(at < 7)] for at in range(10)})
    assert found.interval == wilson(7, 10)
    assert estimate({"only": [1.0] * 7 + [0.0] * 3}).interval == wilson(7, 10)


def test_where_plays_of_a_template_are_all_alike_they_count_as_one() -> None:
    alike = {at: [float(at % 2)] * 5 for at in range(20)}
    one_each = {at: [float(at % 2)] for at in range(20)}
    wide, narrow = estimate(alike).interval, estimate(one_each).interval
    assert wide is not None
    assert narrow is not None
    assert wide.low <= narrow.low
    assert wide.high >= narrow.high
    assert estimate({at: [1.0] * 5 for at in range(20)}).interval == wilson(20, 20)


PLAYED = st.lists(
    st.lists(st.lists(st.sampled_from((0.0, 1.0)), min_size=1, max_size=4), min_size=1, max_size=3),
    min_size=1,
    max_size=6,
)
"""By template and instance."""


def plays_of(played: list[list[list[float]]], times: int = 1) -> list[tuple[int, tuple[int, int], float]]:
    return [
        (template, (template, instance), outcome)
        for template, instances in enumerate(played)
        for instance, outcomes in enumerate(instances)
        for outcome in outcomes * times
    ]


@settings(max_examples=40)
@given(PLAYED, st.integers(2, 50))
def test_repeats_alone_never_narrow_an_interval(played: list[list[list[float]]], times: int) -> None:
    once, again = estimate_plays(plays_of(played)), estimate_plays(plays_of(played, times))
    assert once.interval is not None
    assert again.interval is not None
    assert (again.n, again.plays) == (once.n, once.plays * times)
    assert (again.interval.low, again.interval.high) == pytest.approx((once.interval.low, once.interval.high))
    assert once.n == sum(map(len, played)) >= once.n_effective - 1e-9


@settings(max_examples=40)
@given(PLAYED)
def test_the_mean_is_that_of_all_plays(played: list[list[list[float]]]) -> None:
    outcomes = [outcome for _, _, outcome in plays_of(played)]
    found = estimate_plays(plays_of(played))
    assert found.mean == pytest.approx(sum(outcomes) / len(outcomes))
    assert found.interval is not None
    assert found.interval.low <= sum(outcomes) / len(outcomes) + 1e-9
    assert found.interval.high >= sum(outcomes) / len(outcomes) - 1e-9


def test_of_one_instance_n_is_one_and_of_one_template_its_instances() -> None:
    assert estimate_plays(("task", 0, 0.0) for _ in range(12)).interval == wilson(0, 1)
    several = estimate_plays(("task", instance, float(instance < 3)) for instance in range(8) for _ in range(5))
    assert several.interval == wilson(3, 8)
    assert (several.n, several.clusters, several.plays) == (8, 8, 40)


@settings(max_examples=40)
@given(OUTCOMES)
def test_without_repeats_plays_are_outcomes(outcomes: list[list[float]]) -> None:
    played = [[[outcome] for outcome in some] for some in outcomes]
    by_template = dict(enumerate(outcomes))
    expected = (
        estimate(by_template) if len(outcomes) > 1 else estimate({at: [one] for at, one in enumerate(outcomes[0])})
    )
    assert estimate_plays(plays_of(played)) == expected


@given(st.integers(1, 7), st.data())
def test_pass_at_k_and_pass_hat_k_are_shares_of_all_choices(n: int, data: st.DataObject) -> None:
    successes, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    plays = [at < successes for at in range(n)]
    chosen = list(combinations(plays, k))
    assert pass_at_k(n, successes, k) == pytest.approx(sum(map(any, chosen)) / len(chosen))
    assert pass_hat_k(n, successes, k) == pytest.approx(sum(map(all, chosen)) / len(chosen))


def test_more_plays_than_there_were_tell_nothing() -> None:
    assert pass_at_k(2, 1, 3) is None
    assert pass_hat_k(0, 0, 1) is None
    with pytest.raises(ValueError, match="no such plays"):
        pass_at_k(2, 3, 1)


@pytest.mark.parametrize(
    ("better", "worse", "expected"), [(5, 0, 0.0625), (9, 1, 0.0215), (25, 15, 0.1539), (3, 3, 1.0), (1, 0, 1.0)]
)
def test_the_sign_test_is_the_binomial_one(better: int, worse: int, expected: float) -> None:
    assert sign_test(better, worse) == sign_test(worse, better) == pytest.approx(expected, abs=5e-5)


def test_holms_correction_is_the_step_down_one() -> None:
    assert holm([0.01, 0.04, 0.03, None]) == [pytest.approx(0.03), pytest.approx(0.06), pytest.approx(0.06), None]
    assert holm([0.6, 0.7]) == [1.0, 1.0]


def pairs(*counts: int) -> dict[int, Sequence[tuple[float, float]]]:
    """In each of ten templates so many pairs of: both, the first alone, the second alone, neither."""
    kinds = ((1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0))
    return {at: [pair for pair, count in zip(kinds, counts, strict=True) for _ in range(count)] for at in range(10)}


def test_a_paired_difference_is_surer_than_two_separate_rates() -> None:
    found = paired(pairs(4, 1, 0, 5))
    assert (found.difference, found.first_better, found.second_better) == (pytest.approx(0.1), 10, 0)
    assert found.p_value == sign_test(10, 0)
    apart = smallest_difference(estimate({at: [one for one, _ in some] for at, some in pairs(4, 1, 0, 5).items()}))
    assert found.detectable is not None
    assert apart is not None
    assert found.detectable < apart


def test_where_nothing_differs_or_everything_does_no_false_certainty_is_told() -> None:
    same = paired(pairs(3, 0, 0, 2))
    assert (same.difference, same.interval, same.p_value) == (0.0, None, None)
    all_of_them = paired(pairs(0, 3, 0, 0))
    assert all_of_them.interval is not None
    assert (all_of_them.difference, all_of_them.interval.high) == (1.0, 1.0)
    assert all_of_them.interval.low < 1


@settings(max_examples=40)
@given(st.lists(st.lists(st.tuples(*[st.sampled_from((0.0, 0.5, 1.0))] * 2), min_size=1, max_size=5), max_size=8))
def test_a_comparison_turned_round_has_the_other_sign(some: list[list[tuple[float, float]]]) -> None:
    one = paired(dict(enumerate(some)))
    other = paired({at: [(b, a) for a, b in each] for at, each in enumerate(some)})
    assert (one.p_value, one.first_better) == (other.p_value, other.second_better)
    if one.interval and other.interval and one.difference is not None:
        assert one.interval.low == pytest.approx(-other.interval.high)
        assert one.interval.low - 1e-9 <= one.difference <= one.interval.high + 1e-9


def test_the_smallest_difference_shrinks_with_templates_and_is_blooms() -> None:
    few, many = ({at: [0.0, 1.0] for at in range(count)} for count in (10, 40))
    assert smallest_difference(estimate({0: [0.0, 1.0]})) is None
    found = smallest_difference(estimate(many))
    assert found is not None
    assert found == pytest.approx((t_quantile(0.975, 39) + t_quantile(0.8, 39)) * math.sqrt(2 * 0.25 / 80))
    assert smallest_difference(estimate(few)) > found  # type: ignore[operator]
