"""One episode's folder, written as it goes: whatever is killed, what happened up to then can be read.

trajectory.json  ATIF v1.8: goal, first observation, then each action and what was seen after it
screens/         pictures, WebP
calls.jsonl      calls of models as they were made, where there were any
changes.json     the database after, as a row difference from the baseline, with the class of each changed column
verdict.json     the verdict, and what was expected; after a fault no reward, and the reason
status.json      state, step, heartbeat; after a fault the reason
result.json      written last: the episode is over
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..envs.kinds import KINDS
from ..envs.kinds import plain as plain_kind
from ..envs.param import LONGEST
from .calls import Calls
from .faults import unscored
from .files import write_json
from .pictures import Pictures
from .plan import EpisodeSpec
from .seen import others, plain, seen
from .trajectory import TrajectoryFile, agent_step, image_part, system_step, text_part, user_step

if TYPE_CHECKING:
    from ..agents import Decision, ModelCall
    from ..envs.observation import Observation

_LONGEST = 12 * LONGEST  # no action is longer
Box = tuple[float, float, float, float]
ENDED = ("over", "fault", "interrupted")
"""States that are the last."""


@dataclass(frozen=True)
class Call:
    """An action as it was read: name, arguments, and its string form `click("e12")`."""

    name: str
    arguments: dict[str, Any]
    text: str


class Recorder:
    """Writes the folder of one episode. Use as a context manager: leaving it closes the files, also after an error."""

    def __init__(self, folder: Path, spec: EpisodeSpec, *, agent: Mapping[str, Any], about: Mapping[str, Any]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.spec = spec
        self.steps = 0
        self._started = now()
        self._state, self._writing = "starting", threading.Lock()
        self._interrupted = False
        self.beat()
        self._pictures = Pictures(folder / "screens")
        self._calls = Calls(folder, self._pictures)
        self._trajectory = TrajectoryFile(
            folder / "trajectory.json",
            head={"trajectory_id": spec.id, "agent": dict(agent), "extra": dict(about)},
        )

    def beat(self, state: str | None = None, **more: Any) -> None:
        """Say in `status.json` that the episode is alive, and what it is at (None: still the same). For any thread."""
        with self._writing:
            if self._interrupted or (state is None and self._state in ENDED):
                return  # a heartbeat that comes late must not take the reason of a fault away
            self._state = state or self._state
            status = {"state": self._state, "step": self.steps, "pid": os.getpid(), "started": self._started}
            write_json(self.folder / "status.json", {**status, "heartbeat": now(), **more})

    def interrupt(self) -> None:
        """The worker ends, and this episode with it: that is no fault of its own. For any thread."""
        self.beat("interrupted")
        self._interrupted = True

    def reset(self, observation: Observation) -> None:
        """The goal and the first observation."""
        self._trajectory.append(user_step(observation.goal))
        self._trajectory.append(
            system_step("The page as the episode begins.", self._content(observation), seen(observation))
        )
        self.beat("playing")

    def step(
        self,
        decision: Decision,
        call: Call,
        observation: Observation,
        *,
        box: Box | None,
        seconds: Mapping[str, float],
        thought: str | None = None,
        refused: Sequence[str] = (),
    ) -> None:
        """One action (as the agent gave it, and as it was read), what led to it, and what was seen after it.

        `box` is where the target stood (x, y, width, height, CSS px) on the picture before; `seconds` by phase;
        `refused` is what world and browser refused meanwhile.
        """
        self.steps += 1
        move = decision.move
        raw = _cut(json.dumps(dict(move), ensure_ascii=False) if isinstance(move, Mapping) else str(move))
        said = {name: _cut(value) if isinstance(value, str) else value for name, value in call.arguments.items()}
        extra = {
            **seen(observation),
            "action": _cut(call.text),
            "box": list(box) if box else None,
            "seconds": rounded(seconds),
            **({"refused": list(refused)} if refused else {}),
        }
        step = agent_step(
            at=now(),
            message=decision.message or raw,
            call=(call.name, said),
            number=self.steps,
            content=self._content(observation),
            extra=extra,
            reasoning=decision.reasoning or thought,
        )
        step |= self._calls.add(self.steps, decision.calls)
        self._trajectory.append(step, totals={"total_steps": self.steps, **self._calls.final()})
        self.beat("playing")

    def stopped(self, calls: Sequence[ModelCall]) -> None:
        """The episode ends before a further step: calls of models that were made for one, or to decide on that."""
        self._calls.add(self.steps + 1, calls, taken=False)

    def left(self, changes: Mapping[str, Any]) -> None:
        """The row difference of an episode that could not be graded."""
        write_json(self.folder / "changes.json", changes)

    def finish(self, verdict: Mapping[str, Any], changes: Mapping[str, Any], totals: Mapping[str, Any]) -> None:
        """The evidence of the end: verdict, row difference, totals."""
        write_json(self.folder / "changes.json", changes)
        write_json(self.folder / "verdict.json", verdict)
        self._trajectory.finish(final_metrics={"total_steps": self.steps, **self._calls.final(), "extra": dict(totals)})
        self._pictures.close()
        self.beat("over")

    @property
    def state(self) -> str:
        """Starting, playing, over …"""
        return self._state

    @property
    def usage(self) -> dict[str, float]:
        """Tokens, calls, retries and, where prices are known, US dollars of all calls of models."""
        return dict(self._calls.totals)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._trajectory.close()
        try:
            if isinstance(error, Exception) and not self._interrupted:
                verdict = unscored(error)
                write_json(self.folder / "verdict.json", verdict)
                self.beat("fault", cause=verdict["cause"], reason=verdict["reason"])
            elif error is not None:
                self.beat("interrupted")
        finally:
            self._pictures.close()

    def _content(self, observation: Observation) -> list[dict[str, Any]]:
        """Tree and picture as every report shows them, then whatever other kinds the agent was given."""
        parts = [text_part(observation.axtree or "")]
        if observation.screenshot is not None:
            parts.append(image_part(self._pictures.save(observation.screenshot)))
        return parts + [self._part(observation, name) for name in others(observation)]

    def _part(self, observation: Observation, name: str) -> dict[str, Any]:
        value = plain_kind(observation, name)
        return image_part(self._pictures.save(value)) if KINDS[name].form == "picture" else text_part(value)


def rounded(seconds: Mapping[str, float]) -> dict[str, float]:
    """Seconds to the tenth of a millisecond."""
    return {name: round(value, 4) for name, value in seconds.items()}


def _cut(text: str) -> str:
    """A text as the record keeps it: whole, unless no action could be that long."""
    return text if len(text) <= _LONGEST else f"{text[:1000]}… ({len(text):,} characters)"


def now() -> str:
    """Wall-clock time, ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def agent_card(name: str, agent: object) -> dict[str, Any]:
    """ATIF's description of an agent."""
    card = {"name": name, "version": str(getattr(agent, "version", "unknown"))}
    more = {"model_name": "model_name", "tools": "tool_definitions", "about": "extra"}
    told = {field: getattr(agent, name, None) for name, field in more.items()}
    return {**card, **{field: plain(value) for field, value in told.items() if value}}


def recorder_about(spec: EpisodeSpec, **more: Any) -> dict[str, Any]:
    """The root `extra` of a trajectory: the task and the versions it was recorded with."""
    return {
        "task": spec.task,
        "task_seed": spec.task_seed,
        "data": spec.data,
        "data_seed": spec.data_seed,
        "split": spec.split,
        "sitegym": __version__,
        **more,
    }
