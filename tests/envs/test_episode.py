"""Episodes on the real shop: begun from the baseline, graded once from the database; faults are never a reward."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from sitegym.envs import actions
from sitegym.envs.episode import Episode, Step
from sitegym.envs.host import BrowserHost
from sitegym.errors import EnvironmentFault, UsageError, VerifierError
from sitegym.sites.world.client import World, WorldServer
from sitegym.verifiers import Expectation, Snapshot, ViewExpectation

ORDERS = "http://admin.shop.localhost/orders"


@dataclass(frozen=True)
class Look:
    """A task of the smallest kind: do nothing but end (and show a page)."""

    expected: Expectation = field(default_factory=Expectation)
    id: str = "store.admin/look"
    task_seed: int = 1
    data: str = "tiny"
    data_seed: int = 1
    role: str = "manager"
    start_url: str = "http://admin.shop.localhost/"
    goal: str = "Look around."
    max_steps: int = 5

    def expectation(self, before: Snapshot) -> Expectation:
        return self.expected


@pytest.fixture(scope="module")
def server() -> Iterator[WorldServer]:
    with WorldServer() as server:
        yield server


@pytest.fixture(scope="module")
def world(server: WorldServer) -> Iterator[World]:
    with server.open(data="tiny") as world:
        yield world


@pytest.fixture
def episode(host: BrowserHost, world: World) -> Iterator[Episode]:
    episode = Episode(host, world)
    yield episode
    episode.close()


def begin(episode: Episode, **fields: Any) -> Any:
    return episode.reset(replace(Look(), **fields))  # type: ignore[arg-type]


def test_a_reset_signs_in_and_shows_the_settled_start_page(episode: Episode) -> None:
    seen = begin(episode)
    assert seen.goal == "Look around."
    assert seen.url == "http://admin.shop.localhost/"
    assert seen.find("heading", "Dashboard")
    assert seen.time == "2026-03-18T10:00:00Z"
    assert (seen.steps_left, seen.error, seen.settled) == (5, "", True)
    assert seen.screenshot is None
    assert (episode.done, episode.verdict) == (False, None)


def test_a_task_of_other_data_is_refused_at_once(episode: Episode) -> None:
    for fields, wanted in (({"data": "base"}, "data base, data_seed 1"), ({"data_seed": 2}, "data tiny, data_seed 2")):
        with pytest.raises(UsageError, match=f"the task is one of {wanted}, and this world has data tiny, data_seed 1"):
            begin(episode, **fields)
    with pytest.raises(UsageError, match="an episode begins with a task"):
        episode.reset("store.admin/look")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"restore takes what checkpoint\(\) gave, not None"):
        episode.restore(None)  # type: ignore[arg-type]
    assert begin(episode).title  # nothing was begun, and nothing is over


def test_a_look_at_what_there_is_not_does_not_end_the_episode(episode: Episode) -> None:
    begin(episode)
    with pytest.raises(UsageError, match=r"no observation 'axtre' .did you mean 'axtree'"):
        episode.observe(("axtre",))
    with pytest.raises(UsageError, match="observations is a list"):
        episode.observe("text")
    assert episode.act(actions.wait(0)).error == ""
    assert len(repr(episode.checkpoint())) < 100


def test_two_resets_give_the_same_tree(episode: Episode) -> None:
    first = begin(episode)
    episode.act(actions.navigate("/orders"))
    again = begin(episode)
    assert again == replace(first, tree=again.tree)


def test_the_same_actions_show_the_same_bytes(host: BrowserHost, world: World) -> None:
    episode = Episode(host, world, observations=("axtree", "screenshot"))

    def play() -> list[tuple[str, bytes]]:
        seen = [begin(episode)]
        seen.append(episode.act({"action": "click", "ref": seen[-1].find("link", "Orders")}))
        seen.append(episode.act({"action": "click", "ref": seen[-1].find_all("checkbox")[2]}))
        seen.append(
            episode.act({"action": "type", "ref": seen[-1].find("combobox", "Search everything"), "text": "an"})
        )
        return [(each.axtree, each.screenshot.tobytes()) for each in seen]

    try:
        assert play() == play()
    finally:
        episode.close()


def test_doing_nothing_is_clean_and_the_first_finish_counts(episode: Episode) -> None:
    begin(episode)
    seen = episode.act('finish(answer="x")')
    assert episode.done
    assert episode.verdict is not None
    assert (episode.verdict.reward, episode.verdict.clean) == (1.0, True)
    assert (episode.answer, episode.outcome, seen.steps_left) == ("x", "DONE", 4)
    assert episode.frozen is not None
    assert episode.frozen.is_file()
    with pytest.raises(UsageError, match="the episode is over"):
        episode.act("finish()")


def test_what_changed_beside_the_task_is_damage(episode: Episode) -> None:
    begin(episode)
    with Snapshot(episode.world.baseline.path, _metadata()) as before:
        order = before.rows("orders", status="pending")[0]
    episode.world.call("orders.hold", number=order.number, v=order.v, reason="other")
    verdict = episode.finish()
    assert (verdict.reward, verdict.clean) == (0.0, False)
    assert any(damage.table == "orders" for damage in verdict.damage)
    begin(episode)
    assert episode.finish().clean


def test_the_page_that_the_active_tab_shows_last_is_graded(episode: Episode) -> None:
    wanted = Expectation(view=ViewExpectation(path="/orders"))
    begin(episode, expected=wanted)
    assert episode.finish().reward == 0.0
    begin(episode, expected=wanted)
    episode.act(actions.navigate("/customers"))
    episode.act(actions.navigate("/orders"))
    assert episode.finish().reward == 1.0
    begin(episode, expected=wanted)
    episode.act(actions.navigate("/orders"))
    episode.act(actions.navigate("/customers"))
    episode.act("back()")
    assert episode.finish().reward == 1.0
    begin(episode, expected=wanted)
    episode.act(actions.new_tab("/orders"))
    episode.act("switch_tab(0)")
    assert episode.finish().reward == 0.0


def test_an_unreadable_or_refused_action_costs_a_step_and_says_why(episode: Episode) -> None:
    begin(episode)
    assert "an action is one call such as" in episode.act("please click the button").error
    assert "no tree has shown" in episode.act({"action": "click", "ref": "e9999"}).error
    seen = episode.act(actions.wait(10))
    assert (seen.error, seen.steps_left) == ("", 2)


def test_the_world_and_the_page_share_one_clock(episode: Episode) -> None:
    begin(episode)
    seen = episode.act(actions.wait(90_000))
    assert seen.time == episode.world.now() == "2026-03-18T10:01:30Z"


def test_running_out_of_steps_is_graded_and_earns_nothing(episode: Episode) -> None:
    begin(episode, max_steps=2)
    episode.act("wait(1)")
    assert not episode.done
    episode.act("wait(1)")
    assert (episode.done, episode.truncated) == (True, True)
    assert episode.verdict is not None
    assert (episode.verdict.reward, episode.verdict.clean) == (0.0, True)


def test_steps_are_told_to_whoever_listens(host: BrowserHost, world: World) -> None:
    steps: list[Step] = []
    episode = Episode(host, world, observations=("axtree", "screenshot"), on_step=steps.append)
    try:
        begin(episode)
        for action in ("nonsense", actions.wait(1), {"action": "finish"}):
            episode.act(action)  # type: ignore[arg-type]
    finally:
        episode.close()
    assert [step.given for step in steps] == ["nonsense", actions.wait(1), {"action": "finish"}]
    assert [step.action and step.action.name for step in steps] == [None, "wait", "finish"]
    assert all(step.observation.screenshot is not None for step in steps)
    assert steps[2].seconds["grading"] > 0


def test_a_checkpoint_can_be_gone_back_to(episode: Episode) -> None:
    begin(episode)
    there = episode.act(actions.navigate("/orders"))
    kept = episode.checkpoint()
    episode.act(actions.navigate("/customers"))
    back = episode.restore(kept)
    assert (back.axtree, back.time, back.steps_left) == (there.axtree, there.time, there.steps_left)


def test_a_verifier_that_fails_gives_no_reward(episode: Episode) -> None:
    class Broken(Look):
        def expectation(self, before: Snapshot) -> Expectation:
            raise VerifierError("no such order")

    episode.reset(Broken())  # type: ignore[arg-type]
    with pytest.raises(VerifierError, match="no such order"):
        episode.act("finish()")
    assert episode.verdict is not None
    assert (episode.verdict.reward, episode.verdict.reason) == (None, "no such order")


def test_a_world_that_died_is_a_fault_without_a_verdict(host: BrowserHost) -> None:
    with WorldServer() as server:
        episode = Episode(host, server.open(data="tiny"))
        begin(episode)
        server.close()
        with pytest.raises(EnvironmentFault):
            episode.act(actions.navigate("/orders"))
        assert (episode.done, episode.verdict) == (True, None)
        episode.close()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [({"observations": ("axtre",)}, "no observation 'axtre'"), ({"max_steps": 0}, "max_steps is at least 1")],
)
def test_wrong_arguments_are_named(host: BrowserHost, world: World, arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        Episode(host, world, **arguments)


def test_an_episode_must_be_reset_first(host: BrowserHost, world: World) -> None:
    with pytest.raises(UsageError, match="reset the episode first"):
        Episode(host, world).act("wait(1)")


def _metadata() -> Any:
    from sitegym.sites import registry

    return registry.get("store").metadata
