"""The figures of the report: what counts in which rate, and pages of runs that are not as usual."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest
from markupsafe import escape
from playwright.sync_api import Browser, Page, expect
from rich.console import Console
from runs import TASKS, fault, graded, made_up
from sitegym.sweeps import write_report
from sitegym.sweeps.ending import conclude
from sitegym.sweeps.faults import CAUSES
from sitegym.sweeps.report import BrokenEvidence
from sitegym.sweeps.report.figures import figures
from sitegym.sweeps.report.listing import COLUMNS, listing
from sitegym.sweeps.report.overview import OVERVIEW_SCRIPTS, overview_html, summary_html
from sitegym.sweeps.report.pages import moment, static
from sitegym.sweeps.report.plots import told_rate
from sitegym.sweeps.results import Status
from sitegym.sweeps.statistics import pass_at_k, wilson
from sitegym.sweeps.view.state import RunState

CODE = "\n".join(static(name) for name in OVERVIEW_SCRIPTS)
NASTY = "</script><img src=x onerror=document.title='escaped'>\u2028${1}"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page as wide as the report's pictures are looked at."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def test_a_fault_is_in_no_rate_of_graded_episodes(tmp_path: Path) -> None:
    folder = made_up(
        tmp_path / "run", lambda spec: fault("browser_died") if spec.task_seed == 0 else graded(spec.agent == "oracle")
    )
    found = figures(folder, folder.results())
    oracle, noop = found.agents
    line = oracle.cell.line
    assert (line.success, line.graded, line.faults, line.planned) == (9, 9, 3, 12)
    assert (oracle.cell.success.mean, noop.cell.success.mean) == (1.0, 0.0)
    (group,) = found.faults
    assert (group.name, group.count, group.cause) == ("browser_died", 6, CAUSES["browser_died"])
    page = overview_html(folder)
    assert "9 of 9 graded succeeded, 75 % of 12 planned" in page
    assert escape(CAUSES["browser_died"].meaning) in page
    assert all(contest.test.instances == 9 for contest in found.contests)


def test_what_the_agents_own_code_raised_is_not_told_as_ours(tmp_path: Path) -> None:
    cause = {"oracle": "agent_raised", "noop": "browser_died"}
    folder = made_up(tmp_path / "run", lambda spec: fault(cause[spec.agent]), instances=1)
    by_cause = {group.name: group.whose for group in figures(folder, folder.results()).faults}
    assert by_cause == {"agent_raised": "the agent's own code", "browser_died": "the harness, or what it runs on"}
    page = overview_html(folder)
    assert "ours, not the agent" not in page
    assert "left out of the success of graded episodes, counted in that of all planned" in page


def test_intervals_take_templates_for_what_was_drawn(tmp_path: Path) -> None:
    folder = made_up(tmp_path / "run", lambda spec: graded(spec.task != TASKS[0]), agents=("noop",))
    found = figures(folder, folder.results())
    overall, plain = found.agents[0].cell.success.interval, wilson(8, 12)
    assert overall is not None
    assert plain is not None
    assert overall.high - overall.low > plain.high - plain.low
    assert [one.name for one in found.groupings] == ["task", "tag", "kind", "difficulty"]
    by_task = {group.code: group.cells[0].success for group in found.groupings[0].groups}
    assert by_task[TASKS[0]].interval == wilson(0, 4)
    assert by_task[TASKS[1]].interval == wilson(4, 4)


def test_a_shard_of_a_set_is_not_told_as_the_set(tmp_path: Path) -> None:
    about = {"settings": {"set": {"name": "hard", "hash": "e" * 64, "instances": 40}}}
    shard = made_up(
        tmp_path / "shard", lambda _: None, plan_of={"hash": "a" * 64, "episodes": 480, "shard": "1/20"}, **about
    )
    whole = made_up(tmp_path / "whole", lambda _: None, plan_of={"hash": "a" * 64, "episodes": 24}, **about)
    part, said = f"{len(shard.plan.episodes)} of 480 episodes, shard 1/20", StringIO()
    page = summary_html(shard)
    assert part in page
    assert "not a score of the set" in page
    assert "to cite beside a score" not in page
    assert "to cite beside a score" in summary_html(whole)
    conclude(shard, console=Console(file=said, width=300))
    assert f"Only {part}, which is not a score of the set. Task set hard" in said.getvalue()


def test_repeats_count_by_their_instance(tmp_path: Path) -> None:
    folder = made_up(tmp_path / "run", lambda spec: graded(spec.repeat == 0), agents=("noop",), repeats=3)
    repeats = figures(folder, folder.results()).repeats
    assert repeats is not None
    (noop,) = repeats.agents
    assert [noop.at_least_one[k].mean for k in repeats.ks] == [pytest.approx(pass_at_k(3, 1, k)) for k in (1, 2, 3)]
    assert noop.all_of_them[1].mean == pytest.approx(1 / 3)
    assert noop.all_of_them[2].mean == 0
    assert (noop.instances, noop.mixed) == (12, 12)
    assert "pass^k" in overview_html(folder)


def test_one_page_has_one_interval_however_often_an_instance_was_played(tmp_path: Path) -> None:
    folder = made_up(tmp_path / "run", lambda _: graded(False), agents=("noop",), instances=1, repeats=6)
    found = figures(folder, folder.results())
    assert found.repeats is not None
    overall, by_template = found.agents[0].cell.success, found.groupings[0].groups[0].cells[0].success
    assert overall.interval == found.repeats.agents[0].at_least_one[1].interval == wilson(0, len(TASKS))
    assert by_template.interval == wilson(0, 1)
    assert told_rate(overall).endswith("of 3 instances")
    (watched,) = RunState(folder).now()["agents"]
    assert (watched["low"], watched["high"]) == (overall.interval.low, overall.interval.high)
    assert watched["graded"] == 18


def test_use_and_budgets_are_told_by_agent(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 900, "completion_tokens": 100, "calls": 3, "cost_usd": 0.02}
    ended = {"status": Status.TRUNCATED, "outcome": "budget_tokens"}
    folder = made_up(
        tmp_path / "run", lambda spec: graded(spec.task_seed > 0, usage=usage, **({} if spec.task_seed else ended))
    )
    use = figures(folder, folder.results()).agents[0].use
    assert (use.tokens, use.tokens_each, use.calls, use.ended) == (12_000, 1_000, 36, {"budget_tokens": 3})
    assert (use.cost_usd, use.cost_a_success) == (pytest.approx(0.24), pytest.approx(0.24 / 9))


def test_the_list_is_data_with_each_name_once(tmp_path: Path) -> None:
    folder = made_up(tmp_path / "run", lambda spec: graded(True) if spec.agent == "oracle" else None)
    data = listing(folder, folder.results())
    assert len(data["rows"]) == len(folder.plan.episodes)
    told = [dict(zip(COLUMNS, row, strict=False)) for row in data["rows"]]
    assert [data["agents"][one["agent"]] for one in told] == [spec.agent for spec in folder.plan.episodes]
    assert {data["outcomes"][one["outcome"]]["word"] for one in told} == {"Success", "Not run yet"}
    assert len(json.dumps(data)) < 250 * len(told)


def test_the_head_of_an_episode_is_one_text_beside_each_label(tmp_path: Path, page: Page) -> None:
    ended = {"status": Status.TRUNCATED, "outcome": "budget_steps"}
    folder = made_up(
        tmp_path / "run",
        lambda spec: fault("agent_raised") if spec.agent == "noop" else graded(False, **ended),
        tasks=TASKS[:1],
        instances=1,
    )
    with suppress(BrokenEvidence):  # nothing was played
        write_report(folder.path)
    for spec in folder.plan.episodes:
        page.goto((folder.path / "report" / "episodes" / f"{spec.id}.html").as_uri())
        means = page.locator(".told .reason").filter(has_text="Means")
        expect(means.locator("code")).to_have_text("agent_raised" if spec.agent == "noop" else "budget_steps")
        label, text = (means.locator(f":scope > span:nth-child({at})").bounding_box() for at in (1, 2))
        assert label is not None
        assert text is not None
        assert means.locator(":scope > *").count() == 2
        assert text["x"] > label["x"] + 20


def nothing(_: object) -> None:
    """Not played yet."""


@pytest.mark.parametrize(
    ("result", "agents", "said"),
    [
        pytest.param(nothing, ("oracle",), "nothing of 12 planned is graded", id="nothing-graded-yet"),
        pytest.param(lambda _: fault("site_error", NASTY), ("noop",), "nothing of 12 planned", id="all-faults"),
        pytest.param(lambda _: graded(False, reason=NASTY, clean=False, damage=2), ("noop",), "100 %", id="one-agent"),
        pytest.param(
            lambda spec: graded(spec.task_seed % 2 == 0),
            ("oracle", "noop", f"llm:model={'long' * 30},base_url=http://localhost:1/v1"),
            "p, of 3",
            id="three-agents",
        ),
    ],
)
def test_pages_of_unusual_runs_open_without_an_error(
    result: object, agents: tuple[str, ...], said: str, tmp_path: Path, page: Page
) -> None:
    folder = made_up(tmp_path / "run", result, agents=agents)  # type: ignore[arg-type]
    trouble: list[str] = []
    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.set_content(overview_html(folder, template="single.html", css="", code=CODE, home="#"))
    expect(page.locator("body")).to_contain_text(said)
    expect(page.locator("#episodes tbody tr")).to_have_count(min(len(folder.plan.episodes), 50))
    cut_again = page.locator(".name, .card h2").evaluate_all(
        "all => all.filter(one => getComputedStyle(one).overflow !== 'visible').map(one => one.outerHTML)"
    )
    assert cut_again == []  # names are shortened in their middles, and not once more at their ends
    assert page.evaluate("document.title") != "escaped"
    assert page.locator("img").count() == 0
    assert trouble == []


def test_a_list_of_many_is_turned_page_by_page_and_sorted(tmp_path: Path, page: Page) -> None:
    folder = made_up(tmp_path / "run", lambda spec: graded(True, steps=spec.task_seed + 1), instances=30)
    page.set_content(overview_html(folder, template="single.html", css="", code=CODE, home="#"))
    rows = page.locator("#episodes tbody tr")
    expect(rows).to_have_count(50)
    expect(page.locator("#count")).to_have_text("180")
    page.get_by_role("button", name="Next →").click()
    page.get_by_role("button", name="Next →").click()
    page.get_by_role("button", name="Next →").click()
    expect(rows).to_have_count(30)
    expect(page.get_by_role("button", name="Next →")).to_be_disabled()
    page.get_by_role("button", name="Steps").click()
    page.get_by_role("button", name="Steps").click()
    assert {int(text) for text in rows.locator("td:nth-child(7)").all_inner_texts()} == {
        steps for steps in range(1, 31) if steps > 30 - 50 / 6
    }
    page.get_by_label("Template", exact=True).select_option(TASKS[0])
    expect(page.locator("#count")).to_have_text(re.compile("60 of 180"))


def test_repeats_faults_times_and_counts_are_told_in_words(tmp_path: Path, page: Page) -> None:
    folder = made_up(
        tmp_path / "run",
        lambda spec: graded(True, steps=1) if spec.agent == "oracle" else fault("site_error"),
        tasks=TASKS[:1],
        instances=1,
        repeats=2,
        created="2026-11-30T13:51:24+00:00",
    )
    page.set_content(overview_html(folder, template="single.html", css="", code=CODE, home="#"))
    expect(page.locator("#episodes tbody td:nth-child(4)")).to_have_text(["0", "0", "0, play 2", "0, play 2"])
    expect(page.locator(".by-task .is-fault")).to_have_text("2 faults")
    expect(page.locator(".by-task .pill")).to_have_text(["2/2", "–"])
    expect(page.locator(".head")).to_contain_text("2026-11-30 13:51 UTC")
    expect(page.locator("figcaption")).to_contain_text("most 1 step over 2 episodes")


def test_a_time_that_is_none_stays_as_it_is() -> None:
    assert [moment(text) for text in ("", "yesterday", "2026-03-18T10:00:00Z")] == [
        "",
        "yesterday",
        "2026-03-18 10:00 UTC",
    ]


def test_every_picture_of_numbers_says_what_it_shows(tmp_path: Path, page: Page) -> None:
    folder = made_up(tmp_path / "run", lambda spec: graded(spec.task_seed == 0))
    page.set_content(overview_html(folder, template="single.html", css="", code=CODE, home="#"))
    plots = page.locator("svg")
    assert plots.count() > 4
    unnamed = plots.evaluate_all(
        """all => all.filter(one => !one.hasAttribute('aria-label') &&
          !(one.getAttribute('aria-labelledby') ?? '').split(' ').every(id => document.getElementById(id)?.textContent))
        .map(one => one.outerHTML)"""
    )
    assert unnamed == []


def test_two_agents_fit_beside_each_other_and_what_is_wider_shows_a_shade(tmp_path: Path, page: Page) -> None:
    run = made_up(tmp_path / "run", lambda spec: graded(spec.agent == "oracle"))
    page.set_viewport_size({"width": 1280, "height": 900})
    with pytest.raises(BrokenEvidence) as broken:  # no episode was really played
        write_report(run.path)
    page.goto(broken.value.report.as_uri())
    wider = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent.slice(0, 80))"
    assert page.locator(".scroller").count() >= 5
    assert page.locator(".scroller").evaluate_all(wider) == []
    page.set_viewport_size({"width": 390, "height": 900})
    assert page.locator(".scroller").evaluate_all(wider) != []
    shades = (
        "all => all.every(one => getComputedStyle(one).backgroundAttachment.startsWith('local, local, scroll, scroll'))"
    )
    assert page.locator(".scroller").evaluate_all(shades)


def test_pages_for_other_scripts_are_written_anew(tmp_path: Path) -> None:
    folder = made_up(tmp_path / "run", lambda _: fault("site_error"), agents=("noop",), instances=1)
    page = write_report(folder.path).parent / "episodes" / f"{folder.plan.episodes[0].id}.html"
    page.write_text("as it was")
    write_report(folder.path, only_new=True)
    assert page.read_text() == "as it was"
    (page.parents[1] / "report.js").write_text("of an earlier version")
    write_report(folder.path, only_new=True)
    assert CAUSES["site_error"].meaning in page.read_text()
