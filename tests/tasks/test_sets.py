"""Frozen sets: `core` is balanced and still what it was, and a set that has changed is refused by name."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from sitegym import tasks
from sitegym.cli import main
from sitegym.errors import UsageError
from sitegym.sweeps import evaluate
from sitegym.sweeps.files import read_json, write_json
from sitegym.sweeps.freeze import LONG, MOST, MOST_OF_LONGEST, SHORT, freeze, mean_steps
from sitegym.sweeps.run_folder import RunFolder
from sitegym.sweeps.task_set import TaskSet, read_set
from sitegym.tasks import Task
from sitegym.verifiers import Expectation, Snapshot
from sitegym.verifiers.account import Account
from sitegym.verifiers.expectation import Deleted

from .counts import TWINS

MEASURED = Path(__file__).parents[2] / "docs" / "data" / "difficulty.json"
CANCEL, STATUS = "store.admin/cancel-order", "store.admin/orders-by-status"


@pytest.fixture(scope="module")
def core() -> TaskSet:
    return read_set("core")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pair of twins and two others, on `tiny`."""
    out = tmp_path_factory.mktemp("sets") / "small.json"
    return freeze("small", difficulty=MEASURED, size=4, tasks=[CANCEL, STATUS], data="tiny", split=None, out=out)


def test_core_is_still_what_it_was_when_it_was_frozen(core: TaskSet) -> None:
    core.check()


def test_core_is_balanced(core: TaskSet) -> None:
    listed = core.instances
    assert 195 <= len(listed) <= 205
    assert len({(one.task, one.seed) for one in listed}) == len({one.goal for one in listed}) == len(listed)
    assert {one.task for one in listed} == set(tasks.templates())
    assert max(Counter(one.task for one in listed).values()) <= MOST
    kinds = Counter(one.kind for one in listed)
    assert abs(kinds["change"] - kinds["retrieve"]) <= 2
    offered = {one: sum(tasks.outcomes(one, split=core.split)) for one in tasks.templates()}
    navigate = [one for one, template in tasks.templates().items() if template.kind == "navigate"]
    assert kinds["navigate"] == sum(min(MOST, offered[one]) for one in navigate)  # all that there are
    for kind in ("change", "retrieve"):
        bands = Counter(one.difficulty for one in listed if one.kind == kind)
        assert set(bands) == {"short", "medium", "long"}
        assert max(bands.values()) - min(bands.values()) <= 2


def test_core_meets_every_pattern_and_trap_and_says_what_the_templates_say(core: TaskSet) -> None:
    known, steps = tasks.templates(), mean_steps(read_json(MEASURED))
    assert {tag for one in core.instances for tag in one.tags} == {tag for one in known.values() for tag in one.tags}
    assert min(Counter(tag for one in core.instances for tag in one.tags).values()) >= 3
    for one in core.instances:
        assert (one.kind, one.tags) == (known[one.task].kind, known[one.task].tags)
        wanted = "short" if steps[one.task] <= SHORT else "long" if steps[one.task] >= LONG else "medium"
        assert one.difficulty == wanted


