"""Memory of a further parallel episode in the same browser: proportional set size of everything that belongs to it."""

from __future__ import annotations

from pathlib import Path

from sitegym.envs import actions
from sitegym.sites.world.client import World

from ._processes import used_mb
from ._shop import Shop, shop, task
from .table import Row

EPISODES = 6


def main() -> list[Row]:
    """All processes beneath this one (browser, driver, world server) and itself, with 1 and with more episodes."""
    if not Path("/proc/self/smaps_rollup").is_file():
        return []  # only Linux says how memory is shared
    with shop() as place:
        first = _play(place, place.world)
        before = used_mb()
        worlds = [place.server.open(data="base") for _ in range(EPISODES)]
        more = [_play(place, world) for world in worlds]
        each = (used_mb() - before) / EPISODES
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
