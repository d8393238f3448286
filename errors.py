"""The error tree: each error says whose fault it is, because that decides what a sweep does next.

SitegymError
  UsageError            the caller's; fix the call
    UnknownName           no site, task, split, role, agent or option has this name
      UnknownTask
      UnknownSplit
      UnknownSite
      UnknownAgent
      UnknownRole
    NoBrowser           no browser that starts; install one
  EnvironmentFault      the machinery's; retry the episode, never score it
  VerifierError         the task author's; the episode has no reward, which is not a reward of 0
"""

from __future__ import annotations

import difflib
import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class SitegymError(Exception):
    """Base of everything that sitegym raises on purpose."""


class UsageError(SitegymError):
    """The call was wrong; the message says what would be right."""


class UnknownName(UsageError):
    """Nothing of this kind has this name. `name` and `known` say what was asked and what exists."""

    kind = "name"

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = sorted(known)
        super().__init__(_unknown(self.kind, name, self.known))

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str, list[str]]]:
        return type(self), (self.name, self.known)


class UnknownTask(UnknownName):
    """No task has this id: "no task 'store.admin/cancel': did you mean 'store.admin/cancel-order'?"."""

    kind = "task"


class UnknownSplit(UnknownName):
    """No split has this name."""

    kind = "split"


class UnknownSite(UnknownName):
    """No site has this name."""

    kind = "site"


class UnknownAgent(UnknownName):
    """No agent has this name, and it is not a `module:name` that can be imported."""

    kind = "agent"


class UnknownRole(UnknownName):
    """Nobody in the world has this role."""

    kind = "role"


class NoBrowser(UsageError):
    """No browser that starts was found; the message says what was tried and the command that mends it."""


class EnvironmentFault(SitegymError):
    """The machinery failed (browser, server, cache); the episode must not be scored.

    `cause` is a short machine-readable name such as `browser_died`; `retry` says whether the same episode may work
    when it is started again.
    """

    def __init__(self, message: str, *, cause: str = "unknown", retry: bool = True) -> None:
        super().__init__(message)
        self.cause = cause
        self.retry = retry

    def __reduce__(self) -> tuple[object, ...]:
        return _fault, (type(self), str(self), self.cause, self.retry)


class VerifierError(SitegymError):
    """A verifier or a task template is wrong; the episode has no reward, which is not a reward of 0."""


def _fault(kind: type[EnvironmentFault], message: str, cause: str, retry: bool) -> EnvironmentFault:
    """Rebuild a fault after it travelled between processes."""
    return kind(message, cause=cause, retry=retry)


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FULL_TEXTS = ("database or disk is full", "No space left on device", "File too large")


def out_of_disk(error: BaseException) -> bool:
    """Whether a full disk, or a quota, is behind an error."""
    for one in _chain(error):
        if isinstance(one, OSError) and one.errno in _FULL:
            return True
        if any(text in str(one) for text in _FULL_TEXTS):
            return True
    return False


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        yield one
        one = one.__cause__ or one.__context__


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant: a slip of a letter or two, or a name cut short; None where none is near.

    A common part up to the last slash counts for nothing, so that tasks of one site are not alike by that alone.
    """
    if len(name) > _LONGEST_NAME:
        return None
    likeness = {each: _likeness(name.lower(), each.lower()) for each in sorted(known)}
    best = max(likeness, key=likeness.__getitem__, default=None)
    return best if best is not None and likeness[best] >= _LIKE else None


_LIKE, _LISTED, _LONGEST_NAME = 0.75, 12, 200


def _likeness(name: str, other: str) -> float:
    folder, _, one = name.rpartition("/")
    other_folder, _, two = other.rpartition("/")
    if folder != other_folder:
        one, two = name, other
    if min(len(one), len(two)) >= 4 and (one.startswith(two) or two.startswith(one)):
        return max(_LIKE, difflib.SequenceMatcher(None, one, two).ratio())
    return difflib.SequenceMatcher(None, one, two).ratio()


def _unknown(kind: str, name: str, known: list[str]) -> str:
    close = closest(name, known)
    listed = ", ".join(known[:_LISTED]) or "none"
    more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
    return f"no {kind} {name!r}: " + (f"did you mean {close!r}?" if close else f"known: {listed}{more}")


@contextmanager
def boundary(error: type[SitegymError], doing: str) -> Iterator[None]:
    """Turn whatever is raised inside into `error`, keeping its cause; errors of ours pass unchanged."""
    try:
        yield
    except SitegymError:
        raise
    except Exception as cause:
        raise error(f"{doing}: {type(cause).__name__}: {cause}") from cause
