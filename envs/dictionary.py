"""What Gymnasium is given: an observation as a dictionary of plain values, its space, and the `info` of an ending."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ..errors import UsageError, VerifierError
from ..verifiers import Verdict
from .kinds import KINDS, plain
from .observation import Observation, Tab
from .rewards import Scores
from .spaces import Unicode

TEXTS = ("goal", "url", "title", "tabs", "dialog", "error", "result", "held", "downloads", "time")
"""Texts that are always there."""

MAX_STEPS = 100_000


def observation_space(kinds: Sequence[str], viewport: tuple[int, int]) -> spaces.Dict:
    """The space of `as_dict`: texts, whole numbers and pictures."""
    parts: dict[str, gymnasium.Space[Any]] = {name: Unicode() for name in TEXTS}
    parts["steps_left"] = spaces.Box(0, MAX_STEPS, shape=(), dtype=np.int64)
    for kind in kinds:
        if KINDS[kind].form == "picture":
            parts[kind] = spaces.Box(0, 255, shape=(viewport[1], viewport[0], 3), dtype=np.uint8)
        else:
            parts[kind] = Unicode()
    return spaces.Dict(parts)


def as_dict(observation: Observation, kinds: Sequence[str], viewport: tuple[int, int]) -> dict[str, Any]:
    """An observation as plain values; its arrays belong to nobody else. A picture that is missing is black."""
    given: dict[str, Any] = {
        name: getattr(observation, name) for name in ("goal", "url", "title", "error", "result", "time")
    }
    dialog = observation.dialog
    given["dialog"] = f"{dialog.kind}: {dialog.message}" if dialog is not None else ""
    given["tabs"] = "\n".join(_tab(index, tab) for index, tab in enumerate(observation.tabs))
    given["held"] = ", ".join(observation.held)
    given["downloads"] = "\n".join(observation.downloads)
    given["steps_left"] = np.array(observation.steps_left, dtype=np.int64)
    for kind in kinds:
        value = plain(observation, kind)
        given[kind] = np.zeros((viewport[1], viewport[0], 3), np.uint8) if value is None else value
    return given


def ending(verdict: Verdict | None, scores: Scores) -> tuple[float, dict[str, Any]]:
    """Reward and `info` of a step, by the verdict that it brought. Raises `VerifierError` where grading gave none.

    `info` always tells what the reward is made of: `sparse`, and `shaping` by milestones.
    """
    told: dict[str, Any] = {"sparse": scores.sparse, "shaping": scores.shaping}
    if verdict is None:
        return scores.reward, told
    if verdict.reward is None:  # a fault of ours has no reward, so it can't be returned as one
        raise VerifierError(verdict.reason)
    damage = [str(damage) for damage in verdict.damage]
    graded = {"goal_met": verdict.goal_met, "clean": verdict.clean, "damage": damage, "reason": verdict.reason}
    return scores.reward, told | graded


def check_numbers(viewport: object, max_steps: object) -> None:
    """Raise `UsageError` for a size or a number of steps that can't be."""
    pair = tuple(viewport) if isinstance(viewport, (tuple, list)) else ()
    if len(pair) != 2 or not all(whole(side, 100, 10_000) for side in pair):
        raise UsageError(f"viewport is width and height, each from 100 to 10,000 pixels, not {viewport!r}")
    if max_steps is not None and not whole(max_steps, 1, MAX_STEPS):
        raise UsageError(f"max_steps is a whole number from 1 to {MAX_STEPS:,}, or None, not {max_steps!r}")


def whole(value: object, least: int, most: int) -> bool:
    """Whether a value is a whole number in a range; True and False are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and bool(least <= value <= most)


def _tab(index: int, tab: Tab) -> str:
    return f"{'*' if tab.active else ' '} {index}: {tab.title} <{tab.url}>"
