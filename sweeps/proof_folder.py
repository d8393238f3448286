"""The folder of a proof: what was to be proven, and each instance as soon as it was, so that no kill loses any.

proof-plan.json   what was asked for, and the hashes of what it was asked of
instances.jsonl   one line an instance, appended as they end, with the hashes of what it was proven of
proof.json        everything, once it is over or interrupted
proof.txt         the matrix
logs/             what the workers printed
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .files import append_line, read_json, write_json
from .proof import InstanceProof
from .run_folder import new_folder

PLAN, LINES = "proof-plan.json", "instances.jsonl"


@dataclass(frozen=True, kw_only=True)
class ProvenOf:
    """What a proof is a proof of, as hashes; see `content.py`."""

    templates: dict[str, str]
    code: str
    """Of all that played them."""

    def hashes(self, task: str) -> dict[str, str]:
        """What the proof of an instance of this template depends on."""
        return {"content": self.templates.get(task, ""), "code": self.code}


@dataclass
class ProofFolder:
    """An open folder; `create` and `open` are the ways to one."""

    path: Path
    settings: dict[str, Any]
    of: ProvenOf
    """What the proof is of; instances that were proven of something else don't count."""
    jobs: list[tuple[str, int]]
    """Template and seed of each instance, in the order in which they are tried."""
    _passes: int = 0
    _lines: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def create(cls, path: Path, settings: dict[str, Any], of: ProvenOf, jobs: Sequence[tuple[str, int]]) -> ProofFolder:
        """Begin a proof in a new or empty folder."""
        self = cls(new_folder(path), settings, of, list(jobs))
        self._note()
        return self

    @classmethod
    def open(cls, path: Path) -> ProofFolder:
        """The proof in `path`, to be continued; raises `UsageError` where there is none."""
        if not (path / PLAN).is_file():
            raise UsageError(f"{path} holds no proof that could be continued: it has no {PLAN}")
        plan = read_json(path / PLAN)
        if "of" not in plan:
            raise UsageError(f"the proof in {path} was begun by an older sitegym: begin it anew, in another folder")
        jobs = [(task, seed) for task, seed in plan["jobs"]]
        self = cls(path, plan["settings"], ProvenOf(**plan["of"]), jobs)
        self._lines = _whole_lines(path / LINES)
        self._passes = 1 + max((line["pass"] for line in self._lines), default=-1)
        return self

    @property
    def before_s(self) -> float:
        """How long earlier passes took, as far as the last instance of each tells."""
        last: dict[int, float] = {line["pass"]: line["at"] for line in self._same()}
        return sum(last.values())

    def renew(self, of: ProvenOf, jobs: Sequence[tuple[str, int]]) -> None:
        """Aim at other contents: templates that are as they were stay proven; the rest counts no longer."""
        self.of, self.jobs = of, list(jobs)
        self._note()

    def done(self) -> dict[str, InstanceProof]:
        """What was tried to its end under the same hashes, by id; faults are to be tried again."""
        proofs = (InstanceProof.from_json(line["proof"]) for line in self._same())
        return {proof.id: proof for proof in proofs if not proof.fault}

    def add(self, proof: InstanceProof, at: float) -> None:
        """Keep one instance; `at` is seconds since this pass began."""
        about = {"pass": self._passes, "at": round(at, 1), "hashes": self.of.hashes(proof.task)}
        append_line(self.path / LINES, {**about, "proof": proof.to_json()})

    def _same(self) -> list[dict[str, Any]]:
        return [line for line in self._lines if line["hashes"] == self.of.hashes(line["proof"]["task"])]

    def _note(self) -> None:
        write_json(self.path / PLAN, {"settings": self.settings, "of": asdict(self.of), "jobs": self.jobs})


def _whole_lines(path: Path) -> list[dict[str, Any]]:
    """Every line that was written to its end; a kill may have cut the last one, which then is taken away."""
    if not path.is_file():
        return []
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    if len(whole) < len(text):
        with path.open("r+b") as file:
            file.truncate(len(whole))
    return [json.loads(line) for line in whole.splitlines()]