def test_of_twins_both_are_in_core(core: TaskSet) -> None:
    pairs: dict[tuple[str, int], list[bool]] = {}
    for one in core.instances:
        if one.task in TWINS:
            pairs.setdefault((one.task, one.seed // 2), []).append(one.feasible)
        else:
            assert one.feasible
    assert {task for task, _ in pairs} == set(TWINS)
    assert all(sorted(both) == [False, True] for both in pairs.values())


def test_no_instance_of_core_may_be_trained_on(core: TaskSet) -> None:
    assert core.split == "test"
    for one in core.instances:
        assert tasks.task(one.task, one.seed, split="test").split == "test"


def test_freezing_again_gives_the_same_set(small: Path, tmp_path: Path) -> None:
    again = freeze(
        "small", difficulty=MEASURED, size=4, tasks=[CANCEL, STATUS], data="tiny", split=None, out=tmp_path / "a.json"
    )
    assert again.read_bytes() == small.read_bytes()
    assert Counter(one.task for one in read_set(str(again)).instances) == {CANCEL: 2, STATUS: 2}


def test_a_sweep_of_a_set_plays_it_and_names_its_hash(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = read_set(str(small))
    run = tmp_path / "run"
    assert main(["eval", "--set", str(small), "--agent", "noop", "--workers", "1", "--out", str(run)]) == 0
    folder = RunFolder.open(run)
    results = folder.results().values()
    assert {(one.task, one.task_seed): one.hashes["expectation"] for one in results} == {
        (one.task, one.seed): one.expectation for one in chosen.instances
    }
    assert folder.manifest["settings"]["set"] == {"name": "small", "hash": chosen.hash, "instances": 4}
    assert f"Task set small (4 instances), hash {chosen.hash[:12]}" in capsys.readouterr().out
    assert chosen.hash in (run / "report" / "index.html").read_text("utf-8")


def test_instances_that_have_changed_are_refused_by_name(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = Task.expectation

    def other(task: Task, before: Snapshot) -> Expectation:
        found = wanted(task, before)
        more = (Deleted("coupon_uses", 1),) if (task.id, task.task_seed) == (STATUS, 1) else ()
        return replace(found, may=(*found.may, *more))

    monkeypatch.setattr(Task, "expectation", other)
    with pytest.raises(UsageError, match=rf"^1 of 4 instances .*: {STATUS}:1 \(its expectation\)\."):
        evaluate(agents=("noop",), task_set=str(small), out=tmp_path / "run", quiet=True)
    assert not (tmp_path / "run").exists()


def test_check_names_what_no_longer_behaves_as_frozen(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = read_set(str(small))
    assert main(["tasks", "check", str(small)]) == 0
    told = capsys.readouterr().out
    assert [line for line in told.splitlines() if line.endswith("  as frozen")] == [
        f"{one.name}  as frozen" for one in chosen.instances
    ]
    assert f"hash {chosen.hash}: 4 of 4 instances behave as frozen." in told
    can, *_ = (one for one in chosen.instances if one.task == CANCEL and one.feasible)

    with monkeypatch.context() as patched:
        patched.setattr(Account, "_rest", lambda *_: [])  # another verifier of the same expectations: it sees no damage
        found = {one.instance.name: one.differs for one in chosen.look()}
    assert found[can.name] == ("verdicts",)
    with monkeypatch.context() as patched:
        patched.setattr(Task, "service_oracle", ())  # the right way leads elsewhere
        found = {one.instance.name: one.differs for one in chosen.look()}
    assert found == {one.name: ("verdicts", "outcome") if one == can else () for one in chosen.instances}


def test_hard_are_the_longest_that_were_measured() -> None:
    hard, measured = read_set("hard"), read_json(MEASURED)
    count = Counter(one.task for one in hard.instances)
    assert (hard.split, len(hard.instances)) == ("test", 40)
    steps = mean_steps(measured)
    left_out = [task for task in measured if task not in count]
    assert min(steps[task] for task in count) >= max(steps[task] for task in left_out)
    assert max(count.values()) <= MOST_OF_LONGEST
    assert len(count) >= len(hard.instances) / MOST_OF_LONGEST
    assert all(number % 2 == 0 for task, number in count.items() if task in TWINS)
    assert set(hard.clusters.values()) == set(count)
    hard.check()


def test_another_goal_another_baseline_and_a_task_that_is_gone_are_refused(small: Path) -> None:
    chosen = read_set(str(small))
    first, *others = chosen.instances
    reworded = replace(chosen, instances=(replace(first, goal="0" * 64), *others))
    with pytest.raises(UsageError, match=rf"{first.name} \(its goal\)"):
        reworded.check()
    gone = replace(chosen, instances=(replace(first, task="store.admin/gone"), *others))
    with pytest.raises(UsageError, match=r"store.admin/gone:\d \(no task"):
        gone.check()
    with pytest.raises(UsageError, match=r"another store \(baseline 000000000000, now .*all its 4 instances"):
        replace(chosen, baselines={"store": "0" * 64}).check()
    assert len({chosen.hash, reworded.hash, gone.hash}) == 3


def test_an_edited_file_and_a_set_that_there_is_not_are_refused(small: Path, tmp_path: Path) -> None:
    edited = tmp_path / "edited.json"
    whole = read_json(small)
    write_json(edited, {**whole, "instances": whole["instances"][1:]})
    with pytest.raises(UsageError, match="edited after it was frozen"):
        read_set(str(edited))
    with pytest.raises(UsageError, match=r"no task set 'cor' \(did you mean 'core'\?\)"):
        read_set("cor")
    with pytest.raises(UsageError, match="leave out tasks, split, or the set"):
        evaluate(task_set=str(small), tasks=CANCEL, split="train", out=tmp_path / "run", quiet=True)
