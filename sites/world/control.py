"""The control channel: JSON lines over a socket pair that only the harness and its world server hold.

`{"id": 7, "op": "reset", "world": "w1"}` is answered by `{"id": 7, "result": null}` or by `{"id": 7, "error": …}`, in
any order. Errors of ours cross whole (the pipe joins two processes of one user and one version); others become faults.
"""

from __future__ import annotations

import base64
import json
import pickle
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, is_dataclass
from typing import Any

from sqlalchemy import inspect as examine
from sqlalchemy.exc import NoInspectionAvailable

from ...errors import EnvironmentFault, SitegymError
from .errors import unforeseen


class Channel:
    """One end of the control channel; sending is safe from several threads, receiving is one thread's."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end
        self._file = end.makefile("rb")
        self._lock = threading.Lock()

    def send(self, message: dict[str, Any]) -> None:
        """Send one message. Raises `OSError` where the other side is gone."""
        line = json.dumps(message, default=plain).encode() + b"\n"
        with self._lock:
            self._socket.sendall(line)

    def messages(self) -> Iterator[dict[str, Any]]:
        """All messages until the other side closes or dies; a message cut short by that is dropped."""
        with self._file:
            while (line := self._line()).endswith(b"\n"):
                yield json.loads(line)

    def close(self) -> None:
        """Close this end; the other side sees the end of the channel."""
        with suppress(OSError):  # the other side may have been faster
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def discard(self) -> None:
        """Close an end whose messages nobody has begun to read."""
        self._file.close()
        self._socket.close()

    def _line(self) -> bytes:
        try:
            return self._file.readline()
        except OSError:
            return b""  # the other side was killed


def pack_error(error: BaseException, doing: str) -> str:
    """An error as text; one that is not ours becomes an `EnvironmentFault` that says what was being done."""
    if not isinstance(error, SitegymError):
        error = unforeseen(error, doing)
    return base64.b64encode(pickle.dumps(error)).decode()


def unpack_error(text: str) -> SitegymError:
    """The error that `pack_error` was given; a fault where this process can't make it."""
    try:
        error = pickle.loads(base64.b64decode(text))
    except Exception as cause:
        return EnvironmentFault(f"the world server sent an error that can't be read: {cause!r}", cause="server_error")
    assert isinstance(error, SitegymError)
    return error


def plain(value: Any) -> Any:
    """What JSON has no form for, as service functions return it: dataclasses, rows, sets."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, bytes):
        return value.decode("latin-1")
    try:
        mapper = examine(value).mapper
    except (NoInspectionAvailable, AttributeError):
        return str(value)
    return {column.key: getattr(value, column.key) for column in mapper.column_attrs}


class FileChannel(Channel):
    """A channel that carries the bytes of a file behind a message: its field `blob`, in as many bytes as it has.

    A message that promises more than `LARGEST` ends the channel.
    """

    LARGEST = 4 * 1024**3

    def send(self, message: dict[str, Any]) -> None:
        """Send one message. Raises `OSError` where the other side is gone."""
        blob = message.pop("blob", None)
        if blob is None:
            super().send(message)
            return
        line = json.dumps({**message, "blob": len(blob)}, default=plain).encode() + b"\n"
        with self._lock:
            self._socket.sendall(line)
            self._socket.sendall(blob)

    def messages(self) -> Iterator[dict[str, Any]]:
        """All messages until the other side closes, dies, or says what makes no sense."""
        with self._file:
            while (line := self._line()).endswith(b"\n"):
                try:
                    message = json.loads(line)
                    if "blob" in message:
                        message["blob"] = self._bytes(int(message["blob"]))
                except (ValueError, TypeError, OSError):
                    return
                yield message

    def _bytes(self, size: int) -> bytes:
        if not 0 <= size <= self.LARGEST:
            raise ValueError(f"{size} bytes")
        blob = self._file.read(size)
        if len(blob) < size:
            raise ValueError("cut short")
        return blob
