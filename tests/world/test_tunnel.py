"""Connections joined end to end: none is left open by whatever ends while it is made or emptied."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
from collections.abc import Iterator

import pytest
from sitegym.sites.world import tunnel
from sitegym.sites.world.remote import _Gate
from sitegym.sites.world.remote_address import Address
from sitegym.sites.world.tunnel import Loop, ends_of, join


@pytest.fixture
def loop() -> Iterator[Loop]:
    """An event loop in its thread; the test closes it, and nothing is unclosed then."""
    loop = Loop("test")
    yield loop
    loop.close()
    gc.collect()  # what is unclosed is a warning, and so an error


def gone(connection: socket.socket) -> bool:
    """Whether the other side is gone; who is still there without a word is an error."""
    connection.settimeout(10)
    try:
        while connection.recv(4096):
            pass
    except ConnectionResetError:
        pass
    return True


def test_a_connection_that_is_being_greeted_ends_with_its_side(loop: Loop) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        gate = _Gate(Address(host="127.0.0.1", port=silent.getsockname()[1]), "token", None)
        here, browser = socket.socketpair()
        going = []

        async def begin() -> None:
            going.append(asyncio.ensure_future(gate.join_door("w1", 80, await ends_of(here))))

        loop.run(begin())
        accepted, _ = silent.accept()
        with accepted, browser:
            assert json.loads(accepted.recv(4096))["want"] == "door"
            loop.close()
            gc.collect()
            assert gone(accepted)
            assert gone(browser)


@pytest.mark.parametrize("limit", [60, 0.1], ids=["until-the-loop-ends", "until-it-is-cut-off"])
def test_what_nobody_takes_in_is_not_held_for_ever(loop: Loop, monkeypatch: pytest.MonkeyPatch, limit: float) -> None:
    monkeypatch.setattr(tunnel, "LINGER_S", limit)
    (talker, one), (idle, two) = socket.socketpair(), socket.socketpair()
    two.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    talker.sendall(b"x" * 48 * 1024)  # more than the socket holds, and less than a writer waits for
    talker.close()

    async def begin() -> None:
        ends = await ends_of(two)
        joined = asyncio.ensure_future(join(await ends_of(one), ends))
        while not ends[1].is_closing():
            await asyncio.sleep(0.001)
        assert not joined.done()
        if limit < 1:
            await asyncio.wait_for(joined, 30)

    with idle:
        loop.run(begin())
        if limit > 1:
            loop.close()
        gc.collect()
        assert gone(idle)
