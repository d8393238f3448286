"""Many environments in one browser: as Gymnasium's own vector environments are, but faster and without their ends."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from gymnasium.vector.utils import batch_differing_spaces, batch_space, concatenate, create_empty_array, iterate
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from sitegym import tasks
from sitegym.envs.gym_env import BrowserEnv
from sitegym.envs.host import BrowserHost
from sitegym.envs.spaces import ActionSpace, Unicode
from sitegym.envs.vector_env import AutoresetMode, BrowserVectorEnv
from sitegym.errors import EnvironmentFault, UnknownTask, UsageError

TASK = "store.admin/cancel-order"
END = "finish()"
LOOK = "wait(10)"
Make = Callable[..., Any]


@pytest.fixture
def make(host: BrowserHost) -> Iterator[Make]:
    """Makes vector environments on the tests' browser; they are closed after the test."""
    made: list[Any] = []

    def envs(num_envs: int = 2, **arguments: Any) -> Any:
        arguments = {"data": "tiny", "browser": host, **arguments}
        made.append(gymnasium.make_vec("ShopAdmin-v0", num_envs=num_envs, **arguments))
        assert isinstance(made[-1], BrowserVectorEnv)
        return made[-1]

    yield envs
    for each in made:
        each.close()


def lose(envs: Any, slot: int) -> None:
    """Close the browser's side of one slot behind the environment's back."""
    episode = envs.episodes[slot]
    episode.host.run(episode.session.context.close())


def same(one: Any, other: Any) -> bool:
    """Whether two results hold the same values, however they are nested."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and same(one.tolist(), other.tolist())
    return bool(one == other)


def test_it_is_made_by_either_id() -> None:
    for name in ("ShopAdmin-v0", "sitegym:ShopAdmin-v0"):
        envs = gymnasium.make_vec(name, num_envs=3, data="tiny")
        assert isinstance(envs.unwrapped, BrowserVectorEnv)
        assert (envs.num_envs, envs.metadata["autoreset_mode"]) == (3, AutoresetMode.NEXT_STEP)
        envs.close()


@pytest.mark.parametrize("act", [lambda envs: envs.step([LOOK]), lambda envs: envs.reset(seed=1)])
def test_a_closed_one_says_so(make: Make, act: Callable[[Any], Any]) -> None:
    envs = make(1)
    envs.reset(seed=1)
    envs.close()
    with pytest.raises(UsageError, match="this environment is closed; make a new one"):
        act(envs)


def modes() -> list[Any]:
    """The modes that Gymnasium's own environments have too: 1.0 has one, without a name."""
    own = AutoresetMode.__module__.startswith("gymnasium")
    same = pytest.param({"autoreset_mode": AutoresetMode.SAME_STEP}, marks=pytest.mark.long)
    return [{}, same] if own else [{}]


@pytest.mark.parametrize("mode", modes())
def test_it_gives_what_gymnasiums_own_gives(make: Make, host: BrowserHost, mode: dict[str, Any]) -> None:
    arguments: dict[str, Any] = {"max_steps": 2, "observations": ("axtree", "screenshot"), "viewport": (640, 480)}
    plain = SyncVectorEnv([lambda: BrowserEnv(TASK, data="tiny", browser=host, **arguments)] * 2, **mode)
    fast = make(task=TASK, **arguments, **mode)

    def play(envs: Any) -> list[Any]:
        seen: list[Any] = [envs.reset(seed=5)]
        for actions in ((LOOK, END), ["nonsense", LOOK], (LOOK, LOOK)):  # the first slot runs out of steps
            seen.append(envs.step(actions))
        return seen

    try:
        expected = play(plain)
    finally:
        plain.close()
    played = play(fast)
    for one, other in zip(played, expected, strict=True):
        assert same(one, other)
        assert one[0] in fast.observation_space


def test_by_hand_those_are_reset_that_the_mask_names(make: Make) -> None:
    envs = make(task=TASK, autoreset_mode="DISABLED")
    first, _ = envs.reset(seed=[1, 2])
    _, _, terminated, _, infos = envs.step([LOOK, END])
    assert terminated.tolist() == infos["_reason"].tolist() == [False, True]
    with pytest.raises(UsageError, match="the episode in slot 1 is over: reset it by options"):
        envs.step([LOOK, LOOK])
    seen, rewards, terminated, _, infos = envs.step({0: LOOK})
    assert (rewards.tolist(), terminated.tolist(), "reason" in infos) == ([0.0, 0.0], [False, True], False)
    options = {"reset_mask": np.array([False, True]), "task_seed": 7}
    seen, infos = envs.reset(options=options)
    assert options.keys() == {"reset_mask", "task_seed"}
    assert infos["_task_seed"].tolist() == [False, True]
    assert infos["task_seed"][1] == 7
    assert [int(left) for left in seen["steps_left"] - first["steps_left"]] == [-2, 0]
    assert not envs.step([LOOK, LOOK])[2].any()


