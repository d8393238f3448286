"""Attempts at an instance, in a browser as agents make them or straight on the service layer, graded at their end."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..envs.actions import finish
from ..envs.episode import Episode
from ..errors import EnvironmentFault
from ..sites import registry
from ..verifiers import Expectation, Finish, Snapshot, Verdict, grade

if TYPE_CHECKING:
    from ..agents.base import Move
    from ..envs.ahead import Ahead
    from ..envs.observation import Observation
    from ..sites.world.client import World
    from ..tasks import Call, Task

Moves = Callable[["Observation"], Iterator["Move"]]
"""What an oracle is: begun with the first observation, it gives actions; a generator is sent what is seen after it."""


@dataclass
class End:
    """How an attempt ended: a copy of the database, the view that was open, what was said, and the verdict."""

    database: Path
    view: Any
    finish: Finish
    verdict: Verdict


class Bench:
    """Plays attempts at one instance in one world; copies of what they leave go to `folder`."""

    def __init__(self, task: Task, world: World, folder: Path) -> None:
        self.task = task
        self.world = world
        self.site = registry.get(world.baseline.site)
        self.before = Snapshot(world.baseline.path, self.site.metadata)
        self.expectation: Expectation = task.expectation(self.before)
        self._folder = folder
        self._count = 0

    def close(self) -> None:
        """Let go of the baseline."""
        self.before.close()

    def in_browser(self, ahead: Ahead, moves: Moves) -> End:
        """Play through the public actions; moves that end without `finish` have finished with DONE."""
        episode = Episode(ahead.host, self.world, ahead=ahead)
        try:
            _drive(episode, self.task, moves)
            if episode.verdict is None or episode.frozen is None:
                raise EnvironmentFault("the episode ended without a verdict", cause="no_verdict")
            said = Finish(episode.answer, episode.outcome or "DONE")
            return End(self._kept(episode.frozen), episode.view, said, episode.verdict)
        finally:
            episode.close()

    def by_calls(self, calls: Sequence[Call], said: Finish, view: Any = None) -> End:
        """Call use cases one after the other, as the task's person or as another actor, and grade what is left.

        Raises what the services raise.
        """
        self.world.reset()
        for call in calls:
            self.world.call(call.use_case, actor=call.actor, **call.fields)
        database = self.world.freeze(self._path())
        with self.after(database) as after:
            verdict = grade(self.expectation, self.before, after, said, view, self.site.recompute)
        return End(database, view, said, verdict)

    def after(self, database: Path) -> Snapshot:
        """A snapshot of what an attempt left."""
        return Snapshot(database, self.site.metadata)

    def _kept(self, frozen: Path) -> Path:
        return Path(shutil.copyfile(frozen, self._path()))

    def _path(self) -> Path:
        self._count += 1
        return self._folder / f"{self._count}.db"


def one_short(moves: Moves, count: int) -> Moves:
    """The same attempt without the last of its `count` moves: typed but not saved, chosen but not applied."""

    def play(observation: Observation) -> Generator[Move, Observation, None]:
        playing = moves(observation)
        move = next(playing, None)
        for _ in range(count - 1):
            if move is None:
                return
            observation = yield move
            move = _next(playing, observation)

    return play


def counted(moves: Moves, count: list[Move]) -> Moves:
    """The same attempt, noting each of its moves but `finish`."""

    def play(observation: Observation) -> Generator[Move, Observation, None]:
        playing = moves(observation)
        move = next(playing, None)
        while move is not None:
            if not isinstance(move, Mapping) or move.get("action") != "finish":
                count.append(move)
            observation = yield move
            move = _next(playing, observation)

    return play


def _drive(episode: Episode, task: Task, moves: Moves) -> None:
    observation = episode.reset(task)
    playing = moves(observation)
    move: Move | None = next(playing, None)
    while not episode.done:
        observation = episode.act(finish() if move is None else move)
        if not episode.done and move is not None:
            move = _next(playing, observation)


def _next(playing: Iterator[Move], observation: Observation) -> Move | None:
    """The next move, None at the end; what is no generator plays its moves without looking."""
    if not isinstance(playing, Generator):
        return next(playing, None)
    try:
        move: Move = playing.send(observation)
    except StopIteration:
        return None
    return move
