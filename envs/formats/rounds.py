"""One call of a model, played: read, acted, looked at, and answered in the vendor's form."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from ..actions import Action, InvalidAction
from ..observation import Observation
from .format import Format
from .view import View

if TYPE_CHECKING:
    from ..async_episode import AsyncEpisode
    from ..episode import Episode


@dataclass(frozen=True)
class Looking:
    """What is to be observed for the result of a call, which costs no step."""

    kinds: tuple[str, ...]


Todo: TypeAlias = Action | InvalidAction | Looking
"""What a turn wants done next: a step (an unreadable call is one too), or a look."""


def play(episode: Episode, form: Format, call: Any, view: View) -> tuple[Any, View]:
    """The result to send back for a call, and the view for the next one.

    Each action costs a step, and the first that the page refuses is the last; a call that cannot be read costs a step
    too. A call that only looks costs none, so bound the number of calls. Where the call ends the episode there is
    nothing to send: the result is None.
    """
    playing = turn(form, call, view, episode.observations, over=lambda: episode.done)
    todo: Any = next(playing)
    while True:
        seen = episode.observe(todo.kinds) if isinstance(todo, Looking) else episode.act(todo)
        try:
            todo = playing.send(seen)
        except StopIteration as end:
            answer, view = end.value
            return answer, view


async def play_async(episode: AsyncEpisode, form: Format, call: Any, view: View) -> tuple[Any, View]:
    """The same for an `AsyncEpisode`."""
    playing = turn(form, call, view, episode.observations, over=lambda: episode.done)
    todo: Any = next(playing)
    while True:
        seen = await episode.observe(todo.kinds) if isinstance(todo, Looking) else await episode.act(todo)
        try:
            todo = playing.send(seen)
        except StopIteration as end:
            answer, view = end.value
            return answer, view


def turn(
    form: Format, call: Any, view: View, observed: Sequence[str], over: Callable[[], bool]
) -> Generator[Todo, Observation, tuple[Any, View]]:
    """The same without an episode: gives what is to be done, is sent what is seen after it, and returns at the end.

    `observed` are the kinds that every step observes; `over` says whether the episode has ended.
    """
    todo: list[Action | InvalidAction] = []
    error = ""
    try:
        todo += form.translate(call, view)
    except InvalidAction as unread:
        todo, error = [unread], str(unread)
    done: list[Action] = []
    seen: Observation | None = None
    for action in todo:
        seen = yield action
        done += [action] if isinstance(action, Action) else []
        if over():
            return None, view.after(done, seen)
        if seen.error:
            break
    if kinds := _missing(form, call, observed, seen):
        seen = _looked((yield Looking(kinds)), seen)
    assert seen is not None
    return _answer(form, call, view, done, seen, error)


def _missing(form: Format, call: Any, observed: Sequence[str], seen: Observation | None) -> tuple[str, ...]:
    """What to look at before the answer; empty where the last action showed it all."""
    try:
        needed = form.needs(call)
    except InvalidAction:
        needed = ()
    kinds = tuple(dict.fromkeys([*observed, *needed]))
    return () if seen is not None and len(kinds) == len(observed) else kinds


def _looked(fresh: Observation, acted: Observation | None) -> Observation:
    """A second look keeps what only the look after the action tells; a first one has no action to tell of."""
    if acted is None:
        return replace(fresh, error="", result="")
    return replace(fresh, error=acted.error, result=acted.result)


def _answer(form: Format, call: Any, view: View, done: list[Action], seen: Observation, error: str) -> tuple[Any, View]:
    shown = replace(seen, error=error) if error else seen
    try:
        answer = form.result(call, shown, view.moved(done))
    except InvalidAction as wrong:
        answer = form.result(call, replace(shown, error=str(wrong)), view)
    return answer, view.after(done, seen)
