"""The example of an agent of one's own with an asynchronous client, as a reader would run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from fake_openai import FakeOpenAI, Says
from sitegym import tasks
from sitegym.envs import tree
from sitegym.envs.actions import parse
from sitegym.envs.observation import Observation
from solver import Solver

ROOT = Path(__file__).resolve().parents[2]
TASK = "store.admin/cancel-order"


class Writer(Solver):
    """Writes the action as text instead of calling a tool."""

    def __call__(self, request: dict[str, Any]) -> Says:
        (message,) = request["messages"]
        shown = message["content"].partition("\n\nGoal: ")[2].partition("\n\n")[2].partition("\n")[2]
        name, given = self.move(Observation(goal=self.task.goal, axtree=shown, tree=tree.parse(shown)))
        return Says(text=str(parse({"action": name, **given})))


def test_the_example_with_an_asynchronous_client_is_swept(tmp_path: Path) -> None:
    with FakeOpenAI(Writer(tasks.task(TASK, 0, data="tiny"))) as server:
        agent = f"examples.asking_agent:AskingAgent:model=fake,base_url={server.url}"
        done = subprocess.run(
            [sys.executable, "-P", "-m", "sitegym", "eval", "--agent", agent, "--task", TASK, "--data", "tiny",
             "--workers", "1", "--out", str(tmp_path / "run")],
            cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT), "OPENAI_API_KEY": "k"},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (line,) = (tmp_path / "run" / "results.jsonl").read_text().splitlines()
    result = json.loads(line)
    assert (result["status"], result["reward"], result["steps"]) == ("finished", 1.0, len(server.requests))
