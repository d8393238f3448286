"""What `sitegym report` writes: the report of each run, and of several the page that compares them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ... import sweeps
from ...errors import UsageError
from .comparison import write_comparison
from .single import write_single_report
from .writing import BrokenEvidence


def write_reports(
    runs: Sequence[Path],
    *,
    single_file: bool = False,
    no_pictures: bool = False,
    out: Path | None = None,
    other_versions: bool = False,
) -> Iterator[Path]:
    """Write them, and give the path of each as it is there, that of the comparison last.

    With `single_file` all is in one file: the report of a run, or the comparison with the reports of its runs.
    Raises `UsageError` where options don't go together or runs don't compare, and the first `BrokenEvidence` after all
    is written.
    """
    if no_pictures and not single_file:
        raise UsageError("--no-pictures is for --single-file; the pages of a report only lead to the pictures")
    if out is not None and len(runs) == 1 and not single_file:
        raise UsageError("a report is written into its run's folder; --out is for --single-file, or for a comparison")
    if len({run.resolve() for run in runs}) < len(runs):
        raise UsageError("a run can't be compared with itself: name each once")
    if single_file:
        yield from _one_file(runs, out, pictures=not no_pictures, other_versions=other_versions)
        return
    broken: BrokenEvidence | None = None
    for run in runs:
        try:
            yield sweeps.write_report(run)
        except BrokenEvidence as error:
            broken = broken or error
            yield error.report
    if len(runs) > 1:
        yield write_comparison(runs, out, other_versions=other_versions)
    if broken:
        raise broken


def _one_file(runs: Sequence[Path], out: Path | None, *, pictures: bool, other_versions: bool) -> Iterator[Path]:
    try:
        if len(runs) > 1:
            yield write_comparison(runs, out, other_versions=other_versions, single_file=True, pictures=pictures)
        else:
            yield write_single_report(runs[0], out, pictures=pictures)
    except BrokenEvidence as error:
        yield error.report
        raise
