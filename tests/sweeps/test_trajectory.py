"""Trajectories are ATIF v1.8 as the published package reads it, and whole at every moment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from atif import Trajectory
from sitegym.errors import UsageError
from sitegym.sweeps.trajectory import (
    TrajectoryFile,
    agent_step,
    image_part,
    read_trajectory,
    system_step,
    text_part,
    user_step,
)

HEAD: dict[str, Any] = {"trajectory_id": "t-1", "agent": {"name": "oracle", "version": "1"}, "extra": {"task": "x/y"}}


def click(number: int, text: str = "tree") -> dict[str, Any]:
    return agent_step(
        at="2026-03-18T10:00:00.000+00:00",
        message='click("e1")',
        call=("click", {"ref": "e1"}),
        number=number,
        content=[text_part(text), image_part("screens/000.webp")],
        extra={"box": None},
    )


def begun(path: Path) -> TrajectoryFile:
    file = TrajectoryFile(path, head=HEAD)
    file.append(user_step("Cancel order 100123 — „sofort“"))
    file.append(system_step("The page", [text_part('- button "Ü" [ref=e1]')], {"url": "http://admin.shop.localhost/"}))
    return file


def test_it_validates_against_the_published_schema_after_every_step(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.json"
    file = begun(path)
    for number in (1, 2, 3):
        file.append(click(number), totals={"total_steps": number})
        found = Trajectory.model_validate_json(path.read_text(encoding="utf-8"))
        assert [step.step_id for step in found.steps] == list(range(1, number + 3))
        assert found.final_metrics is not None
        assert found.final_metrics.total_steps == number
    file.finish(final_metrics={"total_steps": 3, "extra": {"seconds": {"browser": 0.5}}}, notes="fin")
    found = Trajectory.model_validate_json(path.read_text(encoding="utf-8"))
    assert found.notes == "fin"
    assert found.has_multimodal_content()


def test_text_of_any_script_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.json"
    file = begun(path)
    file.append(click(1, 'quote " backslash \\ \n 漢字 🙂 ]}'))
    file.finish()
    assert read_trajectory(path)["steps"][2]["observation"]["results"][0]["content"][0]["text"].endswith("漢字 🙂 ]}")


def test_a_shorter_ending_leaves_nothing_of_a_longer_one(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.json"
    file = begun(path)
    file.append(click(1), totals={"total_steps": 1, "extra": {"padding": "x" * 5000}})
    file.finish()
    assert json.loads(path.read_text())["steps"][-1]["step_id"] == 3
    assert "padding" not in path.read_text()


def test_a_trajectory_that_was_cut_short_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.json"
    begun(path).finish()
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(UsageError, match=r"trajectory\.json is not whole JSON .* cut short"):
        read_trajectory(path)


def test_a_trajectory_of_another_version_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.json"
    path.write_text('{"schema_version": "ATIF-v1.2", "steps": []}')
    with pytest.raises(UsageError, match=r"not a trajectory of ATIF-v1\.8: its schema_version is 'ATIF-v1\.2'"):
        read_trajectory(path)
