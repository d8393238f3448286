"""What a sweep plays: repeats, seeds, shards, and the same from a TOML file."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from sitegym.cli import main
from sitegym.cli.options import MOST_SEEDS, Numbers
from sitegym.errors import UsageError
from sitegym.sweeps.evaluate import Run
from sitegym.sweeps.plan import MOST, Plan, make_plan
from sitegym.sweeps.plan_file import KEYS, read_plan
from sitegym.sweeps.results import EpisodeResult, Status
from sitegym.sweeps.shards import Shard, part_of
from sitegym.sweeps.table import results_table
from sitegym.sweeps.task_set import TaskSet

TASKS = ("store.admin/cancel-order", "store.admin/add-tracking")
AGENTS = ("oracle", "noop")


def plan(**more: object) -> Plan:
    return make_plan(tasks=TASKS, agents=AGENTS, data="tiny", **more)  # type: ignore[arg-type]


def test_a_plan_is_the_product_of_tasks_seeds_repeats_and_agents() -> None:
    episodes = plan(seeds=(3, 5), repeats=2).episodes
    combined = {(one.task, one.task_seed, one.repeat, one.agent) for one in episodes}
    assert combined == {(t, s, r, a) for t in TASKS for s in (3, 5) for r in (0, 1) for a in AGENTS}
    assert len({one.id for one in episodes}) == len(episodes) == 16


def test_the_first_play_of_an_instance_is_named_as_if_there_were_no_other() -> None:
    once, twice = plan(instances=2), plan(instances=2, repeats=2)
    assert {one.id for one in once.episodes} == {one.id for one in twice.episodes if one.repeat == 0}


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "0"])
@pytest.mark.parametrize("option", ["max-seconds", "max-cost", "grading-seconds"])
def test_a_limit_that_limits_nothing_is_refused(option: str, number: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "--agent", "noop", f"--{option}={number}"]) == 2
    assert f"--{option}" in capsys.readouterr().err


@pytest.mark.parametrize("limit", ["max_seconds", "max_tokens", "max_cost_usd"])
def test_no_plan_is_made_with_such_a_limit(limit: str) -> None:
    for number in (float("nan"), float("inf")):
        with pytest.raises(UsageError, match=f"{limit} is {number}; it must be a finite number above 0"):
            plan(**{limit: number})


@pytest.mark.parametrize("count", [1, 3, 8])
def test_shards_hold_every_episode_once_and_are_equally_long(count: int) -> None:
    whole = plan(instances=6)
    shards = [part_of(whole, Shard(number, count), {})[0] for number in range(1, count + 1)]
    dealt = [one.id for shard in shards for one in shard.episodes]
    assert sorted(dealt) == sorted(one.id for one in whole.episodes)
    sizes = [len(shard.episodes) for shard in shards]
    assert max(sizes) - min(sizes) <= 1


def test_a_shard_knows_the_whole_plan_that_it_is_of() -> None:
    one, other = (part_of(plan(instances=4), Shard(number, 2), {})[1] for number in (1, 2))
    assert one["hash"] == other["hash"]
    assert one["hash"] != part_of(plan(instances=3), Shard(1, 2), {})[1]["hash"]
    assert one["hash"] != part_of(plan(instances=4), Shard(1, 2), {"settings": 1})[1]["hash"]
    assert sorted(one["positions"] + other["positions"]) == list(range(one["episodes"]))


@pytest.mark.parametrize(
    ("text", "way"),
    [
        *((text, "write 3/8 for the third of eight") for text in ("3", "3/", "a/b", "-1/3")),
        *((text, "of 3 the first is 1/3 and the last 3/3") for text in ("0/3", "4/3")),
    ],
)
def test_what_is_no_shard_is_refused(text: str, way: str) -> None:
    with pytest.raises(UsageError, match=way):
        Shard.parse(text)


@pytest.mark.parametrize(("text", "seeds"), [("7", (7,)), ("0-3", (0, 1, 2, 3)), ("0-2, 9", (0, 1, 2, 9))])
def test_seeds_are_written_as_numbers_and_spans(text: str, seeds: tuple[int, ...]) -> None:
    assert Numbers().convert(text, None, None) == seeds


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["--seeds", "0-99999999"], id="seeds"),
        pytest.param(["--seeds", f"0-{10**30}"], id="seeds-beyond-any-index"),
        pytest.param(["--instances", f"{MOST + 1}"], id="instances"),
        pytest.param(["--seeds", "0-999", "--repeats", "1001"], id="repeats"),
        pytest.param(["--set", "core", "--repeats", "6000"], id="repeats-of-a-set"),
    ],
)
def test_more_episodes_than_anybody_means_are_refused_before_they_are_made(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(TaskSet, "check", lambda self: None)  # whether it is as frozen is not what this is about
    about = ["--task", TASKS[0]] if "--set" not in options else []
    assert main(["eval", "--agent", "noop", *about, *options]) == 2
    said = capsys.readouterr().err
    assert f"a run has at most {MOST:,}" in said
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_range_of_seeds_is_counted_and_not_made() -> None:
    with pytest.raises(UsageError, match=f"are {4 * 10**30:,} episodes"):
        plan(seeds=range(10**30))
    assert {one.task_seed for one in plan(seeds=range(2, 9, 3)).episodes} == {2, 5, 8}
    assert MOST_SEEDS == MOST


def test_a_plan_file_gives_the_arguments_of_evaluate(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(
        'agents = ["oracle", "noop"]\ntasks = "store.admin/*"\nfirst_seed = 4\nrepeats = 3\nsplit = "test"\n'
    )
    assert read_plan(file) == {
        "agents": ("oracle", "noop"), "tasks": ("store.admin/*",), "seed": 4, "repeats": 3, "split": "test",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        pytest.param("agnets = []", ["'agnets'", "did you mean 'agents'?", *KEYS], id="unknown-key"),
        pytest.param("repeats = true", ["repeats is a whole number, not True"], id="not-a-number"),
        pytest.param("max_cost_usd = inf", ["max_cost_usd is a finite number, not inf"], id="infinite"),
        pytest.param("grading_seconds = nan", ["grading_seconds is a finite number, not nan"], id="nan"),
        pytest.param('seeds = ["a"]', ["seeds is a list of whole numbers"], id="not-seeds"),
        pytest.param("agents = [1]", ["agents is a list of texts"], id="not-texts"),
        pytest.param("data = 3", ["data is a text, not 3"], id="not-a-text"),
        pytest.param("agents = [", ["is not TOML"], id="no-toml"),
        pytest.param(None, ["can't be read: No such file"], id="no-file"),
    ],
)
def test_a_plan_file_with_a_mistake_earns_one_sentence(
    tmp_path: Path, text: str | None, sentences: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "plan.toml"
    if text is not None:
        file.write_text(text)
    assert main(["eval", str(file), "--out", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert str(file) in said
    assert all(sentence in said for sentence in sentences)
    assert said.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_what_is_typed_counts_instead_of_what_the_file_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from sitegym import sweeps

    called: dict[str, object] = {}

    class Over:
        exit_code = 0

    def evaluate(**arguments: object) -> Over:
        called.update(arguments)
        return Over()

    monkeypatch.setattr(sweeps, "evaluate", evaluate)
    file = tmp_path / "plan.toml"
    file.write_text('agents = ["oracle"]\ninstances = 4\nrepeats = 3\nscreenshots = false\n')
    assert main(["eval", str(file), "--repeats", "2", "--agent", "noop"]) == 0, capsys.readouterr().err
    assert (called["agents"], called["instances"], called["repeats"]) == (("noop",), 4, 2)
    assert called["screenshots"] is False
    assert "tasks" not in called


def test_a_long_name_gives_way_to_the_figures_of_the_table() -> None:
    agent = "llm:model=some/long-name-of-a-model,base_url=http://127.0.0.1:47312/v1,see=axtree+screenshot,history=5"
    made = make_plan(tasks=TASKS, agents=["noop"], instances=120, data="tiny")
    named = Plan(episodes=tuple(replace(one, agent=agent) for one in made.episodes))
    console = Console(width=80, record=True, file=StringIO())
    console.print(results_table(named, {}))
    lines = console.export_text().splitlines()
    heads = re.split(r"\s{2,}", lines[1].strip())
    assert heads == ["Agent and template", "of graded", "planned", "met", "Damage", "Faults", "Steps", "Sec."]
    assert max(map(len, lines)) <= 80
    (row,) = (line for line in lines if line.startswith("llm:"))
    assert row.partition("…")[2].split() == ["–", "0", "%", "0", "0", "0", "–", "–"]


@pytest.mark.parametrize(
    ("statuses", "interrupted", "code"),
    [
        pytest.param([Status.FINISHED, Status.TRUNCATED], False, 0, id="failed-is-a-verdict"),
        pytest.param([Status.FINISHED, Status.FAULT], False, 1, id="one-has-none"),
        pytest.param([Status.FAULT, Status.FAULT], False, 1, id="all-have-none"),
        pytest.param([Status.FINISHED], False, 1, id="one-did-not-run"),
        pytest.param([Status.FINISHED], True, 130, id="interrupted"),
    ],
)
def test_the_exit_code_is_0_where_every_planned_episode_has_a_verdict(
    statuses: list[Status], interrupted: bool, code: int, tmp_path: Path
) -> None:
    made = make_plan(tasks=TASKS[0], agents=["noop"], instances=2, data="tiny")
    results = {
        spec.id: EpisodeResult(
            id=spec.id, task=spec.task, task_seed=spec.task_seed, agent=spec.agent, status=status,
            reward=None if status == Status.FAULT else 0.0,
        )
        for spec, status in zip(made.episodes, statuses, strict=False)
    }  # fmt: skip
    run = Run(path=tmp_path, plan=made, results=results, report=tmp_path, interrupted=interrupted)
    assert run.exit_code == code
