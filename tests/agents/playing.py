"""One episode played in this process, with a real browser and world that tests share, and what it left behind."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from atif import Trajectory
from sitegym.envs.ahead import Ahead
from sitegym.sites.world.client import World
from sitegym.sweeps.calls import read_calls
from sitegym.sweeps.plan import EpisodeSpec
from sitegym.sweeps.play import play
from sitegym.sweeps.results import EpisodeResult

TASK = "store.admin/cancel-order"


@dataclass
class Played:
    """An episode that is over."""

    result: EpisodeResult
    folder: Path

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The agent's steps, of a trajectory that the published schema takes."""
        return [step for step in self.trajectory["steps"] if step["source"] == "agent"]

    @property
    def trajectory(self) -> dict[str, Any]:
        """The whole of it."""
        text = (self.folder / "trajectory.json").read_text(encoding="utf-8")
        Trajectory.model_validate_json(text)
        found: dict[str, Any] = json.loads(text)
        return found

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The calls of models, with their messages."""
        return list(read_calls(self.folder))


class Room:
    """Plays tasks on `tiny`; use its fixture `room`."""

    def __init__(self, folder: Path, world: World, ahead: Ahead) -> None:
        self.folder, self.world, self.ahead, self._count = folder, world, ahead, 0

    def play(
        self, agent: str, *, task: str = TASK, seed: int = 0, max_steps: int | None = None, ready: Any = None
    ) -> Played:
        """One episode, by `ready` where that is the agent of this name; raises what `sweeps.play` raises."""
        self._count += 1
        spec = EpisodeSpec(
            id=f"{self._count}", task=task, task_seed=seed, agent=agent, data="tiny", data_seed=1, split=None,
            max_steps=max_steps,
        )  # fmt: skip
        folder = self.folder / spec.id
        result = play(spec, self.ahead.host, self.world, folder, ahead=self.ahead, agent=ready)
        return Played(result, folder)
