"""Worlds that another machine, or a container, serves: used like those of a process here.

Control and the doors of worlds go through one address. A browser here gets to a door through a port on this machine's
loopback, which this process serves and which leads to that door alone.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import socket
import ssl
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...errors import EnvironmentFault, SitegymError, UsageError
from . import folders
from .baseline import baseline
from .caller import CALL_TIMEOUT_S, Caller
from .client import START_TIMEOUT_S, World, WorldServer
from .content import version
from .control import FileChannel
from .errors_plain import from_plain
from .files import sha256
from .remote_address import Address
from .tunnel import HELLO_S, LINE_LIMIT, Ends, Loop, be_prompt, ends_of, join, read_line, write_line

_CONNECT_S = 15.0
GRADING_S = 300.0
"""A grader's first verdict on a data set waits for the rows to be generated there."""
_FRESH = ("reset", "restore", "turn", "close", "adopt")
"""Operations that end the life of frozen copies which the world keeps."""


class RemoteServer(WorldServer):
    """A world server somewhere else.

    `token` is what it asks for. `tls` is needed unless it is on loopback and `plain` is said. Raises `UsageError` where
    token, certificate or version are wrong, `EnvironmentFault` (causes `server_unreachable`, `server_lost`,
    `server_hung`) where the network or the other side fails.
    """

    def __init__(
        self,
        address: Address,
        token: str,
        *,
        tls: ssl.SSLContext | None = None,
        plain: bool = False,
        timeout_s: float = CALL_TIMEOUT_S,
    ) -> None:
        address.check(tls=tls is not None, plain=plain)
        folders.sweep()
        self.at = address
        self.database = None  # which database it has is the other side's affair
        self._folder, lock = folders.claim()
        self._loop = Loop("remote-worlds")
        self._gate = _Gate(address, token, tls)
        self._doors: dict[tuple[str, int], asyncio.Server] = {}
        self._frozen: dict[str, list[Path]] = {}
        ours, theirs = socket.socketpair()
        channel = FileChannel(ours)
        self._finalizer = weakref.finalize(self, _stop, channel, self._loop, self._folder, lock, os.getpid())
        Caller.__init__(self, channel, timeout_s=timeout_s)
        try:
            try:
                self._loop.run(self._gate.join_control(theirs))
            except BaseException:
                theirs.close()
                channel.discard()
                raise
            hello = self._listen()
            self._gate.session = self._wait(hello, "start", START_TIMEOUT_S)["session"]
        except BaseException:
            RemoteServer.close(self)
            raise

    @property
    def pid(self) -> int:
        """The process of the world server is not one of this machine's."""
        raise UsageError("a world server elsewhere has no process here")

    @property
    def alive(self) -> bool:
        """Whether the connection is there."""
        return not self._gone and not self._closed

    def grade_at(self, address: Address, token: str) -> None:
        """Have what is left graded at a socket of this machine, by a grader that is apart from this process."""
        self.grader = RemoteServer(address, token, timeout_s=GRADING_S)

    def close(self) -> None:
        """End the session, and that with a grader."""
        if self.grader is not None:
            self.grader.close()
        super().close()

    def open(self, site: str = "store", data: str = "base", seed: int = 1, *, port: int = 0) -> World:
        """A new world on its baseline. Its rows are those of here, sent where the other side has not got them."""
        if port:
            raise UsageError("a world elsewhere can't be given a port of this machine")
        start = baseline(site, data, seed)
        asked = {"site": site, "data": data, "seed": seed, "sha256": sha256(start.path), "hash": start.hash}
        opened = self.ask("open", **asked)
        if "missing" in opened:
            self.ask("baseline", blob=start.path.read_bytes())
            opened = self.ask("open", **asked)
        return World(self, opened["world"], opened["port"], start)

    def ask(self, op: str, **fields: Any) -> Any:
        """Have the server do one operation; files that it reads or writes are files of this machine."""
        match op:
            case "freeze":
                return self._freeze(fields["world"], fields["to"])
            case "capture":
                state, rows = super().ask(op, world=fields["world"])
                Path(fields["to"]).write_bytes(rows)
                return state
            case "adopt" if fields["rows"] is not None:
                path = Path(fields["rows"])
                answer = super().ask(op, world=fields["world"], state=fields["state"], blob=path.read_bytes())
                path.unlink()
            case "adopt":
                return super().ask(op, world=fields["world"], state=fields["state"])
            case _:
                answer = super().ask(op, **fields)
        if op in _FRESH:
            self._thaw(fields["world"])
        if op == "close":
            self._loop.run(self._shut(fields["world"]))
        return answer

    def reach(self, world: str, port: int) -> str:
        """The address on this machine's loopback that leads to a port of a world, and nowhere else."""
        return self._loop.run(self._reach(world, port))

    def _freeze(self, world: str, to: str | None) -> str:
        path = Path(to) if to else self._folder / f"frozen-{secrets.token_hex(8)}.sqlite"
        _, rows = super().ask("freeze", world=world)
        half = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        half.write_bytes(rows)
        os.replace(half, path)
        if to is None:
            self._frozen.setdefault(world, []).append(path)
        return str(path)

    def _thaw(self, world: str) -> None:
        for path in self._frozen.pop(world, ()):
            path.unlink(missing_ok=True)

    async def _reach(self, world: str, port: int) -> str:
        if (world, port) not in self._doors:
            door = await asyncio.start_server(
                lambda reader, writer: self._gate.join_door(world, port, (reader, writer)), "127.0.0.1", 0
            )
            self._doors[world, port] = door
            self._loop.servers.add(door)
        return f"http://127.0.0.1:{self._doors[world, port].sockets[0].getsockname()[1]}"

    async def _shut(self, world: str) -> None:
        for key in [key for key in self._doors if key[0] == world]:
            door = self._doors.pop(key)
            door.close()
            self._loop.servers.discard(door)

    def _unpack(self, error: Any) -> SitegymError:
        return from_plain(error)

    def _result(self, message: dict[str, Any]) -> Any:
        return (message.get("result"), message["blob"]) if "blob" in message else message.get("result")

    def _fault(self) -> SitegymError:
        if self._closed:
            return UsageError("this world server is closed")
        return EnvironmentFault(f"the connection to the world server at {self.at} was lost", cause="server_lost")


