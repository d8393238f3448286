"""The report as one file: it opens from disk without a network, and holds episodes and pictures."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from sitegym.sweeps.files import read_json, write_json
from sitegym.sweeps.report import BrokenEvidence, write_single_report
from sitegym.sweeps.report.command import write_reports
from sitegym.sweeps.run_folder import RunFolder

NASTY = "</script><!-- evidence --><script>escaped = 1</script><img src=x onerror='escaped = 1'>\u2028{{ 7 * 7 }}"
ORACLE = "store.admin.cancel-order-0-oracle"


@pytest.fixture
def alone(browser: Browser) -> Iterator[Page]:
    """A page without a network; the test fails where it asks for another file, or logs anything."""
    trouble: list[str] = []
    context = browser.new_context(viewport={"width": 1280, "height": 800}, offline=True)
    page = context.new_page()
    page.on("request", lambda request: trouble.append(request.url) if request.resource_type != "document" else None)
    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    yield page
    context.close()
    assert [one for one in trouble if not one.startswith(("data:", "blob:"))] == []


def test_overview_and_episodes_are_in_one_file_that_can_be_sent(sweep: RunFolder, tmp_path: Path, alone: Page) -> None:
    sent = write_single_report(sweep.path, tmp_path / "sent" / "report.html")
    alone.goto(sent.as_uri())
    rows = alone.locator("#episodes tbody tr")
    expect(rows).to_have_count(len(sweep.plan.episodes))
    alone.get_by_label("Agent", exact=True).select_option("oracle")
    alone.get_by_label("Find in id or reason").fill("cancel-order")
    rows.get_by_role("link").click()
    expect(alone.locator("#number")).to_have_text(re.compile(r"^1 of \d+$"))
    expect(alone.locator("#here")).to_have_text(ORACLE)
    width = "picture => picture.decode().then(() => picture.naturalWidth)"
    assert alone.locator("#picture").evaluate(width) == 1280
    expect(alone.locator("#tree .target")).to_have_count(1)
    alone.keyboard.press("ArrowRight")
    expect(alone).to_have_url(re.compile(f"#episode={re.escape(ORACLE)}&step=2"))
    alone.reload()
    expect(alone.locator("#number")).to_have_text(re.compile(r"^2 of \d+$"))
    alone.get_by_role("link", name="noop").click()
    expect(alone.locator(".verdict .badge")).to_have_text("Failed")
    alone.keyboard.press("u")
    expect(alone.locator("#overview")).to_be_visible()
    expect(alone.locator("#film button")).to_have_count(0)


def test_pictures_can_be_left_out_and_the_rest_is_small(sweep: RunFolder, tmp_path: Path, alone: Page) -> None:
    whole = write_single_report(sweep.path, tmp_path / "whole.html")
    small = write_single_report(sweep.path, tmp_path / "small.html", pictures=False)
    assert small.stat().st_size < whole.stat().st_size / 5
    alone.goto(f"{small.as_uri()}#episode={ORACLE}")
    expect(alone.get_by_text("Pictures were left out of this file.")).to_be_visible()
    assert alone.locator("#tree .line").count() > 10


def test_broken_evidence_is_said_after_the_file_is_written(sweep: RunFolder, tmp_path: Path, alone: Page) -> None:
    run = Path(shutil.copytree(sweep.path, tmp_path / "run"))
    trajectory = run / "episodes" / ORACLE / "trajectory.json"
    trajectory.write_bytes(trajectory.read_bytes()[:500])
    with pytest.raises(BrokenEvidence, match="shows the rest") as caught:
        write_single_report(run)
    alone.goto(f"{caught.value.report.as_uri()}#episode={ORACLE}")
    expect(alone.get_by_text("was cut short")).to_be_visible()


def test_what_an_agent_says_stays_words_in_the_file(sweep: RunFolder, tmp_path: Path, alone: Page) -> None:
    run = RunFolder.open(Path(shutil.copytree(sweep.path, tmp_path / "run")))
    trajectory = run.episode(ORACLE) / "trajectory.json"
    told = read_json(trajectory)
    for step in told["steps"]:
        step["message"] = NASTY
        step["reasoning_content"] = NASTY
    write_json(trajectory, told)
    run.write(replace(run.results()[ORACLE], reason=NASTY, answer=NASTY))
    page = write_single_report(run.path, pictures=False)
    alone.goto(f"{page.as_uri()}#episode={ORACLE}")
    expect(alone.locator("#thought")).to_contain_text("<img")
    expect(alone.locator(".goal")).to_contain_text(NASTY.split("\u2028")[0])
    assert alone.locator("main img:not(#picture)").count() == 0
    alone.keyboard.press("u")
    expect(alone.locator("#episodes")).to_contain_text("</script>")
    assert alone.evaluate("typeof escaped") == "undefined"


def test_a_comparison_in_one_file_holds_the_reports_of_its_runs(sweep: RunFolder, tmp_path: Path, alone: Page) -> None:
    runs = [Path(shutil.copytree(sweep.path, tmp_path / name)) for name in ("one", "other")]
    [sent] = write_reports(runs, single_file=True, out=tmp_path / "sent" / "compared.html")
    for run in runs:
        shutil.rmtree(run)
    alone.goto(sent.as_uri())
    alone.locator(".card").nth(1).get_by_role("link").click()
    report = alone.frame_locator("#run")
    expect(report.locator("#episodes tbody tr").first).to_be_visible()
    expect(alone.locator("#here")).to_have_text("one")
    expect(alone.locator("main")).to_be_hidden()
    alone.go_back()
    expect(alone.locator("main")).to_be_visible()
    expect(alone.locator("#run")).to_have_count(0)
    alone.goto(f"{sent.as_uri()}#run=1&at=episode%3D{ORACLE}%26step%3D2")
    expect(report.locator("#here")).to_have_text(ORACLE)
    expect(report.locator("#number")).to_have_text(re.compile(r"^2 of \d+$"))
    width = "picture => picture.decode().then(() => picture.naturalWidth)"
    assert report.locator("#picture").evaluate(width) == 1280
    expect(alone.locator("#here")).to_have_text("other")
    alone.locator("nav.trail").get_by_role("link").click()
    expect(alone.locator("main")).to_be_visible()


def test_broken_evidence_in_a_run_of_a_comparison_is_said(sweep: RunFolder, tmp_path: Path) -> None:
    runs = [Path(shutil.copytree(sweep.path, tmp_path / name)) for name in ("one", "other")]
    trajectory = runs[1] / "episodes" / ORACLE / "trajectory.json"
    trajectory.write_bytes(trajectory.read_bytes()[:500])
    written: list[Path] = []
    with pytest.raises(BrokenEvidence, match="shows the rest"):
        written.extend(write_reports(runs, single_file=True, no_pictures=True))
    assert (runs[0] / "compare-other.html").is_file()
