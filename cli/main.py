"""The command line `sitegym`: each command imports what it needs when it runs, so that `--help` is instant.

Exit codes: 0 done; 1 the machinery failed or a proof does not hold; 2 the call was wrong; 130 interrupted.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# click rather than argparse: Flask brings it anyway, and it suggests near names and tests terminals by itself
import click

from .. import __version__
from ..called import to_type
from ..errors import EnvironmentFault, UsageError, VerifierError
from .audit import audit, pack
from .export import export
from .options import data_options, database_option, many_options, refuse_beside, typed
from .runtime import containers, control_options, runtime_options, take_control, take_runtime
from .sets import check, freeze, seal
from .sweeps import draft, evaluate_command, merge, report, rescore, verify
from .view import view

_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


@click.group(context_settings=_SETTINGS)
@click.version_option(__version__, message="sitegym %(version)s")
def cli() -> None:
    """Real web applications as environments for browser agents, graded by their databases.

    \b
    Start here:
      sitegym doctor                      is everything here that is needed?
      sitegym tasks list                  what there is to do
      sitegym demo store.admin/cancel-order   watch it being done
      sitegym eval --agent oracle         all of it, with a report to look at
    """


OF_A_PASS = ("workers", "headed", "save", "update", "runtime", "control", "token_file", "authority", "database")
"""Options of `prove` that a proof that is resumed may take: they don't say what is to be proven."""
_FLAGS = {"everything": "--all", "mutations": "--mutations", "constants": "--constants", "sample": "--sample"}
_APART = (
    ("mutations", "constants"), ("mutations", "everything"), ("everything", "sample"), ("constants", "sample"),
)  # fmt: skip


class _Span(click.ParamType[float]):
    """A span of time, such as 90, 90s, 10m or 2h; in seconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Seconds that the text means."""
        found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", str(value))
        if found is None or not float(found[1]):
            self.fail(f"{value!r} is no span of time; write 90s, 10m or 2h", param, ctx)
        return float(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[found[2]]


@cli.command(epilog="\b\nExample:\n  sitegym prove --task store.admin/cancel-order --instances 3")
@many_options(instances=3)
@database_option
@click.option("--all", "everything", is_flag=True, help="20 outcomes of every template, and constant policies.")
@click.option("--mutations", is_flag=True, help="Only mutate what the service oracle leaves; needs no browser.")
@click.option("--constants", is_flag=True, help="Only try constant policies, on all seeds, or -n of each split.")
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="N instances chosen by the commit's hash.")
@click.option("--budget", "budget_s", type=_Span(), help="Stop after so long, as 10m; chosen by the commit's hash.")
@click.option("--resume", type=click.Path(path_type=Path), metavar="FOLDER", help="Continue the proof in this folder.")
@click.option("--save", type=click.Path(path_type=Path), metavar="FILE", help="Write the summary as JSON.")
@click.option("--update", type=click.Path(path_type=Path), metavar="FILE", help="Replace these templates in a summary.")
@runtime_options
@click.pass_context
def prove(
    context: click.Context, /, tasks: Sequence[str], headed: bool, everything: bool, constants: bool, **options: Any
) -> int:
    """Prove tasks right: the oracle earns 1, near misses and mutations earn 0.

    Each instance is kept as soon as it is over; what was proven of the same code and data is not proven again with
    `--resume`.
    """
    from ..sweeps import prove as prove_tasks

    if options["resume"] is not None:
        refuse_beside(context, "resume", OF_A_PASS)
    for one, other in _APART:
        if typed(context, one) and typed(context, other):
            raise UsageError(f"{_FLAGS[one]} and {_FLAGS[other]} ask for two different proofs: leave one of them out")
    options["runtime"] = take_runtime(options)
    if tasks:
        options["tasks"] = tuple(tasks)
    chosen = typed(context, "instances")
    if everything and not chosen:
        options["instances"] = 20
    if constants and not everything:
        options.update(instances=0, constant_seeds=options["instances"] if chosen else None)
    return prove_tasks(headless=not headed, constants=constants or everything, **options).exit_code


@cli.command(
    name="demo",
    epilog="\b\nExample:\n  sitegym demo store.admin/cancel-order\n  sitegym demo '*/cancel-*' --agent human\n"
    "  sitegym demo store.admin/cancel-order:3 --pace slow --record cancel.webm",
)
@click.argument("task")
@click.option("--agent", "-a", default="oracle", show_default=True, help="oracle, human, random, noop or module:name.")
@click.option("--seed", "-s", type=click.IntRange(min=0), help="Seed of the instance, as in TASK:SEED; 0 without it.")
@click.option("--pace", "-p", default="normal", show_default=True, help="slow, normal, fast, or seconds a step.")
@click.option("--record", type=click.Path(path_type=Path), metavar="FILM", help="Film it: a .webm or .gif to write.")
@click.option("--headless", is_flag=True, help="Open no window, as for a film on a machine without a display.")
@click.option("--close", is_flag=True, help="Close the window by itself after the verdict.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run; must not exist or be empty.")
@data_options
@database_option
@runtime_options
def demo_command(task: str, **options: Any) -> int:
    """Watch an agent do TASK in a window, or do it yourself with `--agent human`.

    TASK is a task's id, ID:SEED for one instance, or a pattern: then each task that matches is played, one after the
    other. The window shows the goal, each action and the pointer over the page, and at the end the verdict with what
    changed in the database. What it draws is in no page and in no picture that an agent gets.

    A person works through the same actions as any agent, so their run is recorded and graded like any other. Needs a
    display (a desktop, or xvfb-run), unless it is only recorded.
    """
    from ..demo import demo

    options["runtime"] = take_runtime(options)
    if options["headless"] and options["agent"] == "human":
        raise UsageError("a person needs a window: leave --headless out")
    return demo(task, **options)


