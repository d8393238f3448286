"""Worlds on PostgreSQL go on, back and apart as worlds on files do, and hold the same rows after each move."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from own_server import OwnServer
from plain_http import ask
from sitegym import sites
from sitegym.envs import branch_rows
from sitegym.sites.kit.rows import logical_hash
from sitegym.sites.world import World, WorldServer
from sqlalchemy import create_engine

SITES = str(Path(__file__).parent.parent / "site")


def rows_of(world: World, path: Path | None = None) -> str:
    """The rows as a hash, read from the file that a verdict would be read from."""
    engine = create_engine(f"sqlite:///{path or world.freeze()}")
    with engine.connect() as connection:
        found = logical_hash(connection, sites.get(world.baseline.site).metadata)
    engine.dispose()
    return found


def moves(world: World, folder: Path) -> list[tuple[str, str, str]]:
    """A life with every way to go back and apart: after each move its name, the rows and the time."""
    told = []

    def note(name: str, of: World = world) -> None:
        told.append((name, rows_of(of), of.now()))

    note("begun")
    world.sign_in("manager")
    world.call("notes.add", text="one")
    world.advance(2_500)
    note("written")
    kept = world.checkpoint()
    world.call("notes.add", text="two")
    note("written again")
    with world.fork(kept) as fork, world.fork() as present:
        note("forked from the checkpoint", fork)
        note("forked from the present", present)
        fork.call("notes.add", text="there only")
        note("written in the fork", fork)
        note("and not here")
    world.restore(kept)
    note("restored")
    state = world.capture(folder / "captured.sqlite")
    world.reset()
    note("reset")
    world.adopt(state, folder / "captured.sqlite")
    note("adopted")
    ready = world.make_ready("manager")
    assert world.turn(ready)
    note("turned")
    return told


def test_every_move_leaves_the_rows_and_the_time_that_it_leaves_on_files(
    server: WorldServer, elsewhere: WorldServer, tmp_path: Path
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with server.open("micro", "tiny") as here, elsewhere.open("micro", "tiny") as there:
        expected = moves(here, tmp_path / "a")
        assert moves(there, tmp_path / "b") == expected
        assert len({rows for _, rows, _ in expected}) > 4


def test_rows_that_end_where_they_began_make_the_baselines_file_to_the_byte(elsewhere: WorldServer) -> None:
    with elsewhere.open("micro", "tiny") as world:
        assert rows_of(world) == world.baseline.hash
        assert world.freeze().read_bytes() == world.baseline.path.read_bytes()


def test_a_branch_of_a_world_on_files_goes_on_in_one_on_postgresql(
    server: WorldServer, elsewhere: WorldServer, tmp_path: Path
) -> None:
    with server.open("micro", "tiny") as here, elsewhere.open("micro", "tiny") as there:
        here.call("notes.add", text="carried over")
        state = here.capture(tmp_path / "rows.sqlite")
        carried = branch_rows.read(here.baseline.path, tmp_path / "rows.sqlite")
        carried.write(there.baseline.path, tmp_path / "again.sqlite")
        there.adopt(state, tmp_path / "again.sqlite")
        assert rows_of(there) == rows_of(here)
        assert not (tmp_path / "again.sqlite").exists()
        assert "carried over" in ask(there, "http://notes.localhost/").text


@pytest.mark.parametrize(
    ("count", "limit"), [pytest.param(8, 6, id="8"), pytest.param(64, 20, id="64", marks=pytest.mark.long)]
)
def test_many_worlds_share_few_connections(postgresql: OwnServer, count: int, limit: int) -> None:
    others = postgresql.owners()
    with WorldServer(database=postgresql.url(more=f"?sitegym_connections={limit}")) as server:
        worlds = [server.open("micro", "tiny") for _ in range(count)]
        seen, looking = [], threading.Lock()  # who looks is connected, too, and the server has room for few

        def play(world: World) -> int:
            world.call("notes.add", text="busy")
            with looking:
                seen.append(postgresql.connections(others))
            return ask(world, "http://notes.localhost/").status

        with ThreadPoolExecutor(len(worlds)) as pool:
            assert set(pool.map(play, worlds)) == {200}
        assert 0 < max(seen) <= limit


SERVE = """
import sys, sitegym.sites as sites
from sitegym.sites.world import WorldServer
sites.register("micro", "micro_site:MICRO")
server = WorldServer(database=sys.argv[1])
world = server.open("micro", "tiny")
print(server.pid, flush=True)
sys.stdin.read()
"""


def serving(url: str) -> tuple[subprocess.Popen[str], int]:
    """A process with a world on PostgreSQL, and the id of its server of worlds."""
    paths = os.pathsep.join([SITES, *filter(None, sys.path)])
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, url],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def test_what_a_killed_run_left_goes_with_the_next_and_what_lives_stays(
    postgresql: OwnServer, elsewhere: WorldServer
) -> None:
    with elsewhere.open("micro", "tiny") as living:
        mine = postgresql.owners()
        process, server = serving(postgresql.url())
        (left,) = postgresql.owners() - mine
        for pid in (server, process.pid):
            os.kill(pid, signal.SIGKILL)
        process.communicate()
        assert any(f"_{left}_d" in name for name in postgresql.ours())
        with WorldServer(database=postgresql.url()):
            assert left not in postgresql.owners()
            assert mine <= postgresql.owners()
        living.reset()
        assert rows_of(living) == living.baseline.hash


def test_a_server_that_ends_leaves_nothing(postgresql: OwnServer, elsewhere: WorldServer) -> None:
    before = postgresql.owners()
    with WorldServer(database=postgresql.url()) as server, server.open("micro", "tiny") as world:
        world.call("notes.add", text="x")
        world.checkpoint()
        assert len(postgresql.owners()) > len(before)
    assert postgresql.owners() == before


@pytest.mark.parametrize("ask_for", [pytest.param(lambda w: w.reset(), id="reset"),
                                     pytest.param(lambda w: w.make_ready(), id="ready")])  # fmt: skip
def test_databases_that_are_done_with_are_dropped(
    postgresql: OwnServer, elsewhere: WorldServer, ask_for: Callable[[World], object]
) -> None:
    with elsewhere.open("micro", "tiny") as world:
        for _ in range(6):
            ask_for(world)
            rows_of(world)
        for _ in range(600):  # they are dropped behind the reset
            if sum("_d" in name for name in postgresql.ours()) <= 3:  # what is shown, what is ready, a spare
                break
            threading.Event().wait(0.1)
        else:
            raise AssertionError(postgresql.ours())
