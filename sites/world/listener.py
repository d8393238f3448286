"""Worlds for other machines: one address that control channels and the doors of worlds are reached at, with a token.

A connection begins with a line that says the token and what is wanted: `control`, a session of worlds, or `door`, a
port of a world of a session. What has no token, or none of ours, is told so and nothing else. Worlds go on listening on
the loopback of this machine alone.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import os
import socket
import ssl
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...errors import EnvironmentFault, UsageError
from .client import WorldServer
from .content import version
from .errors_plain import to_plain
from .remote_address import Address
from .session import Session
from .tunnel import Ends, Loop, be_prompt, ends_of, join, read_line, write_line

_log = logging.getLogger(__name__)
MOST_SESSIONS = 64
MOST_GREETINGS = 256


class Listener:
    """Serves worlds at an address until `close`.

    `tls` is needed for every address but a Unix socket, or one on loopback with `plain`, which is for tests and for
    containers. Raises `UsageError` where that is missing, or the address can't be had.
    """

    def __init__(
        self,
        address: Address,
        token: str,
        *,
        tls: ssl.SSLContext | None = None,
        plain: bool = False,
        session: Callable[[socket.socket, Path], Session] | None = None,
    ) -> None:
        address.check(tls=tls is not None, plain=plain)
        self._token = token
        self._tls = tls
        self._session = session or worlds()
        self._sessions: dict[str, Session] = {}
        self._ends: set[socket.socket] = set()
        self._greeting = 0
        self._store = tempfile.TemporaryDirectory(prefix="sitegym-baselines-")
        self._loop = Loop("listener")
        try:
            self._server = self._loop.run(self._listen(address))
        except OSError as error:
            self.close()
            raise UsageError(f"can't listen at {address}: {error.strerror or error}") from error

    @property
    def address(self) -> Address:
        """Where it listens, with the port that was chosen."""
        name = self._server.sockets[0].getsockname()
        return Address(path=name) if isinstance(name, str) else Address(host=name[0], port=name[1])

    @property
    def sessions(self) -> int:
        """How many harnesses are connected."""
        return len(self._sessions)

    def close(self) -> None:
        """Stop listening and end all sessions; twice is fine."""
        for end in tuple(self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._loop.close()
        self._store.cleanup()

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _listen(self, address: Address) -> asyncio.Server:
        if address.path:
            with suppress(FileNotFoundError):
                os.unlink(address.path)  # of one that was killed
            server = await asyncio.start_unix_server(self._greet, address.path)
        else:
            more: dict[str, Any] = {"ssl": self._tls, "ssl_handshake_timeout": 10} if self._tls else {}
            server = await asyncio.start_server(self._greet, address.host, address.port, **more)
        self._loop.servers.add(server)
        return server

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        be_prompt(writer)
        if self._greeting >= MOST_GREETINGS:
            writer.close()
            return
        self._greeting += 1
        try:
            wanted = await self._welcome(reader, writer)
        except asyncio.CancelledError:
            wanted = None
        finally:
            self._greeting -= 1
        try:
            if wanted is None:
                writer.close()
            elif wanted["want"] == "door":
                await self._door(wanted, (reader, writer))
            else:
                await self._control((reader, writer))
        except (OSError, EOFError, asyncio.CancelledError):  # cancelled where the listener is closed
            writer.transport.abort()

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> dict[str, Any] | None:
        """The first line, if it is one of ours; else None, and the other side was told why, as far as it may know."""
        try:
            wanted = await read_line(reader)
        except (OSError, EOFError, ValueError, TimeoutError):
            return None
        given = wanted.get("token")
        if not isinstance(given, str) or not hmac.compare_digest(given.encode(), self._token.encode()):
            await self._refuse(writer, UsageError("the token is wrong"))
            return None
        if wanted.get("want") not in ("control", "door"):
            await self._refuse(writer, UsageError(f"there is no {wanted.get('want')!r} here"))
            return None
        if wanted["want"] == "control" and wanted.get("version") != version():
            await self._refuse(writer, UsageError(_differs(wanted.get("version"))))
            return None
        if wanted["want"] == "control" and len(self._sessions) >= MOST_SESSIONS:
            full = f"{MOST_SESSIONS} harnesses are connected already"
            await self._refuse(writer, EnvironmentFault(full, cause="server_full"))
            return None
        return wanted

    async def _refuse(self, writer: asyncio.StreamWriter, error: BaseException) -> None:
        with suppress(OSError):
            await write_line(writer, {"error": to_plain(error, "connecting")})

    async def _control(self, there: Ends) -> None:
        """A session in a thread of its own, joined to the connection."""
        ours, its = socket.socketpair()
        session = self._session(its, Path(self._store.name))
        self._sessions[session.id] = session
        self._ends.add(its)
        done = asyncio.Event()
        loop = asyncio.get_running_loop()

        def work() -> None:
            try:
                session.run()
            finally:
                with suppress(RuntimeError):  # the listener was closed meanwhile
                    loop.call_soon_threadsafe(done.set)

        threading.Thread(target=work, name="session", daemon=True).start()
        try:
            await write_line(there[1], {"ok": True})
            await join(there, await ends_of(ours))
            await done.wait()
        finally:
            self._sessions.pop(session.id, None)
            self._ends.discard(its)

    async def _door(self, wanted: dict[str, Any], there: Ends) -> None:
        """One connection of a browser, joined to a port of a world."""
        session = self._sessions.get(str(wanted.get("session")))
        port = wanted.get("port")
        if session is None or not isinstance(port, int) or not session.serves(str(wanted.get("world")), port):
            await self._refuse(there[1], UsageError("there is no such door"))
            there[1].close()
            return
        here = await asyncio.open_connection("127.0.0.1", port)
        try:
            be_prompt(here[1])
            await write_line(there[1], {"ok": True})
        except BaseException:
            here[1].transport.abort()
            raise
        await join(there, here)


def worlds(start: Callable[[], WorldServer] = WorldServer) -> Callable[[socket.socket, Path], Session]:
    """Sessions of worlds, each with a world server that `start` gives."""
    return lambda end, store: Session(end, store, start)


def _differs(theirs: Any) -> str:
    ours = version()
    theirs = theirs if isinstance(theirs, dict) else {}
    return (
        f"the world server is of sitegym {ours['version']} ({ours['content'][:12]}), and this harness of "
        f"{theirs.get('version', '?')} ({str(theirs.get('content', '?'))[:12]}): both must be the same; "
        "build the images again, or install the same version there"
    )
