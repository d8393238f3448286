"""How fast a demo goes: seconds a step, or a word for them."""

from __future__ import annotations

import math

from ..errors import UsageError

PACES = {"slow": 4.0, "normal": 2.0, "fast": 0.8}
SLOWEST_S = 60.0


def seconds_of(pace: str | float) -> float:
    """Seconds that a step takes on the stage, beside what the episode itself needs. Raises `UsageError`."""
    if pace in PACES:
        return PACES[str(pace)]
    try:
        seconds = float(pace)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= SLOWEST_S:
        words = ", ".join(PACES)
        raise UsageError(f"pace {pace!r} is none: it is {words}, or seconds a step from 0 to {SLOWEST_S:.0f}")
    return seconds
