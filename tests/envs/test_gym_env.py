"""The Gymnasium face: made by id, checked by Gymnasium itself, usable in loops and threads."""

from __future__ import annotations

import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
import sitegym
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st
from sitegym import tasks
from sitegym.envs.gym_env import BrowserEnv
from sitegym.envs.host import BrowserHost
from sitegym.envs.shared import Pool
from sitegym.envs.spaces import Unicode
from sitegym.errors import EnvironmentFault, UnknownSplit, UnknownTask, UsageError

TASK = "store.admin/cancel-order"
Make = Callable[..., BrowserEnv]


@pytest.fixture
def make(host: BrowserHost) -> Iterator[Make]:
    """Makes environments on the tests' browser; they are closed after the test."""
    made: list[Any] = []

    def env(**arguments: Any) -> BrowserEnv:
        made.append(gymnasium.make("ShopAdmin-v0", **{"data": "tiny", "browser": host, **arguments}))
        assert isinstance(made[-1].unwrapped, BrowserEnv)
        return made[-1].unwrapped

    yield env
    for each in made:
        each.close()


def test_it_is_made_by_either_id() -> None:
    assert sitegym.__version__
    for name in ("ShopAdmin-v0", "sitegym:ShopAdmin-v0"):
        env = gymnasium.make(name, data="tiny")
        assert isinstance(env.unwrapped, BrowserEnv)
        env.close()


@pytest.mark.filterwarnings("error")
def test_gymnasiums_own_checker_has_nothing_to_say(make: Make) -> None:
    env = make(observations=("axtree", "screenshot"), render_mode="rgb_array", viewport=(640, 480))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env)


def test_an_episode_from_reset_to_verdict(make: Make) -> None:
    env = make(observations=("axtree", "screenshot"), max_steps=3)
    first, info = env.reset(options={"task": TASK, "task_seed": 4})
    assert info == {"task": TASK, "task_seed": 4}
    assert first in env.observation_space
    assert first["goal"] == tasks.task(TASK, 4, data="tiny").goal
    assert first["tabs"] == "* 0: " + first["title"] + " <http://admin.shop.localhost/>"
    second, reward, terminated, truncated, info = env.step('click("nothing")')
    assert (reward, terminated, truncated, info) == (0.0, False, False, {"sparse": 0.0, "shaping": 0.0})
    assert "ref is a reference from the tree" in second["error"]
    assert second["screenshot"] is not first["screenshot"]
    last, reward, terminated, truncated, info = env.step({"action": "finish", "outcome": "NOT_FOUND"})
    assert (reward, terminated, truncated) == (0.0, True, False)
    assert (info["goal_met"], info["clean"], info["damage"]) == (False, True, [])
    assert last in env.observation_space
    env.reset()
    ends = [env.step("wait(1)")[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]


def test_a_seed_decides_the_task_and_the_page(make: Make) -> None:
    env = make()
    first = env.reset(seed=11)
    others = [env.reset()[1] for _ in range(3)]
    again = env.reset(seed=11)
    assert again == first
    assert [env.reset()[1] for _ in range(3)] == others
    assert len({(info["task"], info["task_seed"]) for info in (first[1], *others)}) == 4


@pytest.mark.parametrize("split", tasks.SPLITS)
def test_tasks_come_from_the_split_that_was_asked_for(make: Make, split: str) -> None:
    env = make(split=split, task="store.admin/order-field")
    env.reset(seed=1)
    assert env.episode.task is not None
    assert env.episode.task.split == split


def test_it_works_inside_a_running_loop_and_in_several_threads(
    make: Make, in_a_loop: Callable[[Coroutine[Any, Any, Any]], Any]
) -> None:
    async def inside() -> Any:
        return make().reset(seed=3)[0]["goal"]

    goal = in_a_loop(inside())
    goals: list[str] = []

    def play() -> None:
        env = make()
        goals.append(env.reset(seed=3)[0]["goal"])
        env.step("wait(1)")

    threads = [threading.Thread(target=play) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert goals == [goal] * 3


def test_a_fault_is_raised_and_the_next_reset_works_again() -> None:
    env = gymnasium.make("ShopAdmin-v0", data="tiny").unwrapped
    assert isinstance(env, BrowserEnv)
    try:
        env.reset(seed=1)
        env.episode.world.server.close()
        with pytest.raises(EnvironmentFault):
            env.step('navigate("/orders")')
        assert env.reset(seed=1)[0]["goal"]
    finally:
        env.close()


def test_rendering_gives_the_picture(make: Make) -> None:
    env = make(render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert (picture.shape, picture.dtype) == ((800, 1280, 3), np.uint8)
    assert make().render() is None


@pytest.mark.parametrize(
    ("arguments", "error", "reason"),
    [
        ({"task": "store.admin/cancel"}, UnknownTask, "did you mean 'store.admin/cancel-order'"),
        ({"split": "trian"}, UnknownSplit, "did you mean 'train'"),
        ({"observations": ("axtree", "hmtl")}, UsageError, "no observation 'hmtl'"),
        ({"render_mode": "ansi"}, UsageError, "no render mode 'ansi': there are human, rgb_array"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        BrowserEnv(**arguments)


@pytest.mark.parametrize(
    ("options", "error", "reason"),
    [
        ({"tsak": TASK}, UsageError, "no reset option 'tsak'"),
        ({"task": "store.admin/none"}, UnknownTask, "no task 'store.admin/none'"),
        ({"task_seed": "7"}, UsageError, "task_seed is a whole number, not '7'"),
    ],
)
def test_wrong_reset_options_are_named(
    make: Make, options: dict[str, Any], error: type[Exception], reason: str
) -> None:
    with pytest.raises(error, match=reason):
        make().reset(options=options)


def test_stepping_before_a_reset_is_refused(make: Make) -> None:
    with pytest.raises(UsageError, match="reset the environment first"):
        make().step("wait(1)")


@given(st.text(st.characters()))
def test_any_text_belongs_to_the_text_space(text: str) -> None:
    assert text in Unicode()
    assert Unicode().from_jsonable(Unicode().to_jsonable([text])) == [text]


def test_what_is_shared_is_closed_by_its_last_holder_and_replaced_when_it_fails() -> None:
    failed: set[int] = set()
    closed: list[int] = []
    numbers = iter(range(10))
    pool: Pool[int] = Pool(lambda: next(numbers), lambda thing: thing not in failed, closed.append)
    assert (pool.take(), pool.take()) == (0, 0)
    failed.add(0)
    assert pool.take() == 1
    pool.give_back(0)
    assert closed == []
    pool.give_back(0)
    pool.give_back(1)
    assert closed == [0, 1]
    assert pool.take() == 2


def test_importing_sitegym_stays_light() -> None:
    script = (
        "import sys, sitegym; print([name for name in ('playwright', 'gymnasium', 'numpy') if name in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        pytest.param({"max_steps": "x"}, "max_steps is a whole number", id="steps in words"),
        pytest.param({"max_steps": 0}, "max_steps is a whole number", id="no steps"),
        pytest.param({"viewport": "big"}, "viewport is width and height", id="size in words"),
        pytest.param({"viewport": (0, 0)}, "viewport is width and height", id="no size"),
        pytest.param({"observations": ()}, "observations is a list", id="nothing to see"),
        pytest.param({"observations": "axtree"}, "observations is a list", id="text for a list"),
    ],
)
def test_arguments_that_can_not_be_are_refused_at_once(make: Make, wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        make(**wrong)
