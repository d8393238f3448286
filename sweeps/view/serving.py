"""`view`: the server of a run's pages on this machine's loopback; what `sitegym view` calls."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from ...errors import UsageError
from ..evaluate import terminate_like_interrupt
from ..progress import make_console
from .app import make_app
from .watched import Watched

ADDRESS = "127.0.0.1"
NAMES = (ADDRESS, "localhost")
_NAMED = 8
"""How many other runs are named where there is none of this name."""


class _Quiet(WSGIRequestHandler):
    """Requests are not told one by one on the terminal."""

    def log(self, type: str, message: str, *args: object) -> None:
        """Say nothing."""


@dataclass(frozen=True)
class Served:
    """A run that is served."""

    url: str
    watched: Watched
    server: BaseWSGIServer


def view(run: Path | str, *, port: int = 0, quiet: bool = False) -> int:
    """Serve the pages of a run until Ctrl-C; returns the exit code.

    `port` 0 is any that is free. Raises `UsageError` where the folder holds no run, or the port can't be had.
    """
    console = make_console(quiet=quiet)
    with terminate_like_interrupt(), served(Path(run), port=port) as found:
        if not found.watched.begun:
            console.print(f"There is no run in {run} yet; it is shown as soon as it begins.", highlight=False)
            if beside := runs_beside(Path(run)):
                console.print(f"Runs that there are: {beside}", highlight=False, markup=False, soft_wrap=True)
        console.print(f"{found.url}  (Ctrl-C ends it)", highlight=False, soft_wrap=True)
        with suppress(KeyboardInterrupt):
            found.server.serve_forever(poll_interval=0.2)
    console.print("Stopped.", highlight=False)
    return 0


def runs_beside(run: Path) -> str:
    """The runs in the same folder, the newest first, for whoever mistyped a name; empty where there are none."""
    found = [path for path in run.absolute().parent.glob("*/run.json") if path.parent != run.absolute()]
    with suppress(OSError):  # one that goes meanwhile
        found.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    told = ", ".join(str(run.parent / path.parent.name) for path in found[:_NAMED])
    return f"{told} and {len(found) - _NAMED} more" if len(found) > _NAMED else told


@contextmanager
def served(run: Path, *, port: int = 0) -> Iterator[Served]:
    """A server for a run that listens already; whoever asks for it has it serve."""
    watched = Watched(run)
    try:
        server = _server(watched, port)
        try:
            yield Served(f"http://{ADDRESS}:{server.port}/", watched, server)
        finally:
            server.server_close()
    finally:
        watched.close()


def _server(watched: Watched, port: int) -> BaseWSGIServer:
    # bound here: werkzeug would end the process where that fails
    with socket.socket() as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((ADDRESS, port))
        except OSError as error:
            raise UsageError(f"port {port} can't be had: {error.strerror}; give another one, or none") from error
        bound.listen()
        number = bound.getsockname()[1]
        app = make_app(watched, frozenset(f"{name}:{number}" for name in NAMES))
        return make_server(ADDRESS, number, app, threaded=True, request_handler=_Quiet, fd=bound.fileno())
