"""What runs on a node of a cluster, as an actor: one worker process, its messages, and the files that it writes.

The worker is the same as on one machine, in a process of its own: it may die or hang without its actor, which tells the
sweep so. It writes to a folder of the node's own; what is new in there goes to the sweep with the worker's heartbeats
and before the end of an episode is told, so that the run's folder is whole without a disk that machines share.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import select
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..versions import versions
from ..wire import Message
from .base import GRACE_S
from .local import WorkerProcess
from .mirror import Mirror

PATIENCE_S = 10.0
"""How long an answer waits for something to tell."""
PREFIX = "sitegym-node-"
YOUNG_S = 60.0
"""A relay's folder that is younger may not have its lock yet."""


class Relay:
    """The actor. Its methods may be called from several threads."""

    def __init__(self, number: int, settings: dict[str, Any], here: str, paths: Iterable[str]) -> None:
        clear_strays()
        self._scratch = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = (self._scratch / "lock").open("w")
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        self._mirrors: dict[str, Mirror] = {}
        self._folders = itertools.count()
        self._guard = threading.Lock()
        self._told = 0
        self._about: list[Message] = [
            {
                "type": "about",
                "node": socket.gethostname(),
                "pid": os.getpid(),
                "versions": versions(headless=settings["headless"]),
            }
        ]
        self._log = self._scratch / "worker.log"
        self._worker = WorkerProcess(
            number, settings, self._log, cwd=Path(here) if Path(here).is_dir() else None, env=with_paths(paths)
        )

    def tell(self, message: Message) -> None:
        """Hand something to the worker; an episode gets a folder of this node's."""
        if "folder" in message:
            folder = self._scratch / f"episode-{next(self._folders)}"
            with self._guard:
                self._mirrors[message["id"]] = Mirror(folder)
            message = {**message, "folder": str(folder)}
        self._worker.tell(message)

    def receive(self) -> list[Message]:
        """What the worker has said, with files and log; waits for something. Last of all comes a message `ended`."""
        deadline = time.monotonic() + PATIENCE_S
        told, self._about = self._about, []
        while not told and (left := deadline - time.monotonic()) > 0:
            if not select.select([self._worker.wire], [], [], left)[0]:
                break
            messages = self._worker.receive()
            if messages is None:
                return [*self._news(), {"type": "ended", "how": self._worker.how()}]
            told += [one for message in messages for one in self._with_files(message)]
        return told

    def ask_where_it_is(self) -> list[Message]:
        """The stacks of the worker's threads, as news of its log."""
        self._worker.ask_where_it_is()
        return list(self._news(()))

    def stop(self) -> list[Message]:
        """Let the worker close its browser, then end it; the last files."""
        self._worker.process.terminate()
        self._worker.leave(time.monotonic() + GRACE_S)
        return self.end()

    def end(self) -> list[Message]:
        """End the worker and what it started, at once; the last files."""
        self._worker.kill()
        last = list(self._news())
        shutil.rmtree(self._scratch, ignore_errors=True)
        self._lock.close()
        return last

    def _with_files(self, message: Message) -> Iterator[Message]:
        if message["type"] == "beat":
            yield from self._news()
        elif message["type"] in ("done", "fault"):
            yield from self._news([message["id"]])
            with self._guard:
                mirror = self._mirrors.pop(message["id"], None)
            if mirror is not None:
                shutil.rmtree(mirror.folder, ignore_errors=True)
        yield message

    def _news(self, ids: Iterable[str] | None = None) -> Iterator[Message]:
        """What is new in the folders of episodes (of all without `ids`), and in the log."""
        with self._guard:
            asked = self._mirrors if ids is None else ids
            found = {id: self._mirrors[id].changes() for id in asked if id in self._mirrors}
            with suppress(OSError), self._log.open("rb") as log:
                log.seek(self._told)
                text = log.read()
                self._told += len(text)
                if text:
                    yield {"type": "log", "text": text}
        yield from ({"type": "files", "id": id, "files": files} for id, files in found.items() if files)


def with_paths(paths: Iterable[str]) -> Mapping[str, str]:
    """This process's environment, with these folders, where they exist here, to import from."""
    known = [path for path in (*paths, *os.environ.get("PYTHONPATH", "").split(os.pathsep)) if Path(path).is_dir()]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(path for path in known if path))}


def clear_strays() -> None:
    """Remove the folders of relays of this node that were killed: nobody holds their locks any more."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            if time.time() - folder.stat().st_mtime < YOUNG_S:
                continue
            with (folder / "lock").open("r+") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue  # in use, or another user's
