"""The report of 5,000 episodes: how large its overview is, and the whole of it as one file, and how long each opens.

The run is made up by the classes of a sweep; its episodes have the evidence of a few that were really played, without
pictures, each many times.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright
from sitegym.envs.discovery import launch_options
from sitegym.sweeps import evaluate
from sitegym.sweeps.beginning import begin_run
from sitegym.sweeps.plan import make_plan
from sitegym.sweeps.report import write_overview, write_report, write_single_report
from sitegym.sweeps.results import EpisodeResult
from sitegym.sweeps.run_folder import RunFolder
from sitegym.tasks import registry

from .table import Row, measured

EPISODES = 5_000
AGENTS = ("oracle", "random", "noop")
PLAYED = 5
"""Templates that are played; each of them by every agent."""
FILES = ("trajectory.json", "verdict.json", "changes.json")
EPISODE = "#episodes tbody tr"


def main(*, quick: bool = False) -> list[Row]:
    """Megabytes, and seconds from the address to the list of episodes on the screen."""
    count, opened, played = (150, 2, 1) if quick else (EPISODES, 7, PLAYED)
    with TemporaryDirectory(prefix="sitegym-bench-") as place, sync_playwright() as playwright:
        folder = made_up(Path(place), count, played)
        begun = time.perf_counter()
        report = write_report(folder.path)
        pages = time.perf_counter() - begun
        begun = time.perf_counter()
        write_overview(folder)
        overview = time.perf_counter() - begun
        single = write_single_report(folder.path, pictures=False)
        browser = playwright.chromium.launch(**launch_options(headless=True))
        empty = Path(place) / "empty.html"
        empty.write_text('<!doctype html><table id="episodes"><tbody><tr><td>1</td></tr></tbody></table>')
        pages_in_turn = (report, single, empty)
        turns = [[_seconds(browser, page) for page in pages_in_turn] for _ in range(opened)]
        opens, opens_single, nothing = zip(*turns, strict=True)
        browser.close()
        own = [file for file in report.parent.iterdir() if file.is_file()]
        sizes = [sum(file.stat().st_size for file in some) / 1e6 for some in (own, [single])]
    return [
        measured(f"report of {count:,} episodes: its overview, with script and style", "MB", sizes[:1]),
        measured("the same opened, to the list on the screen", "s", opens, nothing, "an empty page"),
        measured(f"report of {count:,} episodes as one file, without pictures", "MB", sizes[1:]),
        measured("the same opened, to the list on the screen", "s", opens_single, nothing, "an empty page"),
        measured("its overview written from the index", "s", [overview]),
        measured("it and the pages of all episodes written", "s", [pages]),
    ]


def made_up(place: Path, count: int, played: int) -> RunFolder:
    """A run of so many episodes, each with the result and the evidence of one that was played."""
    tasks = sorted(registry.templates())
    real = evaluate(
        agents=AGENTS, tasks=tasks[:: len(tasks) // played][:played], workers=1, data="tiny", max_steps=15,
        screenshots=False, out=place / "real", quiet=True,
    )  # fmt: skip
    instances = -(-count // (len(tasks) * len(AGENTS)))
    folder = begin_run(
        make_plan(tasks=tasks, agents=AGENTS, instances=instances, data="tiny"), versions={}, out=place / "run",
        screenshots=False,
    )  # fmt: skip
    folder.write(*_results(folder, real.path, list(real.results.values())))
    folder.note(state="over")
    return folder


def _results(folder: RunFolder, real: Path, results: list[EpisodeResult]) -> Iterator[EpisodeResult]:
    for at, spec in enumerate(folder.plan.episodes):
        like = results[at % len(results)]
        yield replace(like, id=spec.id, task=spec.task, task_seed=spec.task_seed, agent=spec.agent)
        own = folder.episode(spec.id)
        own.mkdir(parents=True)
        for name in FILES:
            if (source := real / "episodes" / like.id / name).is_file():
                os.link(source, own / name)


def _seconds(browser: Browser, page: Path) -> float:
    tab = browser.new_page(viewport={"width": 1280, "height": 800})
    begun = time.perf_counter()
    tab.goto(page.resolve().as_uri(), wait_until="commit")
    tab.locator(EPISODE).first.wait_for()
    found = time.perf_counter() - begun
    tab.close()
    return found
