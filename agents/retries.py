"""Calls of a model over a network: what fails for a reason that passes is tried again, what is left is a fault."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from ..errors import EnvironmentFault
from .base import Retry

T = TypeVar("T")

_PASSING = frozenset({408, 409, 425, 429})
"""Statuses below 500 that say "not now"."""
_LOST = {
    "APITimeoutError": "timeout", "TimeoutException": "timeout", "TimeoutError": "timeout",
    "APIConnectionError": "connection", "TransportError": "connection", "ConnectionError": "connection",
    "APIResponseValidationError": "garbled", "JSONDecodeError": "garbled",
}  # fmt: skip
"""Errors without a status, by the name of their class or of one above: SDKs and HTTP clients differ in modules only."""
_SPENT = ("insufficient_quota", "billing")
"""Words of a 429 that waiting does not mend."""
_TOO_LONG = ("context_length_exceeded", "context length", "maximum context", "prompt is too long", "input token count")
"""Words by which servers say that the prompt does not fit."""


_WAITING: dict[object, str] = {}


def waiting() -> list[str]:
    """What the calls of this process that failed and are tried again wait for, a sentence each; for any thread."""
    return list(dict.fromkeys(_WAITING.copy().values()))


class TooLong(Exception):
    """The prompt is longer than the model's context."""


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How often, and how long between."""

    retries: int
    backoff_s: float
    """Before the first retry; doubled each time, with a random share, up to `limit_s`."""
    limit_s: float = 60.0

    def wait_s(self, number: int, asked_s: float | None) -> float:
        """How long to wait before retry `number` (from 0); what the server asks for counts up to the limit."""
        grown = self.backoff_s * float(2**number) * random.uniform(0.75, 1.25)
        return min(self.limit_s, max(grown, asked_s or 0.0))


def call(ask: Callable[[], T], patience: Patience, where: str) -> tuple[T, tuple[Retry, ...], float]:
    """What `ask` returns, the tries that failed before, and how many seconds the last one took.

    Raises `EnvironmentFault` where the model could not be reached in the end (cause `model_unreachable`, worth a retry
    of the episode) or refuses the call itself, its key or its name (`model_refused`, not worth one), and `TooLong`.
    Errors that are no network's pass through.
    """
    with _told() as tell:
        return _call(ask, patience, where, tell)


@contextmanager
def _told() -> Iterator[Callable[[str], None]]:
    """Takes what a call waits for, to be told to whoever watches, until the call is over."""
    ticket = object()
    try:
        yield lambda text: _WAITING.update({ticket: text})
    finally:
        _WAITING.pop(ticket, None)


def _call(
    ask: Callable[[], T], patience: Patience, where: str, tell: Callable[[str], None]
) -> tuple[T, tuple[Retry, ...], float]:
    failed: list[Retry] = []
    while True:
        begun = time.perf_counter()
        try:
            return ask(), tuple(failed), round(time.perf_counter() - begun, 3)
        except Exception as error:
            cause = _cause(error, where)
            if len(failed) == patience.retries:
                raise EnvironmentFault(
                    f"the model at {where} was not reached in {len(failed) + 1} tries ({cause}): {_said(error)}",
                    cause="model_unreachable",
                ) from error
            waited = patience.wait_s(len(failed), _asked(error))
            failed.append(Retry(cause=cause, waited_s=round(waited, 3)))
            what = f"answers {cause}" if cause.isdecimal() else f"does not answer ({cause})"
            tell(f"the model's server at {where} {what}, try {len(failed) + 1} of {patience.retries + 1}")
            time.sleep(waited)


def _cause(error: Exception, where: str) -> str:
    """Why it failed, where a retry may help; raises what it is otherwise."""
    status = _status(error)
    if status is None:
        names = [base.__name__ for base in type(error).__mro__]
        cause = next((cause for name, cause in _LOST.items() if name in names), None)
        if cause is None and "APIError" in names:
            cause = "broken_off"  # an error in the middle of a stream comes without a status
        if cause is None:
            raise error
        return cause
    said = _said(error)
    words = f"{said} {getattr(error, 'code', '')} {getattr(error, 'type', '')}"
    if (status in _PASSING or status >= 500) and not any(word in words for word in _SPENT):
        return str(status)
    if status in (400, 413) and any(word in words.lower() for word in _TOO_LONG):
        raise TooLong(said) from error
    raise EnvironmentFault(
        f"the model at {where} refuses the call: {said}", cause="model_refused", retry=False
    ) from error


def _status(error: Exception) -> int | None:
    found = getattr(error, "status_code", None) or getattr(error, "code", None)
    return found if isinstance(found, int) else None


def _said(error: Exception) -> str:
    text = str(error) or type(error).__name__
    return text if len(text) <= 500 else f"{text[:500]}…"


def _asked(error: Exception) -> float | None:
    """How long the server asks to wait, where it does."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        if (ms := headers.get("retry-after-ms")) is not None:
            return float(ms) / 1000
        return float(headers["retry-after"])
    except (KeyError, TypeError, ValueError):
        return None
