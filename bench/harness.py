"""The harness's own time a step: everything that is neither the model, nor the browser, nor the site.

An episode is played and recorded as in a sweep, by an agent that answers at once. From one question to the agent to the
next, what the episode counts as the browser's, the site's and the observation's is taken off; what is left is the loop,
reading the action, and writing it down. Beside it stands the processor time of the whole process, in which trees are
parsed and pictures are encoded in other threads.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sitegym.agents import Decision
from sitegym.envs import actions
from sitegym.sweeps.plan import EpisodeSpec, episode_id
from sitegym.sweeps.play import play

from ._shop import TASK, Shop, shop
from .table import Row, measured

STEPS, EPISODES = 60, 4
FIRST = 5
"""Steps of each episode that do not count: what is made once in an episode is made in them."""
TARGET_MS = 5.0


class Instant:
    """Scrolls the list of orders up and down, and notes what a step took."""

    def __init__(self, steps: int) -> None:
        self._left = steps
        self._before: tuple[float, float, float] | None = None
        self.own_ms: list[float] = []
        self.processor_ms: list[float] = []

    def start(self, task: Any, episode: Any) -> None:
        """Take the episode, for what it counts."""
        self._episode = episode

    def act(self, observation: Any) -> Decision:
        """The next move, at once."""
        now = (time.perf_counter(), sum(self._episode.timings.values()), time.process_time())
        if self._before is not None:
            wall, others, processor = (1000 * (b - a) for a, b in zip(self._before, now, strict=True))
            self.own_ms.append(wall - others)
            self.processor_ms.append(processor)
        self._left -= 1
        move = actions.scroll("down" if self._left % 2 else "up") if self._left else actions.finish()
        self._before = (time.perf_counter(), now[1], time.process_time())
        return Decision(move=move, reasoning="Instantly.")


def main(quick: bool = False) -> list[Row]:
    """Milliseconds a step, beside the target."""
    own: list[float] = []
    processor: list[float] = []
    with shop() as place, TemporaryDirectory(prefix="sitegym-bench-") as folder:
        for number in range(1 if quick else EPISODES):
            agent = _played(place, Path(folder), number, 20 if quick else STEPS)
            own += agent.own_ms[FIRST:]
            processor += agent.processor_ms[FIRST:]
    mine = measured("the harness's own time a step", "ms", own)
    return [
        replace(mine, beside=TARGET_MS, beside_what="the target"),
        measured("  processor time of its process a step, all threads", "ms", processor),
    ]


def _played(place: Shop, folder: Path, number: int, steps: int) -> Instant:
    agent = Instant(steps)
    spec = EpisodeSpec(
        id=episode_id(TASK, number, "instant"), task=TASK, task_seed=number, agent="instant", data="base", data_seed=1,
        split=None, max_steps=steps + 1,
    )  # fmt: skip
    play(spec, place.host, place.world, folder / spec.id, agent=agent)
    return agent
