"""A person as an agent: hands on the stage become actions, the run is one like any other and can be played again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from sitegym import tasks
from sitegym.cli import main
from sitegym.envs.episode import Episode
from sitegym.envs.host import BrowserHost
from sitegym.sites.world.client import WorldServer
from sitegym.sweeps.plan import EpisodeSpec
from sitegym.sweeps.play import play
from sitegym.sweeps.run_folder import RunFolder
from sitegym.sweeps.trajectory import read_trajectory

sys.path.insert(0, str(Path(__file__).parents[1] / "agents"))  # for the agent that a draft is

from drafted import Drafted

TASK = "store.admin/cancel-order"


def calls(run: RunFolder) -> list[dict[str, Any]]:
    """The recorded actions of a run's only episode, in their dict form."""
    steps = read_trajectory(run.episode(run.plan.episodes[0].id) / "trajectory.json")["steps"]
    made = (call for step in steps for call in step.get("tool_calls", ()))
    return [{"action": call["function_name"], **call["arguments"]} for call in made]


def spec_of(agent: str) -> EpisodeSpec:
    """The same instance, for another agent."""
    about: dict[str, Any] = {"data": "tiny", "data_seed": 1, "split": None, "max_steps": None}
    return EpisodeSpec(id=agent.partition(":")[0], task=TASK, task_seed=0, agent=agent, **about)


def test_a_person_does_a_task_by_hand_and_the_recording_is_replayed_and_becomes_an_oracle(
    sit_down: Callable[..., Any], tmp_path: Path, canceled: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sitting = sit_down(TASK)
    person = sitting.person
    task = tasks.task(TASK, 0, data="tiny")
    expect(person.page.locator("#goal")).to_have_text(task.goal)
    moves = task.oracle()(person.now)
    move = next(moves)
    while move["action"] != "finish":
        person.play(move)
        try:
            move = moves.send(person.now)
        except StopIteration:
            move = {"action": "finish"}
    person.play(move)
    verdict = person.page.get_by_role("region", name="Verdict")
    expect(verdict.get_by_role("heading", name="Success")).to_be_visible(timeout=30_000)
    expect(verdict).to_contain_text(canceled)
    assert sitting.end() == 0

    run = RunFolder.open(tmp_path / "run")
    (result,) = run.results().values()
    assert (result.agent, result.reward, result.status) == ("human", 1.0, "finished")
    made = calls(run)
    opened = ["click", "type", "press", "click", "click"]
    assert [call["action"] for call in made] == [*opened, "click", "click", "click", "finish"]
    assert (run.path / "report" / "index.html").exists()
    assert main(["draft", str(run.episode(result.id))]) == 0
    code = capsys.readouterr().out
    assert "mouse_" not in code
    with BrowserHost() as host, WorldServer() as server, server.open("store", "tiny") as world:
        episode = Episode(host, world)
        episode.reset(task)
        for call in made:
            episode.act(call)
        episode.close()
        replayed = play(spec_of(f"replay:run={run.path}"), host, world, tmp_path / "replayed")
        drafted = play(spec_of("drafted"), host, world, tmp_path / "drafted", agent=Drafted(code))
    assert episode.verdict is not None
    assert episode.verdict.reward == 1.0
    assert (replayed.reward, replayed.steps, replayed.hashes) == (1.0, result.steps, result.hashes)
    assert drafted.reward == 1.0


def test_keys_wheel_and_the_panel_are_gestures_and_giving_up_earns_nothing(
    sit_down: Callable[..., Any], tmp_path: Path
) -> None:
    sitting = sit_down(TASK)
    person = sitting.person
    person.click(person.now.find("link", "Customers"))
    person.look()
    person.page.mouse.wheel(0, 240)
    person.look()
    person.page.get_by_role("button", name="Back", exact=True).click()
    person.look()
    person.page.keyboard.press("F6")
    expect(person.page.locator("#answer")).to_be_focused()
    person.page.keyboard.press("F6")
    person.page.keyboard.press("Control+Shift+Home")
    person.look()
    person.page.get_by_role("button", name="Give up").click()
    expect(person.page.get_by_role("heading", name="Given up")).to_be_visible(timeout=30_000)
    assert sitting.end() == 0

    run = RunFolder.open(tmp_path / "run")
    (result,) = run.results().values()
    assert (result.reward, result.status) == (0.0, "truncated")
    assert "before the agent finished" in result.reason
    named = [(call["action"], call.get("key") or call.get("direction")) for call in calls(run)]
    assert named == [("click", None), ("scroll", "down"), ("back", None), ("press", "Control+Shift+Home")]


def test_a_person_who_closes_the_window_has_given_up(sit_down: Callable[..., Any], tmp_path: Path) -> None:
    sitting = sit_down(TASK)
    sitting.person.page.close()
    assert sitting.end() == 0
    (result,) = RunFolder.open(tmp_path / "run").results().values()
    assert (result.reward, result.status, result.steps) == (0.0, "truncated", 0)
