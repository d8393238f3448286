"""Beginnings made ahead: the same as those made when asked for, each used once, and only for what it was made for."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from sitegym import sites
from sitegym.envs import actions
from sitegym.envs.episode import Episode
from sitegym.envs.host import BrowserHost
from sitegym.envs.look import Eyes
from sitegym.envs.observation import Observation
from sitegym.envs.session import Session
from sitegym.sites.world.client import World, WorldServer
from sitegym.verifiers import Expectation, Snapshot

HOME = "http://admin.shop.localhost/"
KINDS = ("axtree", "axtree_full", "screenshot", "html", "boxes")


@dataclass(frozen=True)
class Look:
    """A task of the smallest kind: do nothing but end."""

    id: str = "store.admin/look"
    task_seed: int = 1
    data: str = "tiny"
    data_seed: int = 1
    role: str = "manager"
    start_url: str = HOME
    goal: str = "Look around."
    max_steps: int = 5
    expected: Expectation = field(default_factory=Expectation)

    def expectation(self, before: Snapshot) -> Expectation:
        return self.expected


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with WorldServer() as server, server.open(data="tiny") as world:
        yield world


def begin(episode: Episode, **fields: Any) -> Observation:
    return episode.reset(replace(Look(), **fields))  # type: ignore[arg-type]


def shown(seen: Observation) -> tuple[object, ...]:
    assert seen.screenshot is not None
    return seen.axtree, seen.axtree_full, seen.screenshot.tobytes(), seen.html, seen.boxes, seen.url, seen.time


def test_a_beginning_made_ahead_is_the_one_made_when_asked_for(host: BrowserHost, world: World) -> None:
    with Episode(host, world, observations=KINDS) as episode:
        asked = shown(begin(episode))
        views = episode.world.views()
        episode.wait_ready()
        assert shown(begin(episode, task_seed=2)) == asked
        assert shown(episode.observe()) == asked
        assert episode.world.views() == views
        verdict = episode.finish()
        assert verdict.clean, verdict.damage


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What is looked at from now on."""
    taken: list[tuple[str, ...]] = []
    look = Eyes.look

    async def noted(eyes: Eyes, kinds: Collection[str]) -> None:
        taken.append(tuple(kinds))
        await look(eyes, kinds)

    monkeypatch.setattr(Eyes, "look", noted)
    return taken


def test_the_first_look_is_taken_ahead(host: BrowserHost, world: World, looks: list[tuple[str, ...]]) -> None:
    with Episode(host, world, observations=KINDS) as episode:
        begin(episode)
        episode.wait_ready()
        looks.clear()
        seen = begin(episode, task_seed=2)
        assert looks == []
        assert shown(episode.act(actions.wait(1))) == shown(seen)
        assert looks == [KINDS]
        episode.wait_ready()
        looks.clear()
        begin(episode)
        episode.observe(("text",))
        assert looks == [("text",)]


@pytest.mark.parametrize("moved", ["history.pushState(null, '', '/elsewhere')", "location.assign('/orders')"])
def test_what_moved_on_since_it_was_looked_at_is_looked_at_again(
    host: BrowserHost, world: World, looks: list[tuple[str, ...]], moved: str
) -> None:
    with Episode(host, world, observations=KINDS) as episode:
        begin(episode)
        episode.wait_ready()
        waiting = host.run(_waiting(episode))
        with_move = waiting.tabs.shown
        host.run(waiting.tabs.active.evaluate(f"() => {{ {moved}; }}"))
        host.run(waiting.tabs.active.wait_for_url(lambda url: url != HOME))
        assert waiting.tabs.shown > with_move
        looks.clear()
        assert begin(episode, task_seed=2).url != HOME
        assert looks == [KINDS]


async def _waiting(episode: Episode) -> Session:
    """The session that the next episode will have."""
    assert episode.core._ahead._next is not None
    session = (await episode.core._ahead._next).session
    assert session is not None
    return session


@pytest.mark.parametrize("fields", [{"start_url": f"{HOME}orders"}, {"role": "analyst"}])
def test_another_start_than_was_made_ahead(host: BrowserHost, world: World, fields: dict[str, str]) -> None:
    with Episode(host, world, observations=KINDS) as fresh:
        wanted = shown(begin(fresh, **fields))
    with Episode(host, world, observations=KINDS) as episode:
        begin(episode)
        episode.wait_ready()
        assert shown(begin(episode, **fields)) == wanted
        assert len(host.browser.contexts) <= 2  # what was made for nothing is closed


def test_what_an_episode_did_is_gone_in_the_next(host: BrowserHost, world: World) -> None:
    with Episode(host, world) as episode:
        begin(episode)
        pending = "/orders?f=status:in:pending"
        seen = episode.act(actions.navigate(pending))
        episode.wait_ready()
        with Snapshot(world.baseline.path, sites.get("store").metadata) as before:
            order = before.rows("orders", status="pending")[0]
        world.call("orders.hold", number=order.number, v=order.v, reason="other")
        assert episode.act("reload()").axtree != seen.axtree
        begin(episode)
        assert episode.act(actions.navigate(pending)).axtree == seen.axtree


def test_two_episodes_at_one_world_do_not_take_each_others_beginnings(host: BrowserHost, world: World) -> None:
    with Episode(host, world) as one, Episode(host, world) as other:
        begin(one)
        one.wait_ready()
        begin(other)
        other.wait_ready()
        seen = begin(one)
        assert seen.find("heading", "Dashboard")
        assert one.act(actions.navigate("/orders")).find("heading", "Orders")


def test_a_world_that_was_reset_by_others_gives_a_clean_beginning(host: BrowserHost, world: World) -> None:
    with Episode(host, world) as episode:
        begin(episode)
        episode.wait_ready()
        world.reset()
        world.advance(60_000)
        assert begin(episode).time == "2026-03-18T10:00:00Z"
        assert episode.finish().clean
