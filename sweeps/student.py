"""Quantiles of Student's t distribution, which the standard library does not have."""

from __future__ import annotations

import math
from functools import lru_cache

_TINY = 1e-300
_STEPS = 400


def t_cdf(t: float, freedom: float) -> float:
    """The share below `t`: 1 - I_x(ν/2, ½) / 2 for t ≥ 0, with x = ν / (ν + t²) (Abramowitz and Stegun 26.7.1)."""
    upper = _beta_share(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2
    return 1 - upper if t >= 0 else upper


@lru_cache(maxsize=4096)
def t_quantile(p: float, freedom: float) -> float:
    """The point below which `p` of the distribution lies; raises `ValueError` for p outside (0, 1), freedom ≤ 0."""
    if not 0 < p < 1 or freedom <= 0:
        raise ValueError(f"there is no quantile at {p} with {freedom} degrees of freedom")
    if p < 0.5:
        return -t_quantile(1 - p, freedom)
    low, high = 0.0, 1.0
    while t_cdf(high, freedom) < p:
        low, high = high, high * 2
    while high - low > 1e-12 * max(1.0, high):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if t_cdf(middle, freedom) < p else (low, middle)
    return (low + high) / 2


def _beta_share(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # where the fraction converges slowly
        return 1 - _beta_share(b, a, 1 - x)
    log_front = a * math.log(x) + b * math.log1p(-x) + math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    return math.exp(log_front) / (a * _fraction(a, b, x))


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction 1 + d1 / (1 + d2 / (1 + …)) of DLMF 8.17.22, evaluated by Lentz's method."""
    value, c, d = 1.0, 1.0, 0.0
    for step in range(1, _STEPS):
        m = step // 2
        if step % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / (1 + term * d or _TINY)
        c = 1 + term / c or _TINY
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value
