"""Phone numbers of the shop's countries: read from what people type, kept as E.164, written as people write them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ALLOWED = re.compile(r"\+?[\d\s().\-/\u00a0\u2011]+")
_EXTENSION = re.compile(r"\s*(?:ext\.?|x|#)\s*\d+\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class Plan:
    """A country's numbering: its calling code, the prefix dialled inside the country, and the lengths behind them."""

    code: str
    trunk: str
    lengths: range
    example: str


PLANS = {
    "US": Plan("1", "1", range(10, 11), "(503) 555-0123"),
    "CA": Plan("1", "1", range(10, 11), "(416) 555-0123"),
    "GB": Plan("44", "0", range(9, 11), "020 7946 0123"),
    "DE": Plan("49", "0", range(7, 12), "030 1234567"),
}


def e164(text: str, country: str = "US") -> str:
    """A number as `+` and digits (`+15035550123`), read as people of `country` write it.

    Raises `ValueError` with one sentence that shows an example where it is not a number of a country served.
    """
    plan = PLANS.get(country, PLANS["US"])
    wanted = f"{text.strip()!r} is not a phone number; write it like {plan.example} or with +{plan.code}"
    bare = _EXTENSION.sub("", text.strip())
    if not bare or not _ALLOWED.fullmatch(bare):
        raise ValueError(wanted)
    digits = re.sub(r"\D", "", bare.replace("(0)", ""))
    number = _international(digits, plan, plus=bare.startswith("+"))
    if number is None:
        raise ValueError(wanted)
    return f"+{number}"


def written(phone: str) -> str:
    """A stored number in its country's usual form: `+15035550123` → `+1 503-555-0123`."""
    code = _code(phone.removeprefix("+"))
    rest = phone.removeprefix(f"+{code}")
    if code == "1":
        return f"+1 {rest[:3]}-{rest[3:6]}-{rest[6:]}"
    if code == "44":
        return f"+44 {rest[:2]} {rest[2:6]} {rest[6:]}" if rest.startswith("2") else f"+44 {rest[:4]} {rest[4:]}"
    if code == "49":
        return f"+49 {rest[:2]} {rest[2:]}" if rest[:2] in ("30", "40", "69", "89") else f"+49 {rest[:3]} {rest[3:]}"
    return phone


def digits_of(text: str) -> str:
    """Only the digits, for searching inside stored numbers."""
    return re.sub(r"\D", "", text)


def _international(digits: str, plan: Plan, *, plus: bool) -> str | None:
    """Calling code and number, or None where the length fits no plan."""
    if plus or digits.startswith("00"):
        return _checked(digits.removeprefix("00"))
    if plan.trunk and digits.startswith(plan.trunk):
        return _checked(plan.code + digits[len(plan.trunk) :])
    return _checked(plan.code + digits) or (_checked(digits) if digits.startswith(plan.code) else None)


def _checked(digits: str) -> str | None:
    """The digits without a trunk prefix behind the code, if they have a length that their country uses."""
    code = _code(digits)
    plan = next((plan for plan in PLANS.values() if plan.code == code), None)
    if plan is None:
        return None
    rest = digits[len(code) :]
    if plan.trunk == "0":
        rest = rest.removeprefix("0")
    return code + rest if len(rest) in plan.lengths and _plausible(code, rest) else None


def _plausible(code: str, rest: str) -> bool:
    """North American area codes and exchanges begin with 2 to 9."""
    return code != "1" or (rest[0] in "23456789" and rest[3] in "23456789")


def _code(digits: str) -> str:
    """The calling code that digits begin with, or an empty string."""
    return next((code for code in ("44", "49", "1") if digits.startswith(code)), "")
