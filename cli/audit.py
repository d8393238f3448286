"""The command line of audits. Commands of a solver show what is asked for and the page, never a verdict."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ..called import to_type
from ..envs.kinds import KINDS
from ..errors import UsageError
from .options import Measure

_FOLDER = click.Path(path_type=Path, file_okay=False)
_pack = click.argument("pack", type=_FOLDER)
_name = click.argument("name")
_results = click.option("--results", type=_FOLDER, help="Folder of the results, where the pack was made elsewhere.")
_solver = click.option("--solver", default="", help="Who solves it, as the table is to call them.")


@click.group()
def audit() -> None:
    """Have people and language models attempt tasks by their intent alone, and judge each refusal.

    \b
    Whoever asks:    sitegym audit pack --out PACK      one sheet an attempt, nothing that gives it away
                     sitegym audit collect PACK         the table, and each attempt that earned 0 to be judged
    Whoever solves:  sitegym audit list PACK            what is open
                     sitegym audit attempt PACK 01      what is asked for, and the first page
                     sitegym audit act PACK 01 'click("e12")'
                     sitegym audit play PACK 01         the same in a window, for people
    """


@audit.command(
    epilog="\b\nExample:\n  sitegym audit pack --out pack --task 'store.admin/*' -n 2\n"
    "  sitegym audit-pack --out pack -n 4"
)
@click.option("--out", type=_FOLDER, required=True, help="The pack: a new folder.")
@click.option("--results", type=_FOLDER, help="Where records and verdicts go; beside the pack without it.")
@click.option("--task", "-t", "tasks", multiple=True, metavar="GLOB", help="Task ids; repeat for more.")
@click.option("--instances", "-n", type=click.IntRange(min=1), default=2, show_default=True, help="Per template.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="First seed of each template.")
@click.option("--split", help="train, validation or test; all without it.")
@click.option("--data", default="base", show_default=True, help="Data set: tiny or base.")
@click.option("--data-seed", type=int, default=1, show_default=True, help="Seed of the data set.")
def pack(out: Path, tasks: Sequence[str], **options: Any) -> None:
    """Make a pack of attempts: for each an intent and an address, under names that tell nothing."""
    from ..audit.packing import make_pack
    from ..sweeps.progress import many

    made = make_pack(out, tasks=tasks or "*", **options)
    click.echo(f"{many(len(made.names), 'attempt')}, {made.names[0]} to {made.names[-1]}: {made.path}")
    click.echo(f"Records and verdicts go to {made.results}, of which the pack says nothing.")
    click.echo(f"Solvers begin with {made.path / 'README.md'}, or `{to_type(f'audit list {out}')}`.")


@audit.command(name="list", epilog="\b\nExample:\n  sitegym audit list pack")
@_pack
@_results
def list_attempts(pack: Path, results: Path | None) -> None:
    """List the attempts: open, under way, or over."""
    from ..audit.client import listed
    from ..audit.places import open_pack

    for line in listed(open_pack(pack, results)):
        click.echo(line)


@audit.command(epilog="\b\nExample:\n  sitegym audit attempt pack 01 --solver ann")
@_pack
@_name
@_solver
@click.option("--idle", "idle_s", type=Measure(), help="Seconds without a command after which it is given up; 1800.")
@_results
def attempt(pack: Path, name: str, solver: str, idle_s: float | None, results: Path | None) -> None:
    """Begin the attempt NAME, or come back to it: what is asked for, and the page."""
    from ..audit.client import attempt as begin
    from ..audit.places import open_pack

    click.echo(begin(open_pack(pack, results), name, solver=solver, idle_s=idle_s))
    click.echo(_how_to_go_on(pack, name))


@audit.command(
    epilog="\b\nExample:\n  sitegym audit act pack 01 'click(\"e12\")'\n"
    '  sitegym audit act pack 01 \'type("e7", "Ada", submit=true)\' \'click("e9")\'\n'
    "  sitegym audit act pack 01 'finish(answer=\"41.50\")'\n"
    "  sitegym audit act pack 01 'finish(outcome=\"NOT_FOUND\")'",
)
@_pack
@_name
@click.argument("actions", nargs=-1, required=True)
@click.option("--changes", is_flag=True, help="Show only what is new and gone in the page.")
@_results
def act(pack: Path, name: str, actions: Sequence[str], changes: bool, results: Path | None) -> int:
    """Take ACTIONS one after the other, and show the page after the last, or after the first that is refused.

    They also end where the browser asks something that the next of them does not answer.

    An action is a call such as click("e12"), in single quotes for the shell; e12 is a reference of the page that was
    shown last. `-` reads them from standard input, one to a line, where quotes would be in the way. Exit code 3: an
    action was refused, and the text says why; the attempt goes on.
    """
    from ..audit.client import Refused
    from ..audit.client import act as take
    from ..audit.places import open_pack

    try:
        kind = "axtree_changes" if changes else "axtree"
        wanted = [line for line in sys.stdin if line.strip()] if actions == ("-",) else [*actions]
        for text in take(open_pack(pack, results), name, wanted, kind=kind):
            click.echo(text)
    except Refused:
        return 3
    return 0


@audit.command(epilog="\b\nExample:\n  sitegym audit look pack 01 --picture page.png")
@_pack
@_name
@click.option("--kind", type=click.Choice([*KINDS]), default="axtree", show_default=True, help="What to show.")
@click.option("--picture", type=click.Path(path_type=Path, dir_okay=False), help="Write the window as a PNG, too.")
@_results
def look(pack: Path, name: str, kind: str, picture: Path | None, results: Path | None) -> None:
    """Look at the page again, or in another way; costs nothing."""
    from ..audit.client import look as see
    from ..audit.places import open_pack

    click.echo(see(open_pack(pack, results), name, kind=kind, picture=picture))


@audit.command(epilog="\b\nExample:\n  sitegym audit play pack 01 --solver ann")
@_pack
@_name
@_solver
@_results
def play(pack: Path, name: str, solver: str, results: Path | None) -> None:
    """Make the attempt NAME in a window, as a person."""
    from ..audit.person import play_in_window
    from ..audit.places import open_pack

    click.echo(play_in_window(open_pack(pack, results), name, solver=solver))


@audit.command(epilog="\b\nExample:\n  sitegym audit actions")
def actions() -> None:
    """List all actions."""
    from ..envs import actions as known

    for spec in known.specs().values():
        click.echo(f"{spec.signature()}\n    {spec.doc}")


@audit.command(epilog="\b\nExample:\n  sitegym audit reopen pack 01")
@_pack
@_name
@_results
def reopen(pack: Path, name: str, results: Path | None) -> None:
    """Open an attempt again that was abandoned or ended by a fault; its record is set aside."""
    from ..audit.places import OVER, open_pack
    from ..audit.record import finished, set_aside

    opened = open_pack(pack, results)
    if (state := opened.state(opened.known(name))) != OVER:
        raise UsageError(f"attempt {name} is {state}; only one that is over can be opened again")
    if finished(opened, name):
        raise UsageError(
            f"attempt {name} was finished, and counts; only one that was abandoned or ended by a fault is opened again"
        )
    set_aside(opened, name)
    click.echo(f"Attempt {name} is open again.")


@audit.command(epilog="\b\nExample:\n  sitegym audit collect pack --out docs/data")
@click.argument("packs", type=_FOLDER, nargs=-1, required=True, metavar="PACK…")
@click.option("--out", type=_FOLDER, help="Where to write audit.md and audit.json; the results folder without it.")
@_results
def collect(packs: Sequence[Path], out: Path | None, results: Path | None) -> None:
    """Make the table of all attempts, and the list of those that earned 0, to be judged.

    Several packs of the same data and tasks become one table.

    The judge writes into disagreements.json of the results: "wrongly refused", "solver's mistake" or "ambiguous
    intent", and a note. Run again, and the rate of wrong refusals is computed from it, with its 95 % upper bound.
    """
    from ..audit.collecting import collect as make_table
    from ..audit.places import open_pack

    if results is not None and len(packs) > 1:
        raise UsageError("--results names the results of one pack; give one pack with it")
    for line in make_table([open_pack(pack, results) for pack in packs], out):
        click.echo(line)


def _how_to_go_on(pack: Path, name: str) -> str:
    act, look = to_type(f"audit act {pack} {name}"), to_type(f"audit look {pack} {name}")
    return f"""
Act:     {act} 'click("e12")'      (several actions at once: each in quotes of its own)
         type("e7", "Ada", submit=true)  select("e9", "Canada")  check("e5")  press("Enter")  scroll("down")
         navigate("http://…")  back()  more("e40")  wait()
         - instead of actions reads them from standard input, one to a line
         --changes shows only what is new and gone in the page
Look:    {look} --kind text | --picture page.png
Finish:  {act} 'finish()'
         finish(answer="41.50")  finish(outcome="NOT_FOUND")  finish(answer="100123", outcome="NOT_ALLOWED")
All actions: {to_type("audit actions")}"""
