"""The world server: a process that hosts many worlds, one loopback port each, and does what its parent asks.

It ends when its parent closes the control channel or dies, whichever way. Nothing on a port can control it.
"""

from __future__ import annotations

import argparse
import gc
import inspect
import itertools
import logging
import os
import select
import shutil
import socket
import sys
import threading
import traceback
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Flask, got_request_exception, request

from ...errors import EnvironmentFault, UsageError, out_of_disk
from .. import registry
from ..kit.site import Cookie, Site
from ..kit.views import View
from ..kit.world import WorldContext, instant
from .control import Channel, pack_error
from .errors import FULL, UnknownUseCase, UnknownWorld
from .generations import Generation
from .hosted import Checkpoint, HostedWorld
from .keeper import Keeper
from .port import Port
from .proxy import Proxy

if TYPE_CHECKING:
    from . import postgresql

_log = logging.getLogger(__name__)
_PARENT_CHECK_S = 2.0
_SWITCH_S = 0.0005  # a reset's reply must not wait the usual 5 ms for the thread that makes the next spare


@dataclass(frozen=True)
class _Entry:
    world: HostedWorld
    ports: list[Port]
    """One for each door; the second is opened when it is first needed."""
    baseline: Path
    hash: str
    folder: Path


class Server:
    """The worlds of this process, and the operations that the harness may ask for; each `do_…` is one."""

    def __init__(self, folder: Path) -> None:
        self.keeper = Keeper()
        self._folder = folder
        self._entries: dict[str, _Entry] = {}
        self._apps: dict[str, Flask] = {}
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._postgresql: postgresql.Server | None = None

    def do(self, op: str, message: dict[str, Any]) -> Any:
        """Do one operation. Raises what the operation raises."""
        fields = {name: value for name, value in message.items() if name not in ("id", "op")}
        return getattr(self, f"do_{op}")(**fields)

    # ---- worlds

    def do_database(self, url: str) -> None:
        """Keep the rows of all worlds that are opened from now on in PostgreSQL."""
        from . import postgresql

        self._postgresql = postgresql.Server(postgresql.Cluster(postgresql.Address.parse(url)), self._folder)

    def do_open(
        self, site: str, target: str, baseline: str, secret: str, port: int = 0, hash: str = ""
    ) -> dict[str, Any]:
        """Host one more world."""
        loaded = registry.load(site, target)
        folder, world = self._make(loaded, Path(baseline), hash, bytes.fromhex(secret))
        return self._serve(world, folder, Path(baseline), hash, port)

    def do_fork(self, world: str, checkpoint: str | None) -> dict[str, Any]:
        """Host a world that goes on from another's present or past."""
        entry = self._entry(world)
        folder, fork = self._make(entry.world.site, entry.baseline, entry.hash, entry.world.secret)
        fork.adopt(entry.world.branch(folder / "fork.sqlite", checkpoint))
        return self._serve(fork, folder, entry.baseline, entry.hash, 0)

    def do_close(self, world: str) -> None:
        """Give a world up; one that is closed already is fine."""
        with self._lock:
            entry = self._entries.pop(world, None)
        if entry:
            entry.world.hush()
            for port in entry.ports:
                port.close()
            entry.world.close()
            self.keeper.ask(lambda: shutil.rmtree(entry.folder, ignore_errors=True))

    # ---- one world

    def do_reset(self, world: str) -> None:
        """Back to the baseline."""
        self._world(world).reset()

    def do_ready(self, world: str, role: str | None) -> dict[str, Any]:
        """Make the baseline ready behind the other door, with somebody signed in there."""
        entry = self._entry(world)
        port = self._other_port(entry)
        port.hang_up()  # nothing that was sent to what it showed before may reach what it shows next
        ticket, generation = entry.world.make_ready()
        with generation.held():
            cookie = None if role is None else self._sign_in(entry.world, generation, role)
        return {"ticket": ticket, "port": port.number, "now": instant(generation.now_ms), "cookie": cookie}

    def do_turn(self, world: str, ticket: int) -> bool:
        """Make the present what was made ready under this ticket, if it still is."""
        return self._world(world).turn(ticket)

    def do_checkpoint(self, world: str) -> str:
        """Keep the present."""
        return self._world(world).checkpoint()

    def do_restore(self, world: str, checkpoint: str) -> None:
        """Back to a kept state."""
        self._world(world).restore(checkpoint)

    def do_forget(self, world: str, checkpoint: str) -> None:
        """Drop a kept state."""
        self._world(world).forget(checkpoint)

    def do_capture(self, world: str, to: str) -> dict[str, Any]:
        """The present: rows into a file, the rest as the answer."""
        state = self._world(world).capture(Path(to))
        views = [view.to_json() for view in state.views]
        return {"now_ms": state.now_ms, "views": views, "rings": state.rings, "errors": state.errors}

    def do_adopt(self, world: str, rows: str | None, state: dict[str, Any]) -> None:
        """Go on from a state captured in any world of the same baseline; without rows only its time and records."""
        views = tuple(View.from_json(plain) for plain in state["views"])
        hosted = self._world(world)
        kept = Checkpoint(path=Path(rows or ""), **{**state, "views": views, "errors": tuple(state["errors"])})
        if rows is None:
            hosted.record(kept)
        else:
            hosted.adopt(kept)

    def do_freeze(self, world: str, to: str | None) -> str:
        """Copy the rows."""
        return str(self._world(world).freeze(Path(to) if to else None))

    def do_now(self, world: str) -> str:
        """The world's time."""
        with self._world(world).context() as context:
            return context.now()

    def do_advance(self, world: str, ms: int) -> dict[str, Any]:
        """Move the world's time on; also says how often open pages were to be told of something."""
        with self._world(world).pinned() as generation:
            now = instant(generation.advance(ms))
            told = {"rings": generation.rings, "writes": generation.database.writes}
            return {"now": now, **told, "refused": generation.refusals.count}

    def do_views(self, world: str) -> list[dict[str, Any]]:
        """Everything that was rendered."""
        with self._world(world).pinned() as generation:
            return [view.to_json() for view in generation.views.all()]

    def do_view(self, world: str, number: int) -> dict[str, Any]:
        """One of them, and how many there are."""
        with self._world(world).pinned() as generation:
            views = generation.views.all()
            found = views[number - 1].to_json() if 1 <= number <= len(views) else None
            return {"count": len(views), "view": found}

    def do_refusals(self, world: str, after: int) -> list[dict[str, Any]]:
        """Requests that were refused, after the first so many."""
        with self._world(world).pinned() as generation:
            return [refused.to_json() for refused in generation.refusals.after(after)]

    def do_errors(self, world: str) -> list[str]:
        """Tracebacks of requests that the application failed to answer."""
        with self._world(world).pinned() as generation:
            return list(generation.errors)

    def do_writes(self, world: str) -> int:
        """How many writing transactions there were."""
        with self._world(world).pinned() as generation:
            return generation.database.writes

    def do_requests(self, world: str) -> int:
        """How many requests are being answered."""
        return self._world(world).requests

    def do_sign_in(self, world: str, role: str) -> dict[str, str]:
        """Mint a session."""
        hosted = self._world(world)
        with hosted.pinned() as generation:
            return self._sign_in(hosted, generation, role)

    def do_call(self, world: str, use_case: str, actor: str, fields: dict[str, Any]) -> Any:
        """Call the service layer, as a route would."""
        hosted = self._world(world)
        function = _use_case(hosted.site, use_case)
        with hosted.context(*next(iter(hosted.site.hosts.items()))) as context:
            person = hosted.site.actor(context, actor)
            _check_fields(function, use_case, fields)
            return function(context, person, **fields)

    def leave(self) -> None:
        """Give back what is not in our folder; the process ends next."""
        if self._postgresql is not None:
            self._postgresql.cluster.close()

    # ---- inside

    def _sign_in(self, hosted: HostedWorld, generation: Generation, role: str) -> dict[str, str]:
        host, face = next(iter(hosted.site.hosts.items()))
        cookie = hosted.site.sign_in(WorldContext(generation, host=host, face=face), role)
        return asdict(cookie) if isinstance(cookie, Cookie) else dict(cookie)

    def _other_port(self, entry: _Entry) -> Port:
        app = self._app(entry.world.site)
        with self._lock:
            if len(entry.ports) == 1:
                entry.ports.append(Port(Proxy(entry.world, app, door=1)))
            return entry.ports[1 - entry.world.front]

    def _make(self, site: Site, baseline: Path, hash: str, secret: bytes) -> tuple[Path, HostedWorld]:
        folder = self._folder / f"world-{next(self._numbers)}"
        folder.mkdir()
        source = None
        if self._postgresql is not None:
            from . import postgresql

            source = postgresql.Clones(self._postgresql, site.metadata, baseline, hash)
        return folder, HostedWorld(site, baseline, secret, folder, self.keeper, source)

    def _serve(self, world: HostedWorld, folder: Path, baseline: Path, hash: str, port: int) -> dict[str, Any]:
        try:
            listener = Port(Proxy(world, self._app(world.site)), port)
        except BaseException:
            world.close()
            raise
        with self._lock:
            id = f"w{next(self._numbers)}"
            self._entries[id] = _Entry(world, [listener], baseline, hash, folder)
        return {"world": id, "port": listener.number}

    def _app(self, site: Site) -> Flask:
        with self._lock:
            if site.name not in self._apps:
                app = site.create_app()
                got_request_exception.connect(_note_error, app)
                self._apps[site.name] = app
                gc.collect()
                gc.freeze()  # what is there now stays: looking through it took a page in a hundred 100 ms
                gc.set_threshold(50_000, 20, 50)
            return self._apps[site.name]

    def _entry(self, id: str) -> _Entry:
        with self._lock:
            if id not in self._entries:
                raise UnknownWorld(id, self._entries)
            return self._entries[id]

    def _world(self, id: str) -> HostedWorld:
        return self._entry(id).world


