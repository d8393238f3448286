"""The harness's end of a control channel: questions by number, each answered by a message, in any order."""

from __future__ import annotations

import itertools
import os
import threading
import weakref
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any

from ...errors import EnvironmentFault, SitegymError, UsageError
from .control import Channel, unpack_error

CALL_TIMEOUT_S = 60.0


class Caller:
    """Asks over a channel and waits for the answers; threads may share it."""

    def __init__(self, channel: Channel, *, timeout_s: float) -> None:
        self._channel = channel
        self._timeout_s = timeout_s
        self._owner = os.getpid()
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Future[Any]] = {}
        self._lock = threading.Lock()
        self._gone = False
        self._closed = False

    def ask(self, op: str, **fields: Any) -> Any:
        """Have the server do one operation and wait for its result; what worlds are made of."""
        return self._asked(op, self._timeout_s, fields)

    def _asked(self, op: str, timeout_s: float, fields: dict[str, Any]) -> Any:
        if os.getpid() != self._owner:
            raise UsageError("this world server belongs to the process that forked this one: start one here")
        with self._lock:
            id = next(self._numbers)
        answer = self._expect(id)
        try:
            self._channel.send({"id": id, "op": op, **fields})
        except OSError:
            self._lost()
        try:
            return self._wait(answer, op, timeout_s)
        finally:
            with self._lock:
                self._waiting.pop(id, None)

    def _listen(self) -> Future[Any]:
        """Take answers from now on, in a thread; returns the one that comes without being asked for, at the start."""
        hello = self._expect(0)
        reader = threading.Thread(
            target=_read, args=(self._channel, weakref.ref(self)), name="world-server", daemon=True
        )
        reader.start()
        return hello

    def _expect(self, id: int) -> Future[Any]:
        answer: Future[Any] = Future()
        with self._lock:
            self._waiting[id] = answer
            gone = self._gone
        if gone:
            self._lost()
        return answer

    def _wait(self, answer: Future[Any], op: str, timeout_s: float) -> Any:
        try:
            return answer.result(timeout_s)
        except FutureTimeout:
            message = f"the world server did not answer {op!r} within {timeout_s:.0f} s"
            raise EnvironmentFault(message, cause="server_hung") from None

    def _got(self, message: dict[str, Any]) -> None:
        with self._lock:
            answer = self._waiting.pop(message["id"], None)
        if answer is None:
            return
        if "error" in message:
            answer.set_exception(self._unpack(message["error"]))
        else:
            answer.set_result(self._result(message))

    def _unpack(self, error: Any) -> SitegymError:
        return unpack_error(error)

    def _result(self, message: dict[str, Any]) -> Any:
        return message.get("result")

    def _lost(self) -> None:
        """Fail everybody who waits: no answer will come any more."""
        with self._lock:
            self._gone = True
            waiting, self._waiting = self._waiting, {}
        for answer in waiting.values():
            answer.set_exception(self._fault())

    def _fault(self) -> SitegymError:
        raise NotImplementedError


def _read(channel: Channel, caller: weakref.ref[Caller]) -> None:
    """Hand answers to those who wait for them; holds no reference that would keep the caller alive."""
    for message in channel.messages():
        if here := caller():
            here._got(message)
        del here
    if here := caller():
        here._lost()
