"""The report of a run, live in a real browser: it grows while the sweep runs, and shows no more than the run."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from sitegym.errors import UsageError
from sitegym.sweeps.beginning import begin_run
from sitegym.sweeps.index import FILE
from sitegym.sweeps.plan import make_plan
from sitegym.sweeps.results import EpisodeResult, Status
from sitegym.sweeps.run_folder import RunFolder
from sitegym.sweeps.view.serving import runs_beside, served

TASK = "store.admin/cancel-order"
LONG_MS = 120_000
"""A machine may be busy with other things."""


@contextmanager
def viewed(run: Path) -> Iterator[str]:
    """The address of a run that is served meanwhile."""
    with served(run) as found:
        thread = threading.Thread(target=found.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield found.url
        found.server.shutdown()
        thread.join()


@pytest.fixture
def watching(browser: Browser) -> Iterator[Page]:
    """A page that fails the test where anything is wrong with it: an error, a request that fails or goes elsewhere."""
    trouble: list[str] = []
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda message: trouble.append(message.text) if message.type in ("error", "warning") else None)
    page.on("request", lambda one: trouble.append(one.url) if urlsplit(one.url).hostname != "127.0.0.1" else None)
    yield page
    page.close()
    assert [one for one in trouble if not one.startswith("data:")] == []


class Gate:
    """Where an agent in another process waits until the test lets it go on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    def open(self, step: int) -> None:
        """Let the agent take this step (from 1)."""
        (self.folder / f"{step}").touch()


@pytest.fixture
def sweep_at_a_gate(tmp_path: Path) -> Iterator[tuple[Path, Gate]]:
    """A sweep in a process of its own: `noop` ends at once, then an agent takes its steps as it is let."""
    gate, run = Gate(tmp_path / "gate"), tmp_path / "run"
    agent = f"gated:Gated:gate={gate.folder}"
    words = ["eval", "-a", "noop", "-a", agent, "-t", TASK, "-n", "2", "--data", "tiny", "-w", "1", "--out", str(run)]
    process = subprocess.Popen(
        [sys.executable, "-m", "sitegym", *words],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent)},
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    yield run, gate
    process.send_signal(signal.SIGTERM)
    process.wait(LONG_MS / 1000)


def test_a_sweep_is_watched_from_before_it_begins_to_a_step_of_an_episode_that_is_played(
    sweep_at_a_gate: tuple[Path, Gate], watching: Page
) -> None:
    run, gate = sweep_at_a_gate
    with viewed(run) as url:
        watching.goto(url)
        watching.evaluate("window.sameAsBefore = true")
        expect(watching.locator("#state")).to_have_text("Running", timeout=LONG_MS)
        expect(watching.locator("#over")).to_have_text("1", timeout=LONG_MS)
        expect(watching.locator("#latest tbody tr")).to_have_count(1)
        playing = watching.locator("#playing tbody tr").filter(has_text="gated")
        expect(playing).to_have_count(1, timeout=LONG_MS)
        expect(playing.locator("td").nth(5)).to_contain_text("ago", timeout=LONG_MS)
        playing.get_by_role("link").click()
        expect(watching.locator("#words")).to_have_text("The agent has this page before it", timeout=LONG_MS)
        steps = watching.locator("#steps li")
        expect(steps).to_have_count(1)
        watching.evaluate("window.sameAsBefore = true")
        gate.open(1)
        expect(steps).to_have_count(2, timeout=LONG_MS)
        expect(steps.first).to_contain_text("Reload")
        expect(steps.first).to_contain_text("I wonder what comes next.")
        watching.keyboard.press("ArrowLeft")
        expect(watching.locator("#words")).to_have_text("Reload")
        assert watching.locator("#picture").evaluate("it => it.decode().then(() => it.naturalWidth)") == 1280
        gate.open(2)
        expect(watching.locator("#note")).to_contain_text("The episode is over", timeout=LONG_MS)
        expect(watching.locator("#words")).to_have_text("Reload")  # whoever reads is left where they are
        assert watching.evaluate("window.sameAsBefore")
        watching.get_by_role("link", name="See its verdict").click()
        expect(watching.locator(".verdict .badge")).to_have_text("Failed")
        watching.locator("nav.trail a").click()
        expect(watching.locator("#over")).to_have_text(re.compile("[34]"), timeout=LONG_MS)