LATER = [pytest.param(mode, marks=pytest.mark.long) for mode in ("SAME_STEP", "DISABLED")]


@pytest.mark.parametrize("mode", ["NEXT_STEP", *LATER])
def test_a_fault_puts_its_slot_alone_out_of_action_until_a_reset_works(make: Make, mode: str) -> None:
    envs = make(task=TASK, autoreset_mode=mode)
    before, _ = envs.reset(seed=1)
    lose(envs, 1)
    seen, rewards, terminated, truncated, infos = envs.step([LOOK, LOOK])
    assert (rewards.tolist(), terminated.tolist(), truncated.tolist()) == ([0, 0], [False, False], [False, True])
    assert infos["_fault"].tolist() == [False, True]
    assert infos["fault"][1]
    assert infos["fault_cause"][1]
    assert seen["steps_left"][0] == before["steps_left"][0] - 1
    if mode == "DISABLED":
        assert envs.step([LOOK, LOOK])[4]["_fault"].tolist() == envs.masked.tolist() == [False, True]
        envs.reset(options={"reset_mask": np.array([False, True])})
    elif mode == "NEXT_STEP":
        assert envs.masked.tolist() == [False, True]
        _, _, _, truncated, infos = envs.step([LOOK, LOOK])
        assert (truncated.any(), infos["_task"].tolist()) == (False, [False, True])
    else:
        assert infos["final_obs"][1]["goal"] == before["goal"][1]
        assert infos["final_info"]["fault"][1] == infos["fault"][1]
    assert not envs.masked.any()
    seen, _, _, truncated, infos = envs.step([LOOK, LOOK])
    assert (truncated.any(), "fault" in infos, seen["error"]) == (False, False, ("", ""))


def test_a_dead_world_server_or_browser_is_replaced(make: Make) -> None:
    envs = make(task=TASK, browser=None)
    envs.reset(seed=1)
    envs.episodes[0].world.server.close()
    assert envs.step([LOOK, LOOK])[4]["_fault"].all()
    assert not envs.step([LOOK, LOOK])[3].any()
    host = envs.episodes[0].host
    with suppress(EnvironmentFault):  # it ends by being asked
        host.run(host.browser.close())
    _, rewards, _, truncated, infos = envs.step([LOOK, END])
    assert (rewards.any(), truncated.all(), infos["_fault"].all()) == (False, True, True)
    _, _, _, truncated, _ = envs.step([LOOK, LOOK])
    assert not truncated.any()
    assert envs.episodes[0].host is envs.episodes[1].host is not host


def test_where_no_slot_is_left_the_fault_is_raised() -> None:
    with BrowserHost(executable="/no/such/browser") as broken:
        envs = BrowserVectorEnv(2, data="tiny", browser=broken)
        try:
            with pytest.raises(EnvironmentFault, match="/no/such/browser"):
                envs.reset()
        finally:
            envs.close()


def test_slots_have_tasks_seeds_and_options_of_their_own(make: Make) -> None:
    envs = make(task=["store.admin/order-field", TASK], split="train")
    _, infos = envs.reset(seed=[3, 3])
    assert list(infos["task"]) == ["store.admin/order-field", TASK]
    assert [episode.task.split for episode in envs.episodes] == ["train", "train"]
    seen, infos = envs.reset(options={"task": TASK, "task_seed": [4, 5]})
    assert (list(infos["task"]), infos["task_seed"].tolist()) == ([TASK, TASK], [4, 5])
    goals = tuple(tasks.task(TASK, seed, data="tiny", split="train").goal for seed in (4, 5))
    assert seen["goal"] == goals


def test_a_slot_without_an_action_stays_as_it_is(make: Make) -> None:
    envs = make(task=TASK)
    first, _ = envs.reset(seed=1)
    seen, *_ = envs.step({1: LOOK})
    assert [int(left) for left in first["steps_left"] - seen["steps_left"]] == [0, 1]
    assert seen["time"][0] == first["time"][0]
    seen, *_ = envs.step([LOOK, None])
    assert [int(left) for left in first["steps_left"] - seen["steps_left"]] == [1, 1]


