"""Database reset: a generation switch, with and without a spare, beside copying the file and building an engine anew.

Where nothing is prepared, a run ends with the first query on the new rows, so that no work is put off until after the
clock stops. A spare is warm, so its run ends with the switch; making the next one goes on in the background.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import create_engine, event, text
from sqlalchemy.engine import Engine

from ..sites import get
from ..sites.world import World, WorldServer, baseline
from ..sites.world.hosted import HostedWorld
from ..sites.world.keeper import Keeper
from .table import Row, measured

_RUNS = 60
LARGE_MB = 30
_QUERY = text("SELECT count(*) FROM staff")


def main() -> Sequence[Row]:
    """Measure the store's `base` as it is, and the same rows filled up to 30 MB."""
    base = baseline("store", "base", 1).path
    with tempfile.TemporaryDirectory() as folder:
        large = filled(base, Path(folder) / "large.sqlite", LARGE_MB)
        rows = [row for path in (base, large) for row in _in_process(path, Path(folder))]
    return [*rows, _through_the_channel()]


def _in_process(path: Path, folder: Path) -> Iterator[Row]:
    """The three ways in turn, so that whatever else the machine does meets them all."""
    size = f"{path.stat().st_size / 1e6:.0f} MB"
    with_spare, without, plain = [], [], []
    with _world(path, folder) as (world, keeper), _plain(path, folder) as reset_plainly:
        for _ in range(_RUNS):
            keeper.wait()
            with_spare.append(timed(world.reset))
            keeper.wait()
            world.drop_spare()
            without.append(timed(lambda: _reset(world)))
            plain.append(timed(reset_plainly))
    beside = "file copied, engine rebuilt"
    yield measured(f"database reset, {size}, with a spare", "ms", with_spare, plain, beside)
    yield measured(f"database reset, {size}, without a spare", "ms", without, plain, beside)


def _through_the_channel() -> Row:
    """As a training loop sees it: one call to the server process and back, with a page opened between two."""
    times = []
    with WorldServer() as server, server.open() as world:
        for _ in range(_RUNS):
            times.append(timed(world.reset))
            _open_page(world)
    return measured("World.reset(), base, through the control channel", "ms", times)


def _open_page(world: World) -> None:
    proxy = urllib.request.ProxyHandler({"http": world.address})
    urllib.request.build_opener(proxy).open(f"http://{next(iter(get('store').hosts))}/").read()


def _reset(world: HostedWorld) -> None:
    world.reset()
    first_query(world)


def first_query(world: HostedWorld) -> None:
    """Ask the present for something, as the first page would."""
    with world.context() as context, context.read() as db:
        db.scalar(_QUERY)


@contextmanager
def _world(path: Path, folder: Path) -> Iterator[tuple[HostedWorld, Keeper]]:
    keeper = Keeper()
    world = HostedWorld(get("store"), path, b"", Path(tempfile.mkdtemp(dir=folder)), keeper)
    yield world, keeper
    world.close()
    keeper.close()


@contextmanager
def _plain(path: Path, folder: Path) -> Iterator[Callable[[], None]]:
    """What one writes first: throw the engine away, copy the file, make an engine, connect."""
    target = folder / "plain.sqlite"
    engines: list[Engine] = []

    def reset() -> None:
        if engines:
            engines.pop().dispose()
        shutil.copyfile(path, target)
        engine = create_engine(f"sqlite:///{target}")
        event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF"))
        engines.append(engine)
        with engine.connect() as connection:
            connection.scalar(_QUERY)

    reset()
    yield reset
    engines.pop().dispose()


def filled(path: Path, target: Path, megabytes: int) -> Path:
    """A copy of a database, filled up to a size."""
    shutil.copyfile(path, target)
    missing = megabytes * 1_000_000 - target.stat().st_size
    with closing(sqlite3.connect(target)) as connection:
        connection.execute("CREATE TABLE padding (id INTEGER PRIMARY KEY, text TEXT)")
        rows = ((None, "x" * 990) for _ in range(max(0, missing // 1000)))
        connection.executemany("INSERT INTO padding VALUES (?, ?)", rows)
        connection.commit()
    return target


def timed(act: Callable[[], object]) -> float:
    """Milliseconds that `act` takes."""
    start = time.perf_counter()
    act()
    return (time.perf_counter() - start) * 1000
