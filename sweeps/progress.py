"""The line that a person watches while a sweep runs: done, rate, time left, success so far, cost, faults."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from .runner import Runner


class SweepProgress:
    """A progress bar fed by a runner; on a stream that is no terminal, one plain line every tenth of the way."""

    def __init__(self, console: Console, *, total: int, done: int) -> None:
        self._console = console
        self._total = total
        self._before = done
        self._begun = time.monotonic()
        self._tenth = 0
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("{task.fields[told]}"),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._task = self._bar.add_task("episodes", total=total, completed=done, told="starting")

    def __call__(self, runner: Runner) -> None:
        """Show where the runner is."""
        done = len(runner.results)
        told = self._told(runner, done)
        self._bar.update(self._task, completed=done, told=told)
        if not self._console.is_terminal and done * 10 // max(self._total, 1) > self._tenth:
            self._tenth = done * 10 // self._total
            self._console.print(f"{done}/{self._total} episodes, {told}", highlight=False)

    def _told(self, runner: Runner, done: int) -> str:
        minutes = (time.monotonic() - self._begun) / 60
        rate = (done - self._before) / minutes if minutes else 0.0
        parts = [f"{rate:.0f}/min"] if rate else []
        if rate and done < self._total:
            parts.append(f"about {duration((self._total - done) / rate * 60)} left")
        parts.append(runner.tally.success_so_far(runner.folder.plan.agents))
        parts.append(runner.tally.spent())
        faults = sum(runner.faults.values())
        if faults:
            parts.append(f"{faults} fault{'s' if faults > 1 else ''} ({', '.join(sorted(runner.faults))})")
        return ", ".join(part for part in parts if part)

    def __enter__(self) -> SweepProgress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()


def make_console(*, quiet: bool = False) -> Console:
    """A console on standard output; wide enough for the tables where nobody says how wide it is."""
    console = Console(quiet=quiet)
    return console if console.is_terminal else Console(quiet=quiet, width=max(console.width, 110))


def many(number: int, noun: str) -> str:
    """`1 episode`, `2,000 episodes`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def duration(seconds: float) -> str:
    """`45 s`, `3 min 20 s`."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
