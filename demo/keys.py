"""Keys of a person at the terminal: single keystrokes where it is one, else lines of standard input."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self


class Keys:
    """Reads keys between `with` and its end, and leaves the terminal as it was."""

    def __init__(self) -> None:
        self._stream = sys.stdin
        self._old: list[Any] | None = None
        self._open = self._stream is not None and not self._stream.closed

    def __enter__(self) -> Self:
        if self._open and self._stream.isatty():
            import termios
            import tty

            self._old = termios.tcgetattr(self._stream)
            tty.setcbreak(self._stream)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._old is not None:
            import termios

            termios.tcsetattr(self._stream, termios.TCSADRAIN, self._old)

    def each(self, turn_s: float) -> Iterator[str]:
        """The keys as they come, and an empty text whenever none came for `turn_s`; never ends by itself."""
        while True:
            ready, _, _ = select.select([self._stream] if self._open else [], [], [], turn_s)
            if not ready:
                yield ""
                continue
            read = os.read(self._stream.fileno(), 1024)
            self._open = bool(read)  # at its end, as with input from /dev/null, only a signal stops us
            yield from read.decode("utf-8", "replace").replace("\n", "").replace("\r", "").lower() or [""]
