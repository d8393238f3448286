"""Baselines: the rows that every episode on one data set and seed begins with, built once and kept in the user's cache.

A baseline is a folder `baselines/<site>-<data>-<seed>-<code>` holding the database and a note of what it is. `code` is
a hash of the sources that generate it, so another version of a site never uses a wrong one.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import secrets
import shutil
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sqlalchemy import MetaData, create_engine, event
from sqlalchemy.pool import NullPool

from ...cache import cache_dir
from ...errors import EnvironmentFault, UsageError
from .. import registry
from ..kit.rows import logical_hash
from ..kit.site import Site
from .errors import UnknownDataSet
from .files import sha256
from .locks import file_lock

_FORMAT = 1
_BUILD_TIMEOUT_S = 300.0
_QUIET_S = 2.0
"""How long a build may take without a word."""
_KEPT = 20
_ROWS, _NOTE = "world.sqlite", "baseline.json"

_Mark = tuple[int, int, int, int]
"""What changes with a file's content: size, inode, times of change."""

_checked: dict[Path, tuple[_Mark, Baseline]] = {}
_in_process = threading.Lock()


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """A database that is copied and never written."""

    path: Path
    hash: str
    """Logical hash of the rows: equal on every machine and SQLite version."""
    site: str
    data: str
    seed: int

    @property
    def secret(self) -> bytes:
        """The key for sessions and seals of all worlds on this baseline."""
        return secret_of(self.site, self.data, self.seed)


def secret_of(site: str, data: str, seed: int) -> bytes:
    """The key of all worlds on one baseline."""
    return hashlib.sha256(f"sitegym world {site} {data} {seed}".encode()).digest()


def baseline(site: str = "store", data: str = "base", seed: int = 1) -> Baseline:
    """The baseline for a site, data set and seed; built where the cache has none, checked where it has.

    Several processes that ask at once build it once. What is damaged is built again. Raises `UnknownSite`,
    `UnknownDataSet`, `UsageError` where the cache can't be written, `EnvironmentFault` where the build fails.
    """
    found = registry.get(site)
    if data not in found.data_sets:
        raise UnknownDataSet(data, found.data_sets)
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise UsageError(f"the seed of a data set is a whole number from 0, not {seed!r}")
    folder = cache_dir() / "baselines" / f"{site}-{data}-{seed}-{_code(found)[:16]}"
    wanted = {"format": _FORMAT, "site": site, "data": data, "seed": seed, "code": _code(found)}
    with _in_process:
        return _kept(folder, wanted) or _built(found, folder, wanted)


def check_unchanged(found: Baseline) -> None:
    """Raise `EnvironmentFault` (cause `baseline_changed`) where a baseline's file is not what its hash was taken of.

    A look at the file's size and times; its content is read only where those have changed.
    """
    path = found.path
    try:
        mark = _mark(path)
        if _checked.get(path) == (mark, found):
            return
        note = json.loads((path.parent / _NOTE).read_text())
        same = isinstance(note, dict) and note.get("hash") == found.hash and note.get("sha256") == sha256(path)
    except (OSError, ValueError) as error:
        raise EnvironmentFault(f"the baseline {path} can't be read: {error}", cause="baseline_changed") from error
    if not same:
        message = f"the baseline {path} is not what its hash {found.hash[:12]} was taken of: it was changed"
        raise EnvironmentFault(message, cause="baseline_changed")
    _checked[path] = (mark, found)


def _mark(path: Path) -> _Mark:
    stat = path.stat()
    return stat.st_size, stat.st_ino, stat.st_mtime_ns, stat.st_ctime_ns


def _kept(folder: Path, wanted: dict[str, Any]) -> Baseline | None:
    """The baseline in this folder, or None where it is missing, damaged, or another version's."""
    path = folder / _ROWS
    try:
        mark = _mark(path)
        if path in _checked and _checked[path][0] == mark:
            return _checked[path][1]
        note = json.loads((folder / _NOTE).read_text())
        if not isinstance(note, dict) or {name: note.get(name) for name in wanted} != wanted:
            return None
        if note.get("size") != mark[0] or note.get("sha256") != sha256(path):
            return None
    except (OSError, ValueError):
        return None
    result = Baseline(path=path, hash=str(note["hash"]), site=note["site"], data=note["data"], seed=note["seed"])
    _checked[path] = (mark, result)
    return result


