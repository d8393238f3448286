"""The checkout under test, copies of it, its wheel, and a way to run commands."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOT_COPIED = shutil.ignore_patterns(
    ".*_cache",
    ".git",
    ".venv",
    ".hypothesis",
    "__pycache__",
    "*.egg-info",
    "build",
    "dist",
    "runs",
    "sitegym",
    "node_modules",
)

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def run() -> Run:
    """Run a command to its end, output captured as text; `env` is added to this process's environment."""
    import os

    def run(
        *command: str | Path, env: Mapping[str, str] | None = None, **more: object
    ) -> subprocess.CompletedProcess[str]:
        options: dict[str, object] = {"timeout": 120, "stdin": subprocess.DEVNULL, **more}
        return subprocess.run(  # type: ignore[call-overload, no-any-return]
            [str(part) for part in command],
            capture_output=True,
            text=True,
            env={**os.environ, **(env or {})},
            **options,
        )

    return run


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkout as somebody else has it: in a folder whose name has a hyphen and a space, without leftovers."""
    folder = tmp_path_factory.mktemp("elsewhere") / "site-gym copy"
    return Path(shutil.copytree(ROOT, folder, ignore=NOT_COPIED, symlinks=True))


@pytest.fixture(scope="session")
def wheel(copy: Path, run: Run) -> Path:
    """The wheel, built from the copy with the packages that are installed."""
    built = run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", copy.parent / "dist", cwd=copy)
    assert built.returncode == 0, built.stderr[-2000:]
    return next((copy.parent / "dist").glob("*.whl"))


@pytest.fixture(scope="session")
def packages() -> set[str]:
    """The packages that pyproject.toml lists."""
    listing = tomllib.loads((ROOT / "pyproject.toml").read_text())
    return set(listing["tool"]["setuptools"]["packages"])
