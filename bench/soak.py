"""Two thousand episodes in one process: does memory grow, and is anything left behind?

An episode is a reset, two steps and a finish. Memory is what this process and all beneath it hold besides files, as a
median over the last episodes of the first hundred, and of the last hundred.
"""

from __future__ import annotations

import os
import statistics
import sys

from sitegym.envs import actions

from ._processes import below, open_files, own_mb, ports
from ._shop import Shop, shop, task
from .table import Row

EPISODES = 2000
LOOKS = 10
"""Memory is read after each of so many episodes at the end of a hundred."""

LEFT = ("processes", "open files", "open ports", "contexts of the browser", "files of the world server")


def main(quick: bool = False) -> list[Row]:
    """Memory and all that an episode might leave behind, after the first hundred episodes and after the last."""
    episodes = 200 if quick else EPISODES
    with shop() as place:
        episode = place.episode("axtree", max_steps=10)
        first: list[float] = []
        last: list[float] = []
        counts: list[tuple[int, ...]] = []
        for number in range(1, episodes + 1):
            episode.reset(task(number))
            episode.act(actions.navigate("/orders"))
            episode.act(actions.scroll("down"))
            episode.finish()
            if number in range(100 - LOOKS, 101):
                first.append(own_mb())
            if number in (100, episodes):
                episode.wait_ready()
                counts.append(_left(place))
            if number > episodes - LOOKS:
                last.append(own_mb())
            if number % 100 == 0:
                print(f"  {number:,} of {episodes:,} episodes, {own_mb():.0f} MB", file=sys.stderr, flush=True)
        episode.close()
    before, after = statistics.median(first), statistics.median(last)
    memory = Row(
        what=f"memory after {episodes:,} episodes", unit="MB", median=after, runs=LOOKS,
        beside=before, beside_what="after the first 100",
    )  # fmt: skip
    return [
        memory,
        *(
            Row(what=name, unit="", median=now, beside=was or None, beside_what="after the first 100")
            for name, was, now in zip(LEFT, *counts, strict=True)
        ),
    ]


def _left(place: Shop) -> tuple[int, ...]:
    """How many there are of what `LEFT` names."""
    files = sum(1 for _ in place.server.folder.rglob("*"))
    contexts = len(place.host.browser.contexts)
    return len(below(os.getpid())), open_files(), ports(), contexts, files
