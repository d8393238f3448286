"""A checkpoint: a moment of an episode as plain data, to be gone back to in any env, process, or on another day."""

from __future__ import annotations

import hashlib
import pickle
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..sites import registry
from ..verifiers import Snapshot, diff
from . import branch_rows
from .branch_rows import Rows
from .branch_state import SessionState

if TYPE_CHECKING:
    from ..sites.world.baseline import Baseline
    from ..tasks import Task
    from .observation import Observation

_HEAD = b"sitegym checkpoint 1\n"
_SOURCES = ("envs", "sites")
_SUFFIXES = (".py", ".js", ".css", ".html", ".csv")
_NOT_TOLD = ("tree", "axtree_changes", "screenshot", "screenshot_marked")
"""What of an observation speaks of the one before, or shows in another form what is there already."""


@dataclass(frozen=True)
class Look:
    """A look between two steps, which may number elements and so belongs to what led to a moment."""

    kinds: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """A moment of an episode that `restore` can go back to, in the same or in any other env on the same data.

    Plain data without any handle: it may be pickled, sent to another process, saved and loaded.
    """

    task: Task
    steps: int
    """Steps used."""
    budget: int
    """Steps that the episode has in all."""
    kinds: tuple[str, ...]
    """What the episode observes at each step."""
    looked: tuple[str, ...]
    """What was observed last."""
    viewport: tuple[int, int]
    taken: tuple[object, ...]
    """What led there: actions as they were given, and looks between them."""
    first: int | None
    """The server's number of the page that the episode began on."""
    rings: int
    """How many of the server's events the pages have heard."""
    error: str
    time: str
    seen: str
    """Hash of the last observation."""
    changes: str
    """Its `axtree_changes`."""
    world: Mapping[str, Any]
    """Time and records of the server."""
    rows: Rows
    browser: SessionState
    baseline: tuple[str, str, int, str]
    """Site, data set, data seed and hash of the rows that the episode began with."""
    code: str
    """Hash of the sources that make pages and drive them."""

    def save(self, path: Path | str) -> None:
        """Write it to a file."""
        Path(path).write_bytes(_HEAD + zlib.compress(pickle.dumps(self), 1))

    @classmethod
    def load(cls, path: Path | str) -> Checkpoint:
        """Read what `save` wrote. As any pickle, a file may run code: load only what you trust.

        Raises `UsageError` where the file holds no checkpoint, or one of another version of sitegym.
        """
        data = Path(path).read_bytes()
        if not data.startswith(_HEAD):
            raise UsageError(
                f"{path} is no checkpoint: load what Checkpoint.save wrote, with the same version of sitegym"
            )
        try:
            found = pickle.loads(zlib.decompress(data[len(_HEAD) :]))
        except Exception as error:
            raise UsageError(f"{path} can't be read: it is damaged or of another version of sitegym") from error
        if not isinstance(found, cls):
            raise UsageError(f"{path} holds {type(found).__name__}, not a checkpoint")
        return found

    def __repr__(self) -> str:
        return f"<Checkpoint of {self.task.id}, task_seed {self.task.task_seed}, after {self.steps} steps>"

    def check(self, baseline: Baseline, viewport: tuple[int, int]) -> None:
        """Raise `UsageError` where the checkpoint can't be restored on this data, by this code, in this window."""
        here = origin(baseline)
        if here[:3] != self.baseline[:3]:
            there, now = (f"{site}, data {data}, data_seed {seed}" for site, data, seed, _ in (self.baseline, here))
            raise UsageError(
                f"the checkpoint belongs to {there}, and this env plays on {now}: use an env of the same data"
            )
        if here != self.baseline or self.code != code():
            raise UsageError("the checkpoint was made by another version of sitegym or of the site: make it again")
        if viewport != self.viewport:
            was, now = (f"{width} x {height}" for width, height in (self.viewport, viewport))
            raise UsageError(
                f"the checkpoint was made in a window of {was}, and this one has {now}: use the same viewport"
            )


@dataclass(frozen=True, kw_only=True)
class Restored:
    """How the last `restore` went."""

    way: str
    """"fast": pages loaded and filled; "replayed": the actions taken again."""
    why: str
    """Why not the fast way; empty where it was."""
    seconds: float


def origin(baseline: Baseline) -> tuple[str, str, int, str]:
    """What names the data of a world."""
    return baseline.site, baseline.data, baseline.seed, baseline.hash


def same_rows(baseline: Baseline, wanted: Rows, file: Path) -> bool:
    """Whether a database file holds these rows: the same bytes, or else, row by row, the same values."""
    if branch_rows.read(baseline.path, file) == wanted:
        return True
    metadata = registry.get(baseline.site).metadata
    other = file.with_name(f"{file.name}.wanted")
    wanted.write(baseline.path, other)
    try:
        with Snapshot(other, metadata) as one, Snapshot(file, metadata) as two:
            return not diff(one, two)
    finally:
        other.unlink()


def told(observation: Observation) -> str:
    """Hash of what an observation says."""
    texts = [repr(getattr(observation, each.name)) for each in fields(observation) if each.name not in _NOT_TOLD]
    return hashlib.sha256("\n".join(texts).encode("utf-8", "replace")).hexdigest()


@cache
def code() -> str:
    """Hash of the sources that make pages and drive them, as they are on disk."""
    digest = hashlib.sha256()
    root = Path(str(files(__package__.partition(".")[0])))
    for folder in _SOURCES:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in _SUFFIXES:
                digest.update(str(path.relative_to(root)).encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()
