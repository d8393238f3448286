"""Near misses and other right ways of many instances: none is lost, and each answer is what it is said to be."""

from __future__ import annotations

import pytest
from sitegym import tasks
from sitegym.tasks import Kind, Task
from sitegym.verifiers import DONE, Expectation, Finish, Snapshot

from .conftest import IDS

SEEDS = 10
FINAL = {
    "accept-and-invoice": "an accepted order stays accepted",
    "add-tracking": "a tracking number can't be taken off",
    "cancel-order": "a canceled order stays canceled",
    "delete-reviews": "a deleted review is gone",
    "message-customer": "a mail can't be unsent",
    "note-one-of-two": "a comment can't be taken back",
    "ship-order": "a shipment can't be taken back",
    "ship-part": "a shipment can't be taken back",
}
"""Templates whose goal, once reached, can't be undone in the shop, and why."""
UNDONE = ("put back", "set back", "corrected back", "taken away again", "enabled again", "released again")


def name_of(task_id: str) -> str:
    return task_id.partition("/")[2]


def drawn(task_id: str) -> list[Task]:
    return [tasks.task(task_id, seed) for seed in range(min(SEEDS, sum(tasks.outcomes(task_id))))]


@pytest.mark.parametrize("task_id", IDS)
def test_every_answer_that_comes_close_is_refused_and_every_other_spelling_accepted(
    task_id: str, base: Snapshot
) -> None:
    for task in drawn(task_id):
        want = task.expectation(base)
        misses, others = task.near_misses(base), task.still_right(base)
        for found in (misses, others):
            names = [one.name for one in found]
            assert len(set(names)) == len(names), names
        if want.must or want.view:
            continue
        said = [one for one in misses if one.ui is None and not one.calls]
        assert [one.name for one in said if right(want, one.finish)] == [], task.task_seed
        meant = [one for one in others if one.ui is None and not one.calls]
        assert [one.name for one in meant if not right(want, one.finish)] == [], task.task_seed


def right(want: Expectation, finish: Finish) -> bool:
    """Whether an episode that changes nothing may end so."""
    asked = want.answer or want.blocker
    return finish.outcome == want.outcome and asked is not None and asked.problem(finish.answer) is None


@pytest.mark.parametrize("task_id", IDS)
def test_every_template_is_missed_and_done_otherwise_in_the_browser(task_id: str, base: Snapshot) -> None:
    found = drawn(task_id)[:4]
    others = [other for task in found for other in task.still_right(base) if other.ui is not None]
    assert len({other.name for other in others}) >= 3, "looks around, asides, and a road of its own"
    if found[0].template.kind != Kind.RETRIEVE:
        assert any(miss.ui is not None for task in found for miss in task.near_misses(base))


@pytest.mark.parametrize("task_id", [one for one in IDS if tasks.template(one).kind == Kind.CHANGE])
def test_what_can_be_undone_is_reached_and_undone(task_id: str, base: Snapshot) -> None:
    names = {
        miss.name
        for task in drawn(task_id)[:4]
        if task.expectation(base).outcome == DONE
        for miss in task.near_misses(base)
    }
    assert any(word in name for name in names for word in UNDONE) is (name_of(task_id) not in FINAL)
