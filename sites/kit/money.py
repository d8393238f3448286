"""Money as int cents and rates as int basis points: rounding, shares and how amounts are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

BASIS = 10_000
"""Basis points in one whole."""


@dataclass(frozen=True)
class MoneyFormat:
    """How a locale writes an amount: `pattern` has a place for the number."""

    pattern: str
    thousands: str
    decimal: str


FORMATS = {
    "en-US": MoneyFormat("${}", ",", "."),
    "en-GB": MoneyFormat("US${}", ",", "."),
    "de-DE": MoneyFormat("{}\u00a0$", ".", ","),
}


def half_up(numerator: int, denominator: int) -> int:
    """The quotient rounded half away from zero. `denominator` must be positive."""
    if denominator <= 0:
        raise ValueError(f"the denominator must be positive, not {denominator}")
    sign = -1 if numerator < 0 else 1
    return sign * ((2 * abs(numerator) + denominator) // (2 * denominator))


def share(cents: int, basis_points: int) -> int:
    """That many basis points of an amount, rounded half up."""
    return half_up(cents * basis_points, BASIS)


def spread(amount: int, weights: Sequence[int]) -> list[int]:
    """`amount` split in proportion to `weights` by largest remainder; ties go to the earlier one.

    The parts sum to `amount`, unless all weights are 0: then every part is 0. Neither may be negative.
    """
    whole = sum(weights)
    if whole == 0:
        return [0] * len(weights)
    parts = [amount * weight // whole for weight in weights]
    rests = [amount * weight % whole for weight in weights]
    for index in sorted(range(len(weights)), key=lambda i: (-rests[i], i))[: amount - sum(parts)]:
        parts[index] += 1
    return parts


def money(cents: int, locale: str = "en-US") -> str:
    """An amount as people write it: `$1,234.50`. Raises `ValueError` for a locale that is not listed."""
    if locale not in FORMATS:
        raise ValueError(f"no money format for locale {locale!r}; there are {', '.join(FORMATS)}")
    style = FORMATS[locale]
    whole, rest = divmod(abs(cents), 100)
    number = f"{whole:,}".replace(",", style.thousands) + f"{style.decimal}{rest:02d}"
    return ("-" if cents < 0 else "") + style.pattern.format(number)


def percent(basis_points: int) -> str:
    """A rate as people write it: 825 is `8.25%`, 2000 is `20%`."""
    return f"{basis_points / 100:.2f}".rstrip("0").rstrip(".") + "%"


def parse_cents(text: str) -> int:
    """Cents from what a person typed in a plain field: `12`, `12.5`, `$1,234.50`.

    Raises `ValueError` with one sentence where it is not an amount with at most two decimals.
    """
    plain = text.strip().replace("$", "").replace(",", "").replace(" ", "")
    whole, dot, rest = plain.partition(".")
    sign = -1 if whole.startswith("-") else 1
    whole = whole.removeprefix("-")
    digits = whole + rest
    if not digits or not (digits.isascii() and digits.isdigit()) or len(rest) > 2 or (dot and not rest):
        raise ValueError(f"{text!r} is not an amount such as 12.50")
    return sign * (int(whole or "0") * 100 + int(rest.ljust(2, "0") if rest else "0"))
