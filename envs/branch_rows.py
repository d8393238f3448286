"""The rows of a checkpoint: what of its database file differs from the baseline's, small enough to keep many."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ..errors import UsageError

_STEP = 4096
"""Bytes that are compared at a time; SQLite's usual page."""

_COUNTERS = (slice(24, 28), slice(92, 96))
"""Where SQLite counts the changes of a file (https://www.sqlite.org/fileformat.html#file_change_counter)."""


@dataclass(frozen=True)
class Rows:
    """A database file as its difference to a baseline file."""

    base: int
    """CRC-32 of the baseline file."""
    size: int
    """Bytes of the file."""
    blocks: tuple[int, ...]
    """Which blocks of 4,096 bytes differ from the baseline's."""
    data: bytes
    """These blocks, one after the other, deflated."""

    def write(self, baseline: Path, target: Path) -> None:
        """Make the file again. Raises `UsageError` where `baseline` is not the file it was taken from."""
        data, check = _baseline(baseline, baseline.stat().st_mtime_ns)
        if check != self.base:
            raise UsageError(
                "the checkpoint's rows belong to a baseline file of other bytes: make the checkpoint again"
            )
        made = bytearray(data[: self.size].ljust(self.size, b"\0"))
        changed = zlib.decompress(self.data)
        for place, block in enumerate(self.blocks):
            part = changed[place * _STEP : (place + 1) * _STEP]
            made[block * _STEP : block * _STEP + len(part)] = part
        target.write_bytes(made)


def read(baseline: Path, file: Path) -> Rows:
    """The difference of `file` to `baseline`."""
    old, check = _baseline(baseline, baseline.stat().st_mtime_ns)
    new = bytearray(file.read_bytes())
    for counter in _COUNTERS:
        new[counter] = old[counter]
    now, starts = bytes(new), range(0, len(new), _STEP)
    blocks = tuple(n for n, at in enumerate(starts) if now[at : at + _STEP] != old[at : at + _STEP])
    data = b"".join(now[n * _STEP : (n + 1) * _STEP] for n in blocks)
    return Rows(check, len(now), blocks, zlib.compress(data, 1))


@lru_cache(maxsize=4)
def _baseline(path: Path, changed_ns: int) -> tuple[bytes, int]:
    """The bytes of a baseline file and their checksum."""
    data = path.read_bytes()
    return data, zlib.crc32(data)
