"""The examples run as they stand, and so does the README's Gymnasium snippet."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def python(*arguments: str) -> str:
    """What Python prints, run from the checkout's root as a reader would."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-P", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_gymnasium_loop_is_graded_by_the_database() -> None:
    assert "reward 0.0, terminated True, goal met False, clean True" in python("examples/gymnasium_loop.py")


def test_a_tree_search_finds_the_way_that_leads_nearer() -> None:
    assert "best way: Clear all" in python("examples/tree_search.py")


def test_the_snippet_of_the_readme_runs(tmp_path: Path) -> None:
    snippet = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert snippet is not None
    script = tmp_path / "snippet.py"
    script.write_text(snippet[1])
    assert "True" in python(str(script))


def test_an_agent_of_ones_own_is_swept(tmp_path: Path) -> None:
    python(
        *("-m", "sitegym", "eval", "--agent", "examples.searching_agent:SearchingAgent"),
        *("--task", "store.admin/cancel-order", "--instances", "2", "--workers", "1", "--out", str(tmp_path / "run")),
    )
    results = [json.loads(line) for line in (tmp_path / "run" / "results.jsonl").read_text().splitlines()]
    assert [(result["status"], result["reward"], result["clean"]) for result in results] == [
        ("finished", 0.0, True)
    ] * 2
    assert {result["steps"] for result in results} == {2}
