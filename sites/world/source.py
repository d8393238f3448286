"""Where the databases of a world come from: files of SQLite, or whatever else gives the same rows.

Rows travel as files of SQLite in either case. A checkpoint, a frozen copy and a branch that goes to another process are
such files, so that verifiers, reports and branches are the same for every database.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Protocol

from ..kit.world import Rows
from .database import Database
from .files import copy, copy_open


class Stored(Rows, Protocol):
    """The rows of one generation."""

    @property
    def writes(self) -> int:
        """How many writing transactions were committed."""
        ...

    def warm(self) -> None:
        """Do ahead what the first request would wait for."""
        ...

    def usable(self) -> bool:
        """Whether they can be read, after a while in which nobody did."""
        ...

    def copy_to(self, target: Path) -> None:
        """Write a consistent copy to a file of SQLite, replacing what is there."""
        ...

    def dispose(self) -> None:
        """Close everything and delete the rows."""
        ...


class Source(Protocol):
    """Makes the databases of one world."""

    def fresh(self) -> Stored:
        """The baseline, to be written to."""
        ...

    def revive(self, rows: Path, *, keep: bool) -> Stored:
        """The rows in a file, to be written to. The file stays as it is with `keep`; without, it is taken over."""
        ...

    def close(self) -> None:
        """No more of them will be asked for; those that were made stay until they are disposed."""
        ...


class Files:
    """Databases that are copies of a baseline's file, in a world's folder."""

    def __init__(self, baseline: Path, folder: Path) -> None:
        self._folder = folder
        self._baseline = os.open(baseline, os.O_RDONLY | os.O_CLOEXEC)  # open, so that a cleaned cache does no harm
        self._numbers = itertools.count(1)

    def fresh(self) -> Database:
        """A copy of the baseline's bytes."""
        path = self._path()
        copy_open(self._baseline, path)
        return Database(path)

    def revive(self, rows: Path, *, keep: bool) -> Database:
        """The file itself, or a copy of it."""
        if not keep:
            return Database(rows)
        path = self._path()
        copy(rows, path)
        return Database(path)

    def close(self) -> None:
        """Let go of the baseline."""
        os.close(self._baseline)

    def _path(self) -> Path:
        return self._folder / f"g{next(self._numbers)}.sqlite"
