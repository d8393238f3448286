"""Where an audit keeps things: the pack that solvers see, and the results, of which the pack says nothing.

pack/      index.json, README.md, attempts/NAME.md; .open/ while attempts are under way
results/   key.json (which instance a name stands for), attempts/NAME/ (the record of each), set-aside/

A note in the user's cache leads from a pack to its results. This module loads nothing heavy, as every command of a
solver begins with it.
"""

from __future__ import annotations

import fcntl
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..cache import cache_dir
from ..errors import UsageError

FORMAT, VERSION = "sitegym-audit", 1
OPEN, UNDER_WAY, OVER = "open", "under way", "over"


@dataclass(frozen=True)
class Pack:
    """A pack and its results."""

    path: Path
    id: str
    names: tuple[str, ...]
    results: Path

    def attempt(self, name: str) -> Path:
        """The folder of an attempt's record, whether it was made or not."""
        return self.results / "attempts" / name

    def door(self, name: str) -> Path:
        """The file that says where the process of an attempt under way listens."""
        return self.path / ".open" / f"{name}.json"

    def text(self, name: str) -> str:
        """The attempt's sheet, as solvers are given it."""
        return (self.path / "attempts" / f"{name}.md").read_text(encoding="utf-8")

    def state(self, name: str) -> str:
        """`open`, `under way` or `over`."""
        if (self.attempt(name) / "result.json").is_file():
            return OVER
        return UNDER_WAY if self._held(name) else OPEN

    def _held(self, name: str) -> bool:
        """Whether the process of the attempt is alive: it holds its lock until it ends."""
        try:
            with (self.path / ".open" / f"{name}.lock").open("r+") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True
        return False

    def known(self, name: str) -> str:
        """The name, where the pack has it. Raises `UsageError`."""
        if name in self.names:
            return name
        raise UsageError(f"this pack has no attempt {name!r}: {self.names[0]} to {self.names[-1]}")

    def key(self) -> dict[str, Any]:
        """What the names stand for; for whoever made the pack."""
        return read(self.results / "key.json", "the key of an audit's results")


def open_pack(path: Path, results: Path | None = None) -> Pack:
    """The pack in a folder. Raises `UsageError` where it is none, or where nothing is known of its results."""
    index = read(path / "index.json", "an audit pack (make one with `sitegym audit pack`)")
    if index.get("format") != FORMAT or index.get("version") != VERSION:
        raise UsageError(f"{path} is no audit pack of this version")
    if results is None:
        note = _note(index["id"])
        if not note.is_file():
            raise UsageError(f"{path} was packed elsewhere: name the folder of its results with --results")
        results = Path(read(note, "a note of this pack's results")["results"])
    return Pack(path.absolute(), str(index["id"]), tuple(index["attempts"]), results.absolute())


def remember(pack: str, results: Path) -> None:
    """Note where the results of a pack go."""
    note = _note(pack)
    note.parent.mkdir(exist_ok=True)
    note.write_text(json.dumps({"results": str(results.absolute())}), encoding="utf-8")


def read(path: Path, what: str) -> dict[str, Any]:
    """A JSON object from a file. Raises `UsageError` that says what should be there."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} is not {what}: {error}") from None
    if not isinstance(found, dict):
        raise UsageError(f"{path} is not {what}")
    return found


def _note(pack: str) -> Path:
    return cache_dir() / "audits" / f"{pack}.json"
