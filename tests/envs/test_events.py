"""Server-sent events reach the page at the end of the step in which they came up, and never between two steps."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from sitegym.envs import actions
from sitegym.envs.episode import Episode
from sitegym.envs.host import BrowserHost
from sitegym.envs.observation import Observation
from sitegym.sites.world import World, WorldServer

from .test_episode import Look

BELL = re.compile(r"Notifications(, (\d+) unread)?")


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with WorldServer() as server, server.open(data="tiny") as world:
        yield world


@pytest.fixture
def episode(host: BrowserHost, world: World) -> Iterator[Episode]:
    episode = Episode(host, world, max_steps=20)
    episode.reset(Look())  # type: ignore[arg-type]
    yield episode
    episode.close()


def unread(seen: Observation) -> int:
    """The number on the bell."""
    found = BELL.fullmatch(seen.element(seen.find("button", BELL)).name)
    assert found
    return int(found[2] or 0)


def ring(world: World, staff: int = 2) -> None:
    """Somebody else assigns an order to the manager who is at work."""
    number = next(row for row in ("100010", "100011", "100012") if assigned(world, row, staff))
    assert number


def assigned(world: World, number: str, staff: int) -> bool:
    return bool(world.call("orders.assign", actor="owner", number=number, staff_id=staff)["changed"])


def test_the_bell_rings_at_the_end_of_a_step(episode: Episode, world: World) -> None:
    before = unread(episode.observe())
    ring(world)
    assert unread(episode.observe()) == before, "nothing moves between two steps"
    assert unread(episode.act(actions.wait(100))) == before + 1
    assert unread(episode.act(actions.reload())) == before + 1


def test_every_tab_hears_it(episode: Episode, world: World) -> None:
    before = unread(episode.observe())
    episode.act(actions.new_tab("/orders"))
    ring(world)
    assert unread(episode.act(actions.wait(100))) == before + 1
    assert unread(episode.act(actions.switch_tab(0))) == before + 1


def test_a_page_with_an_open_dialog_hears_it_afterwards(episode: Episode, world: World) -> None:
    before = unread(episode.observe())
    episode.host.run(episode.session.tabs.active.evaluate("setTimeout(() => alert('stop'), 10)"))
    assert episode.act(actions.wait(100)).dialog is not None
    ring(world)
    assert episode.act(actions.wait(100)).dialog is not None
    assert unread(episode.act(actions.accept_dialog())) == before + 1


def test_a_closed_source_hears_nothing_and_says_so(episode: Episode, world: World) -> None:
    script = """() => {
      window.heard = [];
      window.one = new EventSource('/events?after=0');
      window.two = new EventSource('/events?after=0');
      one.onopen = () => heard.push(`open ${one.readyState}`);
      one.addEventListener('notification', (event) => heard.push(event.type + (event.lastEventId > 0)));
      two.addEventListener('notification', () => heard.push('two'));
      two.close();
    }"""
    run = episode.session.tabs.active.evaluate
    episode.host.run(run(script))
    ring(world)
    episode.act(actions.wait(100))
    heard = episode.host.run(run("heard"))
    assert heard[0] == "open 1"
    assert set(heard[1:]) == {"notificationtrue"}
    assert episode.host.run(run("[two.readyState, EventSource.CLOSED, one instanceof EventSource]")) == [2, 2, True]
