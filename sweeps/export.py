"""`sitegym export`: the trajectories of runs as samples for fine-tuning, in one file that says where they are from.

samples.jsonl or samples.parquet   the samples
manifest.json                      written last: runs, filters, splits, counts, and the hash of the file
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .. import __version__
from ..errors import UsageError
from .export_samples import samples
from .export_select import Selection
from .export_writers import check_format, digest, writer
from .files import write_json
from .progress import make_console, many
from .run_folder import RunFolder, new_folder

FORMAT, VERSION = "sitegym-export", 1
MANIFEST = "manifest.json"


@dataclass(frozen=True, kw_only=True)
class Exported:
    """What was written."""

    file: Path
    samples: int
    episodes: int
    twice: int
    """Episodes left out as another run holds the very same, as a shard and the merged run do."""
    splits: dict[str, int] = field(default_factory=dict)
    """Episodes by split."""


def export(
    runs: Sequence[Path | str],
    out: Path | str,
    *,
    format: str = "jsonl",
    only: Sequence[str] = (),
    split: str | None = None,
    mixed: bool = False,
    quiet: bool = False,
) -> Exported:
    """Write the samples of the graded episodes of `runs` to `out`, a new or empty folder.

    `only` are filters, `success` and `clean`. Episodes of other splits than train are refused, among those of train or
    alone, unless `split` says which are meant or `mixed` that all are. Raises `UsageError`, before anything is written,
    where the call is wrong or nothing is left to export.
    """
    if not runs:
        raise UsageError("no run was named")
    check_format(format)
    folders = [RunFolder.open(Path(run)) for run in runs]
    selection = Selection(runs=folders, only=tuple(only), split_name=split, mixed=mixed)
    selection.check()
    found = _write(selection, new_folder(Path(out), "give another one with --out"), format)
    write_json(found.file.parent / MANIFEST, _manifest(selection, found, format))
    _say(found, quiet=quiet)
    return found


def _write(selection: Selection, folder: Path, format: str) -> Exported:
    seen: set[bytes] = set()
    written, twice, splits = 0, 0, Counter[str]()
    with writer(format, folder) as file:
        for one, split in selection.episodes():
            mark = hashlib.sha256((one.folder / "trajectory.json").read_bytes()).digest()
            if mark in seen:
                twice += 1
                continue
            seen.add(mark)
            splits[split] += 1
            for sample in samples(one, split, folder):
                file.write(sample)
                written += 1
    return Exported(file=file.path, samples=written, episodes=splits.total(), twice=twice, splits=dict(splits))


def _manifest(selection: Selection, found: Exported, format: str) -> dict[str, Any]:
    told = {name: value for name, value in asdict(found).items() if name != "file"}
    return {
        "format": FORMAT,
        "version": VERSION,
        "sitegym": __version__,
        "runs": [_run(run) for run in selection.runs],
        "only": list(selection.only),
        "split": selection.split_name,
        "mixed": selection.mixed,
        **told,
        "file": {"name": found.file.name, "format": format, "sha256": digest(found.file)},
    }


def _run(run: RunFolder) -> dict[str, Any]:
    """What a run was, as far as its numbers depend on it."""
    manifest = run.manifest
    kept = ("created", "versions", "hashes")
    known: dict[str, Any] = {name: manifest[name] for name in kept if name in manifest}
    frozen = {name: value for name, value in manifest.get("settings", {}).items() if name == "set"}
    return {"name": run.path.resolve().name, "plan": manifest.get("plan_of", {}).get("hash"), **known, **frozen}


def _say(found: Exported, *, quiet: bool) -> None:
    splits = ", ".join(f"{count} of split {name}" for name, count in sorted(found.splits.items()))
    again = f"; {many(found.twice, 'episode')} that several runs hold taken once" if found.twice else ""
    console = make_console(quiet=quiet)
    text = f"{many(found.samples, 'sample')} of {many(found.episodes, 'episode')} ({splits}){again}: {found.file}"
    console.print(text, highlight=False, markup=False, soft_wrap=True)