def test_a_run_that_is_over_shows_its_figures_its_report_and_its_episodes(sweep: RunFolder, watching: Page) -> None:
    results = sweep.results()
    before = {path: path.stat().st_mtime_ns for path in sweep.path.rglob("*")}
    with viewed(sweep.path) as url:
        watching.goto(url)
        expect(watching.locator("#state")).to_have_text("Over")
        expect(watching.locator("#over")).to_have_text(str(len(results)))
        for agent in sweep.plan.agents:
            graded = [one for one in results.values() if one.agent == agent and one.graded]
            row = watching.locator("#agents tbody tr").filter(has_text=agent)
            share = round(100 * sum(one.success for one in graded) / len(graded))
            expect(row.locator("td").nth(1)).to_contain_text(f"{share} %")
            expect(row.locator("td").nth(2)).to_have_text(str(len(graded)))
        expect(watching.locator("#playing-section")).to_be_hidden()
        watching.locator("#whole").click()
        expect(watching.locator("#episodes tbody tr").first).to_be_visible()
        watching.goto(f"{url}report/episodes/store.admin.cancel-order-0-oracle.html")
        expect(watching.locator(".verdict .badge")).to_have_text("Success")
        assert watching.locator("#picture").evaluate("it => it.decode().then(() => it.naturalWidth)") == 1280
    assert {path: path.stat().st_mtime_ns for path in sweep.path.rglob("*")} == before  # it was only read


def planned(path: Path) -> RunFolder:
    plan = make_plan(tasks=TASK, agents=("noop",), instances=2, data="tiny")
    return begin_run(plan, versions={}, out=path, screenshots=False)


def overview(url: str) -> dict[str, Any]:
    answer = ask(url, "/live/overview.json")
    assert answer.status == 200
    found: dict[str, Any] = json.loads(answer.body)
    return found


def test_a_run_that_has_not_begun_is_waited_for(tmp_path: Path, watching: Page) -> None:
    with viewed(tmp_path / "run") as url:
        watching.goto(url)
        expect(watching.locator("#note")).to_contain_text("no run in this folder yet")
        expect(watching.locator("table:visible")).to_have_count(0)
        planned(tmp_path / "run")
        expect(watching.locator("#state")).to_have_text("Starting")
        expect(watching.locator("#of")).to_have_text("of 2 planned")
        expect(watching.locator(".scroller").filter(has=watching.locator("#latest"))).to_be_hidden()
        heading, badge = (watching.locator(one).bounding_box() for one in ("h1", "#state"))
        assert heading is not None
        assert badge is not None
        assert 0 <= badge["x"] - (heading["x"] + heading["width"]) < 40


def test_a_run_of_faults_alone_says_that_nothing_is_graded_and_how_long_it_took(tmp_path: Path, watching: Page) -> None:
    folder = planned(tmp_path / "run")
    for one in folder.plan.episodes:
        about = {"id": one.id, "task": one.task, "task_seed": one.task_seed, "agent": one.agent}
        folder.index.put(EpisodeResult(**about, status=Status.FAULT, reason="agent_raised: it broke"))
    begun = datetime.now().astimezone() - timedelta(minutes=5)
    folder.note(state="over", created=begun.isoformat(timespec="seconds"))
    with viewed(folder.path) as url:
        watching.goto(url)
        expect(watching.locator("#state")).to_have_text("Over")
        expect(watching.locator("#agents tbody td").nth(1)).to_have_text("nothing graded")
        expect(watching.locator("#left-word")).to_have_text("Duration")
        expect(watching.locator("#left")).to_have_text("5 min")
        expect(watching.locator("#rate")).to_have_text("0.4")
        answer = json.loads(ask(url, f"/live/episodes/{folder.plan.episodes[0].id}.json").body)
        assert (answer["over"], answer["graded"]) == (True, False)


def test_where_there_is_no_run_those_that_there_are_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert runs_beside(Path("runs/typo")) == ""
    for name in ("one", "two"):
        planned(tmp_path / "runs" / name)
    (tmp_path / "runs" / "nothing").mkdir()
    os.utime("runs/one/run.json", (0, 0))
    assert runs_beside(Path("runs/typo")) == "runs/two, runs/one"


def test_the_reports_own_overview_takes_what_comes(tmp_path: Path, watching: Page) -> None:
    folder = planned(tmp_path / "run")
    first = folder.plan.episodes[0]
    with viewed(folder.path) as url:
        watching.goto(f"{url}report/whole.html")
        watching.evaluate("window.sameAsBefore = true")
        expect(watching.locator("#summary")).to_contain_text("0 of 2 episodes")
        about = {"id": first.id, "task": first.task, "task_seed": first.task_seed, "agent": first.agent}
        folder.index.put(EpisodeResult(**about, status=Status.FINISHED, reward=0.0, goal_met=False, clean=True))
        expect(watching.locator("#summary")).to_contain_text("1 of 2 episodes")
        expect(watching.locator("#episodes tbody tr").first).to_contain_text("Failed")
        assert watching.evaluate("window.sameAsBefore")


def test_a_sweep_that_was_killed_is_said_to_be_stopped(tmp_path: Path) -> None:
    folder = planned(tmp_path / "run")
    folder.index.began(folder.plan.episodes[0].id)
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    (folder.path / "lock").write_text(str(gone.pid))
    with viewed(folder.path) as url:
        found = overview(url)
    assert found["state"] == "stopped"
    assert [one["id"] for one in found["playing"]] == [folder.plan.episodes[0].id]


UNFINISHED = """
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA cache_size = 1")
db.execute("BEGIN IMMEDIATE")
for _ in range(50):
    db.execute("UPDATE episodes SET state = 'running', task = hex(randomblob(20000))")
os._exit(0)
"""


