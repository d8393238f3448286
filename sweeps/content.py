"""What a proof is a proof of, as hashes: of tasks, verifiers and baselines, and of all the code that played them."""

from __future__ import annotations

import inspect
import shutil
import subprocess
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from .. import tasks as task_room
from ..sites.world.baseline import baseline
from .evidence import fingerprint
from .plan import site_of

ROOT = Path(__file__).parent.parent
"""The package's folder."""
SETS = ROOT / "tasks" / "sets"
GRADED_BY = ("tasks", "verifiers")
PLAYED_BY = ("agents", "envs", "sites", "sweeps")
"""What brings a page or an attempt about, beside the above."""


def content_hash(tasks: Iterable[str], *, data: str = "base", data_seed: int = 1) -> str:
    """A hash over what is promised: the code of tasks and verifiers, and the baselines that these tasks start from.

    It changes with each change of one of these, and with nothing else; a proof is dated by it.
    """
    known = list(tasks)
    sites = sorted({site_of(task) for task in known})
    return fingerprint(
        {
            "code": code_hash(GRADED_BY),
            "own": [_hash(path) for path in _own_modules(known)],
            "baselines": {site: baseline(site=site, data=data, seed=data_seed).hash for site in sites},
        }
    )


def code_hash(rooms: Iterable[str]) -> str:
    """A hash over every file of these folders of the package, whatever was touched when, but for what Python compiles
    and for frozen task sets: those list instances, and promise nothing."""
    found = {}
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path.parent != SETS:
                found[path.relative_to(ROOT).as_posix()] = _hash(path)
    return fingerprint(found)


def commit_hash() -> str:
    """The commit that is checked out; a hash of the code where it is no checkout."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        told = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
        if told.returncode == 0 and told.stdout.strip():
            return told.stdout.strip()
    return code_hash((*GRADED_BY, *PLAYED_BY))


def _own_modules(tasks: Iterable[str]) -> list[Path]:
    """The files of templates that are somebody's own, so lie outside the package."""
    files = {Path(inspect.getfile(type(task_room.template(task)))) for task in tasks}
    return sorted(path for path in files if not path.is_relative_to(ROOT / "tasks"))


def _hash(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()
