"""The agent that a drafted oracle is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from sitegym.tasks import page


class Drafted:
    """Plays a drafted oracle."""

    def __init__(self, code: str) -> None:
        room: dict[str, Any] = {**vars(page), "Any": Any}
        exec(code, room)
        self._oracle = room["oracle"]

    def start(self, task: Any, episode: Any) -> None:
        """Begin it for this instance."""
        self._params, self._playing = SimpleNamespace(**task.params), None

    def act(self, observation: Any) -> Any:
        """Its next move."""
        try:
            if self._playing is None:
                self._playing = self._oracle(None, observation, self._params)
                return next(self._playing)
            return self._playing.send(observation)
        except StopIteration:
            return page.finish()