def test_what_a_kill_left_half_written_of_the_index_is_read_without_mending_it(tmp_path: Path) -> None:
    folder = planned(tmp_path / "run")
    subprocess.run([sys.executable, "-c", UNFINISHED, str(folder.path / FILE)], check=True)
    with closing(sqlite3.connect(f"file:{folder.path / FILE}?mode=ro", uri=True)) as db, pytest.raises(sqlite3.Error):
        db.execute("SELECT * FROM episodes").fetchall()
    before = (folder.path / FILE).read_bytes()
    with viewed(folder.path) as url:
        assert (overview(url)["planned"], overview(url)["playing"]) == (2, [])
    assert (folder.path / FILE).read_bytes() == before


class Got:
    """An answer, read to its end."""

    def __init__(self, found: http.client.HTTPResponse) -> None:
        self.status, self.headers, self.body = found.status, found.headers, found.read()


def ask(url: str, path: str, *, method: str = "GET", host: str | None = None) -> Got:
    """What is answered to a path, sent as it is."""
    address = urlsplit(url)
    with closing(http.client.HTTPConnection(str(address.hostname), address.port, timeout=30)) as connection:
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", host or address.netloc)
        connection.endheaders()
        return Got(connection.getresponse())


@pytest.fixture(scope="module")
def open_run(sweep: RunFolder) -> Iterator[str]:
    with viewed(sweep.path) as url:
        yield url


EPISODE = "store.admin.cancel-order-0-oracle"


@pytest.mark.parametrize(
    "host", ["rebound.example", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:80@rebound.example", "[::1]"]
)
def test_other_names_for_the_address_are_refused(open_run: str, host: str) -> None:
    for path in ("/", "/live/overview.json", "/nothing"):
        assert ask(open_run, path, host=host).status in (400, 421)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_but_reading_is_done(open_run: str, method: str) -> None:
    for path in ("/", "/live/overview.json", f"/episodes/{EPISODE}/verdict.json"):
        assert ask(open_run, path, method=method).status == 405


@pytest.mark.parametrize(
    "path",
    [
        f"/episodes/{EPISODE}/../../run.json",
        f"/episodes/{EPISODE}/..%2f..%2frun.json",
        f"/episodes/{EPISODE}/screens/..%2f..%2f..%2f..%2frun.json",
        f"/episodes/{EPISODE}/screens/%2e%2e/trajectory.json",
        f"/episodes/{EPISODE}/screens//etc/passwd",
        f"/episodes/{EPISODE}/%2fetc%2fpasswd",
        "/episodes/../run.json",
        "/episodes/%2e%2e/run.json",
        "/episodes/..%2fset-aside/verdict.json",
        "/report/..%2frun.json",
        "/report/%2e%2e%2freading.py",
        "/report/episodes/..%2f..%2frun.json",
        "/report/episodes/no-such-episode.html",
        "/live/episodes/..%2f..%2frun.json",
        "//etc/passwd",
        f"/episodes/{EPISODE}/index.sqlite",
        f"/episodes/{EPISODE}/status.json%00.webp",
    ],
)
def test_no_path_leads_to_anything_else(open_run: str, path: str) -> None:
    assert ask(open_run, path).status in (308, 400, 404)
    assert ask(open_run, f"/episodes/{EPISODE}/verdict.json").status == 200


def test_a_link_that_leads_out_of_the_run_is_not_followed(tmp_path: Path) -> None:
    folder = planned(tmp_path / "run")
    secret = tmp_path / "secret.json"
    secret.write_text('"secret"')
    episode = folder.episode(folder.plan.episodes[0].id)
    (episode / "screens").mkdir(parents=True)
    (episode / "screens" / "000.webp").symlink_to(secret)
    (episode / "verdict.json").symlink_to(secret)
    with viewed(folder.path) as url:
        for name in ("verdict.json", "screens/000.webp"):
            assert ask(url, f"/episodes/{episode.name}/{name}").status == 404


def test_no_other_page_can_show_or_read_it(open_run: str) -> None:
    headers = ask(open_run, "/report/index.html").headers
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers


def test_a_folder_of_something_else_is_refused_as_is_a_port_that_is_taken(tmp_path: Path, sweep: RunFolder) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(UsageError, match="is not a run folder"), served(tmp_path):
        pass
    with served(sweep.path) as found:
        port = found.server.port
        with pytest.raises(UsageError, match=f"port {port} can't be had"), served(sweep.path, port=port):
            pass


def test_ctrl_c_ends_it_and_it_says_where_it_was(sweep: RunFolder) -> None:
    words = [sys.executable, "-u", "-m", "sitegym", "view", str(sweep.path)]
    process = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    assert process.stdout is not None
    line = process.stdout.readline()
    assert ask(line.split()[0], "/live/overview.json").status == 200
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=LONG_MS / 1000)
    assert (process.returncode, err) == (0, "")
    assert out.endswith("Stopped.\n")
