"""The agent that acts at random on what is on the page: the floor that any skill has to beat."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..envs import actions
from ..envs.actions import Action

if TYPE_CHECKING:
    from ..envs.episode import Episode
    from ..envs.observation import Observation
    from ..tasks import Task

_NODE = re.compile(r'^(?P<indent>\s*)- (?P<role>[a-z]+)(?: "(?P<name>(?:[^"\\]|\\.)*)")?(?P<marks>(?: \[[^\]]*\])*)')
_REF = re.compile(r"\[ref=([^\]\s]+)\]")
_CLICKABLE = frozenset({"button", "link", "tab", "menuitem", "switch", "radio", "columnheader", "gridcell"})
_WRITABLE = frozenset({"textbox", "searchbox", "spinbutton"})
_WORDS = ("100123", "pending", "a", "Smith", "2026-03-01", "12", "test", "hello world")
_END_CHANCE = 0.06
"""Chance of finishing at each step, so that an episode has about 16 steps and both ends are seen."""


@dataclass
class Element:
    """One node of a tree that can be acted on, with the options beneath it."""

    role: str
    ref: str
    options: list[str] = field(default_factory=list)


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
        elements = actionable(observation.axtree or "")
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


def actionable(tree: str) -> list[Element]:
    """The enabled controls of an accessibility tree, in page order."""
    found: list[Element] = []
    chooser: tuple[int, Element] | None = None
    for line in tree.splitlines():
        node = _NODE.match(line)
        if node is None:
            continue
        indent, role, marks = len(node["indent"]), node["role"], node["marks"] or ""
        if chooser and indent <= chooser[0]:
            chooser = None
        if role == "option" and chooser:
            if node["name"] and "[disabled]" not in marks:
                chooser[1].options.append(node["name"].replace('\\"', '"'))
            continue
        ref = _REF.search(marks)
        if ref is None or "[disabled]" in marks:
            continue
        if role in _CLICKABLE or role in _WRITABLE or role in {"checkbox", "combobox", "listbox"}:
            element = Element(role, ref[1])
            found.append(element)
            chooser = (indent, element) if role in {"combobox", "listbox"} else None
    return found
