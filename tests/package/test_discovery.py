"""Browser discovery with real browsers and with broken ones: what starts is taken, what does not is explained."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sitegym.envs import diagnosis, discovery, trial
from sitegym.envs.candidates import candidates, chosen, is_snap
from sitegym.envs.discovery import find_browser, launch_options
from sitegym.errors import NoBrowser


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder for one test, and no choice of browser from outside."""
    monkeypatch.setenv("SITEGYM_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("SITEGYM_BROWSER", raising=False)
    return tmp_path / "cache"


@pytest.fixture(scope="session")
def real() -> Path:
    """The browser that this machine has, found once."""
    return find_browser().path


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without browsers: an empty PATH but for `bin`, which is returned, and no downloads of Playwright."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "downloads"))
    monkeypatch.setattr(sys, "platform", "linux")
    return tmp_path / "bin"


def fake(path: Path, script: str) -> Path:
    """An executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_a_real_browser_is_proven_and_remembered_on_disk(real: Path, own_cache: Path) -> None:
    first = trial.trial(real)
    assert first.ok
    assert first.version.split(".")[0].isdigit()
    # the second answer comes from the file: a doctored version shows
    known = json.loads((own_cache / "browsers.json").read_text())
    for fields in known.values():
        fields["version"] = "from disk"
    (own_cache / "browsers.json").write_text(json.dumps(known))
    assert trial.trial(real).version == "from disk"
    assert trial.trial(real, fresh=True).version == first.version


def test_a_changed_executable_is_tried_again(tmp_path: Path) -> None:
    path = fake(tmp_path / "chrome", "exit 1")
    assert not trial.trial(path).ok
    fake(path, "exit 23 # another size")
    assert trial.trial(path).problem == "ended with code 23"


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        pytest.param("exit 3", "ended with code 3", id="exits"),
        pytest.param("echo 'no luck' >&2; exit 4", "ended with code 4 (no luck)", id="exits-with-words"),
        pytest.param(
            "echo 'chrome: error while loading shared libraries: libnss3.so: cannot open' >&2; exit 127",
            "shared library libnss3.so is missing",
            id="library-missing",
        ),
    ],
)
def test_a_broken_browser_is_explained_in_a_phrase(tmp_path: Path, script: str, problem: str) -> None:
    assert trial.trial(fake(tmp_path / "chrome", script)).problem == problem


def test_a_browser_that_hangs_is_given_up_and_leaves_no_process(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    # a wrapper without exec, like Debian's: ending only the shell would leave the sleeper
    path = fake(tmp_path / "chrome", f"sleep 600 & echo $! > '{pid_file}'; wait")
    assert trial.trial(path, patience_s=1).problem == "did not answer within 1 s"
    assert ends(int(pid_file.read_text()))


def ends(pid: int) -> bool:
    """The process is gone, or dead and only not yet collected, within five seconds of being told to end."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z":
                return True
        except ProcessLookupError:
            return True
        except FileNotFoundError:
            pass  # no such folder on macOS
        time.sleep(0.01)
    return False


def test_a_file_that_is_not_there_is_explained(tmp_path: Path) -> None:
    assert trial.trial(tmp_path / "chrome").problem == "no such file"


@pytest.mark.parametrize("content", ["", "no json", "[1]", '{"a": 1}', '{"a": {"b": 2}}'], ids=range(5))
def test_a_corrupt_memory_is_written_anew(own_cache: Path, tmp_path: Path, content: str) -> None:
    own_cache.mkdir()
    (own_cache / "browsers.json").write_text(content)
    trial.trial(fake(tmp_path / "chrome", "exit 1"))
    assert len(json.loads((own_cache / "browsers.json").read_text())) == 1


def test_the_chosen_browser_is_taken(real: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITEGYM_BROWSER", str(real))
    assert find_browser().path == real
    assert launch_options()["executable_path"] == str(real)


def test_the_chosen_browser_may_be_a_command(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(nowhere / "my-browser", "exit 1")
    monkeypatch.setenv("SITEGYM_BROWSER", "my-browser")
    choice = chosen()
    assert choice is not None
    assert choice.path == nowhere / "my-browser"


def test_a_chosen_browser_that_does_not_start_is_never_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = fake(tmp_path / "chrome", "exit 1")
    monkeypatch.setenv("SITEGYM_BROWSER", str(path))
    with pytest.raises(NoBrowser, match=r"SITEGYM_BROWSER is .*, which does not start: ended with code 1"):
        find_browser()


def test_a_chosen_browser_that_is_no_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITEGYM_BROWSER", "/nowhere/chrome")
    with pytest.raises(NoBrowser, match="'/nowhere/chrome', which is no executable file"):
        find_browser()


def test_a_headless_shell_is_refused_where_a_window_is_asked_for(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = fake(nowhere / "chromium-headless-shell", "exit 1")
    monkeypatch.setenv("SITEGYM_BROWSER", str(shell))
    monkeypatch.setenv("DISPLAY", ":77")
    with pytest.raises(NoBrowser, match="a headless shell, which can't be shown"):
        find_browser(headless=False)


def test_a_window_without_a_display_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(NoBrowser, match="needs a display"):
        find_browser(headless=False)


def test_candidates_come_in_the_documented_order(nowhere: Path, tmp_path: Path) -> None:
    for name in ("microsoft-edge", "chromium", "google-chrome", "chromium-headless-shell"):
        fake(nowhere / name, f"exit 1 # {name}")
    revision = managed_revision("chromium-headless-shell")
    fake(tmp_path / f"downloads/chromium_headless_shell-{revision}/some-platform/chrome-headless-shell", "exit 1")
    kinds = ["Playwright's headless shell", "headless shell", "chrome", "chromium", "edge"]
    assert [candidate.kind for candidate in candidates(headless=True)] == kinds
    assert [candidate.kind for candidate in candidates(headless=False)] == kinds[2:]


def managed_revision(name: str) -> str:
    """The revision of a browser that the installed Playwright asks for."""
    listing = json.loads((trial.driver_folder() / "package" / "browsers.json").read_text())
    return next(browser["revision"] for browser in listing["browsers"] if browser["name"] == name)


def test_playwrights_own_browser_is_where_playwright_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Our reading of its folders against its own word."""
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "downloads"))
    script = "from playwright.sync_api import sync_playwright as s\nwith s() as p: print(p.chromium.executable_path)"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()
    fake(Path(said), "exit 1")
    assert Path(said) in [candidate.path for candidate in candidates(headless=False)]


def test_snap_builds_are_passed_over(nowhere: Path, tmp_path: Path) -> None:
    fake(nowhere / "chromium-browser", 'exec /snap/bin/chromium "$@"')
    fake(tmp_path / "usr" / "snap", "exit 1")
    (nowhere / "chromium").symlink_to(tmp_path / "usr" / "snap")
    assert is_snap(Path("/snap/bin/chromium"))
    assert list(candidates(headless=True)) == []


def test_the_next_browser_is_taken_where_the_first_is_broken(nowhere: Path, real: Path) -> None:
    fake(nowhere / "chromium-headless-shell", "exit 1")
    (nowhere / "chromium").write_text(f'#!/bin/sh\nPATH=/usr/bin:/bin exec "{real}" "$@"\n')
    (nowhere / "chromium").chmod(0o755)
    assert find_browser().path == nowhere / "chromium"


def test_what_was_mended_is_found_again(nowhere: Path, tmp_path: Path, real: Path) -> None:
    """A library installed later leaves the browser's file as it was."""
    switch = tmp_path / "mended"
    fake(nowhere / "chromium", f"[ -e '{switch}' ] || exit 1\nPATH=/usr/bin:/bin exec '{real}' \"$@\"")
    with pytest.raises(NoBrowser, match="ended with code 1"):
        find_browser()
    switch.touch()
    assert find_browser().path == nowhere / "chromium"


def test_nothing_found_is_one_sentence_with_the_command_to_run(nowhere: Path) -> None:
    with pytest.raises(NoBrowser) as refusal:
        find_browser()
    assert "\n" not in str(refusal.value)
    assert "no browser was found" in str(refusal.value)
    assert discovery.remedy() in str(refusal.value)


def test_everything_broken_names_what_was_tried(nowhere: Path) -> None:
    fake(nowhere / "google-chrome", "exit 5")
    with pytest.raises(NoBrowser, match=rf"tried {nowhere}/google-chrome: ended with code 5"):
        find_browser()


def test_the_sandbox_is_off_for_root_only_or_where_there_is_none(real: Path) -> None:
    options = launch_options()
    if trial.is_root():
        assert options["chromium_sandbox"] is False
    else:
        assert options["chromium_sandbox"] is find_browser().sandbox


def test_a_read_only_cache_costs_only_the_memory(real: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "read-only"
    folder.mkdir()
    (folder / "browsers.json").mkdir()  # unwritable for root as well, unlike permission bits
    (folder / "fonts").touch()  # the same
    monkeypatch.setenv("SITEGYM_CACHE", str(folder))
    assert trial.trial(real).ok
    assert sorted(os.listdir(folder)) == ["browsers.json", "fonts"]


def test_the_doctor_names_the_command_that_mends_a_wrong_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITEGYM_BROWSER", "/bin/false")
    used = next(fact for fact in diagnosis.examine() if fact.what == "used")
    assert (used.ok, used.fix) == (False, "unset SITEGYM_BROWSER")


def test_the_doctor_does_not_blame_the_browser_for_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITEGYM_CACHE", "/dev/null/nowhere")
    facts = {fact.what: fact for fact in diagnosis.examine()}
    assert facts["used"].fix == ""
    assert "SITEGYM_CACHE" in facts["cache"].fix
