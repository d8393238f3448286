"""`sitegym serve` as a person meets it: an address for any browser, sign-ins, changes as they are made, resets."""

from __future__ import annotations

import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect
from sitegym.cli import main
from sitegym.envs.discovery import launch_options


class Served:
    """The command in a process of its own, with its terminal in our hands."""

    def __init__(self, *words: str) -> None:
        command = [sys.executable, "-u", "-m", "sitegym.cli", "serve", "--data", "tiny", "--port", "0", *words]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            # a suite started in the background ignores Ctrl-C, and so would its children
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.greeting = self.until("quit")
        found = re.search(r"http://admin\.shop\.localhost:(\d+)/", self.greeting)
        assert found, self.greeting
        self.address, self.port = found[0], int(found[1])

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.poll() is None

    def until(self, words: str) -> str:
        """What it prints up to a line with these words."""
        said = ""
        while words not in said:
            said += self._lines.get(timeout=60)
        return said

    def press(self, key: str) -> None:
        """Send a key."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{key}\n")
        self._process.stdin.flush()

    def interrupt(self) -> int:
        """Ctrl-C; gives the exit code."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        return self.end()

    def end(self) -> int:
        """Wait for it to end by itself; gives the exit code."""
        code = self._process.wait(30)
        self._reader.join(30)
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()
        return code

    def ask(self, path: str, method: str = "GET", body: bytes | None = None) -> tuple[int, str]:
        """Ask the port directly, as a plain HTTP client does: the status, and the world's time by its date."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method, data=body)
        request.add_header("Host", f"admin.shop.localhost:{self.port}")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, str(answer.headers["Date"])
        except urllib.error.HTTPError as error:
            with error:
                return error.code, str(error.headers["Date"])


@pytest.fixture
def served(request: pytest.FixtureRequest) -> Iterator[Served]:
    served = Served(*getattr(request, "param", ["--watch"]))
    yield served
    if served.running:
        served.interrupt()


@pytest.fixture
def chromium(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(**launch_options())
    yield browser
    browser.close()


def test_a_person_signs_in_changes_something_sees_it_told_and_resets(served: Served, chromium: Browser) -> None:
    rows = dict(re.findall(r"^\s*(owner|manager|clerk|analyst) .*?(\S+@\S+)\s+\S+$", served.greeting, re.M))
    assert set(rows) == {"owner", "manager", "clerk", "analyst"}
    password = served.greeting.split(rows["manager"])[1].split()[0]
    page = chromium.new_page()
    page.goto(served.address)
    page.get_by_label("E-mail").fill(rows["manager"])
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Dashboard")).to_be_visible()
    page.goto(f"{served.address}customers/40")
    field = page.get_by_label("First name")
    before = field.input_value()
    field.fill("Wilhelmina")
    page.get_by_role("button", name="Save").click()
    told = served.until("Wilhelmina")
    assert f"first_name: {before} → Wilhelmina" in told
    assert "Customer" in told
    code, date = served.ask("/login")
    assert code == 200
    assert "10:00:00" < date.split()[4] < "10:30:00"

    served.press("d")
    assert "first_name" in served.until("Wilhelmina")
    served.press("r")
    served.until("Reset: everything is as at the beginning")
    page.reload()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    served.press("d")
    served.until("no row of the application's data")
    assert served.interrupt() == 0
    assert "Stopped" in served.until("Stopped")


@pytest.mark.parametrize("served", [["--still"]], indirect=True)
def test_nothing_on_the_port_controls_the_world_whose_time_may_stand_still(served: Served) -> None:
    assert "10:00:00 and stands still" in served.greeting
    assert served.ask("/login") == (200, "Wed, 18 Mar 2026 10:00:00 GMT")
    for path in ("/reset", "/__reset__", "/sitegym/reset", "/control", "/_sitegym"):
        for method in ("GET", "POST"):
            code, _ = served.ask(path, method, b"" if method == "POST" else None)
            assert code in (403, 404, 405) or (method == "GET" and code == 200), (method, path, code)
    served.press("d")
    assert "no row of the application's data" in served.until("no row of the application's data")
    assert served.ask("/login")[1] == "Wed, 18 Mar 2026 10:00:00 GMT"
    served.press("w")
    served.until("Watching is on.")
    served.press("q")
    assert served.end() == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        pytest.param(["--site", "stor"], "did you mean 'store'?", id="site"),
        pytest.param(["--data", "tny"], "did you mean 'tiny'?", id="data"),
        pytest.param(["--port", "99999"], "99999 is not in the range", id="port"),
    ],
)
def test_a_mistake_earns_one_sentence(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", *words]) == 2
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.err.count("\n") == 1


def test_a_port_that_is_taken_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--data", "tiny", "--port", str(port)]) == 2
    assert f"port {port} is in use: choose another one" in capsys.readouterr().err


def test_single_keystrokes_work_at_a_terminal_and_it_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    import termios

    from sitegym.demo.keys import Keys

    ours, theirs = os.openpty()
    before = termios.tcgetattr(theirs)
    with os.fdopen(theirs, "r") as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        with Keys() as keys:
            os.write(ours, b"Rq")
            heard: list[Any] = []
            for key in keys.each(0.05):
                heard.append(key)
                if key == "q":
                    break
        assert termios.tcgetattr(theirs) == before
    os.close(ours)
    assert [key for key in heard if key] == ["r", "q"]