def _use_case(site: Site, name: str) -> Any:
    if name not in site.use_cases:
        raise UnknownUseCase(name, site.use_cases)
    return site.use_cases[name]


def _check_fields(function: Any, name: str, fields: Mapping[str, Any]) -> None:
    """A wrong argument is the caller's mistake; a TypeError deeper inside is ours."""
    try:
        inspect.signature(function).bind(None, None, **fields)
    except TypeError as error:
        raise UsageError(f"use case {name!r}: {error}") from error


def _note_error(sender: Flask, exception: BaseException, **_: Any) -> None:
    """Keep the traceback of a failed request with the world that it was for."""
    context = request.environ.get("sitegym.world")
    text = "".join(traceback.format_exception(exception))
    if isinstance(exception, EnvironmentFault):
        text += f"cause: {exception.cause}\n"
    elif out_of_disk(exception):
        text += f"{FULL}\ncause: out_of_disk\n"
    _log.error("%s %s failed\n%s", request.method, request.path, text)
    if isinstance(context, WorldContext):
        context.record_error(text)


def _reply(server: Server, channel: Channel, message: dict[str, Any]) -> None:
    """Answer first; what goes on in the background begins when the answer is out."""
    with server.keeper.put_off():
        _answer(server, channel, message)


def _answer(server: Server, channel: Channel, message: dict[str, Any]) -> None:
    """Do what a message asks and send what came of it; nothing that goes wrong here may end the server."""
    op = str(message.get("op"))
    reply: dict[str, Any] = {"id": message["id"]}
    try:
        reply["result"] = server.do(op, message)
        channel.send(reply)
    except OSError as error:
        if _gone(error):
            return
        _refuse(channel, message["id"], error, op)
    except BaseException as error:
        _refuse(channel, message["id"], error, op)


