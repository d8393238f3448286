"""The upper bound is the exact one."""

from __future__ import annotations

from math import comb

import pytest
from sitegym.audit.bound import upper_bound


@pytest.mark.parametrize("trials", [1, 10, 120, 700])
def test_its_closed_forms(trials: int) -> None:
    assert upper_bound(0, trials) == pytest.approx(1 - 0.05 ** (1 / trials))
    assert upper_bound(trials - 1, trials) == pytest.approx(0.95 ** (1 / trials))
    assert upper_bound(trials, trials) == 1.0


def test_known_values() -> None:
    """Of 120 without any the rule of three gives 2.5 %; 1 of 10 stands in every table as 39.4 %."""
    assert upper_bound(0, 120) == pytest.approx(0.02465, abs=1e-5)
    assert upper_bound(1, 10) == pytest.approx(0.39416, abs=1e-5)
    assert upper_bound(0, 0) == 1.0


@pytest.mark.parametrize(("found", "trials"), [(1, 120), (3, 120), (7, 50)])
def test_as_few_would_be_seen_once_in_twenty_times(found: int, trials: int) -> None:
    rate = upper_bound(found, trials)
    assert sum(comb(trials, k) * rate**k * (1 - rate) ** (trials - k) for k in range(found + 1)) == pytest.approx(0.05)


def test_it_falls_with_more_trials_and_rises_with_more_findings() -> None:
    assert upper_bound(1, 200) < upper_bound(1, 100) < upper_bound(2, 100)
    with pytest.raises(ValueError, match="no rate"):
        upper_bound(3, 2)
