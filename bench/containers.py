"""Worlds in containers: reset beside recreating the container, start, a step beside one in a process here, memory.

Needs an engine and the images (`sitegym containers build`); without them it says so and measures nothing.
"""

from __future__ import annotations

import re
import sys
import tempfile
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from sitegym.envs import actions
from sitegym.envs.episode import Episode
from sitegym.envs.host import BrowserHost
from sitegym.errors import UsageError
from sitegym.sites.world import World, WorldServer, baseline, engine
from sitegym.sites.world.baseline import Baseline
from sitegym.sites.world.files import sha256
from sitegym.sites.world.stack import ContainerServer

from ._shop import ADMIN, VIEWPORT, task, timed
from .database_reset import LARGE_MB, filled
from .step import GRID, TICKS
from .table import Row, measured

RUNS = 40
STARTS = 5
PAGES = 10
"""What a short episode opens."""
WORLDS = 32


def main(quick: bool = False) -> Sequence[Row]:
    """All of it, in one set of containers."""
    try:
        engine.check_images()
    except UsageError as error:
        print(f"containers: not measured: {error}", file=sys.stderr)
        return []
    runs, starts = (5, 1) if quick else (RUNS, STARTS)
    rows = [measured("containers up, until worlds and grader answer", "s", [_up() for _ in range(starts)])]
    with ContainerServer() as server, tempfile.TemporaryDirectory() as folder:
        rows += _reset(server, Path(folder), runs, starts)
    with ContainerServer() as server, WorldServer() as here:
        rows += [_memory(server), _step(server, here, runs)]
    return rows


def _up() -> float:
    made: list[ContainerServer] = []
    seconds = timed(lambda: made.append(ContainerServer())) / 1000
    made[0].close()
    return seconds


def _reset(server: ContainerServer, folder: Path, runs: int, starts: int) -> list[Row]:
    """One call from here to the container and back; the next copy is made while pages are opened."""
    world = _large(server, filled(baseline("store", "base", 1).path, folder / "large.sqlite", LARGE_MB))
    times: dict[int, list[float]] = {PAGES: [], 1: []}
    for _ in range(runs):
        for pages, resets in times.items():
            for _ in range(pages):
                _open_page(world)
            resets.append(timed(world.reset))
    recreated = [timed(lambda: _recreate(server)) for _ in range(starts)]
    what = f"World.reset() in a container, {LARGE_MB} MB"
    beside = (recreated, "container recreated")
    return [
        measured(f"{what}, after {PAGES} pages, as an episode opens them", "ms", times[PAGES], *beside),
        measured(f"{what}, again after one page, its copy not yet made", "ms", times[1], *beside),
    ]


def _large(server: ContainerServer, path: Path) -> World:
    start = Baseline(path=path, hash=sha256(path), site="store", data="base", seed=1)
    asked = {"site": "store", "data": "base", "seed": 1, "sha256": sha256(path), "hash": start.hash}
    if "missing" in server.ask("open", **asked):
        server.ask("baseline", blob=path.read_bytes())
    opened = server.ask("open", **asked)
    return World(server, opened["world"], opened["port"], start)


def _recreate(server: ContainerServer) -> None:
    server.stack._compose("up", "--detach", "--no-build", "--force-recreate", "--no-deps", "site")
    server.stack.wait(7000)


def _open_page(world: World, path: str = "/login") -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": world.address}))
    opener.open(f"{ADMIN}{path}").read()


def _memory(server: ContainerServer) -> Row:
    """What a further world adds to the container, a page opened in each."""
    worlds = [server.open("store", "base")]
    _open_page(worlds[0])
    before = _used_mb(server)
    for _ in range(WORLDS):
        worlds.append(server.open("store", "base"))
        _open_page(worlds[-1])
    each = (_used_mb(server) - before) / WORLDS
    for world in worlds:
        world.close()
    return Row(what=f"memory of a further world in a container, of {WORLDS}", unit="MB", median=each, runs=WORLDS)


def _used_mb(server: ContainerServer) -> float:
    named = ("--filter", f"label=com.docker.compose.project={server.stack.project}")
    site = engine.docker("ps", "--quiet", *named, "--filter", "label=com.docker.compose.service=site")
    told = engine.docker("stats", "--no-stream", "--format", "{{.MemUsage}}", site).split("/")[0].strip()
    number, unit = re.fullmatch(r"([\d.]+)(\w+)", told).groups()  # type: ignore[union-attr]
    return float(number) * {"KiB": 1 / 1024, "MiB": 1.0, "GiB": 1024.0}[unit] * 1.048576


def _step(server: ContainerServer, here: WorldServer, runs: int) -> Row:
    """The same click on the same page, in turn there and here."""
    times: dict[WorldServer, list[float]] = {server: [], here: []}
    with BrowserHost() as host:
        places = []
        for one in times:
            kinds, world = ("axtree", "screenshot"), one.open("store", "base")
            episode = Episode(host, world, observations=kinds, viewport=VIEWPORT, max_steps=runs + 2)
            episode.reset(task())
            refs = episode.act(actions.navigate(GRID)).find_all("checkbox", re.compile("^Select order"))[:TICKS]
            places.append((one, episode, refs))
        for run in range(runs):
            for one, episode, refs in places:
                ref = refs[run % TICKS]
                times[one].append(timed(lambda e=episode, r=ref: e.act(actions.click(r))))  # type: ignore[misc]
        for _, episode, _ in places:
            episode.close()
    what = "step on a 100-row grid, the world in a container"
    return measured(what, "ms", times[server], times[here], "in a process here")
