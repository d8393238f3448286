"""A scripted computer-use model that does a task right: it knows the way, and where things stand in the window."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from typing import Any

from sitegym.envs.actions import finish, parse
from sitegym.envs.observation import Observation
from sitegym.tasks import Task

OWN = "finish+select+scroll_to+check"
"""The functions that it wants beside the vendor's calls."""


class Clicker:
    """`next` gives `("click", x, y)`, `("keys", chord)`, `("write", text)` or `("own", name, arguments)`.

    The episode is looked at from outside, while the agent waits for the answer.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.episode: Any = None
        self._playing: Generator[Any, Observation, None] | None = None
        self._todo: deque[tuple[Any, ...]] = deque()

    def next(self) -> tuple[Any, ...]:
        """What to do now."""
        if not self._todo:
            self._todo.extend(self._steps(dict(parse(self._move()).to_dict())))
        step = self._todo.popleft()
        if step[0] == "later":  # it was scrolled to meanwhile
            self._todo.extendleft(reversed(self._steps(step[1])))
            return self.next()
        return step

    def _move(self) -> Any:
        observation = self.episode.observe(("axtree",))
        try:
            if self._playing is None:
                self._playing = self.task.oracle()(observation)
                return next(self._playing)
            return self._playing.send(observation)
        except StopIteration:
            return finish()

    def _steps(self, move: dict[str, Any]) -> list[tuple[Any, ...]]:
        name = move.pop("action")
        if name not in ("click", "type"):
            return [("own", name, move)]
        x, y, width, height = self.episode.box(move["ref"])
        point = int(x + width / 2), int(y + height / 2)
        if not (0 <= point[0] < 1280 and 0 <= point[1] < 800):
            return [("own", "scroll_to", {"ref": move["ref"]}), ("later", {"action": name, **move})]
        if name == "click":
            return [("click", *point)]
        return [("click", *point), ("keys", "ctrl+a"), ("write", move["text"] + "\n" * bool(move.get("submit")))]


class Shown:
    """An agent whose episode the script may look at."""

    def __init__(self, agent: Any, clicker: Clicker) -> None:
        self._agent, self._clicker = agent, clicker

    def __getattr__(self, name: str) -> Any:
        return getattr(self._agent, name)

    def start(self, task: Any, episode: Any) -> None:
        """Show it."""
        self._clicker.episode = episode
        self._agent.start(task, episode)

    def act(self, observation: Observation) -> Any:
        """The agent's own."""
        return self._agent.act(observation)
