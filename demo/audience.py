"""An episode as the stage shows it: each page, each action before it is taken, and the gestures of a person."""

from __future__ import annotations

import queue
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from ..agents import HUMAN
from ..sweeps.play import Audience
from ..sweeps.report.drawing import drawing, sentence
from ..verifiers.outcomes import OUTCOMES
from .stage import Closed, Stage

if TYPE_CHECKING:
    from ..envs.observation import Observation
    from ..sweeps.plan import EpisodeSpec
    from ..sweeps.record import Box, Call
    from ..tasks import Task

_PRESSED = {
    "click": 1,
    "double_click": 2,
    "right_click": 1,
    "check": 1,
    "select": 1,
    "type": 1,
    "clear": 1,
    "mouse_click": 1,
    "mouse_down": 1,
    "drag": 1,
    "drag_by": 1,
    "upload": 1,
}
"""How often the mouse button goes down, by action."""


class OnStage(Audience):
    """Shows an episode on a stage and a line a step on the terminal; also hands a person's gestures to the agent."""

    def __init__(
        self,
        stage: Stage,
        spec: EpisodeSpec,
        task: Task,
        console: Console,
        *,
        place: tuple[int, int],
        ready: Callable[[], None],
    ) -> None:
        """`place` is the episode's number and how many there are; `ready` is called when its first page is shown."""
        self._stage = stage
        self._spec = spec
        self._task = task
        self._console = console
        self._place = place
        self._ready = ready
        self._budget = spec.max_steps or task.max_steps
        self._steps = 0
        self._size = (1280, 800)

    def begins(self, observation: Observation) -> None:
        """Set the scene."""
        if observation.screenshot is not None:
            height, width = observation.screenshot.shape[:2]
            self._size = (width, height)
        self._stage.begin({
            "task": self._spec.task,
            "seed": self._spec.task_seed,
            "agent": self._spec.agent,
            "role": self._task.role,
            "goal": observation.goal,
            "budget": self._budget,
            "number": self._place[0],
            "total": self._place[1],
            "size": self._size,
            "outcomes": [[code, _outcome(code, words)] for code, words in OUTCOMES.items()],
        })  # fmt: skip
        self._show(observation)
        self._ready()
        self._stage.look()

    def intends(self, call: Call, box: Box | None, observation: Observation) -> None:
        """Point at it, and say it."""
        self._steps += 1
        words = _named(sentence(call.name, call.arguments, observation.axtree), call.arguments, observation)
        self._console.print(Text.assemble((f"{self._steps:>4}  ", "dim"), words))
        self._stage.intend(self._action(call, box, words))

    def sees(self, observation: Observation) -> None:
        """Show what came of it."""
        if observation.error:
            self._console.print(Text(f"      refused: {observation.error}", "yellow"))
        self._show(observation)

    def _show(self, seen: Observation) -> None:
        dialog = seen.dialog
        page = {
            "url": seen.url,
            "time": seen.time.replace("T", " ").removesuffix("Z"),
            "error": seen.error,
            "size": self._size,
            "tabs": [{"title": tab.title, "url": tab.url, "active": tab.active} for tab in seen.tabs],
            "dialog": {"kind": dialog.kind, "message": dialog.message, "default": dialog.default} if dialog else None,
        }
        self._stage.show(page, seen.screenshot)

    def _action(self, call: Call, box: Box | None, words: str) -> dict[str, Any]:
        drawn = drawing(call.name, call.arguments, list(box) if box else None)
        point = drawn.get("point") or (_middle(box) if box else None)
        return {
            "number": self._steps,
            "budget": self._budget,
            "words": words,
            "box": drawn.get("box"),
            "point": point,
            "to": drawn.get("to"),
            "pressed": _PRESSED.get(call.name, 0) if point else 0,
            "label": drawn.get("label"),
            "typed": call.name in ("type", "keyboard_type"),
        }

    # ---- a person

    def gesture(self, within: float | None = None) -> Mapping[str, Any] | None:
        """What the person does next."""
        if self._spec.agent != HUMAN:
            return None
        try:
            return self._stage.gestures.get(timeout=within)
        except queue.Empty:
            return None

    def offer(self, choice: Mapping[str, Any]) -> None:
        """Let the person choose; a window that was closed says so by a gesture."""
        try:
            self._stage.offer(choice)
        except Closed:
            return


def _named(words: str, arguments: Mapping[str, Any], seen: Observation) -> str:
    """A sentence with the elements that it calls by their reference called by what is written in them."""
    for ref in (arguments.get("ref"), arguments.get("to")):
        node = next((node for node in seen.tree.walk() if node.ref is not None and node.ref == ref), None)
        text = " ".join(node.text.split())[:40] if node else ""
        if node and text:
            name = str(ref)
            words = words.replace(f"{node.role} {name}", name).replace(name, f"{node.role} “{text}”")
    return words


def _middle(box: Box) -> list[float]:
    return [box[0] + box[2] / 2, box[1] + box[3] / 2]


def _outcome(code: str, words: str) -> str:
    """`Done: the task is done`."""
    return f"{code.replace('_', ' ').capitalize()}: {words}"
