"""Tracking numbers made up for tasks: such as a carrier gives, and such as it can't have given (rule R7)."""

from __future__ import annotations

import re
from collections.abc import Collection
from random import Random

STRICT = ("fedex", "ups", "usps", "dhl")
"""Carriers whose numbers have a form; "other" takes nearly anything."""

_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
_LENGTHS = {"fedex": (12, 15), "usps": (20, 21, 22), "dhl": (10,)}


def valid(carrier: str, number: str) -> bool:
    """Whether a carrier's numbers look like this."""
    if carrier == "ups":
        return re.fullmatch(r"1Z[0-9A-Z]{16}", number, re.ASCII) is not None
    return number.isascii() and number.isdigit() and len(number) in _LENGTHS[carrier]


def fresh(carrier: str, rng: Random, taken: Collection[str]) -> str:
    """A number of this carrier's form that no shipment has."""
    while True:
        number = _made(carrier, rng)
        if number not in taken:
            return number


def malformed(carrier: str, rng: Random) -> str:
    """A number that differs from this carrier's form by a character too many, too few, or a letter among the digits."""
    number = _made(carrier, rng)
    if carrier == "ups":
        return rng.choice([number[:-1], number + str(rng.randrange(10)), "1X" + number[2:]])
    place = rng.randrange(1, len(number) - 1)
    wrong = [number[:-1], number + str(rng.randrange(10)), number[:place] + "O" + number[place + 1 :]]
    return rng.choice([one for one in wrong if not valid(carrier, one)])


def mended(carrier: str, number: str) -> str:
    """A malformed number made to fit, as somebody would who wants to get past the check."""
    if carrier == "ups":
        return ("1Z" + number[2:] + "0" * 18)[:18]
    digits = "".join(one if one.isdigit() else "0" for one in number)
    length = min(_LENGTHS[carrier], key=lambda wanted: abs(wanted - len(digits)))
    return (digits + "0" * length)[:length]


def beside(number: str) -> str:
    """The same number with another last digit; still of the carrier's form."""
    last = number[-1]
    return number[:-1] + (str((int(last) + 1) % 10) if last.isdigit() else "7")


def shortened(number: str) -> str:
    """The number with its last three characters lost; of no carrier's form."""
    return number[:-3] if len(number) != 15 else number[:-2]


def _made(carrier: str, rng: Random) -> str:
    if carrier == "ups":
        return "1Z" + "".join(rng.choice(_LETTERS + "0123456789") for _ in range(15)) + str(rng.randrange(10))
    length = rng.choice(_LENGTHS[carrier])
    return str(rng.randrange(1, 10)) + "".join(str(rng.randrange(10)) for _ in range(length - 1))
