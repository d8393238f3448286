"""A sweep described in a TOML file: the same names as the arguments of `evaluate`, checked before anything runs.

agents = ["oracle", "my_module:MyAgent"]
tasks = ["store.admin/cancel-*"]
instances = 5
repeats = 3
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import UsageError, closest

NUMBERS = (
    "instances", "first_seed", "repeats", "data_seed", "max_steps", "max_tokens", "workers", "at_once", "model_calls",
    "gradings",
)  # fmt: skip
"""Keys that hold a whole number."""
MEASURES = ("max_seconds", "max_cost_usd", "grading_seconds")
"""Keys that hold a number, whole or not."""
TEXTS = ("data", "split", "shard", "set", "engine", "ray_address")
LISTS = ("agents", "tasks", "observations")
"""Keys that hold texts; a single one may stand without brackets."""
KEYS = tuple(sorted((*NUMBERS, *MEASURES, *TEXTS, *LISTS, "seeds", "screenshots")))


def read_plan(path: Path) -> dict[str, Any]:
    """The arguments for `evaluate` in a file.

    Raises `UsageError` where it can't be read, for a key that no plan has, and for a value of the wrong type.
    """
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as cause:
        raise UsageError(f"{path} can't be read: {cause.strerror}") from cause
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as cause:
        raise UsageError(f"{path} is not TOML: {cause}") from cause
    _known(found, KEYS, str(path))
    return {_argument(name): _value(name, value, path) for name, value in found.items()}


def _argument(name: str) -> str:
    """What `evaluate` calls a key."""
    return {"first_seed": "seed", "set": "task_set"}.get(name, name)


def _known(found: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    for name in found:
        if name not in keys:
            near = closest(name, keys)
            meant = f" (did you mean {near!r}?)" if near else ""
            raise UsageError(f"{where} has a key {name!r}, which no plan has{meant}; known: {', '.join(keys)}")


def _value(name: str, value: Any, path: Path) -> Any:
    wanted = "a text"
    if name in NUMBERS:
        wanted = "a whole number"
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    elif name in MEASURES:
        wanted = "a finite number"
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max:
            return float(value)
    elif name in LISTS:
        wanted = "a list of texts"
        texts = [value] if isinstance(value, str) else value
        if isinstance(texts, list) and all(isinstance(one, str) for one in texts):
            return tuple(texts)
    elif name == "seeds":
        wanted = "a list of whole numbers"
        if isinstance(value, list) and all(isinstance(one, int) and not isinstance(one, bool) for one in value):
            return tuple(value)
    elif name == "screenshots":
        wanted = "true or false"
        if isinstance(value, bool):
            return value
    elif isinstance(value, str):
        return value
    raise UsageError(f"{path}: {name} is {wanted}, not {value!r}")
