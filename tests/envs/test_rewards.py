"""Rewards: milestones add to each step what the potential gained, and so change no optimum and leak nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
from sitegym import tasks
from sitegym.agents.oracle import OracleAgent
from sitegym.envs import actions
from sitegym.envs.gym_env import BrowserEnv
from sitegym.envs.host import BrowserHost
from sitegym.envs.rewards import Scores
from sitegym.errors import UsageError
from sitegym.sites import registry
from sitegym.sites.world.client import World, WorldServer
from sitegym.verifiers import Snapshot, Verdict
from sitegym.verifiers.progress import DAMAGE_COST

CANCEL = "store.admin/cancel-order"
PASSED = Verdict(1.0, True, True, (), (), "")


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with WorldServer() as server, server.open(data="tiny") as world:
        yield world


def begun(world: World, task: tasks.Task, gamma: float = 1.0) -> Scores:
    world.reset()
    scores = Scores(world, "milestones", gamma)
    scores.begin(task, None)
    return scores


def step(world: World, scores: Scores, *calls: tasks.Call) -> float:
    """The reward of a step in which these use cases were called."""
    for call in calls:
        world.call(call.use_case, actor=call.actor, **call.fields)
    world.advance(1)
    scores.step(None, False, None)
    return scores.reward


def feasible(task_id: str) -> tasks.Task:
    """The twin that can be done."""
    found = [tasks.task(task_id, seed, data="tiny") for seed in (0, 1)]
    return next((one for one in found if one.service_oracle), found[0])


CHANGES = [one for one in sorted(tasks.templates()) if tasks.template(one).kind is tasks.Kind.CHANGE]


@pytest.mark.parametrize("task_id", CHANGES)
def test_the_right_way_rises_to_one_and_pays_the_sparse_reward_in_all(world: World, task_id: str) -> None:
    task = feasible(task_id)
    scores = begun(world, task)
    rewards, potentials = [], [scores.potential]
    for call in task.service_oracle:
        rewards.append(step(world, scores, call))
        potentials.append(scores.potential)
    with Snapshot(world.baseline.path, registry.get("store").metadata) as before:
        want = task.expectation(before)
    if want.answer is None:
        assert potentials[-1] == pytest.approx(1.0)
    assert max(potentials) == potentials[-1] > potentials[0] == 0.0
    scores.step(PASSED, True, None)
    assert math.fsum([*rewards, scores.reward]) == pytest.approx(1.0)
    assert (scores.sparse, scores.potential) == (1.0, 0.0)


@pytest.mark.parametrize("task_id", sorted(tasks.templates()))
def test_twins_begin_alike(world: World, task_id: str) -> None:
    for seed in (0, 1):
        scores = begun(world, tasks.task(task_id, seed, data="tiny"))
        assert step(world, scores) == 0.0
        assert (scores.potential, scores.shaping) == (0.0, 0.0)


@pytest.mark.parametrize("gamma", [1.0, 0.9])
def test_discounted_rewards_add_up_to_the_discounted_sparse_one(world: World, gamma: float) -> None:
    task = feasible(CANCEL)
    scores = begun(world, task, gamma)
    start = scores.potential
    rewards = [step(world, scores), step(world, scores, _hold(world)), step(world, scores, *task.service_oracle)]
    scores.step(PASSED, True, None)
    rewards.append(scores.reward)
    total = math.fsum(gamma**t * reward for t, reward in enumerate(rewards))
    assert total == pytest.approx(gamma ** (len(rewards) - 1) * PASSED.reward - start)


def test_damage_costs_and_going_round_in_a_circle_earns_nothing(world: World) -> None:
    scores = begun(world, feasible(CANCEL))
    hold = _hold(world)
    harmed = step(world, scores, hold)
    held = _order(world, hold.fields["number"])
    mended = step(world, scores, tasks.Call("orders.unhold", {"number": held["number"], "v": held["v"]}))
    assert harmed <= -DAMAGE_COST
    assert harmed + mended == pytest.approx(0.0)
    assert scores.potential == 0.0


def test_a_step_that_wrote_nothing_reads_nothing(world: World) -> None:
    scores = begun(world, feasible(CANCEL))
    step(world, scores, _hold(world))
    known = scores.potential
    world.call("orders.hold", **_hold(world, nth=1).fields)  # not told by `advance` yet, so not looked at
    scores.step(None, False, None)
    assert (scores.potential, scores.reward) == (known, 0.0)
    assert step(world, scores) < 0.0


def test_sparse_rewards_are_the_verdict_alone(world: World) -> None:
    scores = Scores(world, "sparse", 1.0)
    scores.begin(feasible(CANCEL), None)
    scores.step(None, False, None)
    assert (scores.reward, scores.potential) == (0.0, 0.0)
    scores.step(PASSED, True, None)
    assert (scores.reward, scores.sparse, scores.shaping) == (1.0, 1.0, 0.0)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"rewards": "dense"}, "no rewards 'dense': there are 'sparse' and 'milestones'"),
        ({"rewards": "milestones", "gamma": 0.0}, "gamma is the discount of the learner"),
        ({"rewards": "milestones", "gamma": 1.5}, "above 0 and at most 1"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        BrowserEnv(CANCEL, data="tiny", **arguments)


def test_an_environment_pays_on_the_way_and_tells_what_for(host: BrowserHost) -> None:
    env = BrowserEnv(CANCEL, data="tiny", browser=host, rewards="milestones")
    try:
        _, info = env.reset(options={"task_seed": _seed(CANCEL)})
        assert set(info) == {"task", "task_seed"}
        seen, agent = env.episode.observe(), OracleAgent()
        assert env.episode.task is not None
        agent.start(env.episode.task, env.episode)
        rewards, over, kept = [], False, None
        while not over:
            if rewards and kept is None:
                kept = env.checkpoint()
            _, reward, over, _, info = env.step(agent.act(seen))
            seen = env.episode.core._last
            rewards.append(reward)
            assert reward == info["sparse"] + info["shaping"]
        assert math.fsum(rewards) == pytest.approx(info["sparse"])
        assert (info["sparse"], info["goal_met"], info["clean"]) == (1.0, True, True)
        assert max(rewards[:-1]) == 1.0
        assert kept is not None
        given, told = env.restore(kept)
        assert (told["task"], env.episode.scores.potential) == (CANCEL, 0.0)
        assert given["steps_left"] == kept.budget - kept.steps
        assert env.step(actions.wait(1))[1] == 0.0
    finally:
        env.close()


def test_a_page_to_be_shown_counts_when_it_is_shown(host: BrowserHost) -> None:
    task_id = "store.admin/orders-by-status"
    env = BrowserEnv(task_id, data="tiny", browser=host, rewards="milestones")
    try:
        env.reset(options={"task_seed": 0})
        episode = env.episode
        assert episode.task is not None
        with Snapshot(episode.world.baseline.path, registry.get("store").metadata) as before:
            view = episode.task.expectation(before).view
        assert view is not None
        path = env.step(actions.navigate(view.path))[1]
        away = env.step(actions.navigate("/customers"))[1]
        assert path > 0.0
        assert path + away == pytest.approx(0.0)
    finally:
        env.close()


def _seed(task_id: str) -> int:
    return feasible(task_id).task_seed


def _hold(world: World, nth: int = 0) -> tasks.Call:
    """Something that the task does not ask for."""
    with Snapshot(world.baseline.path, registry.get("store").metadata) as before:
        orders = before.rows("orders", status="processing")
    return tasks.Call("orders.hold", {"number": orders[nth].number, "v": orders[nth].v, "reason": "other"})


def _order(world: World, number: object) -> dict[str, Any]:
    with Snapshot(world.freeze(), registry.get("store").metadata) as now:
        return now.row("orders", number=number)
