"""Going back: taking a checkpoint, restoring it the fast way and by its actions, and what milestones cost a step."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sitegym.envs import actions
from sitegym.envs.branch_state import SessionState
from sitegym.envs.rewards import Scores
from sitegym.sites import registry
from sitegym.verifiers import Snapshot

from ._shop import Shop, shop, task, timed
from .table import Row, measured

if TYPE_CHECKING:
    from sitegym.envs.branch import Checkpoint
    from sitegym.envs.episode import Episode
    from sitegym.envs.observation import Observation

RUNS = 15


def main() -> list[Row]:
    """Nine actions into an episode, with text typed and not saved, a tick, and a page scrolled."""
    with shop() as place:
        return [*_going_back(place), *_milestones(place)]


def _going_back(place: Shop) -> list[Row]:
    episode = place.episode("axtree")
    _play(episode)
    kept = episode.checkpoint()
    capture = [timed(episode.checkpoint) for _ in range(RUNS)]
    by_actions = replace(kept, browser=SessionState(slow="asked for by the benchmark"))
    fast, replay = _alternating(episode, kept, by_actions)
    episode.close()
    return [
        measured("checkpoint, nine actions into an episode", "ms", capture),
        Row(what="  of that size", unit="kB", median=len(pickle.dumps(kept)) / 1000),
        measured("restore by loading and filling", "ms", fast),
        measured("restore by taking the nine actions again", "ms", replay),
    ]


def _alternating(episode: Episode, kept: Checkpoint, by_actions: Checkpoint) -> tuple[list[float], list[float]]:
    """Both ways in turn, with a context ready for each, as it is while an agent thinks."""
    found: dict[str, list[float]] = {"fast": [], "replayed": []}
    for _ in range(RUNS):
        for checkpoint in (kept, by_actions):
            episode.wait_ready()
            took = timed(lambda checkpoint=checkpoint: episode.restore(checkpoint))  # type: ignore[misc]
            assert episode.restored is not None
            found[episode.restored.way].append(took)
    return found["fast"], found["replayed"]


def _play(episode: Episode) -> None:
    seen = episode.reset(task())
    steps: Sequence[Callable[[Observation], Any]] = [
        lambda _: actions.navigate("/orders"),
        lambda _: actions.scroll("down"),
        lambda _: actions.navigate("/products"),
        lambda _: actions.back(),
        lambda _: actions.navigate("/customers"),
        lambda _: actions.navigate("/orders?size=100"),
        lambda now: actions.check(now.find_all("checkbox")[3]),
        lambda now: actions.type_(now.find("combobox", "Search everything"), "blue"),
        lambda _: actions.scroll("down"),
    ]
    for step in steps:
        seen = episode.act(step(seen))
        assert not seen.error


def _milestones(place: Shop) -> list[Row]:
    """A step that wrote, and one that only read."""
    world = place.world
    world.reset()
    scores = Scores(world, "milestones", 1.0)
    scores.begin(task(), None)
    with Snapshot(world.baseline.path, registry.get("store").metadata) as before:
        orders = before.rows("orders", status="processing")[: RUNS + 1]
    wrote, read = [], []
    for order in orders:
        world.call("orders.hold", number=order.number, v=order.v, reason="other")
        world.advance(1)
        wrote.append(timed(lambda: scores.step(None, False, None)))
        read.append(timed(lambda: scores.step(None, False, None)))
    return [
        measured("milestones, a step that wrote to the database", "ms", wrote[1:]),
        measured("milestones, a step that did not", "ms", read[1:]),
    ]
