"""Options that several commands of the command line share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import click

from ..errors import UsageError

Command = TypeVar("Command", bound=Callable[..., Any])
MOST_SEEDS = 1_000_000
"""As many as a run may have episodes: `sweeps.plan.MOST`, which is not imported here, as `--help` is to be instant."""


def data_options(command: Command) -> Command:
    """The options that choose a world's data."""
    command = click.option("--data-seed", type=int, default=1, show_default=True, help="Seed of the data set.")(command)
    return click.option("--data", default="base", show_default=True, help="Data set: tiny or base.")(command)


def database_option(command: Command) -> Command:
    """Where the rows of worlds are kept; the command and the processes that it starts learn it by the environment."""
    return click.option(
        "--database",
        metavar="URL",
        expose_value=False,
        callback=_take_database,
        help="PostgreSQL to keep rows in: postgresql://USER:PASSWORD@HOST/NAME; SQLite without it.",
    )(command)


def _take_database(context: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        from ..sites.world.database_choice import named_database, try_database

        try_database(value)
        context.with_resource(named_database(value))


def many_options(instances: int) -> Callable[[Command], Command]:
    """The options of commands that run many episodes."""

    def add(command: Command) -> Command:
        command = data_options(command)
        options = [
            click.option("--task", "-t", "tasks", multiple=True, metavar="GLOB", help="Task ids; repeat for more."),
            click.option(
                "--instances",
                "-n",
                type=click.IntRange(min=1),
                default=instances,
                show_default=True,
                help="Per template.",
            ),
            workers_option,
            click.option(
                "--out", type=click.Path(path_type=Path), help="Folder to write to; must not exist or be empty."
            ),
            click.option("--headed", is_flag=True, help="Show the browser's windows."),
        ]
        for option in reversed(options):
            command = option(command)
        return command

    return add


def workers_option(command: Command) -> Command:
    """How many processes play."""
    return click.option(
        "--workers",
        "-w",
        type=click.IntRange(min=1),
        default=2,
        show_default=True,
        help="Processes, one browser each.",
    )(command)


def typed(context: click.Context, name: str) -> bool:
    """Whether an option was given, rather than left at its default."""
    return context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT


def refuse_beside(context: click.Context, name: str, allowed: Iterable[str]) -> None:
    """Raise `UsageError` where other options were typed beside one that leaves nothing for them to say."""
    flags = {one.name: max(one.opts, key=len) for one in context.command.params if isinstance(one, click.Option)}
    others = [flag for of, flag in flags.items() if of and of not in (name, *allowed) and typed(context, of)]
    if others:
        raise UsageError(
            f"{flags[name]} goes on with what was planned, so {' and '.join(others)} would say nothing: leave "
            f"{'it' if len(others) == 1 else 'them'} out, or begin a new run"
        )


class Measure(click.FloatRange):
    """A number above 0, of seconds or US dollars: `nan` and `inf` limit nothing, so they are refused."""

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return number


class Numbers(click.ParamType[tuple[int, ...]]):
    """Whole numbers and spans of them: `0-4,7`."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """The numbers, in the order in which they were written."""
        spans: list[range] = []
        for part in str(value).split(","):
            first, dash, last = part.strip().partition("-")
            if not first.isdecimal() or (dash and not last.isdecimal()):
                raise UsageError(f"{value!r} are no seeds; write them as 0-4,7")
            spans.append(range(int(first), int(last or first) + 1))
        count = sum(max(0, one.stop - one.start) for one in spans)
        if not count:
            raise UsageError(f"{value!r} holds no seed; write them as 0-4,7")
        if count > MOST_SEEDS:  # counted before they are made: a slip of the hand would fill the memory
            raise UsageError(f"{value!r} are {count:,} seeds; a run has at most {MOST_SEEDS:,} episodes")
        return tuple(chain.from_iterable(spans))
