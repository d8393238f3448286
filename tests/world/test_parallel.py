"""Worlds side by side under load: no request fails, none sees another world's rows, none sees half a change."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from plain_http import ask
from sitegym.sites.world import World, WorldServer

_WORLDS = 4
_ROUNDS = 12


def visit(world: World, name: str, stop: threading.Event) -> int:
    """Read and write as fast as it goes; every note shown must be the baseline's or this world's own."""
    pages = 0
    while not stop.is_set():
        posted = ask(world, "http://notes.localhost/notes", "POST", f"text=of+{name}")
        shown = ask(world, "http://notes.localhost/")
        assert (posted.status, shown.status) == (302, 200), shown.text
        items = shown.text.split("<li>")[1:]
        assert len(items) == 10
        foreign = [item for item in items if not item.startswith((f"of {name}<", "note "))]
        assert foreign == []
        pages += 1
    return pages


def branch(world: World, name: str) -> None:
    """Reset, keep, go back and fork, over and over, while requests run."""
    for _ in range(_ROUNDS):
        world.reset()
        world.call("notes.add", text=f"of {name}")
        point = world.checkpoint()
        world.freeze()
        world.restore(point)
        with world.fork(point) as fork:
            assert fork.call("notes.add", text=f"of {name}")["id"] > 20
            assert ask(fork, "http://notes.localhost/").status == 200
        world.forget(point)


def test_four_worlds_under_load_share_nothing(server: WorldServer) -> None:
    worlds = {name: server.open("micro", "tiny") for name in ("a", "b", "c", "d")[:_WORLDS]}
    stop = threading.Event()
    with ThreadPoolExecutor(3 * _WORLDS) as pool:
        visits = [pool.submit(visit, world, name, stop) for name, world in worlds.items() for _ in range(2)]
        branches = [pool.submit(branch, world, name) for name, world in worlds.items()]
        try:
            for future in branches:
                future.result()
        finally:
            stop.set()
        assert all(future.result() > 0 for future in visits)
    for world in worlds.values():
        assert world.errors() == []
        world.close()


@pytest.mark.parametrize("writers", [8])
def test_concurrent_writes_get_ids_in_a_row_without_gaps_or_doubles(world: World, writers: int) -> None:
    def add(n: int) -> list[int]:
        return [world.call("notes.add", text=f"{n}")["id"] for _ in range(10)]

    with ThreadPoolExecutor(writers) as pool:
        ids = sorted(id for found in pool.map(add, range(writers)) for id in found)
    assert ids == list(range(21, 21 + 10 * writers))
