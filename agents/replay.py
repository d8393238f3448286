"""The agent that plays a recorded episode again, move by move, and says where it first went another way."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..envs.actions import InvalidAction
from ..errors import EnvironmentFault, UsageError
from .base import Decision, Stop

if TYPE_CHECKING:
    from ..envs.episode import Episode
    from ..envs.observation import Observation
    from ..tasks import Task

_COMPARED = ("url", "title", "time", "error", "result", "dialog", "tabs", "steps_left")
"""What is compared beside the tree."""


@dataclass(frozen=True, kw_only=True)
class ReplayOptions:
    """What `replay:…` takes."""

    run: str
    """The folder of a run, whose episode of the same task and seed is played again, or that of one episode."""
    agent: str = ""
    """Whose episode, where the run has several agents; a name with options in quotes: `agent="llm:model=m"`."""
    repeat: int = 0
    """Which of several plays."""
    strict: bool = True
    """A divergence is a fault (`replay_diverged`); else it is noted in the record and the recording is played on."""

    def __post_init__(self) -> None:
        if not Path(self.run).is_dir():
            raise UsageError(f"run names {self.run!r}, which is no folder")


@dataclass(frozen=True)
class Divergence:
    """The first thing that is not as it was recorded."""

    step: int
    """Steps taken before."""
    what: str
    was: str
    now: str

    def __str__(self) -> str:
        return f"after step {self.step}, {self.what} was {self.was} and is {self.now}"


class ReplayAgent:
    """Compares each page with the recorded one before it takes the next recorded move.

    Compared are the tree, the address, title, time, tabs, dialogs, refusals and results; pictures are not.
    """

    version = "1"
    Options = ReplayOptions

    def __init__(self, options: ReplayOptions) -> None:
        self.options = options
        self.divergence: Divergence | None = None
        """The first, once it was met."""
        self.about = {"run": options.run, "strict": options.strict}

    def start(self, task: Task, episode: Episode) -> None:
        """Find the recording of this task; raises `EnvironmentFault` (cause `no_recording`) where there is none."""
        folder = find(self.options, task.id, task.task_seed)
        recording = json.loads((folder / "trajectory.json").read_text(encoding="utf-8"))
        self._left = _stopped(folder)
        steps = [step for step in recording["steps"] if step.get("observation")]
        self._pages = iter(steps)
        self._moves = iter([step for step in steps if step["source"] == "agent"])
        self._taken = 0
        self._spare: int | None = None

    def act(self, observation: Observation) -> Decision:
        """The next recorded move, once the page is compared."""
        page = next(self._pages, None)
        news = ""
        if self.divergence is None and page is not None:
            found = compare(page, observation, self._taken, self._spared(page, observation))
            if found is not None:
                self.divergence, news = found, f"Diverged: {found}"
                if self.options.strict:
                    raise EnvironmentFault(str(found), cause="replay_diverged", retry=False)
        step = next(self._moves, None)
        if step is None:
            return Decision(move=self._left, reasoning=news)
        self._taken += 1
        return Decision(move=move_of(step), reasoning=news)

    def _spared(self, page: Mapping[str, Any], observation: Observation) -> int:
        """How many more steps may be taken than in the recording: a person is given more than an agent."""
        if self._spare is None:
            was = (page.get("extra") or {}).get("steps_left")
            self._spare = observation.steps_left - was if isinstance(was, int) else 0
        return self._spare


def move_of(step: Mapping[str, Any]) -> Mapping[str, Any] | InvalidAction:
    """The move of a recorded step; one that could not be read is as unreadable again, and as refused."""
    call = step["tool_calls"][0]
    if call["function_name"] == "unreadable":
        arguments = call["arguments"]
        return InvalidAction(str(arguments.get("error") or (step.get("extra") or {}).get("error") or "unreadable"))
    return {"action": call["function_name"], **call["arguments"]}


def compare(page: Mapping[str, Any], observation: Observation, taken: int, spare: int = 0) -> Divergence | None:
    """The first thing in which an observation differs from the recorded one; None where there is none.

    `spare` is by how much its steps left may be more.
    """
    extra = page.get("extra") or {}
    for name in _COMPARED:
        was, now = _plain(extra.get(name)), _plain(getattr(observation, name))
        if name == "steps_left" and isinstance(now, int):
            now -= spare
        if was != now:
            return Divergence(taken, name, _short(was), _short(now))
    tree = next((part["text"] for part in page["observation"]["results"][0]["content"] if part["type"] == "text"), "")
    if not observation.axtree or tree == observation.axtree:
        return None
    return Divergence(taken, *_line(str(tree), observation.axtree))


def _line(was: str, now: str) -> tuple[str, str, str]:
    """The first line in which two trees differ."""
    before, after = was.splitlines(), now.splitlines()
    for number in range(max(len(before), len(after))):
        one = before[number] if number < len(before) else "(nothing)"
        two = after[number] if number < len(after) else "(nothing)"
        if one != two:
            return f"line {number + 1} of the tree", _short(one.strip()), _short(two.strip())
    return "the tree", "ended otherwise", "ended otherwise"


def _plain(value: Any) -> Any:
    """A value as the record holds it, without the names of its types; nothing and empty are one."""
    if value is None or value in ("", (), []):
        return None
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items() if name != "is"}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else f"{text[:160]}…"


def find(options: ReplayOptions, task: str, seed: int) -> Path:
    """The folder of the recorded episode."""
    root = Path(options.run)
    if (root / "trajectory.json").is_file():
        return root
    found = [(name, folder) for name, folder in _recorded(root, task, seed, options)]
    if not found:
        raise EnvironmentFault(f"{root} holds no recording of {task}:{seed}", cause="no_recording", retry=False)
    if len(found) > 1:
        names = ", ".join(name for name, _ in found)
        raise EnvironmentFault(
            f"{root} holds several recordings of {task}:{seed}, name one by the option agent: {names}",
            cause="no_recording",
            retry=False,
        )
    return found[0][1]


def _recorded(root: Path, task: str, seed: int, options: ReplayOptions) -> Iterator[tuple[str, Path]]:
    """Agents and folders of the planned episodes of a task that were recorded."""
    try:
        planned = json.loads((root / "run.json").read_text(encoding="utf-8"))["episodes"]
    except (OSError, ValueError, KeyError) as error:
        raise EnvironmentFault(f"{root} is no folder of a run: {error}", cause="no_recording", retry=False) from error
    for episode in planned:
        folder = root / "episodes" / episode["id"]
        same = (episode["task"], episode["task_seed"], episode.get("repeat", 0)) == (task, seed, options.repeat)
        if same and options.agent in ("", episode["agent"]) and (folder / "trajectory.json").is_file():
            yield episode["agent"], folder


def _stopped(folder: Path) -> Stop:
    """What ends the episode after the last recorded move, where that was no `finish`."""
    try:
        said = json.loads((folder / "verdict.json").read_text(encoding="utf-8")).get("said") or {}
    except (OSError, ValueError):
        said = {}
    outcome = str(said.get("outcome") or "recording_over")
    return Stop(outcome=outcome, reason="the recording ends here")
