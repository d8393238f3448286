"""Same task, same actions: the same bytes, whoever else plays beside, however long the agent thinks, in any slot.

Oracles' actions are recorded once and played again under other conditions. Every observation (tree and picture), the
rows at the end and the verdict must be those of the recording. The short form runs three templates; the `long` one runs
thirty, five times each, and again in the full browser.
"""

from __future__ import annotations

import asyncio
import difflib
import hashlib
import multiprocessing
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import sqlalchemy
from sitegym import sites, tasks
from sitegym.agents.oracle import OracleAgent
from sitegym.envs.ahead import Ahead
from sitegym.envs.async_episode import AsyncEpisode
from sitegym.envs.candidates import candidates
from sitegym.envs.episode import Episode
from sitegym.envs.host import BrowserHost
from sitegym.envs.observation import Observation
from sitegym.sites.kit.rows import logical_hash
from sitegym.sites.world import World, WorldServer

KINDS = ("axtree", "screenshot")
THOUGHT_S = 6.0
"""Longer than a toast of the shop is shown, and than any debounce of it waits."""
SLOTS = 4
FEW = ("store.admin/cancel-order", "store.admin/reviews-mentioning", "store.admin/change-prices")
MANY = sorted(tasks.templates())[:30]


@dataclass(frozen=True)
class Played:
    """What came out of an episode: each observation, a digest of the rows at the end, and the verdict."""

    seen: tuple[dict[str, str], ...]
    rows: str
    verdict: str


@dataclass(frozen=True)
class Recording:
    task: tasks.Task
    actions: tuple[object, ...]
    played: Played


def digest(observation: Observation) -> dict[str, str]:
    """All that an agent is given, in comparable parts."""
    assert observation.screenshot is not None
    rest = observation.dialog, observation.error, observation.tabs, observation.steps_left, observation.settled
    return {
        "tree": observation.axtree,
        "picture": hashlib.sha256(observation.screenshot.tobytes()).hexdigest(),
        "facts": repr((observation.url, observation.title, observation.time, rest)),
    }


def rows(database: Path) -> str:
    engine = sqlalchemy.create_engine(f"sqlite:///{database}")
    with engine.connect() as connection:
        found = logical_hash(connection, sites.get("store").metadata)
    engine.dispose()
    return found


def outcome(seen: Sequence[Observation], episode: Episode | AsyncEpisode) -> Played:
    assert episode.frozen is not None
    return Played(tuple(map(digest, seen)), rows(episode.frozen), repr(episode.verdict))


def record(host: BrowserHost, world: World, task: tasks.Task) -> Recording:
    """The oracle's way through a task."""
    episode, agent = Episode(host, world, observations=KINDS), OracleAgent()
    try:
        seen = [episode.reset(task)]
        agent.start(task, episode)
        actions: list[object] = []
        while not episode.done:
            actions.append(agent.act(seen[-1]))
            seen.append(episode.act(actions[-1]))  # type: ignore[arg-type]
        assert episode.verdict is not None
        assert episode.verdict.reward == 1.0, episode.verdict.reason
        return Recording(task, tuple(actions), outcome(seen, episode))
    finally:
        episode.close()


async def again(ahead: Ahead, world: World, recording: Recording, thinks: int) -> Played:
    """The same actions once more, every so many of them after a thought (0: none)."""
    async with AsyncEpisode(ahead.host, world, observations=KINDS, ahead=ahead) as episode:
        seen = [await episode.reset(recording.task)]
        for number, action in enumerate(recording.actions, 1):
            if thinks and number % thinks == 0:
                await asyncio.sleep(THOUGHT_S)
            seen.append(await episode.act(action))  # type: ignore[arg-type]
        return outcome(seen, episode)


def together(host: BrowserHost, worlds: Sequence[World], recordings: Sequence[Recording], thinks: int = 0) -> None:
    """Each world plays its share, all at once in one browser; what differs from its recording is named."""

    async def slot(number: int) -> list[str]:
        wrong, ahead = [], Ahead(host, worlds[number])  # all but the first begin with what was opened ahead
        for recording in recordings[number :: len(worlds)]:
            played = await again(ahead, worlds[number], recording, thinks)
            wrong += differences(recording, played)
        await ahead.close()
        return wrong

    async def all_slots() -> list[list[str]]:
        return await asyncio.gather(*(slot(number) for number in range(len(worlds))))

    assert [wrong for each in host.call(all_slots()) for wrong in each] == []


def differences(recording: Recording, played: Played) -> list[str]:
    """Where an episode left its recording; the first step only, as all later ones follow from it."""
    name, recorded = f"{recording.task.id}:{recording.task.task_seed}", recording.played
    wrong = [
        f"{name}, after step {step}, {part}: {changed(was[part], now[part])}"
        for step, (was, now) in enumerate(zip(recorded.seen, played.seen, strict=True))
        for part in was
        if was[part] != now[part]
    ][:1]
    wrong += [f"{name}: other rows at the end"] if recorded.rows != played.rows else []
    return wrong + ([f"{name}: another verdict: {played.verdict}"] if recorded.verdict != played.verdict else [])


def changed(was: str, now: str) -> str:
    """The lines that differ."""
    lines = difflib.unified_diff(was.splitlines(), now.splitlines(), lineterm="", n=0)
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))[:500]


def burn(until: float) -> None:
    while time.monotonic() < until:
        sum(range(10_000))


@contextmanager
def load() -> Iterator[None]:
    """Keeps every core of the machine busy with something else."""
    context = multiprocessing.get_context("spawn")
    others = [context.Process(target=burn, args=(time.monotonic() + 600,)) for _ in range(multiprocessing.cpu_count())]
    for other in others:
        other.start()
    try:
        yield
    finally:
        for other in others:
            other.terminate()
            other.join()


@contextmanager
def worlds(server: WorldServer, count: int) -> Iterator[list[World]]:
    opened = [server.open("store", "tiny", 1) for _ in range(count)]
    yield opened
    for world in opened:
        world.close()


def proven(executable: str | None, task_ids: Sequence[str], thinks: int) -> None:
    """Record in one browser; play alone, in slots side by side, slowly, beside other load, and in another browser."""
    with WorldServer() as server, worlds(server, SLOTS) as some:
        with BrowserHost(executable=executable) as host:
            found = [record(host, some[0], tasks.task(task_id, 0, data="tiny")) for task_id in task_ids]
            together(host, some[:1], found)
            together(host, some, found[1:] + found[:1])  # each in another slot than before
            together(host, some, found, thinks)
        with BrowserHost(executable=executable) as other, load():
            together(other, some[1:], found)


def test_same_actions_give_the_same_bytes() -> None:
    proven(None, FEW, thinks=4)


@pytest.mark.long
def test_thirty_recordings_give_the_same_bytes_five_times_over() -> None:
    proven(None, MANY, thinks=1)


@pytest.mark.long
@pytest.mark.parametrize("executable", [str(full.path) for full in candidates(headless=False)][:1])
def test_they_do_in_the_full_browser_too(executable: str) -> None:
    proven(executable, MANY, thinks=1)
