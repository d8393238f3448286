"""One call of a model, played: read, acted, looked at, and answered in the vendor's form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .. import actions
from ..actions import Action, InvalidAction
from ..observation import Observation
from .format import Format
from .view import View

if TYPE_CHECKING:
    from ..async_episode import AsyncEpisode
    from ..episode import Episode


def play(episode: Episode, form: Format, call: Any, view: View) -> tuple[Any, View]:
    """The result to send back for a call, and the view for the next one.

    Each action costs a step, and the first that the page refuses is the last; a call that cannot be read costs a step
    too. A call that only looks costs none, so bound the number of calls. Where the call ends the episode there is
    nothing to send: the result is None.
    """
    todo, error = _read(form, call, view)
    done: list[Action] = []
    seen: Observation | None = None
    for action in todo:
        seen = episode.act(action)
        done.append(action)
        if episode.done:
            return None, view.after(done, seen)
        if seen.error:
            break
    if kinds := _missing(form, call, episode.observations, seen):
        seen = _looked(episode.observe(kinds), seen)
    assert seen is not None
    return _answer(form, call, view, done, seen, error)


async def play_async(episode: AsyncEpisode, form: Format, call: Any, view: View) -> tuple[Any, View]:
    """The same for an `AsyncEpisode`."""
    todo, error = _read(form, call, view)
    done: list[Action] = []
    seen: Observation | None = None
    for action in todo:
        seen = await episode.act(action)
        done.append(action)
        if episode.done:
            return None, view.after(done, seen)
        if seen.error:
            break
    if kinds := _missing(form, call, episode.observations, seen):
        seen = _looked(await episode.observe(kinds), seen)
    assert seen is not None
    return _answer(form, call, view, done, seen, error)


def _read(form: Format, call: Any, view: View) -> tuple[list[Action], str]:
    try:
        return form.translate(call, view), ""
    except InvalidAction as error:
        return [actions.wait(0)], str(error)


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
