"""When the next episode of a slot begins: Gymnasium's `AutoresetMode`, for its first version too, which had no name."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from ..errors import UsageError

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode as AutoresetMode
else:
    try:
        from gymnasium.vector import AutoresetMode
    except ImportError:  # Gymnasium 1.0 has the first mode alone

        class AutoresetMode(Enum):
            """The modes as Gymnasium 1.1 and newer name them."""

            NEXT_STEP = "NextStep"
            SAME_STEP = "SameStep"
            DISABLED = "Disabled"


def autoreset_mode(mode: str | AutoresetMode) -> AutoresetMode:
    """The mode itself, by its value (`SameStep`), or by its name (`SAME_STEP`). Raises `UsageError` for another."""
    for known in AutoresetMode:
        if mode is known or mode in (known.value, known.name):
            return known
    raise UsageError(f"autoreset_mode is {', '.join(known.name for known in AutoresetMode)}, not {mode!r}")
