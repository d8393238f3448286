"""Requests that a world refuses are kept for the harness: which, why and when, until the next reset."""

from __future__ import annotations

import socket
from contextlib import suppress

import pytest
from plain_http import ask
from sitegym.sites.kit.refusals import KEPT, RefusalLog
from sitegym.sites.world import World


@pytest.mark.parametrize(
    ("url", "told"),
    [
        pytest.param("http://example.com/a", "GET http://example.com/a: 502, no site of this world", id="host"),
        pytest.param("http://notes.localhost:81/", "GET http://notes.localhost:81/: 502, no site of this", id="port"),
        pytest.param("http://notes.localhost/missing?a=1", "GET http://notes.localhost/missing?a=1: 404, ", id="page"),
    ],
)
def test_a_refused_request_is_kept_with_its_reason_and_time(world: World, url: str, told: str) -> None:
    world.advance(60_000)
    ask(world, "http://notes.localhost/")
    ask(world, url)
    (refused,) = world.refusals()
    assert str(refused).startswith(told)
    assert refused.at == "2026-03-18T10:01:00Z"
    world.advance(1)
    assert (world.refused, world.refusals(after=1)) == (1, [])
    world.reset()
    assert (world.refused, world.refusals()) == (0, [])


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        pytest.param(b"CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\nConnection: close\r\n\r\n", 403, id="tunnel"),
        pytest.param(b"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400, id="broken"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: a\r\nA: " + b"a" * 300_000 + b"\r\n\r\n", 431, id="giant"),
    ],
)
def test_what_no_site_is_given_is_kept_too(world: World, sent: bytes, status: int) -> None:
    address = ("127.0.0.1", world.port)
    with socket.create_connection(address, timeout=30) as connection, suppress(ConnectionError):
        connection.sendall(sent)  # who is refused early may be hung up on
        while connection.recv(10_000):
            pass
    assert [refused.status for refused in world.refusals()] == [status]


def test_a_fork_and_what_is_gone_back_to_begin_without_any(world: World) -> None:
    kept = world.checkpoint()
    ask(world, "http://notes.localhost/missing")
    with world.fork() as fork:
        assert fork.refusals() == []
    world.restore(kept)
    assert world.refusals() == []


def test_the_first_are_kept_and_all_are_counted() -> None:
    log = RefusalLog()
    for number in range(KEPT + 5):
        log.add(method="GET", url=f"/{number}" + "x" * 1000, status=404, why="no", at="")
    assert (log.count, len(log.after(0))) == (KEPT + 5, KEPT)
    assert log.after(1)[0].url.startswith("/1x")
    assert len(log.after(0)[0].url) < 400
