"""An index for a run whose own does not hold, made in a folder aside: whoever watches a run writes nothing into it."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path

from ..index import FILE, RunIndex
from ..results import read_result
from ..run_folder import RunFolder

Mark = tuple[int, int, bool]


def mark(folder: RunFolder) -> Mark | None:
    """What tells one state of a run's index from another; None where there is none."""
    try:
        about = (folder.path / FILE).stat()
    except OSError:
        return None
    return about.st_ino, about.st_mtime_ns, _journal(folder.path).exists()


def made_aside(folder: RunFolder) -> tempfile.TemporaryDirectory[str]:
    """A folder with a whole index of the run.

    What a killed sweep left half written is finished there. An index that is missing, damaged or of an older version is
    made from the results in the episodes' folders, which is the one time that they are walked through.
    """
    aside = tempfile.TemporaryDirectory(prefix="sitegym-view-")
    to = Path(aside.name)
    if not _finished(folder.path, to):
        for file in to.iterdir():
            file.unlink()
        paths = (folder.episode(spec.id) / "result.json" for spec in folder.plan.episodes)
        RunIndex(to).make(folder.plan.episodes, [read_result(path) for path in paths if path.is_file()])
    return aside


def _finished(run: Path, to: Path) -> bool:
    """Whether a copy of the index holds, once SQLite has taken back what its writer did not finish."""
    if not _journal(run).is_file():
        return False
    with suppress(OSError, sqlite3.DatabaseError):
        for file in (run / FILE, _journal(run)):
            shutil.copyfile(file, to / file.name)
        with closing(sqlite3.connect(to / FILE)) as db:  # opened to write, unlike by readers
            db.execute("SELECT count(*) FROM episodes").fetchone()
    return RunIndex(to).whole


def _journal(run: Path) -> Path:
    return run / f"{FILE}-journal"