def _refuse(channel: Channel, id: int, error: BaseException, op: str) -> None:
    if not isinstance(error, UsageError):
        _log.error("%s failed", op, exc_info=error)
    try:
        channel.send({"id": id, "error": pack_error(error, f"world server, {op}")})
    except OSError as lost:
        if not _gone(lost):
            raise


def _gone(error: OSError) -> bool:
    return isinstance(error, BrokenPipeError | ConnectionResetError)


def _watch_parent(parent: int, server: Server, folder: Path) -> None:
    """End with the parent even where a forked child of it keeps our channel open."""
    while os.getppid() == parent:
        select.select([], [], [], _PARENT_CHECK_S)
    _end(server, folder)


def _end(server: Server, folder: Path) -> None:
    with suppress(Exception):  # whatever it is, the next server clears up
        server.leave()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)  # threads may be in the middle of a request that nobody waits for


def main(arguments: list[str] | None = None) -> None:
    """Serve until the control channel ends: `--control FD --folder DIR --parent PID`."""
    parser = argparse.ArgumentParser(prog="sitegym.sites.world.server", description=__doc__)
    parser.add_argument("--control", type=int, required=True, help="file descriptor of the control channel")
    parser.add_argument("--folder", type=Path, required=True, help="folder for the worlds' files, deleted at the end")
    parser.add_argument("--parent", type=int, required=True, help="process whose end is this one's end, too")
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    sys.setswitchinterval(_SWITCH_S)
    channel = Channel(socket.socket(fileno=given.control))
    server = Server(given.folder)
    threading.Thread(target=_watch_parent, args=(given.parent, server, given.folder), daemon=True).start()
    pool = ThreadPoolExecutor(max_workers=16, thread_name_prefix="control")
    channel.send({"id": 0, "result": {"pid": os.getpid()}})
    for message in channel.messages():
        pool.submit(_reply, server, channel, message)
    _end(server, given.folder)


if __name__ == "__main__":
    main()
