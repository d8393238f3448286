"""The harness's side of the world: start a server process, open worlds in it, and control them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import weakref
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ...errors import EnvironmentFault, SitegymError, UsageError
from .. import registry
from ..kit.refusals import RefusedRequest
from ..kit.site import Cookie
from ..kit.views import View
from . import folders
from .baseline import Baseline, baseline
from .caller import CALL_TIMEOUT_S, Caller
from .control import Channel
from .database_choice import check_database

START_TIMEOUT_S = 60.0
_GRACE_S = 3.0
_DATABASE_GRACE_S = 20.0  # for dropping what it has in PostgreSQL
_LOADING_S = 300.0


class WorldServer(Caller):
    """One server process with any number of worlds; threads may share it.

    The process dies with this one, however this one ends. Raises `EnvironmentFault` with cause `server_died` or
    `server_hung` from any call, on this object or its worlds, once the process is gone or doesn't answer.

    `database` is `sqlite` (files, embedded) or an address like `postgresql://user:password@host/name`; without it the
    variable SITEGYM_DATABASE says which, and else it is SQLite. A PostgreSQL that can't be used is an
    `EnvironmentFault` (`database_lost`, `database_refused`, `database_crowded`), a wrong address a `UsageError`.
    """

    grader: WorldServer | None = None
    """What grades frozen databases apart from this process, by the operation `grade`; None where this process does."""

    database: str | None = None
    """The address of a PostgreSQL server; None for SQLite, and where somebody else says."""

    def __init__(self, *, timeout_s: float = CALL_TIMEOUT_S, database: str | None = None) -> None:
        self.database = check_database(database)
        folders.sweep()
        self._folder, lock = folders.claim()
        self._log = self._folder / "server.log"
        ours, theirs = socket.socketpair()
        self._process = _start(theirs, lock, self._folder, self._log)
        channel = Channel(ours)
        super().__init__(channel, timeout_s=timeout_s)
        hello = self._listen()
        grace_s = _GRACE_S if self.database is None else _DATABASE_GRACE_S
        self._finalizer: weakref.finalize[..., object] = weakref.finalize(
            self, _stop, channel, self._process, self._folder, lock, self._owner, grace_s
        )
        self._wait(hello, "start", START_TIMEOUT_S)
        if self.database is not None:
            try:
                self.ask("database", url=self.database)
            except BaseException:
                self.close()
                raise

    @property
    def pid(self) -> int:
        """The server's process id."""
        return self._process.pid

    @property
    def folder(self) -> Path:
        """Where the worlds' files are; goes with the server."""
        return self._folder

    @property
    def alive(self) -> bool:
        """Whether the process is there and the control channel open."""
        return not self._gone and not self._closed and self._process.poll() is None

    def open(self, site: str = "store", data: str = "base", seed: int = 1, *, port: int = 0) -> World:
        """A new world on its baseline, behind a port of its own (0: any that is free).

        Raises `UsageError` where the names are wrong or the port is taken.
        """
        if not 0 <= port <= 65535:
            raise UsageError(f"port {port} is not between 0 and 65535")
        start = baseline(site, data, seed)
        opened = self.ask(
            "open",
            site=site,
            target=registry.target(site),
            baseline=str(start.path),
            hash=start.hash,
            secret=start.secret.hex(),
            port=port,
        )
        return World(self, opened["world"], opened["port"], start)

    def reach(self, world: str, port: int) -> str:
        """The address at which a browser here gets to a port of a world."""
        return f"http://127.0.0.1:{port}"

    def ask(self, op: str, **fields: Any) -> Any:
        """Have the server do one operation and wait for its result; the first world on PostgreSQL may take minutes."""
        loads = op == "open" and self.database is not None
        return self._asked(op, max(self._timeout_s, _LOADING_S) if loads else self._timeout_s, fields)

    def close(self) -> None:
        """End the process and delete its files; closing twice is fine."""
        self._closed = True
        self._finalizer()
        self._lost()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _fault(self) -> SitegymError:
        if self._closed:
            return UsageError("this world server is closed")
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        last = _tail(self._log)
        message = f"the world server died (exit code {self._process.poll()})"
        return EnvironmentFault(f"{message}: {last}" if last else message, cause="server_died")