def test_sampled_actions_and_pictures_are_batched(make: Make) -> None:
    envs = make(render_mode="rgb_array", viewport=(320, 240))
    envs.reset(seed=1)
    envs.action_space.seed(4)
    envs.step(envs.action_space.sample())
    envs.step(np.array(envs.action_space.sample(), dtype=object))
    assert [picture.shape for picture in envs.render()] == [(240, 320, 3)] * 2


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (lambda envs: envs.step([LOOK]), "actions are a list of 2, one for each slot, not of 1"),
        (lambda envs: envs.step(LOOK), "actions are a list of 2, or a dict from slot to action"),
        (lambda envs: envs.step({"action": "wait"}), "from a number below 2 to an action, not 'action'"),
        (lambda envs: envs.step({2: LOOK}), "from a number below 2 to an action, not 2"),
        (lambda envs: envs.reset(seed=[1]), "seed is one for all slots or a list of 2, not of 1"),
        (lambda envs: envs.reset(options={"tsak": TASK}), "no reset option 'tsak'"),
        (lambda envs: envs.reset(options={"reset_mask": [True, False]}), "reset_mask is a numpy array of 2 booleans"),
        (lambda envs: envs.reset(options={"reset_mask": np.zeros(2, bool)}), "names no slot"),
    ],
)
def test_wrong_calls_are_named(make: Make, act: Callable[[Any], Any], reason: str) -> None:
    envs = make(task=TASK)
    with pytest.raises(UsageError, match="reset the environment first"):
        envs.step([LOOK, LOOK])
    for slot in envs._slots:
        slot.masked = True  # as after a fault, so that it may be asked to step
    with pytest.raises(UsageError, match=reason):
        act(envs)


@pytest.mark.parametrize(
    ("arguments", "error", "reason"),
    [
        ({"num_envs": 0}, UsageError, "num_envs is a whole number from 1"),
        ({"autoreset_mode": "never"}, UsageError, "autoreset_mode is NEXT_STEP, SAME_STEP, DISABLED, not 'never'"),
        ({"task": [TASK]}, UsageError, "task is one for all slots or a list of 2"),
        ({"task": "store.admin/cancel"}, UnknownTask, "did you mean"),
        ({"observations": ("axtre",)}, UsageError, "no observation 'axtre'"),
        ({"max_steps": 0}, UsageError, "max_steps is a whole number"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        BrowserVectorEnv(**{"num_envs": 2, **arguments})


def test_gymnasiums_wrappers_understand_it(make: Make) -> None:
    envs = RecordEpisodeStatistics(make(task=TASK, max_steps=2))
    envs.reset(seed=1)
    envs.step([LOOK, END])
    *_, infos = envs.step([LOOK, LOOK])
    assert infos["episode"]["l"][0] == 2
    assert infos["_episode"].tolist() == [True, False]
    listed = DictInfoToList(make(task=TASK))
    _, infos = listed.reset(options={"task_seed": [4, 5]})
    assert infos == [{"task": TASK, "task_seed": 4}, {"task": TASK, "task_seed": 5}]


def test_the_environment_goes_into_processes_of_gymnasium() -> None:
    def one() -> gymnasium.Env[Any, Any]:
        return gymnasium.make("sitegym:ShopAdmin-v0", task=TASK, data="tiny", max_steps=1)

    envs = AsyncVectorEnv([one, one], shared_memory=False, context="spawn")
    try:
        seen, _ = envs.reset(seed=1)
        assert seen["goal"][0] != seen["goal"][1]
        assert seen in envs.observation_space
        assert envs.step((LOOK, END))[3].tolist() == [True, False]
    finally:
        envs.close()


FORKS = """
import functools, sys
import gymnasium
from gymnasium.vector import AsyncVectorEnv

one = functools.partial(
    gymnasium.make, "sitegym:ShopAdmin-v0", task="store.admin/cancel-order", data="tiny",
    observations=("axtree", "screenshot"),
)
before, during = one(), one()
for env in (before, during):
    env.reset(seed=1)
before.close()
envs = AsyncVectorEnv([one, one], shared_memory=False, context="fork")
envs.reset_async(seed=1)
seen, _ = envs.reset_wait(timeout=120)
print(sorted(seen["screenshot"].shape))
envs.close()
print(during.step("wait(0)")[0]["error"] == "")
during.close()
"""


def test_a_process_that_has_used_a_browser_can_be_forked() -> None:
    done = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout.splitlines() == ["[2, 3, 800, 1280]", "True"], done.stderr


@pytest.mark.parametrize("space", [Unicode(seed=1), ActionSpace(seed=1)])
def test_text_of_any_kind_is_batched(space: Any) -> None:
    batch = batch_space(space, 3)
    batch.seed(2)
    first = batch.sample()
    assert first in batch
    assert len(set(first)) == 3
    assert tuple(iterate(batch, first)) == first
    assert concatenate(space, first, create_empty_array(space, 3)) == first
    assert create_empty_array(space, 2) in batch_space(space, 2)
    assert first[:2] in batch_differing_spaces([space, space])