@cli.command(name="serve", epilog="\b\nExample:\n  sitegym serve --data tiny --watch")
@click.option("--site", default="store", show_default=True, help="The site to open.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 for any that is free.")
@database_option
@click.option("--watch", is_flag=True, help="Tell each change of the database as it is made.")
@click.option("--still", is_flag=True, help="Let the world's time stand still, as it does while an agent thinks.")
@control_options
@data_options
def serve_command(site: str, **options: Any) -> int:
    """Open a site for your own browser; print its address and who can sign in.

    With --control it serves worlds to other machines instead, as many as they ask for, by TLS and a token.

    Keys: r resets everything, d tells what changed since the reset, w turns watching on and off, q quits. Only this
    terminal can do that; nothing on the port can.
    """
    if (control := take_control(options)) is not None:
        from ..sites.world.serving import serve_control

        return serve_control(**control)
    from ..demo import serve

    return serve(site, **options)


@cli.group()
def tasks() -> None:
    """List tasks, and look into them.

    \b
    Example:
      sitegym tasks instance store.admin/cancel-order --seed 3
    """


@tasks.command(name="list", epilog="\b\nExample:\n  sitegym tasks list '*/cancel-*'")
@click.argument("pattern", default="*")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_tasks(pattern: str, as_json: bool) -> None:
    """List the task templates whose id matches PATTERN."""
    from ..tasks.listing import list_templates

    list_templates(pattern, as_json=as_json)


@tasks.command(epilog="\b\nExample:\n  sitegym tasks show store.admin/cancel-order")
@click.argument("task_id")
@data_options
def show(task_id: str, data: str, data_seed: int) -> None:
    """Show one template: what it asks, for whom, and some of its instances."""
    from ..tasks.listing import show_template

    show_template(task_id, data=data, data_seed=data_seed)


@tasks.command(epilog="\b\nExample:\n  sitegym tasks instance store.admin/cancel-order --seed 3")
@click.argument("task_id")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the instance.")
@click.option("--split", help="train, validation or test.")
@data_options
def instance(task_id: str, seed: int, split: str | None, data: str, data_seed: int) -> None:
    """Show one instance: its goal, and what the database must hold afterwards."""
    from ..tasks.listing import show_instance

    show_instance(task_id, seed, split=split, data=data, data_seed=data_seed)


for _command in (freeze, seal, check):
    tasks.add_command(_command)


@cli.group()
def data() -> None:
    """Look into the generated data.

    \b
    Example:
      sitegym data traps --data tiny
    """


@data.command(epilog="\b\nExample:\n  sitegym data traps --data tiny")
@data_options
def traps(data: str, data_seed: int) -> None:
    """List the traps planted in a data set: look-alikes, ties, awkward values."""
    import sqlite3

    from sqlalchemy import create_engine

    from ..sites.store.generate.traps import traps as planted
    from ..sites.world.baseline import baseline

    path = baseline("store", data, data_seed).path
    engine = create_engine("sqlite://", creator=lambda: sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True))
    with engine.connect() as rows:
        for name, instances in planted(rows).items():
            click.echo(f"{name:<4} {len(instances):>4}  {', '.join(map(_flat, instances[:4]))}")


@cli.command(epilog="\b\nExample:\n  sitegym doctor --fix")
@click.option("--fix", is_flag=True, help="Install a browser if none is found.")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing where nothing is wrong.")
def doctor(fix: bool, quiet: bool) -> int:
    """Say what was found on this machine, and the command that mends what is missing."""
    from ..envs import diagnosis

    return diagnosis.report(fix=fix, quiet=quiet)


for _command in (evaluate_command, view, merge, verify, rescore, report, draft, export):
    cli.add_command(_command)
cli.add_command(audit)
cli.add_command(containers)
cli.add_command(pack, "audit-pack")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; every error becomes one sentence on standard error."""
    try:
        return int(cli.main(argv, prog_name=to_type(), standalone_mode=False) or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.ClickException as error:
        return _say(error.format_message() + _where_help_is(error), 2)
    except UsageError as error:
        return _say(str(error), 2)
    except (EnvironmentFault, VerifierError) as error:
        return _say(str(error), 1)
    except (KeyboardInterrupt, click.Abort):
        return _say(_interrupted(sys.argv[1:] if argv is None else argv), 130)
    except BrokenPipeError:
        # the reader went away (`| head`): not worth a word, and Python must not flush into the closed pipe on exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _interrupted(argv: Sequence[str]) -> str:
    command = argv[0] if argv else ""
    if command not in ("eval", "prove"):
        return "interrupted"
    what = "a run" if command == "eval" else "a proof"
    return f"interrupted; {what} that was begun is kept: continue it with `{to_type(f'{command} --resume FOLDER')}`"


def _flat(instance: object) -> str:
    return " / ".join(map(str, instance)) if isinstance(instance, tuple) else str(instance)


def _where_help_is(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f" (see `{context.command_path} --help`)" if context else ""


def _say(sentence: str, code: int) -> int:
    click.echo(f"sitegym: {sentence}", err=True)
    return code