class _Gate:
    """How one gets in there: address, token, encryption, and the session that was given."""

    def __init__(self, address: Address, token: str, tls: ssl.SSLContext | None) -> None:
        self._address = address
        self._token = token
        self._tls = tls
        self.session = ""

    async def join_control(self, here: socket.socket) -> None:
        """Connect, and join the control channel's other end to it."""
        there = await self._enter({"want": "control", "version": version()})
        self._joined = asyncio.ensure_future(join(await ends_of(here), there))

    async def join_door(self, world: str, port: int, here: Ends) -> None:
        """Join one connection of a browser to a door; it is dropped where that can't be had."""
        be_prompt(here[1])
        try:
            there = await self._enter({"want": "door", "session": self.session, "world": world, "port": port})
            await join(here, there)
        except (SitegymError, asyncio.CancelledError):  # cancelled where the server object is closed
            here[1].transport.abort()

    async def _enter(self, wanted: dict[str, Any]) -> Ends:
        try:
            there = await asyncio.wait_for(self._connect(), _CONNECT_S)
        except ssl.SSLCertVerificationError as error:
            raise UsageError(_distrusted(self._address, error)) from error
        except ssl.SSLError as error:
            raise UsageError(f"no TLS with {self._address}: {error}; is it served with a certificate?") from error
        except (OSError, TimeoutError) as error:
            raise _unreachable(self._address, error) from error
        try:
            await write_line(there[1], {"token": self._token, **wanted})
            answer = await read_line(there[0])
        except (OSError, EOFError, ValueError, TimeoutError) as error:
            there[1].close()
            why = (
                "closed the connection instead of an answer"
                if isinstance(error, EOFError)
                else f"does not answer: {error}"
            )
            message = f"{self._address} {why}; is it `sitegym serve --control`, and both with TLS or both without?"
            raise EnvironmentFault(message, cause="server_unreachable") from error
        except asyncio.CancelledError:
            there[1].transport.abort()
            raise
        if "error" in answer:
            there[1].close()
            raise from_plain(answer["error"])
        return there

    async def _connect(self) -> Ends:
        if self._address.path:
            return await asyncio.open_unix_connection(self._address.path, limit=LINE_LIMIT)
        more: dict[str, Any] = {"ssl": self._tls, "ssl_handshake_timeout": HELLO_S} if self._tls else {}
        ends = await asyncio.open_connection(self._address.host, self._address.port, limit=LINE_LIMIT, **more)
        be_prompt(ends[1])
        return ends


def _unreachable(address: Address, error: Exception) -> EnvironmentFault:
    why = "no answer" if isinstance(error, TimeoutError) else getattr(error, "strerror", None) or str(error)
    return EnvironmentFault(f"no world server can be reached at {address}: {why}", cause="server_unreachable")


def _distrusted(address: Address, error: ssl.SSLCertVerificationError) -> str:
    why = error.verify_message
    clock = "; are the clocks of both machines right?" if "expired" in why or "not yet valid" in why else ""
    return f"the certificate of {address} is not trusted: {why}{clock}"


def _stop(channel: FileChannel, loop: Loop, folder: Path, lock: int, owner: int) -> None:
    """End the connection, which ends the worlds over there, and what is here."""
    if os.getpid() != owner:
        return
    channel.close()
    loop.close()
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):
        os.close(lock)
