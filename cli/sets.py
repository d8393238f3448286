"""The commands of the command line that are about task sets: tasks freeze, seal and check."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from .options import data_options

_FILE = click.Path(path_type=Path, dir_okay=False)
_task = click.option("--task", "-t", "patterns", multiple=True, metavar="GLOB", help="Task ids; repeat for more.")
_size = click.option("--size", type=click.IntRange(min=1), help="Instances, about; 200, 40 of the longest, 100 sealed.")
_split = click.option("--split", default="test", show_default=True, help="train, validation or test.")
_out = click.option("--out", type=_FILE, help="File to write; among sitegym's own sets without it.")
_steps = "JSON with the steps of oracles."


@click.command(
    epilog="\b\nExample:\n  sitegym tasks freeze mine --difficulty docs/data/difficulty.json --out mine.json"
)
@click.argument("name")
@click.option("--difficulty", type=_FILE, required=True, help=_steps)
@click.option("--longest", is_flag=True, help="Take the templates with the most steps and screens.")
@_task
@_size
@_split
@_out
@data_options
def freeze(name: str, longest: bool, patterns: Sequence[str], size: int | None, **options: Any) -> None:
    """Freeze a task set: instances with hashes of what they do.

    They are balanced over kinds, difficulty, templates and tags, or are the longest.
    """
    from ..sweeps import freeze as freezing
    from ..sweeps.plan import matching

    options["tasks"] = matching(patterns) if patterns else None
    write = freezing.freeze_longest if longest else freezing.freeze
    click.echo(write(name, size=size or (40 if longest else 200), **options))


@click.command(
    epilog="\b\nExample:\n  sitegym tasks seal mine --key-file ~/mine.key --difficulty docs/data/difficulty.json "
    "--out mine.json"
)
@click.argument("name")
@click.option("--key-file", type=_FILE, required=True, help="The secret key; made where there is none. Keep it.")
@click.option("--difficulty", type=_FILE, required=True, help=_steps)
@_task
@_size
@_split
@_out
@click.option("--data", default="base", show_default=True, help="Data set: tiny or base.")
def seal(name: str, key_file: Path, patterns: Sequence[str], size: int | None, **options: Any) -> None:
    """Seal a task set: the seed of its data, its templates and its instances are drawn by a secret key.

    The file says keyed hashes of them and the key's fingerprint, so it may be published; only whoever has the key can
    play it, by `eval --set NAME --set-key-file FILE`.
    """
    from ..sweeps.freeze import seal as seal_set
    from ..sweeps.plan import matching
    from ..sweeps.sealing import Key

    made = not key_file.exists()
    key = Key.make(key_file) if made else Key.read(key_file)
    path = seal_set(name, key, tasks=matching(patterns) if patterns else None, size=size or 100, **options)
    click.echo(f"{path}: sealed with the {'new ' if made else ''}key in {key_file}, fingerprint {key.fingerprint}")


@click.command(epilog="\b\nExample:\n  sitegym tasks check core")
@click.argument("name", metavar="SET")
@click.option("--set-key-file", type=_FILE, help="The key of a sealed set.")
@click.option("--asked", "only_asked", is_flag=True, help="Look at goals and expectations only, as eval does.")
def check(name: str, set_key_file: Path | None, only_asked: bool) -> int:
    """Say of each instance of a SET whether it still behaves as it was frozen, and what differs where it does not.

    That is the goal; the expectation it is graded by; the verdicts on right and on wrong ends; and the outcome, the
    state that the right way leads to, played on the service layer. Exit code 1 where anything differs, 2 where the data
    is another.
    """
    from ..sweeps.task_set import read_set

    chosen = read_set(name, set_key_file)
    chosen.check_baselines()
    changed = 0
    for found in chosen.look(play=not only_asked):
        changed += not found.same
        click.echo(f"{found.instance.name}  {'as frozen' if found.same else found.told}")
    whole = len(chosen.instances)
    click.echo(f"Task set {chosen.name}, hash {chosen.hash}: {whole - changed} of {whole} instances behave as frozen.")
    return int(changed > 0)
