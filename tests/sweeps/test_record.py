"""An episode's folder while it is being written: alive, whole at each moment, one file for equal pictures."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sitegym.agents import Decision
from sitegym.envs.observation import Dialog, Observation, Tab
from sitegym.sweeps.heartbeat import Heartbeat
from sitegym.sweeps.pictures import Pictures
from sitegym.sweeps.plan import EpisodeSpec
from sitegym.sweeps.record import Call, Recorder
from sitegym.sweeps.trajectory import read_trajectory

SPEC = EpisodeSpec(
    id="t-0-x", task="store.admin/t", task_seed=0, agent="x", data="tiny", data_seed=1, split=None, max_steps=None
)


def page(shade: int = 0, **more: object) -> Observation:
    fields: dict[str, object] = {"goal": "Do it", "axtree": "- button [ref=e1]", **more}
    return Observation(screenshot=np.full((40, 60, 3), shade, np.uint8), **fields)  # type: ignore[arg-type]


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[Recorder]:
    with Recorder(tmp_path / "episode", SPEC, agent={"name": "x", "version": "1"}, about={}) as recorder:
        yield recorder


def recorded_then_raising(recorder: Recorder) -> None:
    recorder.reset(page())
    raise TypeError


def step(recorder: Recorder, observation: Observation) -> None:
    decision = Decision(move='click("e1")')
    recorder.step(decision, Call("click", {"ref": "e1"}, 'click("e1")'), observation, box=None, seconds={})


def test_what_happened_so_far_can_be_read_at_any_moment(recorder: Recorder) -> None:
    recorder.reset(page())
    for number in range(3):
        step(recorder, page(number))
        assert len(read_trajectory(recorder.folder / "trajectory.json")["steps"]) == number + 3
        assert json.loads((recorder.folder / "status.json").read_text())["step"] == number + 1


def test_heartbeats_from_another_thread_never_get_in_the_way(recorder: Recorder) -> None:
    recorder.reset(page())
    with Heartbeat(recorder.beat, interval_s=0.0001):
        for number in range(200):
            recorder.beat("playing" if number % 2 else "grading")
            assert json.loads((recorder.folder / "status.json").read_text())["state"] in {"playing", "grading"}
    assert not [path for path in recorder.folder.iterdir() if path.name.startswith(".")]


def test_a_heartbeat_goes_on_while_the_agent_thinks() -> None:
    beats = threading.Semaphore(0)
    with Heartbeat(beats.release, interval_s=0.001):
        for _ in range(3):
            assert beats.acquire(timeout=10)


def test_equal_pictures_are_one_file_and_every_pixel_is_kept(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (40, 60, 3), dtype=np.uint8)
    with Pictures(tmp_path / "screens") as pictures:
        paths = [pictures.save(picture) for picture in (noise, noise.copy(), noise + 1, noise)]
    assert paths == ["screens/000.webp", "screens/000.webp", "screens/001.webp", "screens/000.webp"]
    with Image.open(tmp_path / paths[0]) as stored:
        assert np.array_equal(np.asarray(stored.convert("RGB")), noise)


def test_every_kind_that_an_agent_was_given_is_recorded_and_named(recorder: Recorder) -> None:
    marked = np.full((40, 60, 3), 7, np.uint8)
    recorder.reset(page())
    step(recorder, page(text="Orders", boxes={"e1": (1.0, 2.0, 3.0, 4.0)}, screenshot_marked=marked))
    last = read_trajectory(recorder.folder / "trajectory.json")["steps"][-1]
    parts = last["observation"]["results"][0]["content"]
    assert [part["type"] for part in parts] == ["text", "image", "image", "text", "text"]
    assert last["extra"]["kinds"] == ["screenshot_marked", "text", "boxes"]
    assert [part["text"] for part in parts[3:]] == ["Orders", '{"e1":[1.0,2.0,3.0,4.0]}']


def test_what_a_page_says_beside_tree_and_picture_is_recorded(recorder: Recorder) -> None:
    seen = page(dialog=Dialog("confirm", "Delete?"), tabs=(Tab("Orders", "http://a/", True),), error="e9 is stale")
    recorder.reset(page())
    step(recorder, seen)
    extra = read_trajectory(recorder.folder / "trajectory.json")["steps"][-1]["extra"]
    assert extra["dialog"]["message"] == "Delete?"
    assert extra["tabs"][0]["title"] == "Orders"
    assert extra["error"] == "e9 is stale"
    assert extra["action"] == 'click("e1")'


def test_a_heartbeat_that_comes_late_does_not_take_the_reason_of_a_fault_away(tmp_path: Path) -> None:
    folder = tmp_path / "episode"
    with pytest.raises(TypeError), Recorder(folder, SPEC, agent={"name": "x", "version": "1"}, about={}) as it:
        recorded_then_raising(it)
    told = json.loads((folder / "status.json").read_text())
    it.beat()
    assert json.loads((folder / "status.json").read_text()) == told
    assert told["cause"] == "harness_raised"
    assert told["reason"]


def test_an_error_in_an_episode_leaves_a_folder_that_says_fault(tmp_path: Path) -> None:
    folder = tmp_path / "episode"
    with pytest.raises(TypeError), Recorder(folder, SPEC, agent={"name": "x", "version": "1"}, about={}) as it:
        recorded_then_raising(it)
    assert json.loads((folder / "status.json").read_text())["state"] == "fault"
    assert len(read_trajectory(folder / "trajectory.json")["steps"]) == 2
    assert (folder / "screens" / "000.webp").exists()
