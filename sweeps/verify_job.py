"""One recorded episode played again without its agent: the same actions, and whether everything came out the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import tasks as task_room
from ..envs.actions import InvalidAction
from ..envs.episode import Episode
from ..errors import EnvironmentFault, UsageError
from .concluding import left_behind
from .evidence import fingerprint
from .files import read_json
from .plan import EpisodeSpec
from .seen import STATE, seen, state_hash
from .trajectory import read_trajectory

if TYPE_CHECKING:
    from ..envs.ahead import Ahead
    from ..envs.host import BrowserHost
    from ..envs.observation import Observation
    from ..sites.world.client import World

_VERDICT = ("reward", "goal_met", "clean", "damage")
"""What of a verdict must be the same."""


@dataclass(frozen=True, kw_only=True)
class Verified:
    """What came of playing an episode again."""

    id: str
    reproduced: bool
    steps: int
    """How many observations were the same, the first one included."""
    step: int | None = None
    """The first that was not: 0 is the first observation, then the number of the action; None where all were."""
    what: str = ""
    """What differed there, or at the end: tree, url, error …, changes, verdict."""

    def to_json(self) -> dict[str, Any]:
        """A plain dict."""
        return asdict(self)


def verify_episode(spec: EpisodeSpec, folder: Path, host: BrowserHost, world: World, ahead: Ahead) -> Verified:
    """Play what `folder` recorded; nothing is written.

    Raises `UsageError` where the record can't be read, `EnvironmentFault` where the machinery fails.
    """
    trajectory = read_trajectory(folder / "trajectory.json")
    pages = [step for step in trajectory["steps"] if step.get("observation")]
    kinds = trajectory["extra"].get("observations") or _kinds(pages)
    task = task_room.task(spec.task, spec.task_seed, data=spec.data, data_seed=spec.data_seed, split=spec.split)
    if task.goal != trajectory["steps"][0]["message"]:
        return Verified(id=spec.id, reproduced=False, steps=0, step=0, what="goal")
    episode = Episode(host, world, observations=kinds, max_steps=spec.max_steps, ahead=ahead)
    try:
        observation = episode.reset(task)
        for number, page in enumerate(pages):
            if number:
                if episode.done:
                    return _differs(spec, number, "end of the episode")
                observation = episode.act(_action(page))
            if what := _difference(page, observation):
                return _differs(spec, number, what)
        if not episode.done:
            episode.give_up()
        what = _end(spec, folder, episode, world)
        return Verified(id=spec.id, reproduced=not what, steps=len(pages), what=what)
    finally:
        episode.close()


def _differs(spec: EpisodeSpec, number: int, what: str) -> Verified:
    return Verified(id=spec.id, reproduced=False, steps=number, step=number, what=what)


def _kinds(pages: list[dict[str, Any]]) -> tuple[str, ...]:
    """The kinds of observation that a record without a list of them shows."""
    parts = pages[0]["observation"]["results"][0]["content"]
    pictures = ("screenshot",) if any(part["type"] == "image" for part in parts) else ()
    return ("axtree", *pictures, *pages[0]["extra"].get("kinds", ()))


def _action(page: Mapping[str, Any]) -> Any:
    call = page["tool_calls"][0]
    if call["function_name"] == "unreadable":  # what was said may look like an action by now: the refusal is played
        return InvalidAction(str(call["arguments"].get("error") or "unreadable"))
    return {"action": call["function_name"], **call["arguments"]}


def _difference(page: Mapping[str, Any], observation: Observation) -> str:
    """The first thing that is not as it was recorded; empty where all is."""
    told, tree = dict(page["extra"]), str(page["observation"]["results"][0]["content"][0]["text"])
    now, now_tree = seen(observation), observation.axtree or ""
    calls = page.get("tool_calls") or ()
    if calls and calls[0]["function_name"] == "unreadable":  # what was said may not be kept word by word
        told["error"] = now["error"] = "unreadable" if told.get("error") and now["error"] else None
        told["state"] = state_hash(told, tree)
    if told.get("state", state_hash(told, tree)) == state_hash(now, now_tree):
        return ""
    differ = [name for name in STATE if told.get(name) != now.get(name)]
    return "tree" if tree != now_tree else ", ".join(differ) or "record"


def _end(spec: EpisodeSpec, folder: Path, episode: Episode, world: World) -> str:
    """What of database and verdict is not as it was recorded."""
    verdict, frozen = episode.verdict, episode.frozen
    if verdict is None or frozen is None:
        raise EnvironmentFault("the episode ended without a verdict", cause="no_verdict")
    recorded = read_json(folder / "verdict.json")
    if not isinstance(recorded, dict):
        raise UsageError(f"{folder / 'verdict.json'} is no verdict")
    changes = left_behind(spec, frozen, world)
    if changes["after"] != read_json(folder / "changes.json")["after"]:
        return "changes"
    again = verdict.to_json()
    same = (fingerprint(again[name]) == fingerprint(recorded.get(name)) for name in _VERDICT)
    return "" if all(same) else "verdict"
