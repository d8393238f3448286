"""A proof can be stopped at any moment without losing what was proven, and proves nothing twice."""

from __future__ import annotations

import inspect
import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sitegym import tasks
from sitegym.errors import UsageError
from sitegym.sweeps import prove, proving
from sitegym.sweeps.content import ROOT, code_hash, commit_hash, content_hash, template_hashes
from sitegym.sweeps.imported import files_of
from sitegym.sweeps.proof import InstanceProof
from sitegym.sweeps.proof_folder import LINES, ProofFolder, ProvenOf
from sitegym.sweeps.proof_summary import updated
from sitegym.sweeps.sampled import sampled

CANCEL, VIEW, COUNTED = "store.admin/cancel-order", "store.admin/orders-by-status", "store.admin/reviews-by-status"
OF = ProvenOf(templates={"a/b": "c"}, code="d")


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
    told = json.loads((folder / "proof.json").read_text())["summary"]
    assert {task: one["instances"] for task, one in told["templates"].items()} == {CANCEL: 2, VIEW: 2}


def test_only_templates_that_changed_are_proven_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, Any] = {"workers": 1, "quiet": True}
    some = [CANCEL, VIEW]
    assert prove(tasks=some, instances=1, data="tiny", mutations=True, out=tmp_path / "p", **told).holds
    monkeypatch.setattr(
        proving, "template_hashes", lambda *_, **__: {**ProofFolder.open(tmp_path / "p").of.templates, VIEW: "x"}
    )
    proof = prove(resume=tmp_path / "p", **told)
    assert proof.holds
    assert {instance.task for instance in proof.instances} == set(some)
    assert [line["proof"]["task"] for line in lines(tmp_path / "p")] == [CANCEL, VIEW, VIEW]
    monkeypatch.setattr(proving, "code_hash", lambda *_: "another")
    assert prove(resume=tmp_path / "p", **told).holds
    assert [line["proof"]["task"] for line in lines(tmp_path / "p")] == [CANCEL, VIEW, VIEW, CANCEL, VIEW]


def test_a_summary_is_updated_by_the_templates_that_were_tried(tmp_path: Path) -> None:
    about: dict[str, Any] = {"instances": 1, "workers": 1, "data": "tiny", "mutations": True, "quiet": True}
    saved = tmp_path / "saved.json"
    with pytest.raises(UsageError, match=r"no summary .*--save"):
        prove(tasks=VIEW, out=tmp_path / "none", update=saved, **about)
    assert not (tmp_path / "none").exists()
    prove(tasks=[CANCEL, VIEW], out=tmp_path / "both", save=saved, **about)
    first = json.loads(saved.read_text())
    stale = {**first["templates"][VIEW], "content": "older", "failures": ["it broke"], "instances": 9}
    saved.write_text(json.dumps({**first, "templates": {**first["templates"], VIEW: stale}}))
    prove(tasks=VIEW, out=tmp_path / "one", update=saved, **about)
    now = json.loads(saved.read_text())
    assert now["templates"] == first["templates"]
    assert [run["templates"] for run in now["runs"]] == [2, 1]
    for name, other in (("data_seed", 2), ("mutations", False)):
        with pytest.raises(UsageError, match="tells of another proof"):
            prove(tasks=VIEW, out=tmp_path / "none", update=saved, **{**about, name: other})
    with pytest.raises(UsageError, match="all templates together"):
        prove(tasks=VIEW, out=tmp_path / "none", update=saved, constants=True, **about)
    saved.write_text("{}")
    with pytest.raises(UsageError, match="no summary of a proof"):
        prove(tasks=VIEW, out=tmp_path / "none", update=saved, **about)
    assert not (tmp_path / "none").exists()


def test_constant_policies_stay_where_none_were_tried() -> None:
    known = {"runs": [], "templates": {"a/b": {"content": "c"}}, "constants": {"content": "c"}}
    new: dict[str, Any] = {"runs": [{}], "templates": {}, "constants": {}}
    assert updated(known, new)["constants"] == {"content": "c"}
    assert updated(known, {**new, "constants": {"content": "d"}})["constants"] == {"content": "d"}


def test_faults_are_tried_again_and_failures_are_not(tmp_path: Path) -> None:
    folder = ProofFolder.create(tmp_path / "p", {}, OF, [("a/b", 1), ("a/b", 2)])
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


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of what templates are made of."""
    for room in ("tasks", "verifiers"):
        shutil.copytree(ROOT / room, tmp_path / room)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "changes"),
    [
        ("tasks/store/cancel_order.py", {CANCEL}),
        ("tasks/store/reviews/counts.py", {COUNTED}),
        ("tasks/store/admin.py", {CANCEL, VIEW, COUNTED}),
        ("tasks/template.py", {CANCEL, VIEW, COUNTED}),
        ("verifiers/answers.py", {CANCEL, VIEW, COUNTED}),
        ("tasks/store/__init__.py", set()),
        ("tasks/store/reviews/critics.py", set()),
        ("tasks/sets/core.json", set()),
    ],
)
def test_a_change_dates_the_templates_that_are_made_of_it(copied: Path, file: str, changes: set[str]) -> None:
    about: dict[str, Any] = {"tasks": [CANCEL, VIEW, COUNTED], "data": "tiny", "root": copied}
    before = template_hashes(**about)
    assert before == template_hashes(about["tasks"], data="tiny")
    with (copied / file).open("a") as changed:
        changed.write("\n")
    after = template_hashes(**about)
    assert {task for task in before if before[task] != after[task]} == changes


def test_every_file_of_the_tasks_dates_some_template() -> None:
    ours = [task for task, one in tasks.templates().items() if type(one).__module__.startswith("sitegym.")]
    found = set().union(*(files_of(Path(inspect.getfile(type(tasks.template(task)))), ROOT / "tasks") for task in ours))
    missing = {path for path in (ROOT / "tasks").rglob("*.py") if path not in found and path.parent != ROOT / "tasks"}
    assert {path.name for path in missing} == {"__init__.py"}


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