@dataclass(frozen=True)
class Ready:
    """The baseline of a world, ready behind an address of its own, to become the present by `World.turn`."""

    ticket: int
    address: str
    """The proxy server of a browser that goes there; it stays so when it is the present."""
    now: str
    cookie: Cookie | None
    """Of who is signed in there; None where nobody was to be."""


class World:
    """One world: the sites that a browser sees through `address`, and the harness's hold on them.

    Safe to use from several threads. All methods raise `EnvironmentFault` where the server is gone.
    """

    def __init__(self, server: WorldServer, id: str, port: int, start: Baseline) -> None:
        self.server = server
        self.id = id
        self.address = server.reach(id, port)
        """The browser's proxy server: `http://127.0.0.1:PORT`."""
        self.baseline = start
        """Where the world begins, and begins again at each reset."""
        self.rings = 0
        """How often since the reset open pages were to be told of something (server-sent events), as of `advance`."""
        self.wrote = 0
        """How many writing transactions there were since the reset, as of `advance`."""
        self.refused = 0
        """How many requests were refused since the reset or restore, as of `advance`."""
        self._closed = False

    @property
    def port(self) -> int:
        """The port of `address`."""
        return int(self.address.rpartition(":")[2])

    def reset(self) -> None:
        """Back to the baseline: rows, clock and view record; sessions are gone, checkpoints stay.

        Requests under way end on the rows they began with.
        """
        self._ask("reset")
        self.rings = self.wrote = self.refused = 0

    def make_ready(self, role: str | None = None) -> Ready:
        """Prepare the next reset: a fresh baseline behind a second address, where pages can be opened ahead of it.

        The present is not touched. What was ready before is given up. Raises `UnknownName` for a role that nobody has.
        """
        told = self._ask("ready", role=role)
        cookie = None if told["cookie"] is None else Cookie(**told["cookie"])
        address = self.server.reach(self.id, int(told["port"]))
        return Ready(int(told["ticket"]), address, str(told["now"]), cookie)

    def turn(self, ready: Ready) -> bool:
        """Reset to what is ready: it becomes the present, with all that was done there, and `address` becomes its own.

        What was the present before is gone, its address answers nothing. False, and nothing changed, where that is
        ready no longer.
        """
        if not self._ask("turn", ticket=ready.ticket):
            return False
        self.address = ready.address
        self.rings = self.wrote = self.refused = 0
        return True

    def sign_in(self, role: str) -> Cookie:
        """Mint a session for the first active person with this role. Raises `UnknownName` for another role."""
        return Cookie(**self._ask("sign_in", role=role))

    def now(self) -> str:
        """The world's time, `2026-03-18T10:00:00Z`."""
        return str(self._ask("now"))

    def advance(self, ms: int) -> str:
        """Move the world's time on by milliseconds; returns the time after it."""
        if ms < 0:
            raise UsageError(f"time can't go back by {-ms} ms: use checkpoint and restore")
        answer = self._ask("advance", ms=ms)
        self.rings, self.wrote, self.refused = (int(answer[name]) for name in ("rings", "writes", "refused"))
        return str(answer["now"])

    def call(self, use_case: str, *, actor: str = "manager", **fields: Any) -> Any:
        """Call the service layer, as a route would; returns what JSON can hold.

        Raises what the service raises (`Refused`, `Forbidden`, `Stale`), `UsageError` for wrong names or arguments.
        """
        return self._ask("call", use_case=use_case, actor=actor, fields=fields)

    def freeze(self, to: Path | None = None) -> Path:
        """A consistent copy of the database. Without `to` the world keeps it until its next reset, restore or close."""
        if to is not None and not (to := Path(to).absolute()).parent.is_dir():
            raise UsageError(f"can't freeze into {to}: its folder does not exist")
        return Path(self._ask("freeze", to=None if to is None else str(to)))

    def views(self) -> list[View]:
        """Every document rendered since the last reset, oldest first."""
        return [View.from_json(plain) for plain in self._ask("views")]

    def view(self, id: int) -> View:
        """The view with the id that a response's `X-View` gave. Raises `LookupError` where there is none."""
        answer = self._ask("view", number=id)
        if answer["view"] is None:
            raise LookupError(f"no view {id}: {answer['count']} were rendered in this episode")
        return View.from_json(answer["view"])

    def refusals(self, after: int = 0) -> list[RefusedRequest]:
        """Requests that were refused since the last reset or restore, oldest first: the first 200, without `after`.

        Asked for in vain by a browser or whoever else reached the port: another host or port, a tunnel, and what a site
        answered with an error of the client's (400 to 499) or with the way to its sign-in page.
        """
        return [RefusedRequest.from_json(plain) for plain in self._ask("refusals", after=after)]

    def errors(self) -> list[str]:
        """Tracebacks of requests that the application failed to answer since the last reset; a fault of ours."""
        return list(self._ask("errors"))

    def checkpoint(self) -> str:
        """Keep rows, time and view record; returns an id for `restore`, `fork` and `forget`."""
        return str(self._ask("checkpoint"))

    def restore(self, id: str) -> None:
        """Back to a checkpoint of this world. Raises `UnknownName` where it has none with this id."""
        self._ask("restore", checkpoint=id)

    def forget(self, id: str) -> None:
        """Drop a checkpoint and free its disk space. Raises `UnknownName` where there is none with this id."""
        self._ask("forget", checkpoint=id)

    def capture(self, to: Path) -> dict[str, Any]:
        """The present as plain data, with the rows in a new file at `to`: what `adopt` takes, here or elsewhere."""
        if not (to := Path(to).absolute()).parent.is_dir():
            raise UsageError(f"can't write the rows to {to}: its folder does not exist")
        return dict(self._ask("capture", to=str(to)))

    def adopt(self, state: Mapping[str, Any], rows: Path | None = None) -> None:
        """Go on from what `capture` gave, in this or another world of the same baseline; takes the file over.

        Without `rows` only time and records become those of the state, and the rows stay as they are.
        """
        self._ask("adopt", state=dict(state), rows=None if rows is None else str(Path(rows).absolute()))
        self.rings, self.refused = int(state["rings"]), 0
        if rows is not None:
            self.wrote = 0

    def fork(self, id: str | None = None) -> World:
        """A world of its own that goes on from a checkpoint, or from the present; sessions are valid in both."""
        opened = self._ask("fork", checkpoint=id)
        return World(self.server, opened["world"], opened["port"], self.baseline)

    def writes(self) -> int:
        """How many writing transactions there were since the last reset or restore."""
        return int(self._ask("writes"))

    def requests(self) -> int:
        """How many requests are being answered now."""
        return int(self._ask("requests"))

    def close(self) -> None:
        """Give the world up and free its port; closing twice, or after the server's end, is fine."""
        if self._closed:
            return
        self._closed = True
        if self.server.alive:
            with suppress(EnvironmentFault):
                self.server.ask("close", world=self.id)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, op: str, **fields: Any) -> Any:
        if self._closed:
            raise UsageError("this world is closed")
        return self.server.ask(op, world=self.id, **fields)


def _start(control: socket.socket, lock: int, folder: Path, log: Path) -> subprocess.Popen[bytes]:
    """Start the server with our way of finding modules, its output in a log in its folder."""
    command = [sys.executable, "-m", f"{__package__}.server", f"--control={control.fileno()}"]
    command += [f"--folder={folder}", f"--parent={os.getpid()}"]
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
    with control, log.open("wb") as output:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=[control.fileno(), lock],  # the lock is only held
            env={**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": "0", "TZ": "UTC"},
            start_new_session=True,  # Ctrl-C is for the harness, which then ends us in order
        )


def _stop(
    channel: Channel, process: subprocess.Popen[bytes], folder: Path, lock: int, owner: int, grace_s: float
) -> None:
    """End the process: in order where it listens, by force where it doesn't."""
    if os.getpid() != owner:
        return  # a forked child must not end its parent's server
    channel.close()
    try:
        process.wait(grace_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    shutil.rmtree(folder, ignore_errors=True)
    os.close(lock)


def _tail(log: Path) -> str:
    """The last line that the server wrote, for a message."""
    try:
        lines = log.read_text(errors="replace").strip().splitlines()
    except OSError:
        return ""
    return lines[-1] if lines else ""
