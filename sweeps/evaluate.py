"""`evaluate`: plan, run, record and report a sweep; what `sitegym eval` calls."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from ..called import to_type
from ..envs.kinds import check_kinds
from ..errors import EnvironmentFault, UsageError
from ..sites.world.runtime import Runtime, as_runtime
from .beginning import begin_run, continue_run
from .budget import GRADING_S
from .ending import conclude
from .engines import LOCAL, Engine, check_engine, make_engine
from .permits import GRADING, MODEL
from .plan import Plan, check_limit, make_plan
from .precheck import check_models, check_models_left
from .progress import SweepProgress, make_console
from .results import EpisodeResult
from .run_folder import RunFolder
from .runner import EPISODE_TIMEOUT_S, Runner
from .shards import Shard
from .task_set import set_plan
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
        """0 where every planned episode has a verdict, passed or failed; 1 where some have none; 130 after Ctrl-C."""
        if self.interrupted:
            return INTERRUPTED
        graded = sum(result.graded for result in self.results.values())
        return int(graded < len(self.plan.episodes))


def evaluate(
    *,
    agents: str | Sequence[str] = ("oracle", "random", "noop"),
    tasks: str | Sequence[str] = "*",
    instances: int = 1,
    seeds: Sequence[int] | None = None,
    repeats: int = 1,
    shard: str | None = None,
    workers: int = 2,
    at_once: int = 1,
    model_calls: int | None = None,
    gradings: int | None = None,
    engine: str = LOCAL,
    ray_address: str | None = None,
    out: Path | str | None = None,
    name: str | None = None,
    data: str = "base",
    data_seed: int = 1,
    split: str | None = None,
    resume: Path | str | None = None,
    headless: bool = True,
    max_steps: int | None = None,
    max_seconds: float | None = None,
    max_tokens: int | None = None,
    max_cost_usd: float | None = None,
    grading_seconds: float = GRADING_S,
    screenshots: bool = True,
    observations: Sequence[str] = (),
    runtime: str | Runtime | None = None,
    quiet: bool = False,
    seed: int = 0,
    task_set: str | None = None,
    set_key_file: Path | str | None = None,
    episode_timeout_s: float = EPISODE_TIMEOUT_S,
) -> Run:
    """Play every task with `instances` seeds, `repeats` times by every agent, on `workers` processes.

    `tasks` is a glob on template ids, or several; seeds count from `seed`, or are `seeds`; `agents` is a name for
    `agents.load`, or several. `shard` (`3/8`) plays that part of the plan, see `merge`. What happens is kept in the
    folder `out`, else `runs/<name or time>`. `resume` continues the run in that folder instead: its plan counts, the
    other arguments about what to play are not looked at, and episodes that are over stay as they are.
    `task_set` is the name or file of a frozen set, played instead of `tasks` and seeds; one that changed is refused.
    `set_key_file` holds the key of a sealed one, and is kept nowhere.
    Each of the `workers` processes has one browser and plays `at_once` episodes in it; over all of them at most
    `model_calls` agents think and `gradings` episodes are graded at a time. With the `engine` `ray` the workers are
    actors in the cluster at `ray_address`, else in one that is started for the sweep. An episode's budget are
    `max_steps`, `max_seconds`, `max_tokens` and `max_cost_usd`; grading has `grading_seconds` of its own.
    Worlds run where `runtime` says: `process`, `docker`, `remote`, or a `Runtime`.
    Agents are given tree and picture, and the kinds in `observations` beside (see `envs.kinds`).
    Raises `UsageError` before anything runs where an argument is wrong, `NoBrowser` where none starts.
    """
    for about, number in (
        ("workers", workers), ("at_once", at_once), ("model_calls", model_calls), ("gradings", gradings),
    ):  # fmt: skip
        if number is not None and number < 1:
            raise UsageError(f"{about} is {number}; it must be at least 1")
    check_limit("grading_seconds", grading_seconds)
    check_engine(engine, ray_address)
    observations = check_kinds(observations) if observations else ()
    placed = as_runtime(runtime)
    placed.check()
    console = make_console(quiet=quiet)
    found = versions(headless=headless)
    if resume is not None:
        folder = continue_run(Path(resume))
        check_models_left(folder)
    else:
        played: dict[str, Any] = {
            "agents": (agents,) if isinstance(agents, str) else agents,
            "repeats": repeats,
            "max_steps": max_steps,
        }
        played |= {"max_seconds": max_seconds, "max_tokens": max_tokens, "max_cost_usd": max_cost_usd}
        card = None
        if task_set is None:
            if set_key_file is not None:
                raise UsageError("a key is for a sealed task set: name the set, too")
            world: dict[str, Any] = {"data": data, "data_seed": data_seed, "split": split}
            plan = make_plan(tasks=tasks, instances=instances, first_seed=seed, seeds=seeds, **world, **played)
        else:
            asked = {
                "tasks": tasks != "*", "instances": instances != 1, "seeds": seeds is not None or seed != 0,
                "data": (data, data_seed) != ("base", 1), "split": split is not None,
            }  # fmt: skip
            plan, card = set_plan(task_set, asked=asked, key_file=set_key_file, **played)
        check_models(plan.agents)
        folder = begin_run(
            plan,
            versions=found,
            out=out,
            name=name,
            screenshots=screenshots,
            observations=observations,
            shard=None if shard is None else Shard.parse(shard),
            grading_seconds=grading_seconds,
            **({} if card is None else {"set": card}),
        )
    caps = {MODEL: model_calls, GRADING: gradings}
    settings = {
        "observations": [],
        **folder.manifest["settings"],
        "headless": headless,
        "versions": found,
        "at_once": at_once,
        "caps": {what: limit for what, limit in caps.items() if limit is not None},
    }
    logs = folder.path / "logs"
    with folder.locked(), placed.held() as held:
        settings["runtime"] = held.to_json()
        where = make_engine(engine, settings=settings, logs=logs, workers=workers, ray_address=ray_address)
        return _run(folder, console, where, workers=workers, settings=settings, timeout_s=episode_timeout_s)


def _run(
    folder: RunFolder,
    console: Console,
    engine: Engine[Any],
    *,
    workers: int,
    settings: dict[str, Any],
    timeout_s: float,
) -> Run:
    interrupted, begun = False, time.monotonic()
    runner = Runner(folder, workers=workers, settings=settings, timeout_s=timeout_s, engine=engine)
    if len(runner.results) < len(folder.plan.episodes):
        folder.note(state="running", verified=None)
    with SweepProgress(console, total=len(folder.plan.episodes), done=len(runner.results)) as progress:
        runner.watch = progress
        try:
            with terminate_like_interrupt():
                runner.run()
        except KeyboardInterrupt:
            interrupted = True
        except EnvironmentFault as error:
            with suppress(OSError):
                folder.note(state="interrupted")
            again = to_type(f"eval --resume {folder.path}")
            raise EnvironmentFault(
                f"{error}; what is over is kept, continue with: {again}", cause=error.cause, retry=False
            ) from error
    folder.note(state="interrupted" if interrupted else "over")
    seconds = time.monotonic() - begun
    report = conclude(folder, runner.results, console=console, interrupted=interrupted, seconds=seconds)
    return Run(path=folder.path, plan=folder.plan, results=runner.results, report=report, interrupted=interrupted)


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
