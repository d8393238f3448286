"""Closing a port: at once, also under a request that goes on, and without a trace in what is opened next."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sitegym.sites.world.port import Port


def test_a_request_that_outlives_its_port_writes_to_no_file_that_was_opened_since(tmp_path: Path) -> None:
    """A server wakes its loop by writing to a pipe; after the close that number may be a database's."""
    reached, go_on = threading.Event(), threading.Event()

    def app(environ: dict[str, Any], respond: Callable[..., object]) -> Iterable[bytes]:
        respond("200 OK", [("Content-Length", "4")])
        reached.set()
        go_on.wait()
        return [b"late"]

    port = Port(app)
    with socket.create_connection(("127.0.0.1", port.number)) as browser, ExitStack() as files:
        browser.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        reached.wait()
        port.close()
        assert browser.recv(1) == b""
        opened = [files.enter_context((tmp_path / f"{n}").open("wb")) for n in range(40)]
        go_on.set()
        for thread in threading.enumerate():
            if thread.name.startswith(("waitress-", "port-")):
                thread.join()
        assert [Path(file.name).stat().st_size for file in opened] == [0] * 40


def test_closing_while_the_last_answer_goes_out_is_quiet(caplog: pytest.LogCaptureFixture) -> None:
    """A thread that has just answered still wakes the loop: the pipe for that must outlive it."""

    def app(environ: dict[str, Any], respond: Callable[..., object]) -> Iterable[bytes]:
        respond("200 OK", [("Content-Length", "4")])
        return [b"done"]

    for _ in range(100):
        port = Port(app)
        with socket.create_connection(("127.0.0.1", port.number)) as browser:
            browser.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            browser.recv(1000)
            port.close()
    assert [record.getMessage() for record in caplog.records] == []


def test_a_closed_port_is_free_and_its_threads_are_gone() -> None:
    before = set(threading.enumerate())
    port = Port(lambda environ, respond: [])
    port.close()
    assert set(threading.enumerate()) <= before
    with socket.create_server(("127.0.0.1", port.number)):
        pass
