"""A scripted model that does a task right: it reads the page from the messages it is sent, and knows the way."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from fake_openai import Fails, Says
from sitegym.envs import tree
from sitegym.envs.actions import finish, parse
from sitegym.envs.observation import Observation
from sitegym.tasks import Task


class Solver:
    """Plays the task's oracle over what a request shows. `first` are answers before that: detours and failures."""

    def __init__(self, task: Task, first: list[Says | Fails] | None = None, **about: Any) -> None:
        self.task, self.first, self.about = task, list(first or ()), about
        self.seen: list[str] = []
        self._playing: Generator[Any, Observation, None] | None = None

    def __call__(self, request: dict[str, Any]) -> Says | Fails:
        text = newest(request)
        self.seen.append(text)
        if self.first:
            return self.first.pop(0)
        name, given = self.move(Observation(goal=self.task.goal, axtree=(shown := page(text)), tree=tree.parse(shown)))
        return Says(calls=[(name, given)], **self.about)

    def move(self, observation: Observation) -> tuple[str, dict[str, Any]]:
        """The next action as name and arguments."""
        try:
            if self._playing is None:
                self._playing = self.task.oracle()(observation)
                move = next(self._playing)
            else:
                move = self._playing.send(observation)
        except StopIteration:
            move = finish(outcome="DONE")
        fields = dict(parse(move).to_dict())
        return str(fields.pop("action")), fields


def newest(request: dict[str, Any]) -> str:
    """The text of the newest page in a chat."""
    for message in reversed(request["messages"]):
        content = message["content"]
        if message["role"] in ("user", "tool") and isinstance(content, list):
            content = next(part["text"] for part in content if part["type"] == "text")
        if message["role"] in ("user", "tool") and "Steps left:" in content:
            return str(content)
    raise LookupError("no page in the request")


def page(text: str) -> str:
    """The tree in it."""
    return text.partition("Steps left:")[2].partition("\n\n")[2]
