"""A Ray cluster for tests: several nodes on the loopback, each of which can be killed."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType

ENVIRONMENT = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # addresses are those of the loopback
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),
}


class Nodes:
    """Use as a context manager. `raylets` are the processes of its nodes, the head's not among them."""

    def __init__(self, count: int) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("ray_cluster.py")), str(count), self._folder.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, **ENVIRONMENT},
        )
        try:
            self.address = self._line()
            self.raylets = [int(self._line()) for _ in range(count)]
        except BaseException:
            self.__exit__(None, None, None)
            raise

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        assert line, "the cluster does not start"
        return line

    def lose(self, raylet: int) -> None:
        """kill -9 of a node."""
        self.raylets.remove(raylet)
        os.kill(raylet, signal.SIGKILL)

    def add(self) -> None:
        """A new node."""
        assert self._process.stdin is not None
        self._process.stdin.write("add\n")
        self._process.stdin.flush()
        self.raylets.append(int(self._line()))

    def __enter__(self) -> Nodes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(timeout=60)
        finally:
            self._process.kill()
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._folder.cleanup()
