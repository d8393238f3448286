"""Removes a set of containers once its owner is gone, however it went: a process of its own at the end of a pipe.

Nothing is ever written into the pipe while the owner lives. Its end comes when nobody holds it any more: neither the
owner nor a `docker` that it had begun, which would make further containers.
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
    from sitegym.sites.world.stack import remove
    remove(sys.argv[1])
"""
"""Nothing is imported before there is something to do, so that waiting costs no memory."""


class Reaper:
    """Waits for the end of this process, to remove the set `project`."""

    def __init__(self, project: str) -> None:
        read, self.end = os.pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _CODE, project],
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
