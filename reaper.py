"""Ends what would outlive its owner, however that went, also by `kill -9`: a process of its own at the end of a pipe.

Nothing is ever written into the pipe while the owner lives. Its end comes when nobody holds it any more: neither the
owner nor a program that it has handed the end to since that might still begin something.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress

_RELEASE = b"released"
_WAIT_S = 10.0
_CODE = """
import sys
if not sys.stdin.buffer.read():
    from importlib import import_module
    module, _, name = sys.argv[1].partition(":")
    getattr(import_module(module), name)(sys.argv[2])
"""
"""Nothing is imported before there is something to do, so that waiting costs no memory."""


class Reaper:
    """Waits for the end of this process, then calls a function, given as `module:name`, with `what`."""

    def __init__(self, function: str, what: str) -> None:
        read, self.end = os.pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _CODE, function, what],
                stdin=read, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        finally:
            os.close(read)

    def release(self) -> None:
        """End it: there is nothing to remove any more."""
        with suppress(BrokenPipeError):  # it was killed
            os.write(self.end, _RELEASE)
        os.close(self.end)
        self._process.wait(_WAIT_S)
