"""The set-up script `run`, copied into a folder of its own with a recording Python in place of the real one."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

# `-m venv DIR` makes DIR with this same script as its Python; `-m pip` fails while the file `broken` exists
PYTHON = """#!/bin/sh
echo "$*" >>"{log}"
case "$1 $2" in
    "-c "*ensurepip*) exit {ensurepip} ;;
    "-c "*version_info*) exit {old} ;;
    "-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && echo "command = $3" >"$3/pyvenv.cfg" &&
        printf '#!/bin/sh\\necho "sitegym $*"; pwd; echo "$SITEGYM_COMMAND"\\n' >"$3/bin/sitegym" &&
        chmod +x "$3/bin/sitegym" ;;
    "-Ic import playwright") [ ! -e "{dead}" ] ;;
    "-m pip") [ ! -e "{broken}" ] ;;
esac
"""


@pytest.fixture
def checkout(root: Path, tmp_path: Path) -> Path:
    """A folder with the script and the two files that decide what is installed."""
    folder = tmp_path / "site-gym 1"
    folder.mkdir()
    for name in ("run", "constraints.txt", "pyproject.toml"):
        shutil.copy(root / name, folder)
    return folder


Start = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def start(checkout: Path, tmp_path: Path) -> Start:
    """Start `run` on a machine whose only Python is the recording one."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("sh", "cat", "cksum", "dirname", "grep", "rm", "mkdir", "cp", "chmod"):
        (tools / name).symlink_to(str(shutil.which(name)))

    def start(*words: str, old: int = 0, ensurepip: int = 0, python: bool = True) -> subprocess.CompletedProcess[str]:
        log, broken, dead = tmp_path / "log", tmp_path / "broken", tmp_path / "dead"
        if python:
            (tools / "python3").write_text(
                PYTHON.format(log=log, broken=broken, dead=dead, old=old, ensurepip=ensurepip)
            )
            (tools / "python3").chmod(0o755)
        log.write_text("")
        return subprocess.run(
            [checkout / "run", *words],
            capture_output=True,
            text=True,
            env={"PATH": str(tools)},
            cwd=tmp_path,
            timeout=60,
        )

    return start


def pips(tmp_path: Path) -> list[str]:
    """The calls of pip that the last start made."""
    return [line for line in (tmp_path / "log").read_text().splitlines() if line.startswith("-m pip")]


def test_the_first_run_installs_and_the_second_does_not(start: Start, tmp_path: Path, checkout: Path) -> None:
    first = start("tasks", "list")
    assert first.stdout == f"sitegym tasks list\n{tmp_path}\n{checkout}/run\n", first.stderr
    assert f"-c {checkout}/constraints.txt" in pips(tmp_path)[-1]
    second = start("tasks", "list")
    assert second.stdout == first.stdout
    assert second.stderr == ""
    assert pips(tmp_path) == []


def test_a_changed_pin_is_installed(start: Start, tmp_path: Path, checkout: Path) -> None:
    start("doctor")
    with (checkout / "constraints.txt").open("a") as file:
        file.write("flask==9.9\n")
    start("doctor")
    assert len(pips(tmp_path)) == 2
    assert "-m venv" not in (tmp_path / "log").read_text()


def test_tests_and_checks_bring_their_own_packages(start: Start, tmp_path: Path, checkout: Path) -> None:
    start("doctor")
    start("test", "-k", "nothing")
    assert f"-e {checkout}[test]" in pips(tmp_path)[-1]
    assert "pytest" in (tmp_path / "log").read_text()
    start("doctor")
    assert pips(tmp_path) == []


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_lists_the_commands_of_the_checkout_beside_those_of_sitegym(start: Start, word: str) -> None:
    told = start(word).stdout
    assert told.startswith("sitegym --help\n")
    assert [line.split()[1] for line in told.splitlines() if line.startswith("./run ")] == [
        "test", "test-docker", "check", "docs", "bench", "evidence",
    ]  # fmt: skip


def test_an_interrupted_set_up_is_done_again(start: Start, tmp_path: Path) -> None:
    (tmp_path / "broken").touch()
    failed = start("doctor")
    assert failed.returncode == 1
    assert "pip could not install" in failed.stderr
    (tmp_path / "broken").unlink()
    assert start("doctor").returncode == 0


def test_an_environment_whose_python_was_upgraded_is_mended(start: Start, tmp_path: Path) -> None:
    start("doctor")
    (tmp_path / "dead").touch()
    assert start("doctor").returncode == 0
    assert len(pips(tmp_path)) == 2


def test_a_moved_checkout_gets_a_new_environment(start: Start, checkout: Path, tmp_path: Path) -> None:
    start("doctor")
    (checkout / ".venv" / "pyvenv.cfg").write_text("command = /elsewhere/.venv")
    (checkout / ".venv" / ".sitegym-base").write_text("stamp of elsewhere")
    start("doctor")
    assert "-m venv" in (tmp_path / "log").read_text()


def test_an_old_python_is_refused_with_what_to_do(start: Start) -> None:
    done = start("eval", old=1)
    assert done.returncode == 1
    assert "needs Python 3.11 or newer" in done.stderr
    assert done.stderr.count("\n") == 1


def test_no_python_at_all_is_told_the_same_way(start: Start) -> None:
    assert "needs Python 3.11 or newer" in start("eval", python=False).stderr


def test_a_python_without_venv_names_the_package(start: Start, checkout: Path) -> None:
    done = start("eval", ensurepip=1)
    assert done.returncode == 1
    assert "sudo apt-get install python3-venv" in done.stderr
    assert not (checkout / ".venv").exists()


@pytest.mark.parametrize("words", [[], ["help"]], ids=["nothing", "help"])
def test_without_a_command_it_says_what_there_is(start: Start, words: list[str], checkout: Path) -> None:
    done = start(*words)
    assert done.returncode == 0
    assert all(f"./run {name}" in done.stdout for name in ("eval", "test", "check", "bench"))
    assert not (checkout / ".venv").exists()
