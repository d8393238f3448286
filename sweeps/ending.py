"""How a sweep ends: the table, what it needs to be understood, and the report."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from ..called import to_type
from .progress import duration, make_console, many
from .report import BrokenEvidence, write_report
from .results import EpisodeResult
from .run_folder import RunFolder
from .shards import part_told
from .table import footnotes, results_table


def conclude(
    folder: RunFolder,
    results: dict[str, EpisodeResult] | None = None,
    *,
    console: Console | None = None,
    interrupted: bool = False,
    seconds: float | None = None,
) -> Path:
    """Print the table and write the report, whose page is returned; `seconds` is how long the sweep took.

    Raises `BrokenEvidence`, after all was said, where files of graded episodes can't be read.
    """
    console = console or make_console()
    results = folder.results() if results is None else results
    broken: BrokenEvidence | None = None
    try:
        report = write_report(folder.path, only_new=True)
    except BrokenEvidence as error:
        broken, report = error, error.report
    console.print(results_table(folder.plan, results))
    for note in footnotes(folder.plan, results):
        console.print(note, highlight=False, markup=False, soft_wrap=True)
    console.print()
    if interrupted:
        console.print(
            f"Stopped after {len(results)} of {many(len(folder.plan.episodes), 'episode')}; "
            f"what is over is kept. Continue with: [bold]{to_type(f'eval --resume {folder.path}')}[/bold]",
            highlight=False,
            soft_wrap=True,
        )
    else:
        took = "" if seconds is None else f" in {duration(seconds)}"
        console.print(f"{many(len(results), 'episode')}{took}.", highlight=False)
    if frozen := folder.manifest.get("settings", {}).get("set"):
        sealed = f", sealed with the key {frozen['key']}" if "key" in frozen else ""
        told = (
            f"Task set {frozen['name']} ({many(frozen['instances'], 'instance')}), hash {frozen['hash'][:12]}{sealed}."
        )
        if part := part_told(folder.plan, folder.manifest):
            told = f"Only {part}, which is not a score of the set. {told}"
        console.print(told, highlight=False)
    console.print(f"Report: {report}", highlight=False, soft_wrap=True)
    if broken:
        raise broken
    return report
