"""Runs side by side: what compares, what is refused, and that the page leads to the episodes that differ."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from runs import TASKS, fault, graded, made_up
from sitegym.cli import main
from sitegym.errors import UsageError
from sitegym.sweeps.plan import EpisodeSpec
from sitegym.sweeps.report.comparing import compare
from sitegym.sweeps.report.comparison import comparison_html
from sitegym.sweeps.report.overview import summary_html
from sitegym.sweeps.report.pages import points
from sitegym.sweeps.statistics import sign_test


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page as wide as the report's pictures are looked at."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def test_the_same_agent_in_two_runs_is_compared_on_instances_that_both_graded(tmp_path: Path) -> None:
    before = made_up(tmp_path / "before", lambda spec: graded(spec.task == TASKS[0]), agents=("noop",))
    after = made_up(
        tmp_path / "after",
        lambda spec: fault("site_error") if spec.task_seed == 3 else graded(True),
        agents=("noop", "oracle"),
    )
    found = compare([before, after])
    (only,) = found.contests
    assert (only.first, only.second) == ("noop (before)", "noop (after)")
    assert (only.test.instances, only.left_out) == (9, 3)
    assert (only.test.first_better, only.test.second_better) == (0, 6)
    assert only.test.p_value == sign_test(0, 6)
    assert {(row.spec.task, row.spec.task_seed) for row in found.differing} >= {(TASKS[1], 0), (TASKS[2], 2)}
    assert not any(row.spec.task == TASKS[0] for row in found.differing)


def test_runs_of_different_agents_are_compared_with_each_other(tmp_path: Path) -> None:
    one = made_up(tmp_path / "one", lambda _: graded(True), agents=("oracle",))
    other = made_up(tmp_path / "other", lambda _: graded(False), agents=("noop",))
    (only,) = compare([one, other]).contests
    assert only.test.difference == 1.0


def test_other_data_and_other_tasks_are_refused_unless_told(tmp_path: Path) -> None:
    one = made_up(tmp_path / "one", lambda _: graded(True, hashes={"expectation": "e" * 64}))
    data = made_up(tmp_path / "data", lambda _: graded(True), hashes={"store": "b" * 64})
    tasks = made_up(
        tmp_path / "tasks",
        lambda spec: graded(False, hashes={"expectation": ("f" if spec.task_seed == 2 else "e") * 64}),
    )
    with pytest.raises(UsageError, match=r"store began with other data .* --other-versions"):
        compare([one, data])
    with pytest.raises(UsageError, match=rf"3 of 12 instances ask for something else .*{TASKS[0]}:2"):
        compare([one, tasks])
    told = compare([one, tasks], other_versions=True)
    assert any("3 of 12 instances" in warning for warning in told.warnings)


def test_runs_without_an_instance_in_common_are_refused(tmp_path: Path) -> None:
    one = made_up(tmp_path / "one", lambda spec: graded(True) if spec.task_seed < 2 else None)
    other = made_up(tmp_path / "other", lambda spec: graded(True) if spec.task_seed > 1 else None)
    with pytest.raises(UsageError, match="no graded instance in common: nothing"):
        compare([one, other])
    split = made_up(tmp_path / "split", lambda _: graded(True), split="test")
    with pytest.raises(UsageError, match=r"planned with another split \(one: None; split: test\): nothing can be"):
        compare([one, split])


def test_the_command_writes_each_report_and_the_comparison(
    tmp_path: Path, page: Page, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [
        made_up(tmp_path / "good", lambda _: graded(True), agents=("noop",)).path,
        made_up(tmp_path / "poor", lambda spec: graded(spec.task_seed == 0), agents=("noop",)).path,
    ]
    assert main(["report", *map(str, runs)]) == 2  # as nothing was played, there is no evidence
    told = capsys.readouterr()
    assert "The report was written and shows the rest" in told.err
    *reports, comparison = told.out.split()
    assert reports == [str(run / "report" / "index.html") for run in runs]
    trouble: list[str] = []
    page.on("console", lambda message: trouble.append(message.text))
    page.goto(Path(comparison).as_uri())
    expect(page.get_by_role("heading", name="good against poor")).to_be_visible()
    expect(page.locator("#instances tbody tr")).to_have_count(9)
    page.get_by_label("Find a template").fill(TASKS[1])
    expect(page.locator("#instances tbody tr:visible")).to_have_count(3)
    links = page.locator("#instances a, .card a, .pill").evaluate_all("all => all.map(one => one.href)")
    missing = [link for link in links if not Path(link.removeprefix("file://").partition("#")[0]).is_file()]
    assert (missing, trouble) == ([], [])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["RUN", "--no-pictures"], "--no-pictures is for --single-file"),
        (["RUN", "--out", "x.html"], "--out is for --single-file"),
        (["RUN", "RUN"], "can't be compared with itself"),
        ([], "Missing argument 'RUN…'"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_up(tmp_path / "run", lambda _: None)
    assert main(["report", *(str(tmp_path / "run") if one == "RUN" else one for one in arguments)]) == 2
    assert said in capsys.readouterr().err


def test_a_difference_on_one_instance_has_no_interval_and_is_not_called_none(tmp_path: Path) -> None:
    def told(instances: int, noop: bool) -> str:
        run = tmp_path / f"{instances}-{noop}"
        folder = made_up(run, lambda spec: graded(noop or spec.agent == "oracle"), tasks=TASKS[:1], instances=instances)
        return summary_html(folder)

    one = told(1, noop=False)
    assert "too few instances" in one
    assert "no difference seen" not in one
    assert "no difference seen" in told(3, noop=True)
    assert (points(0.0), points(-0.0001), points(-0.125), points(0.5)) == ("0.0", "0.0", "−12.5", "+50.0")


def test_who_graded_nothing_does_not_make_the_others_uncompared(tmp_path: Path) -> None:
    def played(spec: EpisodeSpec, better: str) -> dict[str, Any]:
        return fault("site_error") if spec.agent == "random" else graded(spec.agent == better)

    runs = [
        made_up(tmp_path / better, partial(played, better=better), agents=("oracle", "noop", "random"))
        for better in ("oracle", "noop")
    ]
    found = compare(runs)
    assert found.compared == max(one.test.instances for one in found.contests) == len(found.differing) == 12
    text = comparison_html(found, ["oracle", "noop"], lambda *_, **__: "#")
    assert "12 instances compared, 12 came out differently" in text
    assert "12 of 12 graded succeeded" in text
