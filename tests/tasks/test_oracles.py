"""Oracles in a real browser: the right way earns 1, what is typed and not saved earns nothing, other roads earn 1."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from sitegym import tasks
from sitegym.envs import actions
from sitegym.envs.episode import Episode
from sitegym.envs.host import BrowserHost
from sitegym.sites.world import World
from sitegym.tasks import page as moves
from sitegym.verifiers import OUTCOMES, Snapshot, Verdict

from .conftest import IDS, twins
from .counts import KERNEL


def params(task_ids: Iterable[str], *, both: bool) -> list[Any]:
    """A template's first instance as a parameter, or both twins."""
    found = [task for task_id in task_ids for task in twins(task_id)[: 2 if both else 1]]
    return [pytest.param(task, id=f"{task.id}-{task.task_seed}") for task in found]


# `sitegym prove` plays everything; here is what keeps a suite short and every road open.
ORACLES = [*params(KERNEL, both=True), *params(sorted(set(IDS) - set(KERNEL)), both=False)]
VARIANTS = [*params(KERNEL, both=True), *params(sorted(set(IDS) - set(KERNEL))[::2], both=False)]
UI = 1  # of each sort and instance
Played = Callable[[tasks.Task, tasks.Attempt], Verdict]


@pytest.fixture(scope="module")
def host() -> Iterator[BrowserHost]:
    with BrowserHost() as browser:
        yield browser


@pytest.fixture
def browsed(host: BrowserHost, world: World) -> Iterator[Played]:
    """Play an attempt through the public actions; one that ends without `finish` has finished with DONE."""
    episode = Episode(host, world)

    def play(task: tasks.Task, attempt: tasks.Attempt) -> Verdict:
        page = episode.reset(task)
        playing = attempt(page)
        move = next(playing, None)
        while move is not None and not episode.done:
            page = episode.act(move)
            assert not page.error, f"{move}: {page.error}"
            try:
                move = None if episode.done else playing.send(page)
            except StopIteration:
                move = None
        return episode.verdict or episode.finish()

    yield play
    episode.close()


@pytest.mark.parametrize("task", ORACLES)
def test_the_oracle_earns_one_well_within_the_steps(task: tasks.Task, browsed: Played) -> None:
    verdict = browsed(task, task.oracle())
    assert verdict.reward == 1.0, verdict.reason


@pytest.mark.long
@pytest.mark.parametrize("task", VARIANTS)
def test_near_misses_in_the_browser_earn_nothing(task: tasks.Task, browsed: Played, tiny: Snapshot) -> None:
    misses = [miss for miss in task.near_misses(tiny) if miss.ui is not None]
    for miss in misses[-UI:]:
        assert miss.ui is not None
        assert browsed(task, miss.ui).reward == 0.0, miss.name


@pytest.mark.long
@pytest.mark.parametrize("task", VARIANTS)
def test_other_roads_earn_one(task: tasks.Task, browsed: Played, tiny: Snapshot) -> None:
    others = [other for other in task.still_right(tiny) if other.ui is not None]
    assert others
    for other in others[-UI:]:
        assert other.ui is not None
        verdict = browsed(task, other.ui)
        assert verdict.reward == 1.0, f"{other.name}: {verdict.reason}"


@pytest.mark.parametrize(
    ("move", "written"),
    [
        (moves.click("e1"), 'click("e1")'),
        (moves.type_("e1", "x"), 'type("e1", "x")'),
        (moves.type_("e1", "x", submit=True), 'type("e1", "x", submit=true)'),
        (moves.select("e1", "Card"), 'select("e1", "Card")'),
        (moves.check("e1"), 'check("e1")'),
        (moves.check("e1", checked=False), 'check("e1", checked=false)'),
        (moves.press("Enter"), 'press("Enter")'),
        (moves.navigate("/orders"), 'navigate("/orders")'),
        (moves.back(), "back()"),
        (moves.reload(), "reload()"),
        (moves.finish(), "finish()"),
        (moves.finish("7", "NOT_FOUND"), 'finish(answer="7", outcome="NOT_FOUND")'),
    ],
    ids=str,
)
def test_oracles_speak_the_language_of_actions(move: moves.Move, written: str) -> None:
    assert str(actions.parse(move)) == written
    assert actions.parse(written) == actions.parse(move)


def test_outcome_codes_are_the_same_for_actions_and_verdicts() -> None:
    assert set(actions.OUTCOMES) == set(OUTCOMES)
