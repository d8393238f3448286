"""A folder that one machine writes and another is to have: what has changed since it was last asked, as bytes."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

SETTLED_NS = 1_000_000_000
"""A file that was written to less than this before it was read may change again without a new time or size."""

Files = dict[str, bytes]
"""Contents by path below the folder, with slashes."""


class Mirror:
    """Looks for changes in `folder`, which need not exist yet. Files whose names begin with a dot are not finished."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._sent: dict[str, tuple[int, int]] = {}

    def changes(self) -> Files:
        """Files that are new or were written to since the last call."""
        found: Files = {}
        for path in self.folder.rglob("*"):
            if path.name.startswith("."):
                continue
            name = path.relative_to(self.folder).as_posix()
            try:
                if not path.is_file():
                    continue
                began, about = time.time_ns(), path.stat()
                stamp = (about.st_mtime_ns, about.st_size)
                if self._sent.get(name) != stamp:
                    found[name] = path.read_bytes()
                    self._sent[name] = stamp if began - about.st_mtime_ns > SETTLED_NS else (0, 0)
            except FileNotFoundError:
                continue  # replaced meanwhile; its successor is found the next time
        return found


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write what a mirror found into the folder on this side: each file whole or not at all.

    Raises `ValueError` for a path that leads out of the folder.
    """
    for name, content in files.items():
        inside = PurePosixPath(name)
        if inside.is_absolute() or ".." in inside.parts:
            raise ValueError(f"{name!r} leads out of {folder}")
        path = folder / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            beside.write_bytes(content)
            beside.replace(path)
        except OSError:
            beside.unlink(missing_ok=True)
            raise
