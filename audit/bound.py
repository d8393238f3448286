"""The upper bound of a rate that was seen in few trials."""

from __future__ import annotations

from math import comb

CONFIDENCE = 0.95


def upper_bound(found: int, trials: int, confidence: float = CONFIDENCE) -> float:
    """The exact one-sided upper limit of a binomial rate (Clopper and Pearson, Biometrika 26, 1934, 404–413).

    The rate at which `found` or fewer in `trials` would be seen with probability 1 - `confidence`; found by halving, as
    that probability falls with the rate. 1 without trials.
    """
    if not 0 <= found <= trials:
        raise ValueError(f"{found} of {trials} is no rate")
    if found == trials:
        return 1.0
    low, high = found / trials, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(found, trials, middle) > 1 - confidence else (low, middle)
    return high


def _at_most(found: int, trials: int, rate: float) -> float:
    return sum(comb(trials, k) * rate**k * (1 - rate) ** (trials - k) for k in range(found + 1))
