"""Processes that carry a mark in their environment, which all that they begin inherits."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

NAME = "SITEGYM_ENDS_WITH"
"""The variable."""


def marked(mark: str) -> list[int]:
    """Those that live and carry it; none where the system does not show environments (it does on Linux)."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f"{NAME}={mark}".encode() in (process / "environ").read_bytes().split(b"\0"):
                found.append(int(process.name))
    return found


def end_marked(mark: str) -> None:
    """Kill them, and what they begin meanwhile."""
    while found := marked(mark):
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
