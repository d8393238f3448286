"""JSON lines over a socket between the sweep and its workers; the end of the stream is the death of the other side."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

from .files import json_bytes

Message = dict[str, Any]


class Wire:
    """One end. Sending is safe from several threads; receiving belongs to one."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self._lock = threading.Lock()
        self._rest = b""

    def send(self, message: Message) -> None:
        """Send one message; raises `OSError` where the other side is gone."""
        data = json_bytes(message) + b"\n"
        with self._lock:
            self.sock.sendall(data)

    def receive(self) -> list[Message] | None:
        """Messages that have arrived (waits; none where no line is whole yet); None at the end of the stream."""
        try:
            data = self.sock.recv(65536)
        except ConnectionError:
            return None
        if not data:
            return None
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [json.loads(line) for line in lines]

    def __iter__(self) -> Iterator[Message]:
        """Messages until the end of the stream."""
        while (messages := self.receive()) is not None:
            yield from messages

    def fileno(self) -> int:
        """For selectors."""
        return self.sock.fileno()

    def close(self) -> None:
        """Close this end."""
        self.sock.close()
