"""Copying database files: plain bytes, so that a world keeps the page layout of its baseline."""

from __future__ import annotations

import hashlib
import os
import secrets
from pathlib import Path

_CHUNK = 64 * 1024 * 1024


def copy_open(source: int, target: Path) -> None:
    """Copy an open file to a new file at `target`; the kernel moves the bytes, or shares them where it can.

    The source's own position is neither used nor moved, so several threads may copy from one handle.
    """
    size = os.fstat(source).st_size
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        if not _kernel_copy(source, handle, size):
            _plain_copy(source, handle, size)
    finally:
        os.close(handle)


def copy(source: Path, target: Path) -> None:
    """Copy a file; `target` appears whole or not at all, and is replaced where it exists."""
    half = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    handle = os.open(source, os.O_RDONLY | os.O_CLOEXEC)
    try:
        copy_open(handle, half)
        os.replace(half, target)
    finally:
        os.close(handle)
        half.unlink(missing_ok=True)


def sha256(path: Path) -> str:
    """SHA-256 (hex) of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _kernel_copy(source: int, target: int, size: int) -> bool:
    """False where this platform or file system offers no copy inside the kernel; nothing is written then."""
    if not hasattr(os, "copy_file_range"):
        return False
    done = 0
    while done < size:
        try:
            step = os.copy_file_range(source, target, min(size - done, _CHUNK), done, done)
        except OSError:
            if done:
                raise
            return False
        if step == 0:
            return False
        done += step
    return True


def _plain_copy(source: int, target: int, size: int) -> None:
    done = 0
    while done < size:
        block = os.pread(source, min(size - done, 1024 * 1024), done)
        if not block:
            raise OSError(f"file ended at byte {done} of {size}")
        done += os.pwrite(target, block, done)
