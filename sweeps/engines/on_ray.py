"""Workers as actors in a Ray cluster: of this machine alone, or one that was started before and is joined.

Only the sweep's own process writes to the run's folder; actors send what their workers wrote. An actor that is gone, by
itself or with its node, is a fault of whatever its worker was at (`node_lost`), and another one takes its place as soon
as the cluster has room for it.
"""

from __future__ import annotations

import os
import secrets
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ...agents.extras import use
from ...errors import EnvironmentFault
from ...reaper import Reaper
from ..wire import Message
from . import marked
from .base import GRACE_S, EngineWorker, Loss
from .mirror import write
from .relay import Relay

ROOM_S = 300.0
"""How long a sweep of which no worker runs waits until the cluster has room for one."""
UNMET_LIMIT = 10
"""How many actors in a row may be lost before they say a word, until the sweep gives up."""
FETCH_S = 60.0
"""How long an answer that is there may take to arrive."""
STORE_BYTES = 256 * 2**20
"""Memory of the object store of a Ray that is started here; answers are small."""
ALIKE = ("sitegym", "playwright", "browser")
"""Versions that must be the same on all nodes."""


class RayWorker(EngineWorker):
    """An actor and the worker that it relays."""

    def __init__(self, number: int, log: Path, ray: Any, actor: Any, versions: dict[str, str]) -> None:
        super().__init__(number, log)
        self._ray = ray
        self.actor = actor
        self._versions = versions
        self.news = actor.receive.remote()
        self.asked = time.monotonic()
        self.node = ""
        """Host name of its node; empty as long as it has none."""
        self._loss = Loss("node_lost", "")
        self.gone = False

    def tell(self, message: Message) -> None:
        if not self.gone:
            self.actor.tell.remote(message)

    def receive(self) -> list[Message] | None:
        try:
            answer = self._ray.get(self.news, timeout=FETCH_S)
        except self._ray.exceptions.RayError as error:
            self._lost(error)
            return None
        messages = self.keep(answer)
        if messages and messages[-1]["type"] == "ended":
            self._loss = Loss("worker_killed", f"worker {self.number} on {self.node} died{messages[-1]['how']}")
            return None
        self.news = self.actor.receive.remote()
        return messages

    def loss(self) -> Loss:
        return self._loss

    def ask_where_it_is(self) -> None:
        self.last_words(self.actor.ask_where_it_is)

    def last_words(self, method: Any) -> None:
        """Keep what a method of the actor returns within a few seconds, where it still does."""
        if not self.gone:
            with suppress(self._ray.exceptions.RayError):
                self.keep(self._ray.get(method.remote(), timeout=2 * GRACE_S))

    def keep(self, answer: Iterable[Message]) -> list[Message]:
        """Write down the files and the log in an answer; the rest of it."""
        rest = []
        for message in answer:
            match message["type"]:
                case "files":
                    if job := self.jobs.get(message["id"]):
                        write(Path(job.message["folder"]), message["files"])
                case "log":
                    self._print(message["text"])
                case "about":
                    self._meet(message)
                case _:
                    rest.append(message)
        return rest

    def _meet(self, about: Message) -> None:
        self.node = about["node"]
        same_versions(self.node, self._versions, about["versions"])

    def _lost(self, error: Exception) -> None:
        self.gone = True
        lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
        told = next((line for line in lines if " because " in line), lines[0])[:300]
        if getattr(error, "actor_init_failed", False):
            self._loss = Loss("worker_start", lines[-1])
            self._print(f"{lines[-1]}\n".encode())
        elif self.node:
            self._loss = Loss("node_lost", f"worker {self.number} on {self.node} is gone: {told}")
        else:
            self._loss = Loss("node_lost", f"worker {self.number} was gone before it came to be: {told}")

    def _print(self, text: bytes) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            log.write(text)


