"""One background thread of a server: makes spares and clears away what is done with."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue

_log = logging.getLogger(__name__)


class Keeper:
    """Does what it is asked to, one thing after another. A task that fails is logged; the next is done all the same."""

    def __init__(self) -> None:
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._here = threading.local()
        self._thread = threading.Thread(target=self._work, name="keeper", daemon=True)
        self._thread.start()

    def ask(self, task: Callable[[], None]) -> None:
        """Have `task` done soon."""
        put_off: list[Callable[[], None]] | None = getattr(self._here, "put_off", None)
        if put_off is None:
            self._tasks.put(task)
        else:
            put_off.append(task)

    @contextmanager
    def put_off(self) -> Iterator[None]:
        """What this thread asks for inside the block is begun at its end, so as not to slow down what it does here."""
        tasks: list[Callable[[], None]] = []
        self._here.put_off = tasks
        try:
            yield
        finally:
            self._here.put_off = None
            for task in tasks:
                self._tasks.put(task)

    def wait(self) -> None:
        """Return when all that was asked before is done."""
        done = threading.Event()
        self.ask(done.set)
        done.wait()

    def close(self) -> None:
        """Finish what was asked, then end."""
        self._tasks.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                task()
            except Exception:
                _log.exception("background task failed")
