"""A proof can be stopped at any moment without losing what was proven, and proves nothing twice."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sitegym.errors import UsageError
from sitegym.sweeps import prove, proving
from sitegym.sweeps.content import code_hash, commit_hash, content_hash
from sitegym.sweeps.proof import InstanceProof
from sitegym.sweeps.proof_folder import LINES, ProofFolder
from sitegym.sweeps.sampled import sampled

CANCEL, VIEW = "store.admin/cancel-order", "store.admin/orders-by-status"
HASHES = {"content": "c", "code": "d"}


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / LINES).read_text().splitlines()]


@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, marks=pytest.mark.long), signal.SIGKILL])
def test_what_was_proven_before_a_kill_is_not_proven_again(tmp_path: Path, number: signal.Signals) -> None:
    folder = tmp_path / "proof"
    what = ["-t", CANCEL, "-t", VIEW, "-n", "2", "--data", "tiny"]
    command = [sys.executable, "-m", "sitegym.cli", "prove", "--mutations", *what]
    process = subprocess.Popen(
        [*command, "--workers", "1", "--out", str(folder)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    told = next(line for line in process.stdout if line.startswith("1/4"))
    process.send_signal(number)
    told += process.communicate()[0]
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert "prove --resume" in told
    kept = lines(folder)
    assert 1 <= len(kept) < 4
    with (folder / LINES).open("a") as file:
        file.write('{"pass": 0, "at": 3.0, "hashes": {"conte')  # as a kill in the middle of a write leaves it
    proof = prove(resume=folder, quiet=True)
    assert proof.holds
    assert len(proof.instances) == 4
    assert lines(folder)[: len(kept)] == kept
    assert [task for task, _ in ProofFolder.open(folder).jobs] == [CANCEL, VIEW, CANCEL, VIEW]  # by rounds
    assert prove(resume=folder, quiet=True).holds
    assert len(lines(folder)) == 4
    assert json.loads((folder / "proof.json").read_text())["summary"]["instances"] == 4


def test_of_other_contents_everything_is_proven_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = prove(tasks=VIEW, instances=1, workers=1, data="tiny", mutations=True, out=tmp_path / "p", quiet=True)
    assert first.holds
    monkeypatch.setattr(proving, "content_hash", lambda *_, **__: "another")
    assert prove(resume=tmp_path / "p", quiet=True).holds
    assert len(lines(tmp_path / "p")) == 2


def test_faults_are_tried_again_and_failures_are_not(tmp_path: Path) -> None:
    folder = ProofFolder.create(tmp_path / "p", {}, HASHES, [("a/b", 1), ("a/b", 2)])
    folder.add(InstanceProof(id="a/b#1", task="a/b", task_seed=1, fault="browser_died: gone"), 1.0)
    folder.add(InstanceProof(id="a/b#2", task="a/b", task_seed=2), 2.0)
    again = ProofFolder.open(tmp_path / "p")
    assert list(again.done()) == ["a/b#2"]
    assert again.before_s == 2.0


def test_a_folder_without_a_proof_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no proof that could be continued"):
        prove(resume=tmp_path, quiet=True)


def test_content_is_dated_by_what_is_promised_and_not_by_when() -> None:
    assert content_hash([CANCEL], data="tiny") == content_hash([CANCEL], data="tiny")
    assert content_hash([CANCEL], data="tiny") != content_hash([CANCEL], data="tiny", data_seed=2)
    assert code_hash(["tasks"]) != code_hash(["verifiers"])


def test_a_sample_is_the_commits_own() -> None:
    one, same, other = (sampled([CANCEL, VIEW], 12, by, data="tiny") for by in ("aa", "aa", "bb"))
    assert one == same != other
    assert len(set(one)) == 12
    assert {task for task, _ in one[:2]} == {CANCEL, VIEW}
    every = sampled([VIEW], 1_000, commit_hash(), data="tiny")
    assert len(every) == len(set(every)) < 1_000


def test_a_sample_keeps_to_its_budget(tmp_path: Path) -> None:
    told: dict[str, Any] = {"workers": 1, "data": "tiny", "mutations": True, "quiet": True}
    proof = prove(tasks=[CANCEL, VIEW], sample=2, out=tmp_path / "two", **told)
    assert proof.holds
    assert {instance.task for instance in proof.instances} == {CANCEL, VIEW}
    none = prove(tasks=[CANCEL, VIEW], budget_s=0.001, out=tmp_path / "none", **told)
    assert not none.holds
    assert (len(none.instances), none.planned) == (0, 6)
