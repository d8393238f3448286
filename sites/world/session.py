"""What one harness does over a control channel that crosses machines: worlds in a process of its own, files as bytes.

The process and its worlds end with the channel, so whoever is killed leaves nothing behind here.
"""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ...errors import EnvironmentFault, SitegymError, UsageError
from .. import registry
from ..known import check_world
from .baseline import secret_of
from .client import WorldServer
from .control import FileChannel
from .errors_plain import to_plain

_log = logging.getLogger(__name__)
_PLAIN = {
    "fork", "close", "reset", "ready", "turn", "checkpoint", "restore", "forget", "now", "advance", "views", "view",
    "refusals", "errors", "writes", "requests", "sign_in", "call",
}  # fmt: skip
"""Operations that go to the world server as they are."""
_AT_ONCE = 16


class Session:
    """The worlds of one control channel."""

    def __init__(self, end: socket.socket, store: Path, start: Callable[[], WorldServer] = WorldServer) -> None:
        self.id = secrets.token_hex(16)
        self._channel = FileChannel(end)
        self._store = store
        self._start = start
        self._lock = threading.Lock()
        self._ports: dict[str, set[int]] = {}
        self._server: WorldServer | None = None

    def serves(self, world: str, port: int) -> bool:
        """Whether a port is a door of a world of this session."""
        return port in self._ports.get(world, ())

    def run(self) -> None:
        """Do what is asked until the channel ends; then all worlds end."""
        try:
            with self._start() as self._server:
                self._serve()
        except (SitegymError, OSError) as error:
            self._say({"id": 0, "error": to_plain(error, "starting the worlds")})
            self._channel.discard()
        finally:
            self._ports.clear()
            self._channel.close()

    def _serve(self) -> None:
        """Say that all is ready, then answer what comes, several questions at a time."""
        try:
            with ThreadPoolExecutor(_AT_ONCE, "session") as pool:
                self._channel.send({"id": 0, "result": {"session": self.id}})
                for message in self._channel.messages():
                    pool.submit(self._answer, message)
        except OSError:
            pass  # the other side is gone
        finally:
            self._channel.close()

    def _answer(self, message: dict[str, Any]) -> None:
        id, op = message.pop("id", -1), str(message.pop("op", ""))
        try:
            self._say({"id": id, **self._do(op, message)})
        except BaseException as error:
            if not isinstance(error, SitegymError) or isinstance(error, EnvironmentFault):
                _log.error("%s failed", op, exc_info=error)
            self._say({"id": id, "error": to_plain(error, f"world server, {op}")})

    def _say(self, message: dict[str, Any]) -> None:
        try:
            self._channel.send(message)
        except OSError:
            _log.info("nobody is there any more to hear the answer")

    def _do(self, op: str, fields: dict[str, Any]) -> dict[str, Any]:
        if op in _PLAIN:
            return {"result": self._noted(op, fields, self._ask(op, **fields))}
        own = getattr(self, f"_do_{op}", None)
        if own is None:
            raise UsageError(f"there is no operation {op!r}")
        return dict(own(**fields))

    def _ask(self, op: str, **fields: Any) -> Any:
        assert self._server is not None
        return self._server.ask(op, **fields)

    def _noted(self, op: str, fields: dict[str, Any], result: Any) -> Any:
        """Remember which ports belong to which world."""
        with self._lock:
            if op in ("open", "fork"):
                self._ports[result["world"]] = {int(result["port"])}
            elif op == "ready":
                self._ports[fields["world"]].add(int(result["port"]))
            elif op == "close":
                self._ports.pop(fields["world"], None)
        return result

    # ---- operations with files

    def _do_baseline(self, blob: bytes) -> dict[str, Any]:
        """Keep the rows that worlds begin with."""
        path = self._path(hashlib.sha256(blob).hexdigest())
        half = path.with_name(f".{secrets.token_hex(8)}")
        half.write_bytes(blob)
        half.chmod(0o444)
        os.replace(half, path)
        return {"result": None}

    def _do_open(self, site: str, data: str, seed: int, sha256: str, hash: str) -> dict[str, Any]:
        """Open a world; the answer says so where its baseline has to be sent first."""
        check_world(site, data, seed)
        path = self._path(sha256)
        if not path.exists():
            return {"result": {"missing": "baseline"}}
        secret = secret_of(site, data, seed).hex()
        where = {"site": site, "target": registry.target(site), "baseline": str(path), "hash": hash}
        opened = self._ask("open", **where, secret=secret, port=0)
        return {"result": self._noted("open", {}, opened)}

    def _do_freeze(self, world: str) -> dict[str, Any]:
        """A consistent copy of the rows."""
        with self._file() as path:
            self._ask("freeze", world=world, to=str(path))
            return {"result": None, "blob": path.read_bytes()}

    def _do_capture(self, world: str) -> dict[str, Any]:
        """The present, with its rows."""
        with self._file() as path:
            state = self._ask("capture", world=world, to=str(path))
            return {"result": state, "blob": path.read_bytes()}

    def _do_adopt(self, world: str, state: dict[str, Any], blob: bytes | None = None) -> dict[str, Any]:
        """Go on from a state; with rows where they come along."""
        if blob is None:
            return {"result": self._ask("adopt", world=world, state=state, rows=None)}
        file = self._file()
        file.path.write_bytes(blob)
        return {"result": self._ask("adopt", world=world, state=state, rows=str(file.path))}

    def _do_ping(self) -> dict[str, Any]:
        """Say that all is well."""
        return {"result": None}

    def _path(self, sha256: str) -> Path:
        if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
            raise UsageError(f"{sha256!r} is no SHA-256")
        return self._store / f"{sha256}.sqlite"

    def _file(self) -> _Passing:
        assert self._server is not None
        return _Passing(self._server.folder / f"passing-{secrets.token_hex(8)}.sqlite")


class _Passing:
    """A name for a file that is read once and then goes."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self.path.unlink(missing_ok=True)
