"""One thing at a time on the host's loop, in the order of the calls, and what a fault or a cancellation does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import EnvironmentFault, SitegymError, VerifierError
from ..verifiers import Verdict
from .host import forget

if TYPE_CHECKING:
    from .host import BrowserHost

T = TypeVar("T")


@dataclass
class _Turn:
    """How far the host's loop is with what was asked of it."""

    begun: bool = False
    ended: bool = False


class Turns:
    """Lets callers from any loop have their turns; `AsyncEpisode` is one."""

    def __init__(self, host: BrowserHost) -> None:
        self.host = host
        self.done = False
        self.verdict: Verdict | None = None
        self.fault: SitegymError | None = None
        """What ended the episode where that was no fault of the agent's; None where nothing did."""
        self._turn = asyncio.Lock()
        self._doing: asyncio.Task[Any] | None = None
        self._asked: asyncio.Future[Any] | None = None

    def _end_turn(self) -> None:
        """Cancel what is under way, if anything is."""
        if self._doing is not None:
            self._doing.cancel()

    async def _do(self, doing: str, work: Callable[..., Coroutine[Any, Any, T]], *args: Any) -> T:
        """Do something on the host's loop, after what was asked for before."""
        turn = _Turn()
        try:
            return await self.host.visit(self._alone(turn, doing, work, *args))
        except asyncio.CancelledError:
            if turn.begun and not turn.ended:  # the host's loop will say so, too, but later than the caller looks
                self._over(_cancelled(doing))
            raise

    async def _alone(self, turn: _Turn, doing: str, work: Callable[..., Coroutine[Any, Any, T]], *args: Any) -> T:
        async with self._turn:
            self._doing, turn.begun = asyncio.current_task(), True
            try:
                with self._faults(doing):
                    if self._asked is not None and not self._asked.done():
                        await asyncio.wait([self._asked])
                    return await work(*args)
            finally:
                self._doing, turn.ended = None, True

    @contextmanager
    def _faults(self, doing: str) -> Iterator[None]:
        """After a fault the episode is over and has no verdict; where grading itself failed, one without a reward."""
        try:
            yield
        except EnvironmentFault as error:
            self._over(error)
            raise
        except VerifierError as error:
            self._over(error, Verdict.unscored(str(error)))
            raise
        except SitegymError:
            raise
        except asyncio.CancelledError:
            self._over(_cancelled(doing))
            raise
        except Exception as error:
            fault = EnvironmentFault(f"{doing}: {type(error).__name__}: {error}", cause="harness_raised")
            self._over(fault)
            raise fault from error

    def _over(self, fault: SitegymError, verdict: Verdict | None = None) -> None:
        self.done, self.fault, self.verdict = True, fault, verdict

    async def _ask(self, call: Callable[..., T], *args: Any) -> T:
        """Do what blocks in a thread. Cancelled, it still ends there before anything else is asked of the world."""
        asked = asyncio.ensure_future(self.host.threaded(call, *args))
        asked.add_done_callback(forget)
        self._asked = asked
        return await asyncio.shield(asked)


def _cancelled(doing: str) -> EnvironmentFault:
    return EnvironmentFault(f"{doing} was cancelled", cause="cancelled")
