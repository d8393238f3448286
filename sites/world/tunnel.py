"""Connections joined end to end, on an event loop in a thread of its own: how doors and control cross a network.

One thread does all the encryption, as connections with TLS must not be read and written from two.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")
Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]

LINE_LIMIT = 64 * 1024
"""How long the first line of a connection may be, in bytes."""
HELLO_S = 10.0
"""How long the two sides may take to greet each other."""
LINGER_S = 5.0
"""How long what was under way may take to be taken in, once a connection has ended."""
_CHUNK = 256 * 1024


class Loop:
    """An event loop in a thread of its own, until `close`."""

    def __init__(self, name: str) -> None:
        self.loop = asyncio.new_event_loop()
        self.servers: set[asyncio.Server] = set()
        """What listens on the loop; closed with it."""
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T], timeout_s: float | None = None) -> T:
        """The result of a coroutine on the loop, for another thread. Raises `TimeoutError` after `timeout_s`."""
        future = asyncio.run_coroutine_threadsafe(work, self.loop)
        try:
            return future.result(timeout_s)
        except TimeoutError:
            future.cancel()
            raise

    def close(self) -> None:
        """End all that runs there, and the thread; twice is fine."""
        if not self.loop.is_closed():
            with suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join(5)

    def _serve(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_forever()
        finally:
            self.loop.run_until_complete(self._end())
            self.loop.close()

    async def _end(self) -> None:
        for server in self.servers:
            server.close()
        await _turns()  # who has just connected is let in, as a task that never began closes nothing
        for task in (tasks := asyncio.all_tasks() - {asyncio.current_task()}):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await _turns()  # what was closed lets go of its socket in one of the next ones


async def _turns() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def join(one: Ends, two: Ends) -> None:
    """Carry bytes both ways until either side ends; then both are closed, with what was under way delivered."""
    whole = False
    ways = [asyncio.ensure_future(_carry(one[0], two[1])), asyncio.ensure_future(_carry(two[0], one[1]))]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        whole = True
    finally:
        for way in ways:
            way.cancel()
        for _, writer in (one, two):
            writer.close() if whole else writer.transport.abort()
        await asyncio.gather(*ways, *(_gone(writer) for _, writer in (one, two)), return_exceptions=True)


async def _gone(writer: asyncio.StreamWriter) -> None:
    """Wait until a connection that was closed has delivered all and is gone; it is cut off if that takes too long."""
    try:
        await asyncio.wait_for(writer.wait_closed(), LINGER_S)
    finally:
        writer.transport.abort()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(_CHUNK):
            writer.write(data)
            await writer.drain()


async def ends_of(own: socket.socket) -> Ends:
    """A connected socket as a pair of streams."""
    own.setblocking(False)
    if own.family == socket.AF_UNIX:
        return await asyncio.open_unix_connection(sock=own, limit=LINE_LIMIT)
    return await asyncio.open_connection(sock=own, limit=LINE_LIMIT)


def be_prompt(writer: asyncio.StreamWriter) -> None:
    """Send small pieces at once, and notice within seconds that the other machine is gone."""
    own: socket.socket | None = writer.get_extra_info("socket")
    if own is None or own.family == socket.AF_UNIX:
        return
    own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    own.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 5), ("TCP_KEEPINTVL", 3), ("TCP_KEEPCNT", 3), ("TCP_USER_TIMEOUT", 15_000)):
        if hasattr(socket, name):
            own.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


async def read_line(reader: asyncio.StreamReader) -> dict[str, Any]:
    """One line of JSON from the other side. Raises `ValueError` where it is none, `EOFError` where nothing came."""
    line = await asyncio.wait_for(reader.readline(), HELLO_S)
    if not line.endswith(b"\n"):
        raise EOFError("the other side closed the connection")
    message = json.loads(line)
    if not isinstance(message, dict):
        raise ValueError("not an object")
    return message


async def write_line(writer: asyncio.StreamWriter, message: dict[str, Any]) -> None:
    """Send one line of JSON."""
    writer.write(json.dumps(message).encode() + b"\n")
    await writer.drain()
