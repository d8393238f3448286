"""The episode as coroutines: from a loop of your own, many at once, cancelled half-way, closed by `async with`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from sitegym import tasks
from sitegym.envs import actions
from sitegym.envs.async_episode import AsyncEpisode, Step
from sitegym.envs.episode import Episode
from sitegym.envs.host import BrowserHost
from sitegym.envs.opening import open_episode
from sitegym.errors import EnvironmentFault, UsageError
from sitegym.sites.world.client import World, WorldServer

TASK = tasks.task("store.admin/cancel-order", 4, data="tiny")
ORDERS = actions.navigate("/orders")
InALoop = Callable[[Coroutine[Any, Any, Any]], Any]


@pytest.fixture(scope="module")
def server() -> Iterator[WorldServer]:
    with WorldServer() as server:
        yield server


@pytest.fixture(scope="module")
def world(server: WorldServer) -> Iterator[World]:
    with server.open(data="tiny") as world:
        yield world


def test_it_is_played_from_a_loop_of_ones_own(host: BrowserHost, world: World, in_a_loop: InALoop) -> None:
    steps: list[Step] = []

    async def play() -> AsyncEpisode:
        async with AsyncEpisode(host, world, on_step=steps.append) as episode:
            seen = await episode.reset(TASK)
            assert (seen.goal, episode.steps) == (TASK.goal, 0)
            seen = await episode.act({"action": "click", "ref": seen.find("link", "Orders")})
            assert await episode.box(seen.find_all("checkbox")[0])
            pictured = await episode.observe(("screenshot",))
            assert pictured.screenshot is not None
            verdict = await episode.finish(outcome="NOT_FOUND")
            assert verdict.reward is not None
            assert episode.frozen is not None
            assert episode.frozen.is_file()
            return episode

    episode = in_a_loop(play())
    assert [step.action.name for step in steps if step.action] == ["click", "finish"]
    assert (episode.done, episode.open, episode.fault) == (True, False, None)


def test_it_sees_what_the_synchronous_face_sees(host: BrowserHost, world: World, in_a_loop: InALoop) -> None:
    async def play() -> list[str]:
        async with AsyncEpisode(host, world) as episode:
            return [(await episode.reset(TASK)).axtree, (await episode.act(ORDERS)).axtree]

    awaited = in_a_loop(play())
    with Episode(host, world) as episode:
        assert [episode.reset(TASK).axtree, episode.act(ORDERS).axtree] == awaited


def test_several_play_at_once_on_the_hosts_own_loop(host: BrowserHost, server: WorldServer) -> None:
    async def play(world: World) -> str:
        async with AsyncEpisode(host, world) as episode:
            await episode.reset(TASK)
            return (await episode.act(ORDERS)).axtree

    worlds = [server.open(data="tiny") for _ in range(3)]

    async def play_all() -> list[str]:
        return await asyncio.gather(*map(play, worlds))

    seen = host.run(play_all())
    assert len(set(seen)) == 1
    for world in worlds:
        world.close()


def test_calls_are_done_one_after_the_other_in_their_order(host: BrowserHost, world: World, in_a_loop: InALoop) -> None:
    async def play() -> None:
        async with AsyncEpisode(host, world) as episode:
            await episode.reset(TASK)
            orders, customers = await asyncio.gather(episode.act(ORDERS), episode.act(actions.navigate("/customers")))
            assert (orders.steps_left, customers.steps_left) == (TASK.max_steps - 1, TASK.max_steps - 2)
            assert orders.url.endswith("/orders")
            ended, late = await asyncio.gather(episode.act("finish()"), episode.act(ORDERS), return_exceptions=True)
            assert not isinstance(ended, BaseException)
            assert isinstance(late, UsageError)

    in_a_loop(play())


@pytest.mark.parametrize("on_the_host", [False, True], ids=["own-loop", "host-loop"])
def test_a_step_that_is_cancelled_ends_the_episode_and_the_next_reset_works(
    host: BrowserHost, world: World, in_a_loop: InALoop, on_the_host: bool
) -> None:
    async def play() -> None:
        async with AsyncEpisode(host, world) as episode:
            first = await episode.reset(TASK)
            step = asyncio.ensure_future(episode.act(ORDERS))
            while not episode.steps:
                await asyncio.sleep(0)
            step.cancel()
            with pytest.raises(asyncio.CancelledError):
                await step
            assert (episode.done, episode.verdict) == (True, None)  # at once, before anything else is asked
            assert isinstance(episode.fault, EnvironmentFault)
            assert episode.fault.cause == "cancelled"
            with pytest.raises(UsageError, match="the episode is over"):
                await episode.act(ORDERS)
            again = await episode.reset(TASK)
            assert (again.axtree, episode.fault, episode.done) == (first.axtree, None, False)

    if on_the_host:
        host.run(play())
    else:
        in_a_loop(play())


def test_closing_ends_what_is_under_way(host: BrowserHost, world: World, in_a_loop: InALoop) -> None:
    async def play() -> None:
        episode = AsyncEpisode(host, world)
        await episode.reset(TASK)
        step = asyncio.ensure_future(episode.act(ORDERS))
        while not episode.steps:
            await asyncio.sleep(0)
        await episode.close()
        with pytest.raises(EnvironmentFault) as fault:
            await step
        assert fault.value.cause == "closed"
        assert (episode.done, episode.open) == (True, False)
        await episode.close()

    in_a_loop(play())


def test_a_host_that_is_closed_meanwhile_is_a_fault(world: World, in_a_loop: InALoop) -> None:
    async def play() -> None:
        with BrowserHost() as own:
            episode = AsyncEpisode(own, world)
            await episode.reset(TASK)
            step = asyncio.ensure_future(episode.act(ORDERS))
            while not episode.steps:
                await asyncio.sleep(0)
            await asyncio.to_thread(own.close)
            with pytest.raises(EnvironmentFault):
                await step
            assert (episode.done, episode.verdict) == (True, None)
            await episode.close()

    in_a_loop(play())


def test_an_error_of_the_harness_is_a_fault(host: BrowserHost, world: World, in_a_loop: InALoop) -> None:
    async def play() -> None:
        async with AsyncEpisode(host, world) as episode:
            with pytest.raises(UsageError, match="reset the episode first"):
                await episode.act(ORDERS)
            await episode.reset(TASK)
            await host.visit(episode.session.context.close())
            with pytest.raises(EnvironmentFault):
                await episode.act(ORDERS)
            assert episode.fault is not None
            with pytest.raises(UsageError, match="the episode is over: reset it"):
                await episode.act(ORDERS)

    in_a_loop(play())


def test_one_call_opens_all_that_an_episode_needs_and_gives_it_back(host: BrowserHost, in_a_loop: InALoop) -> None:
    with open_episode(data="tiny", browser=host, max_steps=3) as episode:
        assert episode.reset(TASK).steps_left == 3

    async def play() -> AsyncEpisode:
        awaited = await open_episode(data="tiny", browser=host)
        assert (await awaited.reset(TASK)).goal == TASK.goal
        await awaited.close()
        async with open_episode(data="tiny", browser=host) as entered:
            assert (await entered.reset(TASK)).goal == TASK.goal
        return entered

    for played in (episode, in_a_loop(play())):
        with pytest.raises(UsageError, match="this world is closed"):
            played.world.now()
    with (
        pytest.raises(UsageError, match="no observation 'axtre'"),
        open_episode(data="tiny", browser=host, observations=["axtre"]),
    ):
        pass
    assert host.works
