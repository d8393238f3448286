"""What attacks need: lab and shop in worlds of their own, an agent's episode in each, and a listener outside."""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

sys.path.insert(0, str(Path(__file__).parent / "site"))  # the world server takes our way of finding modules

from lab_site import HOME
from sitegym import sites
from sitegym.envs.episode import Episode
from sitegym.envs.host import BrowserHost
from sitegym.envs.observation import Observation
from sitegym.sites.world import World, WorldServer
from sitegym.verifiers import Expectation, Snapshot

sites.register("lab", "lab_site:LAB")

SHOP = "http://admin.shop.localhost"


# ---- the table of attacks


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--attacks FILE` writes what was tried, and whether it was held."""
    parser.addoption("--attacks", default=None, help="write the attacks and what came of them to this file")


def pytest_configure(config: pytest.Config) -> None:
    """Collect what comes of attacks."""
    if config.getoption("--attacks", None):
        config.pluginmanager.register(Collector(Path(config.getoption("--attacks"))), "attacks")


class Collector:
    """Notes each attack's cases, and how many of them were held off."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: dict[str, dict[str, Any]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Know every attack before it is tried."""
        for item in items:
            attack = getattr(getattr(item, "function", None), "attack", None)
            if attack is not None:
                about = self.found.setdefault(_name(item.nodeid), {**attack.to_json(), "cases": 0, "held": 0})
                about["cases"] += 1

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a case that was held."""
        if report.when == "call" and report.passed and (about := self.found.get(_name(report.nodeid))):
            about["held"] += 1

    def pytest_sessionfinish(self) -> None:
        """Write the file."""
        self.path.write_text(json.dumps(self.found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _name(nodeid: str) -> str:
    return nodeid.partition("[")[0].rpartition("/")[2]


# ---- worlds and episodes


@dataclass(frozen=True)
class Look:
    """A task of the smallest kind: do nothing but end (and show a page)."""

    expected: Expectation = field(default_factory=Expectation)
    id: str = "lab/look"
    task_seed: int = 1
    data: str = "tiny"
    data_seed: int = 1
    role: str = "guest"
    start_url: str = HOME
    goal: str = "Look around."
    max_steps: int = 20_000

    def expectation(self, before: Snapshot) -> Expectation:
        """What the task expects."""
        return self.expected


def shop_task(role: str = "manager", **more: Any) -> Look:
    """The same in the shop."""
    return Look(role=role, start_url=f"{SHOP}/", id="store.admin/look", **more)


@pytest.fixture(scope="session")
def host() -> Iterator[BrowserHost]:
    """One browser for all attacks."""
    with BrowserHost() as host:
        yield host


@pytest.fixture(scope="session")
def server() -> Iterator[WorldServer]:
    """One world server for all."""
    with WorldServer() as server:
        yield server


@pytest.fixture(scope="session")
def lab_world(server: WorldServer) -> Iterator[World]:
    """The lab's world."""
    with server.open("lab", "tiny", 1) as world:
        yield world


@pytest.fixture(scope="session")
def shop_world(server: WorldServer) -> Iterator[World]:
    """The shop's world."""
    with server.open("store", "tiny", 1) as world:
        yield world


class Agent:
    """An agent with the whole action space, and nothing else."""

    def __init__(self, episode: Episode, task: Look) -> None:
        self.episode, self.task = episode, task
        self.now: Observation = episode.reset(task)  # type: ignore[arg-type]

    def act(self, *moves: Any) -> Observation:
        """Take steps; the last observation."""
        for move in moves:
            self.now = self.episode.act(move)
        return self.now

    def on(self, name: str, role: str, label: str | None = None, **named: Any) -> Observation:
        """Act on an element by role and name."""
        return self.act({"action": name, "ref": self.now.find(role, label), **named})

    def way(self, how: str, to: str) -> Observation:
        """Go to a page of the lab that leads to an address, and take the way."""
        self.only_tab()
        self.act({"action": "navigate", "url": f"{HOME}way/{how}?to={quote(to, safe='')}"})
        assert self.now.error == "", self.now.error
        if how == "drag":
            return self.on("drag", "link", "Go", to=self.now.find("group", "Drop"))
        if refs := self.now.find_all("link", "Go") or self.now.find_all("button", "Go"):
            return self.act({"action": "click", "ref": refs[0]})
        return self.now  # the page went there by itself

    def only_tab(self) -> None:
        """Close all tabs but the first."""
        while len(self.now.tabs) > 1:
            self.act("close_tab()")

    @property
    def refused(self) -> list[str]:
        """The record of what was refused."""
        return self.episode.refused

    def rests(self) -> None:
        """Nothing of it ended the episode, and nothing was changed by it: it can go on, and is graded."""
        assert (self.episode.done, self.episode.fault) == (False, None)
        verdict = self.episode.finish()
        assert (verdict.reward, verdict.damage) == (1.0, ())


@pytest.fixture
def lab(host: BrowserHost, lab_world: World) -> Iterator[Agent]:
    """An agent in the lab."""
    with Episode(host, lab_world) as episode:
        yield Agent(episode, Look())


@pytest.fixture
def shop(host: BrowserHost, shop_world: World) -> Iterator[Callable[..., Agent]]:
    """Gives an agent in the shop: `shop("clerk")`."""
    with Episode(host, shop_world) as episode:
        yield lambda role="manager", **more: Agent(episode, shop_task(role, **more))


class Outside:
    """Something that listens where no agent may come; `seen` holds who came."""

    def __init__(self, address: str, family: int = socket.AF_INET) -> None:
        self.seen: list[bytes] = []
        self._socket = socket.socket(family)
        self._socket.bind((address, 0))
        self._socket.listen()
        self.port = int(self._socket.getsockname()[1])
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(1)
                try:
                    self.seen.append(connection.recv(1000))
                except OSError:
                    self.seen.append(b"")
                connection.close()

    def close(self) -> None:
        """Stop listening."""
        self._socket.close()


@pytest.fixture
def outside() -> Iterator[Outside]:
    """A host outside of every world: another loopback address stands for it."""
    listener = Outside("127.0.0.2")
    yield listener
    listener.close()
