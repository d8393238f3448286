"""What is given for many slots at once, slot by slot: seeds, options, masks and actions; wrong ones are refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UsageError
from .dictionary import whole

if TYPE_CHECKING:
    from numpy.typing import NDArray


def each(name: str, value: Any, slots: int) -> list[Any]:
    """One value for each slot: a list as it is, anything else for all."""
    if not isinstance(value, (list, tuple, np.ndarray)):
        return [value] * slots
    if len(value) != slots:
        raise UsageError(f"{name} is one for all slots or a list of {slots}, not of {len(value)}")
    return list(value)


def seeds(seed: int | Sequence[int | None] | None, slots: int) -> list[int | None]:
    """A seed for each slot: counted up from one, as Gymnasium does, or as listed."""
    if isinstance(seed, (int, np.integer)):
        return [int(seed) + number for number in range(slots)]
    return [None if one is None else int(one) for one in each("seed", seed, slots)]


def named(mask: object, slots: int) -> list[int]:
    """The slots that a mask names; all where there is none."""
    if mask is None:
        return list(range(slots))
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (slots,):
        raise UsageError(f"reset_mask is a numpy array of {slots} booleans, not {mask!r}")
    if not mask.any():
        raise UsageError("reset_mask names no slot to reset: at least one is to be True")
    return [int(number) for number in np.flatnonzero(mask)]


def mask(values: Sequence[bool]) -> NDArray[np.bool_]:
    """Truth by slot."""
    return np.array(values, dtype=np.bool_)


def actions(given: Any, slots: int) -> list[Any]:
    """An action for each slot; None for those that a dict leaves out."""
    if isinstance(given, Mapping):
        strange = [key for key in given if not whole(key, 0, slots - 1)]
        if strange:
            raise UsageError(f"actions by slot go from a number below {slots} to an action, not {strange[0]!r}")
        return [given.get(number) for number in range(slots)]
    if isinstance(given, (str, bytes)) or not isinstance(given, (Sequence, np.ndarray)):
        raise UsageError(f"actions are a list of {slots}, or a dict from slot to action, not {given!r}")
    if len(given) != slots:
        raise UsageError(f"actions are a list of {slots}, one for each slot, not of {len(given)}")
    return list(given)
