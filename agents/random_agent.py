"""The agent that acts at random on what is on the page: the floor that any skill has to beat."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..envs import actions
from ..envs.actions import Action

if TYPE_CHECKING:
    from ..envs.episode import Episode
    from ..envs.observation import Observation
    from ..envs.tree import Node
    from ..tasks import Task

_CLICKABLE = frozenset({"button", "link", "tab", "menuitem", "switch", "radio", "columnheader", "gridcell"})
_WRITABLE = frozenset({"textbox", "searchbox", "spinbutton"})
_CHOOSERS = frozenset({"combobox", "listbox"})
_CONTROLS = _CLICKABLE | _WRITABLE | _CHOOSERS | {"checkbox"}
_WORDS = ("100123", "pending", "a", "Smith", "2026-03-01", "12", "test", "hello world")
_END_CHANCE = 0.06
"""Chance of finishing at each step, so that an episode has about 16 steps and both ends are seen."""


@dataclass
class Element:
    """One node of a tree that can be acted on, with the options beneath it."""

    role: str
    ref: str
    options: list[str]


class RandomAgent:
    """Picks a valid action on something that is on the page; same task seed, same choices."""

    version = "1"

    def start(self, task: Task, episode: Episode) -> None:
        """Seed the choices by the task and its seed."""
        self.rng = random.Random(f"{task.id}/{task.task_seed}")

    def act(self, observation: Observation) -> Action:
        """A random action; answers dialogs first, since nothing else is possible while one is open."""
        if observation.dialog:
            return self.rng.choice((actions.accept_dialog, actions.dismiss_dialog))()
        if self.rng.random() < _END_CHANCE:
            return actions.finish(outcome=self.rng.choice(("DONE", "NOT_FOUND")))
        elements = actionable(observation.tree)
        if not elements or self.rng.random() < 0.1:
            return self._wander()
        return self._on(self.rng.choice(elements))

    def _wander(self) -> Action:
        moves: tuple[Callable[[], Action], ...] = (
            actions.back,
            actions.reload,
            lambda: actions.scroll("down"),
            lambda: actions.press("Tab"),
        )
        return self.rng.choice(moves)()

    def _on(self, element: Element) -> Action:
        if element.role in _WRITABLE:
            return actions.type_(element.ref, self.rng.choice(_WORDS), submit=self.rng.random() < 0.5)
        if element.role == "checkbox":
            return actions.check(element.ref, checked=self.rng.random() < 0.7)
        if element.options:
            return actions.select(element.ref, self.rng.choice(element.options))
        return actions.click(element.ref)


def actionable(tree: Node) -> list[Element]:
    """The enabled controls of an accessibility tree, in page order; chosen lists with the options that they offer."""
    controls = (node for node in tree.walk() if node.ref and node.role in _CONTROLS and "disabled" not in node.states)
    return [Element(node.role, str(node.ref), _options(node)) for node in controls]


def _options(node: Node) -> list[str]:
    if node.role not in _CHOOSERS:
        return []
    return [one.name for one in node.walk() if one.role == "option" and one.name and "disabled" not in one.states]
