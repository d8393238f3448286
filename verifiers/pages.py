"""Where a SQLite file differs from an older one, found by comparing pages instead of rows.

Every page of the older file belongs to one b-tree. A b-tree changes only if one of the pages that it had before
changes (a new page needs a changed parent, up to the root, which never moves), so the owners of the changed pages of
the older file are all the tables that can differ. And a row changes only if a leaf that holds it changes, before or
after, or one of its overflow pages does: so the rows on changed leaves are all the rows that can differ, unless a page
of overflow changed. What can't be told (other page size, other schema, a SQLite without `dbstat`) is answered with
None: compare everything.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from .snapshot import connect

Touched = Mapping[str, "frozenset[int] | None"]
"""Table or index to the row ids that may differ; None is all of them."""

_KEPT = 4  # baselines whose bytes stay in memory; 6-30 MB each
_HEADER = 100
_LEAF = 13  # first byte of a leaf of a table with row ids
_INTERIOR = 5  # first byte of a page of such a table that only points to others


@dataclass(frozen=True)
class _Baseline:
    """An older file, read once: its bytes, and what each page is (`table`, `leaf`)."""

    data: bytes
    size: int
    owners: tuple[tuple[str, str], ...]
    schema: str
    roots: Mapping[str, int]
    """Table to the number of its root page, from 1."""
    keyed: frozenset[str]
    """Tables without row ids."""


_Stamp = tuple[str, int, int, int]
_kept: OrderedDict[_Stamp, _Baseline | None] = OrderedDict()
_lock = Lock()


def touched(before: Path, after: Path, opened: sqlite3.Connection) -> Touched | None:
    """The tables and indexes of `before` that may differ in `after`, with their rows; None where it can't be told.

    `opened` is an open connection to `after`.
    """
    old = _baseline(before)
    if old is None:
        return None
    new = after.read_bytes()
    if len(new) < _HEADER or new[16:18] != old.data[16:18] or len(new) < len(old.data):
        return None
    if new == old.data:
        return {}
    if _schema(opened) != old.schema:
        return None
    return _rows(old, new, _changed(old, new))


def _changed(old: _Baseline, new: bytes) -> list[int]:
    """Places of the pages that differ or are new, from 0."""
    step = old.size
    return [
        place
        for place, start in enumerate(range(0, len(new), step))
        if old.data[start : start + step] != new[start : start + step]
    ]


def _rows(old: _Baseline, new: bytes, changed: list[int]) -> Touched:
    """Rows on changed leaves, as they were and as they are."""
    found: dict[str, set[int] | None] = {}
    for place in changed:
        owner, kind = old.owners[place] if place < len(old.owners) else ("", "")
        if not owner:
            continue
        rows = found.setdefault(owner, set())
        if kind == "overflow" or owner in old.keyed:
            found[owner] = None
        elif rows is not None:
            rows.update(_row_ids(old.data, place, old.size))
    different = set(changed)
    for name, rows in found.items():
        if rows is not None and name in old.roots:
            for place in different.intersection(_leaves(new, old.roots[name] - 1, old.size)):
                rows.update(_row_ids(new, place, old.size))
    return {name: None if rows is None else frozenset(rows) for name, rows in found.items()}


def _leaves(data: bytes, root: int, size: int) -> Iterator[int]:
    """Places of the leaves of a table, from the place of its root."""
    todo = [root]
    while todo:
        place = todo.pop()
        start = place * size + (_HEADER if place == 0 else 0)
        if data[start] == _LEAF:
            yield place
        elif data[start] == _INTERIOR:
            count = int.from_bytes(data[start + 3 : start + 5], "big")
            pointers = struct.unpack_from(f">{count}H", data, start + 12)
            todo.append(int.from_bytes(data[start + 8 : start + 12], "big") - 1)
            todo.extend(struct.unpack_from(">I", data, place * size + offset)[0] - 1 for offset in pointers)


def _row_ids(data: bytes, place: int, size: int) -> Iterator[int]:
    """Row ids of the cells of a leaf; nothing for other pages."""
    page = data[place * size : (place + 1) * size]
    start = _HEADER if place == 0 else 0
    if len(page) < size or page[start] != _LEAF:
        return
    count = int.from_bytes(page[start + 3 : start + 5], "big")
    for cell in range(start + 8, min(start + 8 + 2 * count, size - 1), 2):
        offset = int.from_bytes(page[cell : cell + 2], "big")
        while offset < size and page[offset] & 0x80:  # skip the payload's length, a varint
            offset += 1
        yield _varint(page, offset + 1)


def _varint(page: bytes, offset: int) -> int:
    value = 0
    for byte in page[offset : offset + 8]:
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            return value
    value = value << 8 | (page[offset + 8] if offset + 8 < len(page) else 0)
    return value - (1 << 64) if value >> 63 else value


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
        owners = [("", "")] * (len(data) // size)
        for page, name, kind in connection.execute("SELECT pageno, name, pagetype FROM dbstat"):
            owners[page - 1] = (name, kind)
        schema = _schema(connection)
        tables = connection.execute("SELECT name, rootpage, sql FROM sqlite_schema WHERE type = 'table'").fetchall()
    except sqlite3.OperationalError:  # this SQLite was built without dbstat
        return None
    finally:
        connection.close()
    return _Baseline(
        data=data,
        size=size,
        owners=tuple(owners),
        schema=schema,
        roots={name: root for name, root, _ in tables},
        keyed=frozenset(name for name, _, sql in tables if "without rowid" in sql.casefold()),
    )


def _schema(connection: sqlite3.Connection) -> str:
    return repr(connection.execute("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema").fetchall())
