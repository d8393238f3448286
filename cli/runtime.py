"""The commands and options of the command line that are about where worlds run: containers, and other machines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from .. import __version__
from ..errors import UsageError

Command = TypeVar("Command", bound=Callable[..., Any])
RUNTIME = ("runtime", "control", "token_file", "authority")
"""The names of `runtime_options`."""
_FILE = click.Path(path_type=Path)


def runtime_options(command: Command) -> Command:
    """The options that say where worlds run."""
    options = [
        click.option(
            "--runtime",
            type=click.Choice(["process", "docker", "remote"]),
            default="process",
            envvar="SITEGYM_RUNTIME",
            show_default=True,
            help="Where worlds run: here, in containers here, or at --control.",
        ),
        click.option("--control", metavar="HOST:PORT", help="Of `remote`: where `sitegym serve --control` runs."),
        click.option("--token-file", type=_FILE, help="Of `remote`: file with the token."),
        click.option("--authority", type=_FILE, help="Of `remote`: certificate of its authority, if not a public one."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def take_runtime(options: dict[str, Any]) -> Any:
    """The runtime that options name; they are taken out."""
    from ..sites.world.runtime import Runtime

    context = click.get_current_context()
    if options["runtime"] != "process" and context.get_parameter_source("database") is ParameterSource.COMMANDLINE:
        raise UsageError(f"--database is for worlds of this machine: --runtime {options['runtime']} has its own")
    files = {name: options.pop(name) for name in ("token_file", "authority")}
    about = {name: None if path is None else str(path) for name, path in files.items()}
    token_file, authority = about["token_file"], about["authority"]
    return Runtime(
        kind=options.pop("runtime"), control=options.pop("control"), token_file=token_file, authority=authority
    )


def control_options(command: Command) -> Command:
    """The options of `serve` for worlds that other machines use."""
    options = [
        click.option("--control", metavar="HOST:PORT", help="Serve worlds to `--runtime remote` of other machines."),
        click.option("--token-file", type=_FILE, help="Of --control: file with the token that they need."),
        click.option("--cert", type=_FILE, help="Of --control: the certificate."),
        click.option("--key", type=_FILE, help="Of --control: its key."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def take_control(options: dict[str, Any]) -> Mapping[str, Any] | None:
    """What `serve_control` is to be called with, or None where a person is to be served; the options are taken out."""
    control = {name: options.pop(name) for name in ("control", "token_file", "cert", "key")}
    if control["control"] is not None:
        return control
    if any(control.values()):
        raise UsageError("--token-file, --cert and --key are of use with --control only")
    return None


@click.group()
def containers() -> None:
    """Build the images of containers, and start or stop those that `--runtime docker` uses.

    \b
    Example:
      sitegym containers build
      sitegym eval --runtime docker
    """


@containers.command(epilog="\b\nExample:\n  sitegym containers build")
@click.argument("names", nargs=-1)
def build(names: tuple[str, ...]) -> None:
    """Build the images from this checkout: all, or those that are named."""
    from ..sites.world import engine

    for name in names:
        if name not in engine.IMAGES:
            raise UsageError(f"there is no image {name!r}: there are {', '.join(engine.IMAGES)}")
    engine.build(*names)
    click.echo(f"Images of sitegym {__version__} are built: {', '.join(names or engine.IMAGES)}.")


@containers.command(epilog="\b\nExample:\n  sitegym containers up")
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 for any that is free.")
def up(port: int) -> None:
    """Start containers that everybody who says `--runtime docker` uses, until `down`."""
    from ..sites.world import stack

    click.echo(f"Worlds are served at {stack.begin_shared(port).address}; --runtime docker uses them.")


@containers.command(epilog="\b\nExample:\n  sitegym containers down")
def down() -> None:
    """Stop and remove them, and what killed processes left."""
    from ..sites.world import stack

    ran = stack.running() is not None
    stack.remove(stack.SHARED)
    left = stack.collect()
    killed = f"; {len(left)} that killed processes left" if left else ""
    click.echo(f"{'Stopped and removed' if ran else 'None of them ran'}{killed}.")


@containers.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    epilog="\b\nExample:\n  sitegym containers run eval --agent oracle --out oracle\n"
    "  sitegym containers run --watch eval --agent oracle",
)
@click.option("--results", type=_FILE, default="runs", show_default=True, help="Folder that it writes runs to.")
@click.option("--watch", is_flag=True, help="Show the browser's windows in a web page, whose address is told first.")
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="COMMAND…")
def run(results: Path, watch: bool, words: tuple[str, ...]) -> int:
    """Run a command of sitegym in containers: harness, browser, worlds and grader each in one of its own."""
    from ..sites.world.harness import harness

    with harness(results, watched=watch) as found:
        if watch:
            click.echo(f"The browser is seen at {found.screen}")
        code = found.run(words)
    if any(results.iterdir()):
        click.echo(f"Folders that it names are in {results}.")
    return code
