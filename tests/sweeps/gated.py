"""An agent that takes each step only when a file says so; found by name in worker processes."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from sitegym.agents import Decision
from sitegym.envs.actions import finish, reload


class Gated:
    """Reloads the page at the first gate, and finishes at the second."""

    def __init__(self, gate: str) -> None:
        self._gate, self._step = Path(gate), 0

    def start(self, task: Any, episode: Any) -> None:
        """Nothing to prepare."""

    def act(self, observation: Any) -> Decision:
        """Wait for the gate of this step."""
        self._step += 1
        while not (self._gate / str(self._step)).exists():
            time.sleep(0.02)
        move = reload() if self._step == 1 else finish()
        return Decision(move=move, reasoning="I wonder what comes next.")
