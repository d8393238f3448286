"""The examples of many environments at once and of a notebook, which runs in a real kernel."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
EXECUTE = """
import json, sys
import nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
print(json.dumps([cell.outputs for cell in notebook.cells if cell.cell_type == "code"]))
"""


def python(*arguments: str) -> str:
    """What Python prints, run from the checkout's root as a reader would."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-P", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_trainer_leaves_resets_and_faults_out() -> None:
    """Each slot waits twice and finishes, begins anew, and waits twice again."""
    assert "3 episodes ended, 15 of 18 transitions are kept" in python("examples/vector_training.py")


def test_the_notebook_runs_in_a_kernel() -> None:
    cells = json.loads(python("-c", EXECUTE, "examples/notebook.ipynb"))
    assert all(output["output_type"] != "error" for cell in cells for output in cell)
    first = shown(cells[0])
    assert "<img" in first["text/html"]
    assert "cancel" in first["text/html"].lower()
    assert "/orders" in shown(cells[1])["text/plain"]
    assert "screenshot_marked" in shown(cells[2])["text/html"]
    assert shown(cells[-1])["text/plain"] == "(0.0, True)"


def shown(cell: list[dict[str, Any]]) -> dict[str, str]:
    """What a cell shows in the end."""
    return {kind: "".join(text) for kind, text in cell[-1]["data"].items()}