class RayEngine:
    """Begins actors, each on one CPU as Ray counts them, spread over the nodes.

    `address` is that of a running cluster (else the environment's `RAY_ADDRESS`); without one a Ray is started on this
    machine's loopback, with as many CPUs as there are `workers`, and ended with the sweep. A program that uses Ray
    already keeps its own.
    """

    def __init__(self, settings: dict[str, Any], logs: Path, *, workers: int, address: str | None) -> None:
        self._settings = settings
        self._logs = logs
        self._count = workers
        self._address = address or os.environ.get("RAY_ADDRESS")
        self._workers: list[RayWorker] = []
        self._ray: Any = None
        self._started = False
        self._reaper: Reaper | None = None
        """Of a Ray that is started here: parts of it go on for a minute after a sweep that was killed."""
        self._unmet = 0

    def open(self) -> None:
        """Join the cluster, or start one. Raises `EnvironmentFault` (cause `worker_start`) where that fails."""
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        loopback = self._address is None or self._address.startswith(("127.", "localhost"))
        if loopback and "ray" not in sys.modules:
            os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # so it listens on the loopback alone
        with own_signals():
            self._ray = use("ray", "ray", "the engine ray")
            if self._ray.is_initialized():
                return
            try:
                self._init()
            except Exception as error:  # Ray says it by many classes, and by bare ones
                where = "here" if self._address is None else f"at {self._address}"
                said = " ".join(str(error).split())[:300]
                raise EnvironmentFault(f"no Ray {where}: {said}", cause="worker_start", retry=False) from error
            self._started = True

    def _init(self) -> None:
        quiet = {"log_to_driver": False, "configure_logging": False}
        if self._address is not None:
            self._ray.init(address=self._address, **quiet)
            return
        mark = secrets.token_hex(8)
        self._reaper = Reaper(f"{marked.__name__}:{marked.end_marked.__name__}", mark)
        os.environ[marked.NAME] = mark
        try:
            self._ray.init(
                address="local",
                num_cpus=self._count,
                num_gpus=0,
                include_dashboard=False,
                object_store_memory=STORE_BYTES,
                **quiet,
            )
        finally:
            del os.environ[marked.NAME]

    def begin(self, number: int) -> RayWorker:
        """An actor, wherever there is room for it, now or later."""
        remote = self._ray.remote(
            num_cpus=1, max_concurrency=3, max_restarts=0, max_task_retries=0, scheduling_strategy="SPREAD"
        )(Relay)
        paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
        actor = remote.remote(number, self._settings, os.getcwd(), paths)
        worker = RayWorker(
            number, self._logs / f"worker-{number}.log", self._ray, actor, self._settings.get("versions", {})
        )
        self._workers.append(worker)
        return worker

    def wait(self, timeout_s: float) -> list[RayWorker]:
        """Those whose answers are there, or will never be. Raises `EnvironmentFault` where nobody has found room."""
        by_news = {worker.news: worker for worker in self._workers}
        if not by_news:
            return []
        ready, _ = self._ray.wait(list(by_news), num_returns=1, timeout=timeout_s, fetch_local=False)
        if ready:
            ready, _ = self._ray.wait(list(by_news), num_returns=len(by_news), timeout=0, fetch_local=False)
        else:
            self._need_room()
        return [by_news[one] for one in ready]

    def _need_room(self) -> None:
        if any(worker.node for worker in self._workers):
            return
        if time.monotonic() - min(worker.asked for worker in self._workers) > ROOM_S:
            free = self._ray.available_resources().get("CPU", 0.0)
            total = self._ray.cluster_resources().get("CPU", 0.0)
            raise EnvironmentFault(
                f"the Ray cluster had no room for a worker within {ROOM_S:.0f} s: a worker needs one CPU, and of "
                f"{total:g} there are {free:g} free",
                cause="worker_start",
                retry=False,
            )

    def end(self, worker: RayWorker) -> None:
        """End an actor and its worker. Raises `EnvironmentFault` where one after the other never came to be."""
        self._workers.remove(worker)
        self._unmet = 0 if worker.node else self._unmet + 1
        if self._unmet > UNMET_LIMIT:
            raise EnvironmentFault(f"actors do not start: {worker.loss().message}", cause="worker_start", retry=False)
        worker.last_words(worker.actor.end)
        self._kill(worker)

    def close(self, workers: Iterable[RayWorker]) -> None:
        """Let the workers close their browsers, keep their last files, then end what is left."""
        if self._ray is None:
            return
        try:
            ours = [worker for worker in workers if worker in self._workers]
            ends = {worker.actor.stop.remote(): worker for worker in ours if worker.node and not worker.gone}
            if ends:
                self._ray.wait(list(ends), num_returns=len(ends), timeout=3 * GRACE_S)
            for end, worker in ends.items():
                with suppress(self._ray.exceptions.RayError, OSError):
                    worker.keep(self._ray.get(end, timeout=0.1))
            for worker in self._workers:
                self._kill(worker)
        finally:
            self._workers.clear()
            if self._started:
                with own_signals():
                    self._ray.shutdown()
            if self._reaper is not None:
                self._reaper.release()
                self._reaper = None

    def _kill(self, worker: RayWorker) -> None:
        worker.gone = True
        with suppress(self._ray.exceptions.RayError):
            self._ray.kill(worker.actor)


def same_versions(node: str, ours: Mapping[str, str], theirs: Mapping[str, str]) -> None:
    """Raise `EnvironmentFault` (cause `worker_start`) where a node's episodes would not compare with the others."""
    for name in ALIKE:
        here, there = ours.get(name), theirs.get(name)
        if here is not None and here != there:
            raise EnvironmentFault(
                f"node {node} has {name} {there}, where this run is played with {here}; its episodes would not compare",
                cause="worker_start",
                retry=False,
            )


@contextmanager
def own_signals() -> Iterator[None]:
    """Keep this program's answers to Ctrl-C and SIGTERM, whatever is set inside (they belong to the main thread)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, answer in kept.items():
            signal.signal(number, answer)
