"""The model's endpoint of `endpoint.py` at one port: started, killed, started again."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

PATIENCE_S = 300.0


class Served:
    """Use as a context manager; `agent` names an agent on its model, with the options given."""

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None

    def agent(self, *, retries: int = 12, backoff_s: float = 0.1) -> str:
        """The name of an agent that asks it."""
        address = f"http://127.0.0.1:{self.port}/v1"
        return f"llm:model=fake,base_url={address},retries={retries},backoff_s={backoff_s}"

    def start(self) -> None:
        """Have it answer."""
        self.process = subprocess.Popen([sys.executable, str(Path(__file__).with_name("endpoint.py")), str(self.port)])
        deadline = time.monotonic() + PATIENCE_S
        while not self.answers():
            assert self.process.poll() is None, "the endpoint does not start"
            assert time.monotonic() < deadline, "the endpoint does not answer"
            time.sleep(0.05)

    def answers(self) -> bool:
        """Whether somebody listens."""
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        """kill -9."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def __enter__(self) -> Served:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
