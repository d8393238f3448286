"""What a record says of an observation: plain values, the names of further kinds, and a hash to find it again by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from ..envs.kinds import KINDS
from .evidence import fingerprint

if TYPE_CHECKING:
    from ..envs.observation import Observation

STATE = ("result", "url", "title", "time", "error", "dialog", "tabs", "steps_left")
"""What of an observation's record must be the same when it is seen again, beside the tree."""


def others(observation: Observation) -> list[str]:
    """The kinds that an observation holds beside tree and picture; their parts of the content stand in this order."""
    held = (name for name in KINDS if name not in ("axtree", "screenshot"))
    return [name for name in held if (value := getattr(observation, name)) is not None and len(value)]


def seen(observation: Observation) -> dict[str, Any]:
    """What an observation says beside its kinds, as plain values; `kinds` names further parts of the content, `state`
    is a hash over all but pictures."""
    told = {
        **({"kinds": more} if (more := others(observation)) else {}),
        **({"result": observation.result} if observation.result else {}),
        "url": observation.url,
        "title": observation.title,
        "time": observation.time,
        "error": observation.error or None,
        "dialog": plain(observation.dialog),
        "tabs": plain(observation.tabs),
        "steps_left": observation.steps_left,
    }
    return {**told, "state": state_hash(told, observation.axtree or "")}


def state_hash(told: Mapping[str, Any], tree: str) -> str:
    """A hash (hex) over what is recorded of an observation, but for pictures; equal for equal observations."""
    return fingerprint([tree, {name: told.get(name) for name in STATE}])


def plain(value: Any) -> Any:
    """`value` as JSON holds it; dataclasses by their type and fields, anything else by its text."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value), key=str)
    if is_dataclass(value) and not isinstance(value, type):
        return {"is": type(value).__name__, **{one.name: plain(getattr(value, one.name)) for one in fields(value)}}
    return str(value)
