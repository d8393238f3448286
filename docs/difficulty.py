"""Measure how long each task is by playing its oracle: `python docs/difficulty.py [PATTERN]`.

What was measured is kept in `data/difficulty.json`.

A step is an action of the agent, the last of which is `finish`. A screen is a page by its path (numbers
and filters left aside), or a dialog of it; going back to one does not count again.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sitegym import tasks
from sitegym.envs.episode import Episode
from sitegym.envs.host import BrowserHost
from sitegym.sites.world import WorldServer

MEASURED = Path(__file__).parent / "data" / "difficulty.json"
INSTANCES = 2
"""Of each template; a pair of twins where there are twins."""


def main(pattern: str = "*") -> None:
    """Measure the templates that match, and keep what was measured of the others."""
    found = json.loads(MEASURED.read_text()) if MEASURED.exists() else {}
    with WorldServer() as server, server.open("store", "base", 1) as world, BrowserHost() as host:
        episode = Episode(host, world)
        for task_id in tasks.match(pattern):
            played = [played_with(episode, tasks.task(task_id, seed)) for seed in range(INSTANCES)]
            found[task_id] = {"oracle": mark(task_id), "played": played}
            kept = {known: found[known] for known in tasks.templates() if known in found}
            MEASURED.write_text(json.dumps(kept, indent=1) + "\n")
            print(task_id, *played, flush=True)
        episode.close()


def mark(task_id: str) -> str:
    """A hash of the oracle's code, which says whether a measurement is of this oracle."""
    return hashlib.sha256(inspect.getsource(type(tasks.template(task_id)).oracle).encode()).hexdigest()[:16]


def played_with(episode: Episode, task: tasks.Task) -> dict[str, Any]:
    """Play the oracle of one instance: `seed`, `steps` and `screens`. Raises where it does not earn 1."""
    page = episode.reset(task)
    seen = set(screens(page))
    playing = task.oracle()(page)
    move = next(playing, None)
    steps = 0
    while move is not None and not episode.done:
        page = episode.act(move)
        steps += 1
        seen.update(screens(page))
        try:
            move = None if episode.done else playing.send(page)
        except StopIteration:
            move = None
    if not episode.done:
        episode.finish()
        steps += 1
    verdict = episode.verdict
    if verdict is None or verdict.reward != 1.0:
        raise SystemExit(f"{task.id} with seed {task.task_seed}: {verdict.reason if verdict else 'no verdict'}")
    return {"seed": task.task_seed, "steps": steps, "screens": len(seen)}


def screens(page: Any) -> Iterator[str]:
    """The page on show, and each dialog on it, by names without numbers."""
    parts = urlsplit(page.url)
    path = re.sub(r"\d+", "#", parts.netloc + parts.path)
    yield path
    if page.dialog is not None:
        yield f"{path} {page.dialog.kind}"
    for dialog in page.elements("dialog"):
        yield f"{path} {re.sub('[0-9]+', '#', dialog.name)}"


if __name__ == "__main__":
    main(*sys.argv[1:2])
