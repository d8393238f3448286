"""Folders for the files of world servers: each locked by its server, so that what a killed one left is found."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path

_PREFIX = "sitegym-world-"
_LOCK = "lock"
_YOUNG_S = 60.0  # a folder younger than this may not be locked yet


def claim() -> tuple[Path, int]:
    """A new folder in the system's temporary one, and a handle that marks it as used while any process has it open."""
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(handle, fcntl.LOCK_EX)
    return folder, handle


def sweep() -> list[Path]:
    """Delete this user's folders whose server and parent were both killed; returns them."""
    found = Path(tempfile.gettempdir()).glob(f"{_PREFIX}*")
    dead = [folder for folder in found if _abandoned(folder)]
    for folder in dead:
        shutil.rmtree(folder, ignore_errors=True)
    return dead


def _abandoned(folder: Path) -> bool:
    try:
        stat = (folder / _LOCK).stat()
        if stat.st_uid != os.geteuid() or time.time() - stat.st_mtime < _YOUNG_S:
            return False
        handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False  # gone meanwhile, or not ours to judge
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True
