"""Answers and actions that would break the record: JSON, tables, logs, and the pages of the report."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hostile import GIANT, NASTY
from sitegym.envs.host import BrowserHost
from sitegym.sweeps import Run, evaluate
from sitegym.sweeps.results import Status
from sitegym.sweeps.trajectory import read_trajectory

from .attacks import attack
from .conftest import Agent

TASK = "store.admin/orders-by-status"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Two episodes of the hostile agent, played and reported as any sweep is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent / "site"), prepend=os.pathsep)
        out = tmp_path_factory.mktemp("hostile") / "run"
        yield evaluate(
            agents=("hostile:Hostile",),
            tasks=TASK,
            instances=2,
            workers=1,
            data="tiny",
            out=out,
            max_steps=40,
            quiet=True,
        )


class Elements(HTMLParser):
    """Collects elements that only the agent can have put there."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.strange: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what is strange."""
        if tag.startswith("esc-") or any(name.startswith("on") and "escaped" in (value or "") for name, value in attrs):
            self.strange.append(str(self.get_starttag_text()))


@attack(
    "answers",
    tried="answers and actions with markup, scripts, JSON and its ends, line breaks, forged result lines, NUL, "
    "escape codes "
    "of terminals, half characters, right-to-left marks, template and format expressions",
    against="the record is JSON that is written by a writer, never put together; each text stays one value",
    trace="every word in the trajectory, the results and the verdict, as it was said; reward 0",
)
def test_no_answer_breaks_the_record(run: Run) -> None:
    nasty, _ = (run.results[spec.id] for spec in run.plan.episodes)
    everything = "".join(NASTY)
    assert (nasty.status, nasty.reward, nasty.answer) == (Status.FINISHED, 0.0, everything)
    assert [spec.id for spec in run.plan.episodes] == list(run.results)
    lines = (run.path / "results.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["id"] for line in lines] == list(run.results)
    folder = run.path / "episodes" / nasty.id
    assert json.loads((folder / "verdict.json").read_text())["said"]["answer"] == everything
    steps = [step for step in read_trajectory(folder / "trajectory.json")["steps"] if step["source"] == "agent"]
    assert [step["message"] for step in steps[: len(NASTY)]] == list(NASTY)
    assert all(step["extra"]["error"] for step in steps[: len(NASTY) + 2])
    assert steps[-1]["tool_calls"][0]["arguments"]["answer"] == everything
    told = [line for step in steps for line in step["extra"].get("refused", ())]
    assert set(told) == {"GET http://admin.shop.localhost/nowhere: 404, NOT FOUND"}
    assert nasty.refused == len(told)
    inside = {path.name for path in folder.iterdir()}
    assert inside <= {"trajectory.json", "verdict.json", "changes.json", "status.json", "result.json", "screens"}


@attack(
    "answers",
    tried="the same, opened as the report: the overview and the page of the episode, in the browser",
    against="templates escape; data inside of scripts is escaped for scripts",
    trace="the words are shown as words",
)
def test_no_answer_breaks_the_report(run: Run, host: BrowserHost) -> None:
    pages = [run.report, *(run.report.parent / "episodes").glob("*.html")]
    assert len(pages) == 3

    async def opened(path: Path) -> list[object]:
        page = await host.browser.new_page()
        try:
            await page.goto(path.resolve().as_uri())
            found = await page.evaluate("""() => [typeof escaped, document.querySelectorAll("esc-x").length,
              document.querySelectorAll("#film button").length, document.body.innerText.includes("<esc-x>")]""")
            barred = await page.evaluate("""() => {
              const step = [...document.querySelectorAll("#film button")].at(-4);
              step?.click();
              return document.getElementById("error")?.textContent ?? "";
            }""")
            return [*found, barred]
        finally:
            await page.close()

    async def all_opened() -> list[list[object]]:
        return [await opened(path) for path in pages]

    for path, (ran, elements, frames, told, barred) in zip(pages, host.run(all_opened()), strict=True):
        assert Elements(path.read_text()).strange == [], path.name
        assert (ran, elements) == ("undefined", 0), path.name
        steps = next((run.results[spec.id].steps for spec in run.plan.episodes if spec.id in path.name), 0)
        assert frames == (steps + 1 if steps else 0)
        assert told or steps < 2
        assert steps < 2 or "not let through: GET http://admin.shop.localhost/nowhere: 404" in str(barred)


@attack(
    "answers",
    tried="an answer of 100,000 characters, and one longer",
    against="it is compared as a value, and refused beyond that length",
    trace="the answer in the record; the reason in the verdict is short",
)
def test_a_giant_answer_is_only_a_wrong_one(run: Run, lab: Agent) -> None:
    giant = run.results[run.plan.episodes[1].id]
    assert (giant.reward, giant.answer) == (0.0, GIANT)
    assert len(giant.reason) < 2000
    assert "at most 100,000 characters" in lab.act({"action": "finish", "answer": f"{GIANT}9"}).error
    assert not lab.episode.done
    lab.rests()


@attack(
    "answers",
    tried="what pages of the record could be taken for: paths, links and files in the names of downloads and answers",
    against="names of files in a run are made by the harness",
    trace="nothing beside the run's own files",
)
def test_no_word_of_an_agent_names_a_file(run: Run) -> None:
    outside = [path for path in run.path.parent.iterdir() if path != run.path]
    assert outside == []
    for path in run.path.rglob("*"):
        assert re.fullmatch(r"[\w.-]+", path.name), path
