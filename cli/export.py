"""The command `export` of the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click


@click.command(epilog="\b\nExample:\n  sitegym export runs/mine --only success,clean --split train --out data/sft")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN…")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder to write to; new or empty.")
@click.option(
    "--format", type=click.Choice(["jsonl", "parquet"]), default="jsonl", show_default=True, help="Of the file."
)
@click.option("--only", metavar="FILTERS", help="success, clean, or both with a comma.")
@click.option("--split", help="Take the episodes of train, validation or test.")
@click.option("--mixed", is_flag=True, help="Take episodes of several splits together.")
def export(runs: Sequence[Path], out: Path, only: str | None, **options: Any) -> None:
    """Write the trajectories of runs as samples for fine-tuning.

    One sample for each call of a model, with the messages exactly as they were sent; where an agent told of no calls,
    one for each step. Pictures are named by their paths in the run. Without --split or --mixed only episodes of train
    are exported: others among them, or alone, are refused.
    """
    from ..sweeps.export import export as export_runs

    export_runs(runs, out, only=[name.strip() for name in only.split(",")] if only else (), **options)
