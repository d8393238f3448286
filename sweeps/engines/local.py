"""Workers as processes on this machine, each at the other end of a socket."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..wire import Message, Wire
from .base import GRACE_S, SETTLE_S, STACKS_S, EngineWorker, Loss


class WorkerProcess(EngineWorker):
    """A worker process; `cwd` and `env` are those of this process where they are not given."""

    def __init__(
        self,
        number: int,
        settings: dict[str, Any],
        log: Path,
        *,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(number, log)
        ours, theirs = socket.socketpair()
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "sitegym.sweeps.worker", str(theirs.fileno()), json.dumps(settings)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                cwd=cwd,
                env=env,
            )
        theirs.close()
        self.wire = Wire(ours)

    def tell(self, message: Message) -> None:
        with contextlib.suppress(OSError):
            self.wire.send(message)

    def receive(self) -> list[Message] | None:
        return self.wire.receive()

    def loss(self) -> Loss:
        return Loss("worker_killed", f"worker {self.number} died{self.how()}")

    def how(self) -> str:
        """How the process ended, where it did within a grace period."""
        try:
            code = self.process.wait(timeout=GRACE_S)
        except subprocess.TimeoutExpired:
            return ""
        return f" by signal {-code}" if code < 0 else f" with exit code {code}; see {self.log}"

    def ask_where_it_is(self) -> None:
        before = size = self.log.stat().st_size
        self.process.send_signal(signal.SIGUSR1)
        deadline = time.monotonic() + STACKS_S
        while self.process.poll() is None and time.monotonic() < deadline:
            time.sleep(SETTLE_S)
            size, known = self.log.stat().st_size, size
            if size == known > before:
                return

    def leave(self, deadline: float) -> None:
        """Wait until it has ended by itself, or until `deadline` (`time.monotonic`)."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=max(0.0, deadline - time.monotonic()))

    def kill(self) -> None:
        """End the process and what it started, at once."""
        self.wire.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class LocalEngine:
    """Workers on this machine. `settings` go to each, `logs` is the folder of what they print."""

    def __init__(self, settings: dict[str, Any], logs: Path) -> None:
        self._settings = settings
        self._logs = logs
        self._selector = selectors.DefaultSelector()

    def open(self) -> None:
        """Nothing is needed."""

    def begin(self, number: int) -> WorkerProcess:
        """A new process."""
        self._logs.mkdir(parents=True, exist_ok=True)
        worker = WorkerProcess(number, self._settings, self._logs / f"worker-{number}.log")
        self._selector.register(worker.wire, selectors.EVENT_READ, worker)
        return worker

    def wait(self, timeout_s: float) -> list[WorkerProcess]:
        """Those whose sockets can be read."""
        return [key.data for key, _ in self._selector.select(timeout=timeout_s)]

    def end(self, worker: WorkerProcess) -> None:
        """Kill it."""
        self._selector.unregister(worker.wire)
        worker.kill()

    def close(self, workers: Iterable[WorkerProcess]) -> None:
        """Let the workers close their browsers, then end what is left."""
        ours = list(workers)
        for worker in ours:
            worker.process.terminate()
        deadline = time.monotonic() + GRACE_S
        for worker in ours:
            worker.leave(deadline)
            worker.kill()
        self._selector.close()
