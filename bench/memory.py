"""Memory of a further parallel episode in the same browser: proportional set size of everything that belongs to it."""

from __future__ import annotations

import os
from pathlib import Path

from sitegym.envs import actions
from sitegym.sites.world.client import World

from ._shop import Shop, shop, task
from .table import Row

EPISODES = 6


def main() -> list[Row]:
    """All processes beneath this one (browser, driver, world server) and itself, with 1 and with more episodes."""
    if not Path("/proc/self/smaps_rollup").is_file():
        return []  # only Linux says how memory is shared
    with shop() as place:
        first = _play(place, place.world)
        before = _used_mb()
        worlds = [place.server.open(data="base") for _ in range(EPISODES)]
        more = [_play(place, world) for world in worlds]
        each = (_used_mb() - before) / EPISODES
        for episode in (first, *more):
            episode.close()
        return [
            Row(what="first episode, with browser, world server and Python", unit="MB", median=before),
            Row(what="each further episode in the same browser", unit="MB", median=each, runs=EPISODES),
        ]


def _play(place: Shop, world: World):  # type: ignore[no-untyped-def]
    episode = Shop(place.host, place.server, world).episode("axtree", "screenshot")
    episode.reset(task())
    episode.act(actions.navigate("/orders?size=100"))
    return episode


def _used_mb() -> float:
    return sum(_pss_kb(pid) for pid in _below(os.getpid())) / 1024


def _pss_kb(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0  # ended meanwhile, or a zombie
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def _below(pid: int) -> list[int]:
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found = [pid]
    for above in found:
        found += [child for child, parent in parents.items() if parent == above]
    return found
