"""`evaluate`: plan, run, record and report a sweep; what `sitegym eval` calls."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console

from ..called import to_type
from ..envs.kinds import check_kinds
from ..errors import UsageError
from ..sites.world.baseline import baseline
from .plan import Plan, about_templates, make_plan, site_of
from .progress import SweepProgress, duration, make_console, many
from .report import BrokenEvidence, write_report
from .results import EpisodeResult
from .run_folder import RunFolder
from .runner import EPISODE_TIMEOUT_S, Runner
from .table import footnotes, results_table
from .versions import versions

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """A sweep that is over, or was interrupted."""

    path: Path
    plan: Plan
    results: dict[str, EpisodeResult] = field(repr=False)
    """By episode id."""
    report: Path
    """The HTML page to open."""
    interrupted: bool

    @property
    def exit_code(self) -> int:
        """0 when all is over (failures and faults included), 1 where nothing could be graded, 130 after Ctrl-C."""
        if self.interrupted:
            return INTERRUPTED
        return int(bool(self.results) and all(result.reward is None for result in self.results.values()))


def evaluate(
    *,
    agents: Sequence[str] = ("oracle", "random", "noop"),
    tasks: str | Sequence[str] = "*",
    instances: int = 1,
    workers: int = 2,
    out: Path | str | None = None,
    name: str | None = None,
    data: str = "base",
    data_seed: int = 1,
    split: str | None = None,
    resume: Path | str | None = None,
    headless: bool = True,
    max_steps: int | None = None,
    screenshots: bool = True,
    observations: Sequence[str] = (),
    quiet: bool = False,
    seed: int = 0,
    episode_timeout_s: float = EPISODE_TIMEOUT_S,
) -> Run:
    """Play every task with `instances` seeds by every agent on `workers` processes, and write a run folder.

    `tasks` is a glob on template ids, or several; seeds count from `seed`; `agents` are names for `agents.load`. The
    folder is `out`, else `runs/<name or time>`. `resume` continues the run in that folder instead: its plan counts,
    the other arguments about what to play are not looked at, and episodes that are over stay as they are.
    Agents are given tree and picture, and the kinds in `observations` beside (see `envs.kinds`).
    Raises `UsageError` before anything runs where an argument is wrong, `NoBrowser` where none starts.
    """
    if workers < 1:
        raise UsageError(f"workers is {workers}; it must be at least 1")
    observations = check_kinds(observations) if observations else ()
    console = make_console(quiet=quiet)
    found = versions(headless=headless)
    if resume is not None:
        folder = RunFolder.open(Path(resume))
        _playable(folder)
        screenshots = bool(folder.manifest["settings"]["screenshots"])
        observations = tuple(folder.manifest["settings"].get("observations", ()))
        _same_world(folder)
    else:
        plan = make_plan(
            tasks=tasks,
            agents=agents,
            instances=instances,
            first_seed=seed,
            data=data,
            data_seed=data_seed,
            split=split,
            max_steps=max_steps,
        )
        about = {"created": datetime.now().astimezone().isoformat(timespec="seconds"), "versions": found}
        folder = RunFolder.create(
            _folder(out, name),
            plan,
            **about,
            settings={"screenshots": screenshots, "observations": list(observations)},
            hashes=_baselines(plan),
            templates=about_templates(plan.tasks),
            state="running",
        )
    settings = {
        "headless": headless, "screenshots": screenshots, "observations": list(observations), "versions": found,
    }  # fmt: skip
    with folder.locked():
        return _run(folder, console, workers=workers, settings=settings, timeout_s=episode_timeout_s)


def begin_run(
    plan: Plan,
    *,
    versions: Mapping[str, str],
    out: Path | str | None = None,
    name: str | None = None,
    screenshots: bool,
) -> RunFolder:
    """Make the folder of a run: `out`, else `runs/<name or time>`. Raises `UsageError` where it can't be made."""
    about = {"created": datetime.now().astimezone().isoformat(timespec="seconds"), "versions": dict(versions)}
    settings = {"screenshots": screenshots}
    where = _folder(out, name)
    return RunFolder.create(where, plan, **about, settings=settings, hashes=_baselines(plan), state="running")


def _run(folder: RunFolder, console: Console, *, workers: int, settings: dict[str, Any], timeout_s: float) -> Run:
    interrupted, begun = False, time.monotonic()
    runner = Runner(folder, workers=workers, settings=settings, timeout_s=timeout_s)
    folder.note(state="running")
    with SweepProgress(console, total=len(folder.plan.episodes), done=len(runner.results)) as progress:
        runner.watch = progress
        try:
            with terminate_like_interrupt():
                runner.run()
        except KeyboardInterrupt:
            interrupted = True
    folder.note(state="interrupted" if interrupted else "over")
    broken: BrokenEvidence | None = None
    try:
        report = write_report(folder.path)
    except BrokenEvidence as error:
        broken, report = error, error.report
    _say_how_it_ended(console, runner, report, interrupted=interrupted, seconds=time.monotonic() - begun)
    if broken:
        raise broken
    return Run(path=folder.path, plan=folder.plan, results=runner.results, report=report, interrupted=interrupted)


def _say_how_it_ended(console: Console, runner: Runner, report: Path, *, interrupted: bool, seconds: float) -> None:
    folder = runner.folder
    console.print(results_table(folder.plan, runner.results))
    for note in footnotes(folder.plan, runner.results):
        console.print(note, highlight=False, markup=False, soft_wrap=True)
    console.print()
    if interrupted:
        console.print(
            f"Stopped after {len(runner.results)} of {many(len(folder.plan.episodes), 'episode')}; "
            f"what is over is kept. Continue with: [bold]{to_type(f'eval --resume {folder.path}')}[/bold]",
            highlight=False,
            soft_wrap=True,
        )
    else:
        console.print(f"{many(len(runner.results), 'episode')} in {duration(seconds)}.", highlight=False)
    console.print(f"Report: {report}", highlight=False, soft_wrap=True)


def _folder(out: Path | str | None, name: str | None) -> Path:
    if out is not None:
        return Path(out)
    if name is not None and (not name or Path(name).name != name or name in {".", ".."}):
        raise UsageError(f"{name!r} is no name for a run; use one word without slashes, or give the folder with --out")
    return Path("runs") / (name or datetime.now().strftime("%Y-%m-%d-%H%M%S"))


def _baselines(plan: Plan) -> dict[str, str]:
    """Logical hash of the baseline of every site in the plan (built here if it is not there yet)."""
    first = {site_of(spec.task): spec for spec in plan.episodes}
    return {site: baseline(site=site, data=spec.data, seed=spec.data_seed).hash for site, spec in first.items()}


def _playable(folder: RunFolder) -> None:
    """Refuse at once what no worker could play; `run.json` may have been edited."""
    try:
        folder.plan.check()
    except UsageError as error:
        raise UsageError(f"{folder.path / 'run.json'} can't be played: {error}") from error


def _same_world(folder: RunFolder) -> None:
    """Refuse to mix episodes of two worlds in one run."""
    recorded, today = folder.manifest.get("hashes", {}), _baselines(folder.plan)
    for site, expected in recorded.items():
        if today.get(site) != expected:
            raise UsageError(
                f"{folder.path} began on another {site} (baseline {expected[:12]}, now {str(today.get(site))[:12]}); "
                "its episodes would not compare with new ones; begin a new run"
            )


@contextmanager
def terminate_like_interrupt() -> Iterator[None]:
    """Treat SIGTERM like Ctrl-C inside (main thread only, where signals can be handled)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before: Callable[[int, Any], Any] | int | None = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
