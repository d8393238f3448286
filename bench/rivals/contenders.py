"""The contenders: sitegym in this process, raw Playwright and BrowserGym each in a process of its own."""

from __future__ import annotations

import json
import re
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self

from sitegym.envs import actions, fonts
from sitegym.envs.discovery import find_browser
from sitegym.envs.episode import Episode
from sitegym.envs.host import BrowserHost
from sitegym.sites.world.client import World
from sitegym.verifiers import Expectation, Snapshot

from .._shop import VIEWPORT, timed
from .environments import browsers_for, python_of


@dataclass(frozen=True)
class Place:
    """A page to play on: the world that serves it, where it is, and what is clicked there."""

    name: str
    world: World
    url: str
    role: str
    pattern: str
    """Of the accessible names of what is clicked, one after the other."""

    def plain(self) -> dict[str, Any]:
        """As a rival needs it: signed in, through the world's proxy."""
        cookie = self.world.sign_in("manager").for_browser()
        return {"url": self.url, "proxy": self.world.address, "cookies": [cookie]}


class Contender(Protocol):
    """What can be measured; times are milliseconds."""

    def reset(self, place: Place, *, picture: bool) -> float:
        """A fresh context on the page, with the first observation."""

    def targets(self, place: Place) -> int:
        """How many elements there are to click."""

    def click(self, number: int, *, picture: bool) -> float:
        """Click one of them, and observe."""


@dataclass(frozen=True)
class Visit:
    """A task that asks for nothing but to be on a page."""

    start_url: str
    site: str
    id: str = "bench/visit"
    task_seed: int = 0
    data: str = "tiny"
    data_seed: int = 1
    role: str = "manager"
    goal: str = "look"
    max_steps: int = 1_000_000

    def expectation(self, before: Snapshot) -> Expectation:
        """Nothing changes."""
        return Expectation()


@dataclass
class Ours:
    """An episode, with everything that belongs to one: world, clock, settling, grading at the end."""

    host: BrowserHost
    tree: str = "axtree_full"
    """`axtree_full` shows what Playwright's snapshot shows; `axtree` is what agents get by default."""
    _episode: Episode | None = None
    _kinds: tuple[str, ...] = ()
    _world: World | None = None
    _refs: list[str] = field(default_factory=list)

    def reset(self, place: Place, *, picture: bool) -> float:
        """`Episode.reset`, with a context that was opened during the episode before, as in any loop of episodes."""
        kinds = (self.tree, "screenshot") if picture else (self.tree,)
        if self._episode is None or kinds != self._kinds or self._world is not place.world:
            self.close()
            self._kinds, self._world = kinds, place.world
            self._episode = Episode(self.host, place.world, observations=kinds, viewport=VIEWPORT)
        episode, task = self._episode, Visit(place.url, place.world.baseline.site)
        return timed(lambda: episode.reset(task))  # type: ignore[arg-type]

    def ready(self) -> None:
        """Wait until the next context is open, as it is when an episode has more than a few steps."""
        if self._episode is not None:
            self._episode.wait_ready()

    def targets(self, place: Place) -> int:
        """How many elements there are to click, in the tree as it is shown."""
        assert self._episode is not None
        self._refs = self._episode.observe(self._kinds).find_all(place.role, re.compile(rf"^{place.pattern}$"))
        return len(self._refs)

    def click(self, number: int, *, picture: bool) -> float:
        """`Episode.act`."""
        assert self._episode is not None
        action = actions.click(self._refs[number])
        begun = time.perf_counter()
        seen = self._episode.act(action)
        took = (time.perf_counter() - begun) * 1000
        if seen.error:
            raise RuntimeError(f"sitegym: {seen.error}")
        return took

    def close(self) -> None:
        """Free the context."""
        if self._episode is not None:
            self._episode.close()
            self._episode = None


class Failed(Exception):
    """A rival's action failed by its own limits; the run does not count."""


class Rival:
    """A rival in its own environment and process, spoken to line by line; it tells how long it took itself."""

    def __init__(self, kind: str, share: float = 1.0, **options: object) -> None:
        python, executable = python_of(kind), find_browser().path
        environment = {**fonts.environment(), "PLAYWRIGHT_BROWSERS_PATH": str(browsers_for(python, executable))}
        for name in ("PYTHONPATH", "PYTHONHOME"):
            environment.pop(name, None)
        self.kind = kind
        self.share = share
        """Of the runs that the others have; slow ones have fewer."""
        self._process = subprocess.Popen(
            [str(python), "-I", str(Path(__file__).with_name("worker.py")), kind],
            env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._say({"do": "start", "options": {"executable": str(executable), "viewport": VIEWPORT, **options}})

    def reset(self, place: Place, *, picture: bool) -> float:
        """A fresh context on the page, with the first observation."""
        return float(self._ask("reset", place.plain(), picture))

    def targets(self, place: Place) -> int:
        """How many elements there are to click."""
        return int(self._ask("targets", place.role, place.pattern))

    def click(self, number: int, *, picture: bool) -> float:
        """Click one of them, and observe. Raises `Failed` where the rival gave up."""
        took = self._ask("click", number, picture)
        if took is None:
            raise Failed
        return float(took)

    def _ask(self, what: str, *arguments: object) -> Any:
        return self._say({"do": what, "with": arguments})

    def _say(self, command: dict[str, object]) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        answer = json.loads(line) if line else {"error": "it ended"}
        if "error" in answer:
            raise RuntimeError(f"{self.kind}: {answer['error']}")
        return answer["answer"]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._process.poll() is None:
                self._ask("stop")
        finally:
            assert self._process.stdin is not None
            self._process.stdin.close()
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self._process.kill()
