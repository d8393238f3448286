"""What a proof is a proof of, as hashes: of tasks, verifiers and baselines, and of all the code that played them."""

from __future__ import annotations

import inspect
import shutil
import subprocess
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from .. import tasks as task_room
from ..sites.world.baseline import baseline
from .evidence import fingerprint
from .imported import files_of
from .plan import site_of

ROOT = Path(__file__).parent.parent
"""The package's folder."""
SETS = Path("tasks") / "sets"
GRADED_BY = ("tasks", "verifiers")
PLAYED_BY = ("agents", "envs", "sites", "sweeps")
"""What brings a page or an attempt about, beside the above."""


def content_hash(tasks: Iterable[str], *, data: str = "base", data_seed: int = 1) -> str:
    """A hash over what is promised by these templates together: of the `template_hashes`."""
    return fingerprint(template_hashes(tasks, data=data, data_seed=data_seed))


def template_hashes(
    tasks: Iterable[str], *, data: str = "base", data_seed: int = 1, root: Path = ROOT
) -> dict[str, str]:
    """By template, a hash over what it promises; a proof of it is dated by this.

    It is over the code of the template and of what that imports of the tasks, what all templates share (the files that
    lie directly in `tasks`), the verifiers, and the baseline that the task starts from. It changes with each change of
    one of these, and with nothing else: not with another template. `root` is a package's folder, for another checkout.
    """
    shared = fingerprint({"tasks": _flat(root / "tasks"), "verifiers": code_hash(["verifiers"], root)})
    return {task: fingerprint(_made_of(task, data, data_seed, root) | {"shared": shared}) for task in sorted(tasks)}


def _made_of(task: str, data: str, data_seed: int, root: Path) -> dict[str, Any]:
    start = baseline(site=site_of(task), data=data, seed=data_seed).hash
    module = Path(inspect.getfile(type(task_room.template(task))))
    if not module.is_relative_to(ROOT / "tasks"):  # somebody's own: it may use whatever there is
        return {"baseline": start, "own": _hash(module), "code": code_hash(["tasks"], root)}
    files = files_of(root / module.relative_to(ROOT), root / "tasks")
    return {"baseline": start, "code": {path.relative_to(root).as_posix(): _hash(path) for path in sorted(files)}}


def _flat(room: Path) -> dict[str, str]:
    return {path.name: _hash(path) for path in sorted(room.iterdir()) if path.is_file()}


def code_hash(rooms: Iterable[str], root: Path = ROOT) -> str:
    """A hash over every file of these folders of the package, whatever was touched when, but for what Python compiles
    and for frozen task sets: those list instances, and promise nothing."""
    found = {}
    for room in rooms:
        for path in sorted((root / room).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path.parent != root / SETS:
                found[path.relative_to(root).as_posix()] = _hash(path)
    return fingerprint(found)


def commit_hash() -> str:
    """The commit that is checked out; a hash of the code where it is no checkout."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        told = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
        if told.returncode == 0 and told.stdout.strip():
            return told.stdout.strip()
    return code_hash((*GRADED_BY, *PLAYED_BY))


def _hash(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()
