"""Which tables of a SQLite file differ from another's, found by comparing pages instead of rows.

Every page of the older file belongs to one b-tree. A b-tree changes only if one of the pages that it had before
changes (a new page needs a changed parent, up to the root, which never moves), so the owners of the changed pages of
the older file are all the tables that can differ. What can't be told (other page size, other schema, a SQLite without
`dbstat`) is answered with None: compare everything.
"""

from __future__ import annotations

import os
import sqlite3
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from .snapshot import connect

_KEPT = 4  # baselines whose bytes stay in memory; 6-30 MB each
_HEADER = 100


@dataclass(frozen=True)
class _Baseline:
    """An older file, read once: its bytes, page by page, and the b-tree that owns each page."""

    data: bytes
    size: int
    owners: tuple[str, ...]
    schema: str


_Stamp = tuple[str, int, int, int]
_kept: OrderedDict[_Stamp, _Baseline | None] = OrderedDict()
_lock = Lock()


def changed_trees(before: Path, after: Path) -> frozenset[str] | None:
    """Names of the tables and indexes of `before` that may differ in `after`; None where only a full look can tell."""
    old = _baseline(before)
    if old is None:
        return None
    new = after.read_bytes()
    if len(new) < _HEADER or new[16:18] != old.data[16:18] or len(new) < len(old.data):
        return None
    step = old.size
    changed = [
        index
        for index, start in enumerate(range(0, len(old.data), step))
        if old.data[start : start + step] != new[start : start + step]
    ]
    if not changed:
        return frozenset()
    if _schema_of(after) != old.schema:
        return None
    return frozenset(old.owners[index] for index in changed) - {""}


def _baseline(path: Path) -> _Baseline | None:
    stat = os.stat(path)
    stamp = (str(path.absolute()), stat.st_ino, stat.st_size, stat.st_mtime_ns)
    with _lock:
        if stamp not in _kept:
            _kept[stamp] = _read(path)
            while len(_kept) > _KEPT:
                _kept.popitem(last=False)
        _kept.move_to_end(stamp)
        return _kept[stamp]


def _read(path: Path) -> _Baseline | None:
    data = path.read_bytes()
    size = int.from_bytes(data[16:18], "big")
    size = 65536 if size == 1 else size
    connection = connect(path)
    try:
        owners = [""] * (len(data) // size)
        for page, name in connection.execute("SELECT pageno, name FROM dbstat"):
            owners[page - 1] = name
        schema = _schema(connection)
    except sqlite3.OperationalError:  # this SQLite was built without dbstat
        return None
    finally:
        connection.close()
    return _Baseline(data=data, size=size, owners=tuple(owners), schema=schema)


def _schema_of(path: Path) -> str:
    connection = connect(path)
    try:
        return _schema(connection)
    finally:
        connection.close()


def _schema(connection: sqlite3.Connection) -> str:
    return repr(connection.execute("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema").fetchall())
