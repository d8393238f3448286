"""The faces work with every minor version of Gymnasium from 1.0 to the newest: `./run test -m long -k gymnasiums`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FACES = ("tests/envs/test_gym_env.py", "tests/envs/test_vector_env.py")
VERSIONS = {
    "first": "==1.0.0",
    **{f"1.{minor}": f"~=1.{minor}.0" for minor in range(5)},
    "newest": ">=1.0,<2",
}
"""What pip is asked for: the first of all, the newest of each minor, the newest of all."""


@pytest.mark.long
@pytest.mark.parametrize("version", VERSIONS.values(), ids=VERSIONS)
def test_the_faces_work_with_it(version: str, tmp_path: Path) -> None:
    """In a folder of its own, which Python looks into before the environment's packages."""
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(tmp_path), f"gymnasium{version}"]
    subprocess.run(pip, check=True)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", *FACES],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
