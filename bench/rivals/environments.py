"""A virtual environment for each rival, made once in the user's cache folder from pinned packages."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from rich.console import Console

from ...cache import cache_dir

BROWSERGYM = "0.14.3"
"""The newest release of browsergym-core when this was written; it pins Playwright 1.44 itself."""


def requirements() -> dict[str, list[str]]:
    """What each rival's environment holds; raw Playwright has the very version that sitegym uses."""
    return {"playwright": [f"playwright=={version('playwright')}"], "browsergym": [f"browsergym-core=={BROWSERGYM}"]}


def python_of(rival: str) -> Path:
    """The Python of a rival's environment, which is made where it is missing or holds something else."""
    wanted = requirements()[rival]
    key = hashlib.sha256(f"{wanted} {sys.version}".encode()).hexdigest()[:12]
    folder = cache_dir() / "rivals" / f"{rival}-{key}"
    python = folder / "bin" / "python"
    stamp = folder / "installed"
    if not stamp.is_file():
        Console(stderr=True).print(f"making an environment with {', '.join(wanted)} in {folder} …")
        shutil.rmtree(folder, ignore_errors=True)
        _run(sys.executable, "-m", "venv", str(folder))
        _run(str(python), "-m", "pip", "--disable-pip-version-check", "install", "-q", *wanted)
        stamp.write_text("\n".join(wanted))
    return python


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr.strip()}")


def browsers_for(python: Path, executable: Path) -> Path:
    """A folder in which this Playwright finds `executable` as its own Chromium.

    BrowserGym opens a second browser for its chat, and has no option that says which; so the one under test stands
    where Playwright looks by itself.
    """
    code = (
        "import playwright, pathlib; print(pathlib.Path(playwright.__file__).parent / 'driver/package/browsers.json')"
    )
    found = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    listed = json.loads(Path(found).read_text())["browsers"]
    revision = next(one["revision"] for one in listed if one["name"] == "chromium")
    folder = python.parents[1] / "browsers"
    where = {"darwin": "chrome-mac/Chromium.app/Contents/MacOS/Chromium"}.get(sys.platform, "chrome-linux/chrome")
    link = folder / f"chromium-{revision}" / where
    link.parent.mkdir(parents=True, exist_ok=True)
    if not link.is_symlink() or Path(os.readlink(link)) != executable:
        link.unlink(missing_ok=True)
        link.symlink_to(executable)
    return folder
