"""The line that a person watches while a sweep runs: done, rate, time left, success so far, cost, faults."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from .runner import Runner

EVERY_S = 5.0
"""How often at most a line says what is waited for, on a stream that is no terminal."""


class SweepProgress:
    """A progress bar fed by a runner; on a stream that is no terminal, one plain line every tenth of the way."""

    def __init__(self, console: Console, *, total: int, done: int) -> None:
        self._console = console
        self._total = total
        self._before = done
        self._begun = time.monotonic()
        self._tenth = 0
        self._waited: tuple[float, str] = (0.0, "")
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
        waits = self._waits(runner)
        now = ", ".join(part for part in (told, waits) if part)
        self._bar.update(self._task, completed=done, told=now or "the first episodes are under way")
        if not self._console.is_terminal and done * 10 // max(self._total, 1) > self._tenth:
            self._tenth = done * 10 // self._total
            self._console.print(f"{done}/{self._total} episodes, {told}", highlight=False)
        if not self._console.is_terminal:
            self._tell_waits(f"{done}/{self._total} episodes, {waits}" if waits else "")

    def _waits(self, runner: Runner) -> str:
        """What the sweep waits for: a model that does not answer."""
        told = sorted({text for some in runner.waits.values() for text in some})
        return told[-1] + (f" (and {len(told) - 1} more)" if told[1:] else "") if told else ""

    def _tell_waits(self, line: str) -> None:
        """A line for each try, but not too many of them."""
        told, before = self._waited
        if line and line != before and time.monotonic() - told >= EVERY_S:
            self._waited = time.monotonic(), line
            self._console.print(line, highlight=False, markup=False, soft_wrap=True)

    def _told(self, runner: Runner, done: int) -> str:
        minutes = (time.monotonic() - self._begun) / 60
        rate = (done - self._before) / minutes if minutes else 0.0
        parts = [f"{rate:.0f}/min"] if rate else []
        if rate and done < self._total:
            parts.append(f"about {duration((self._total - done) / rate * 60)} left")
        parts.append(runner.tally.success_so_far(runner.folder.plan.agents))
        parts.append(runner.tally.spent())
        parts.append(faulted(runner))
        return ", ".join(part for part in parts if part)

    def __enter__(self) -> SweepProgress:
        self._bar.start()
        if not self._console.is_terminal and self._before < self._total:
            self._console.print(f"{self._before}/{self._total} episodes, browsers are starting", highlight=False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()


def faulted(runner: Runner) -> str:
    """`3 attempts with a fault (browser_died 2, timed_out 1), 1 episode without a verdict`; empty without any.

    An attempt that is played again may go well, so that the table, which counts episodes, may have fewer.
    """
    attempts = sum(runner.faults.values())
    if not attempts:
        return ""
    causes = ", ".join(f"{cause} {count}" for cause, count in runner.faults.most_common())
    lost = runner.tally.lost
    ended = f"{many(lost, 'episode')} without a verdict" if lost else "none of them the last"
    return f"{many(attempts, 'attempt')} with a fault ({causes}), {ended}"


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
