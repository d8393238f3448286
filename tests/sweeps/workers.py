"""Agents that show how many run at once, and what they use: by files in the folder that `SITEGYM_TEST_MARKS` names."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Any

from sitegym.agents import Decision, ModelCall, Usage
from sitegym.envs.actions import finish, scroll

MARKS = "SITEGYM_TEST_MARKS"
PATIENCE_S = 120.0


class Agent:
    """What all of them share."""

    model_name = "none"

    def start(self, task: Any, episode: Any) -> None:
        """Remember what is played."""
        self.task, self.steps = task, 0
        self.marks = Path(os.environ[MARKS])


class Meets(Agent):
    """Finishes only once another episode is at the same place at the same time."""

    def act(self, observation: Any) -> Any:
        """Say that it is here, and wait for the other."""
        (self.marks / f"here-{self.task.task_seed}").touch()
        deadline = time.monotonic() + PATIENCE_S
        while len(list(self.marks.glob("here-*"))) < 2:
            assert time.monotonic() < deadline, "nobody came"
            time.sleep(0.01)
        return finish()


class Logs(Agent):
    """Writes down when it begins and ends to think."""

    def act(self, observation: Any) -> Any:
        """Two lines, and a look whether somebody else thinks meanwhile."""
        self._note("in")
        time.sleep(0.05)
        self._note("out")
        self.steps += 1
        return finish() if self.steps == 3 else scroll("down")

    def _note(self, what: str) -> None:
        with (self.marks / "log").open("a") as file:
            file.write(f"{what} {self.task.task_seed}\n")


class Spends(Agent):
    """Calls a model at each step that reads 600 tokens and writes 400, for 2 cents; never finishes."""

    def act(self, observation: Any) -> Any:
        """Scroll, at a price."""
        call = ModelCall(model="m", usage=Usage(prompt_tokens=600, completion_tokens=400), cost_usd=0.02)
        return Decision(move=scroll("down"), calls=[call])


class Ponders(Agent):
    """Scrolls once, then never answers."""

    def act(self, observation: Any) -> Any:
        """Wait for nothing."""
        self.steps += 1
        if self.steps == 2:
            threading.Event().wait()
        return scroll("down")


class SlowToGrade(Agent):
    """Makes grading hang."""

    def act(self, observation: Any) -> Any:
        """Replace the expectation by one that never comes, then finish."""
        object.__setattr__(self.task, "expectation", lambda before: threading.Event().wait())
        return finish()
