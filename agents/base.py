"""What an agent is: two methods, and the wrapper that makes a plain function one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from ..envs.actions import Action
    from ..envs.episode import Episode
    from ..envs.observation import Observation
    from ..tasks import Task

    Move = Action | str | Mapping[str, Any]
    """What an agent may answer: an action, its string form `click("e12")`, or its dict form."""


@runtime_checkable
class Agent(Protocol):
    """Chooses one action for each observation.

    A fresh agent is made for every episode, so it may keep what it likes on itself. Optional attributes: `version`
    (str) and `model_name` (str), recorded with the episode, `thought` (str), the reasoning behind the last action, and
    `observations` (a list of kinds, see `envs.kinds`), what a sweep is to show it beside tree and picture.
    """

    def start(self, task: Task, episode: Episode) -> None:
        """Called once, after the episode was reset and before the first `act`."""

    def act(self, observation: Observation) -> Move:
        """The next action. An action that can't be read comes back as `observation.error`, and counts as a step."""


class FunctionAgent:
    """A plain function `observation -> action` as an agent."""

    def __init__(self, function: Callable[[Observation], Move]) -> None:
        self.function = function

    def start(self, task: Task, episode: Episode) -> None:
        """Nothing to prepare."""

    def act(self, observation: Observation) -> Move:
        """What the function answers."""
        return self.function(observation)