def _built(site: Site, folder: Path, wanted: dict[str, Any]) -> Baseline:
    """Build under the lock, unless another process just did."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with file_lock(folder.parent / f"{folder.name}.lock", _BUILD_TIMEOUT_S):
            if other := _kept(folder, wanted):
                return other
            half = folder.parent / f".{folder.name}.{secrets.token_hex(4)}"
            try:
                with _told(site, wanted):
                    _build(site, half, wanted)
                _replace(half, folder)
            finally:
                shutil.rmtree(half, ignore_errors=True)
            _tidy(folder)
    except OSError as error:
        raise UsageError(
            f"can't write a baseline into the cache {folder.parent} ({error.strerror or error}): "
            "make it writable, or set SITEGYM_CACHE to a folder that is"
        ) from error
    result = _kept(folder, wanted)
    if result is None:
        raise EnvironmentFault(f"the baseline in {folder} changed while it was being written", cause="cache_broken")
    return result


@contextmanager
def _told(site: Site, wanted: dict[str, Any]) -> Iterator[None]:
    """Say on standard error what is waited for, once that takes longer than a moment."""
    what = f"building the {wanted['data']!r} data of {site.name} (seed {wanted['seed']}) …"
    notice = threading.Timer(_QUIET_S, _say, [f"sitegym: {what} up to half a minute, once; kept in {cache_dir()}"])
    notice.daemon = True
    notice.start()
    try:
        yield
    finally:
        notice.cancel()


def _say(line: str) -> None:
    if sys.stderr is not None:
        print(line, file=sys.stderr, flush=True)


def _build(site: Site, folder: Path, wanted: dict[str, Any]) -> None:
    """Make the database and its note in a folder that nobody else knows yet."""
    folder.mkdir()
    path = folder / _ROWS
    hash = fill(site, path, wanted["data"], wanted["seed"])
    content = {"hash": hash, "size": path.stat().st_size, "sha256": sha256(path)}
    note = {**wanted, **content, "sqlite": sqlite3.sqlite_version}
    (folder / _NOTE).write_text(json.dumps(note, indent=1, sort_keys=True) + "\n")
    path.chmod(0o444)


def fill(site: Site, path: Path, data: str, seed: int) -> str:
    """Generate a site's rows into a new SQLite file and return their logical hash.

    Raises `EnvironmentFault` (no use in retrying) where the generator fails or leaves references to missing rows.
    """
    engine = create_engine(f"sqlite:///{path}", poolclass=NullPool)
    event.listen(engine, "connect", _fast)
    try:
        with engine.begin() as connection:
            site.build(connection, data, seed)
        with engine.connect() as connection:
            hash = logical_hash(connection, site.metadata)
    except UsageError:
        raise
    except Exception as error:
        message = f"building {site.name}/{data}, seed {seed}: {type(error).__name__}: {error}"
        raise EnvironmentFault(message, cause="build_failed", retry=False) from error
    finally:
        engine.dispose()
    _settle(path, f"{site.name}/{data}, seed {seed}")
    return hash


def _fast(connection: sqlite3.Connection, _record: object) -> None:
    for pragma in ("page_size=4096", "journal_mode=OFF", "synchronous=OFF", "foreign_keys=OFF"):
        connection.execute(f"PRAGMA {pragma}")


def _settle(path: Path, what: str) -> None:
    """Check the references and pack the file, once and for all: worlds keep its page layout."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=MEMORY")
        broken = connection.execute("PRAGMA foreign_key_check").fetchmany(3)
        if broken:
            rows = ", ".join(f"{table} row {row} -> {parent}" for table, row, parent, _ in broken)
            message = f"building {what}: rows refer to rows that do not exist: {rows}"
            raise EnvironmentFault(message, cause="build_failed", retry=False)
        connection.execute("VACUUM")


def _replace(new: Path, folder: Path) -> None:
    """Put the new folder in place. A folder of ours that is damaged goes; what isn't ours is moved aside, not lost."""
    if folder.exists() or folder.is_symlink():
        ours = folder.is_dir() and {entry.name for entry in folder.iterdir()} <= {_ROWS, _NOTE}
        aside = folder.with_name(f"{folder.name}.{'old' if ours else 'foreign'}-{secrets.token_hex(4)}")
        os.rename(folder, aside)
        if ours:
            shutil.rmtree(aside, ignore_errors=True)
    os.rename(new, folder)


def _tidy(newest: Path) -> None:
    """Keep the latest baselines of this site, data and seed; older ones belong to code that has changed since."""
    stem = newest.name.rpartition("-")[0]
    same = [folder for folder in newest.parent.glob(f"{stem}-*") if (folder / _NOTE).is_file()]
    for folder in sorted(same, key=lambda folder: (folder / _NOTE).stat().st_mtime, reverse=True)[_KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)


def _code(site: Site) -> str:
    """A hash of what decides what `build` makes: the sources on disk, and the tables as this process has loaded them.

    The two differ where somebody changes the sources under a running process; its rows must not pass for the new ones.
    """
    names = site.sources or (site.build.__module__.rpartition(".")[0] or site.build.__module__,)
    return hashlib.sha256("\n".join([hash_sources(names), _columns(site.metadata)]).encode()).hexdigest()


@functools.cache
def _columns(metadata: MetaData) -> str:
    """All columns with their types, a line each."""
    return "\n".join(f"{column} {column.type}" for table in metadata.sorted_tables for column in table.columns)


@functools.cache
def hash_sources(names: tuple[str, ...]) -> str:
    """SHA-256 (hex) over all files of modules and packages, as they are on disk."""
    digest = hashlib.sha256(f"{_FORMAT}".encode())
    for name in names:
        for label, path in sorted(_files(name)):
            digest.update(f"\n{label} ".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _files(name: str) -> Iterator[tuple[str, Path]]:
    """The files of a module or package: where they stand in it, and where on disk."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise UsageError(f"a site names {name!r} as one of its sources, but there is no such module")
    if not spec.submodule_search_locations:
        yield name, Path(spec.origin)
        return
    for top in map(Path, spec.submodule_search_locations):
        for path in top.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield f"{name}/{path.relative_to(top).as_posix()}", path
