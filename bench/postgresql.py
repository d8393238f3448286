"""Database reset on PostgreSQL: a clone of the template, the switch to one made ahead, a verdict's copy, a restore.

Needs a server: SITEGYM_DATABASE names it, as for `--database`; without one there is nothing to measure. A run without a
spare ends with the first query on the new rows. Numbers for 60 ms and less want a server on the same machine, on tmpfs
and with fsync off, as worlds are thrown away anyhow.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Column, Integer, MetaData, Table, Text

from ..sites import get
from ..sites.world import baseline
from ..sites.world.database_choice import VARIABLE
from ..sites.world.hosted import HostedWorld
from ..sites.world.keeper import Keeper
from .database_reset import LARGE_MB, filled, first_query, timed
from .table import Row, measured

_RUNS = 40


def main() -> Sequence[Row]:
    """Measure the store's `base` as it is, and the same rows filled up to 30 MB."""
    url = os.environ.get(VARIABLE)
    if not url:
        print(f"postgresql: set {VARIABLE} to measure it", file=sys.stderr)
        return []
    start = baseline("store", "base", 1)
    with tempfile.TemporaryDirectory() as folder:
        large = filled(start.path, Path(folder) / "large.sqlite", LARGE_MB)
        cases = ((start.path, start.hash, get("store").metadata), (large, f"{start.hash} filled", _with_padding()))
        return [row for case in cases for row in _measured(url, *case, Path(folder))]


def _measured(url: str, path: Path, hash: str, metadata: MetaData, folder: Path) -> Iterator[Row]:
    size = f"{path.stat().st_size / 1e6:.0f} MB"
    with_spare, without, frozen, restored = [], [], [], []
    with _world(url, path, hash, metadata, folder) as (world, keeper):
        kept = world.checkpoint()
        for _ in range(_RUNS):
            keeper.wait()
            with_spare.append(timed(world.reset))
            keeper.wait()
            world.drop_spare()
            without.append(timed(lambda: _again(world, None)))
            frozen.append(timed(lambda: world.freeze(None)))
            restored.append(timed(lambda: _again(world, kept)))
    yield measured(f"PostgreSQL reset, {size}, with a spare", "ms", with_spare)
    yield measured(f"PostgreSQL reset, {size}, without a spare", "ms", without)
    yield measured(f"PostgreSQL frozen copy for a verdict, {size}", "ms", frozen)
    yield measured(f"PostgreSQL restore, {size}", "ms", restored)


def _again(world: HostedWorld, checkpoint: str | None) -> None:
    if checkpoint is None:
        world.reset()
    else:
        world.restore(checkpoint)
    first_query(world)


@contextmanager
def _world(url: str, path: Path, hash: str, metadata: MetaData, folder: Path) -> Iterator[tuple[HostedWorld, Keeper]]:
    from ..sites.world.postgresql import Address, Clones, Cluster, Server

    keeper = Keeper()
    cluster = Cluster(Address.parse(url))
    try:
        own = Path(tempfile.mkdtemp(dir=folder))
        source = Clones(Server(cluster, own), metadata, path, hash)
        world = HostedWorld(get("store"), path, b"", own, keeper, source)
        yield world, keeper
        world.close()
    finally:
        keeper.close()
        cluster.close()


def _with_padding() -> MetaData:
    """The store's tables, and the one that `filled` adds."""
    metadata = MetaData()
    for table in get("store").metadata.tables.values():
        table.to_metadata(metadata)
    Table("padding", metadata, Column("id", Integer, primary_key=True), Column("text", Text))
    return metadata
