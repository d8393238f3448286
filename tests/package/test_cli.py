"""The command line as a person meets it: helpful, quick to answer, one sentence for every mistake."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest
from sitegym import __version__, sweeps
from sitegym.cli import cli, main
from sitegym.errors import EnvironmentFault, UnknownTask


def commands(group: click.Group = cli, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], click.Command]]:
    """Every command that does something, with the words that call it."""
    found: list[tuple[tuple[str, ...], click.Command]] = []
    for name, command in group.commands.items():
        words = (*path, name)
        found += commands(command, words) if isinstance(command, click.Group) else [(words, command)]
    return found


@pytest.mark.parametrize("words", [words for words, _ in commands()], ids=" ".join)
def test_every_command_has_help_with_an_example(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--help"]) == 0
    said = capsys.readouterr().out
    assert "Example:" in said
    assert f"sitegym {' '.join(words)}" in said.split("Example:")[1]


def test_every_option_is_explained() -> None:
    mute = [
        f"{' '.join(words)} {parameter.name}"
        for words, command in commands()
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.help
    ]
    assert mute == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        pytest.param(["evla"], "No such command 'evla'. Did you mean 'eval'?", id="command"),
        pytest.param(["tasks", "lst"], "No such command 'lst'. Did you mean", id="subcommand"),
        pytest.param(["eval", "--instnces", "3"], "No such option '--instnces'", id="option"),
        pytest.param(["eval", "--instances", "0"], "0 is not in the range x>=1", id="number-out-of-range"),
        pytest.param(["eval", "--instances", "many"], "'many' is not a valid integer", id="no-number"),
        pytest.param(["tasks", "show"], "Missing argument 'TASK_ID'", id="argument-missing"),
        pytest.param(
            ["tasks", "show", "store.admin/cancel-ordr"], "did you mean 'store.admin/cancel-order'?", id="task"
        ),
        pytest.param(["tasks", "list", "mail/*"], "mail/*", id="pattern"),
        pytest.param(["eval", "--agent", "orcale"], "did you mean 'oracle'?", id="agent"),
        pytest.param(["eval", "--split", "trian"], "did you mean 'train'?", id="split"),
        pytest.param(["eval", "--task", "store.admin/cancel-ordr"], "store.admin/cancel-order", id="task-of-eval"),
        pytest.param(["prove", "--task", "store.admin/cancel-ordr"], "store.admin/cancel-order", id="task-of-prove"),
        pytest.param(["eval", "--data", "bse"], "bse", id="data-set"),
        pytest.param(["eval", "--resume", "/nowhere/at/all"], "/nowhere/at/all", id="run-to-resume"),
        pytest.param(
            ["prove", "--resume", "proof", "-w", "3", "--headed", "--data", "tiny", "--all"],
            "--data and --all would say nothing",
            id="proof-resumed-with-other-words",
        ),
        pytest.param(["prove", "--all", "--mutations"], "two different proofs: leave one", id="two-proofs-at-once"),
        pytest.param(
            ["eval", "--resume", "run", "-w", "3", "--agent", "noop", "-n", "2"],
            "--agent and --instances would say nothing: leave them out",
            id="options-of-a-plan-beside-resume",
        ),
        pytest.param(
            ["tasks", "instance", "store.admin/cancel-order", "--seed", "-1"], "'--seed'", id="seed-below-zero"
        ),
        pytest.param(["report", "/nowhere/at/all"], "/nowhere/at/all", id="run-to-report"),
        pytest.param(["data", "traps", "--data", "bse"], "bse", id="data-set-of-traps"),
        pytest.param(
            ["tasks", "instance", "store.admin/cancel-order", "--split", "tst"], "'test'", id="split-of-instance"
        ),
    ],
)
def test_a_mistake_earns_one_sentence_and_code_2(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.err.startswith("sitegym: ")
    assert said.err.count("\n") == 1
    assert said.out == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("error", "code"),
    [
        pytest.param(UnknownTask("a", ["b"]), 2, id="usage"),
        pytest.param(EnvironmentFault("the browser died"), 1, id="fault"),
        pytest.param(KeyboardInterrupt(), 130, id="interrupt"),
    ],
)
def test_an_error_decides_the_exit_code(
    error: BaseException, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(cli.commands["doctor"], "callback", fail)
    assert main(["doctor"]) == code
    assert capsys.readouterr().err.lstrip("\n").startswith("sitegym: ")


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"sitegym {__version__}\n"


def test_help_imports_nothing_that_it_does_not_need(run) -> None:
    script = "import sys; from sitegym.cli import main; main(['--help']); print(*sys.modules)"
    loaded = set(run(sys.executable, "-c", script).stdout.splitlines()[-1].split())
    assert loaded & {"numpy", "flask", "sqlalchemy", "playwright", "gymnasium", "rich"} == set()


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    """As in `sitegym tasks list | head -1`, where the reader leaves early."""
    command = f"'{sys.executable}' -m sitegym.cli --help | head -1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert done.stdout.startswith("Usage: sitegym")
    assert done.stderr == ""


def test_doctor_names_the_browser_and_finds_nothing_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert "MISSING" not in said
    assert "cache" in said
    assert main(["doctor", "--fix", "--quiet"]) == 0
    assert capsys.readouterr().out == ""


def test_doctor_without_a_browser_says_what_mends_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("SITEGYM_CACHE", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.delenv("SITEGYM_BROWSER", raising=False)
    assert main(["doctor"]) == 1
    said = capsys.readouterr().out
    assert "MISSING" in said
    assert "mend it: sitegym doctor --fix" in said


def test_the_cache_folder_that_cannot_be_made_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("SITEGYM_CACHE", str(tmp_path / "file" / "cache"))
    assert main(["doctor"]) == 1
    assert "set SITEGYM_CACHE to one you can write to" in capsys.readouterr().out
    assert main(["data", "traps"]) == 2
    assert "set SITEGYM_CACHE to one you can write to" in capsys.readouterr().err


def test_traps_are_listed_with_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "traps", "--data", "tiny"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("T1 ")
    assert len(lines) > 10


@pytest.mark.parametrize(
    ("command", "called", "said"),
    [
        ("eval", "evaluate", "a run that was begun is kept: continue it with `sitegym eval --resume FOLDER`"),
        ("prove", "prove", "a proof that was begun is kept: continue it with `sitegym prove --resume FOLDER`"),
        ("report nowhere", "write_report", "sitegym: interrupted\n"),
    ],
)
def test_an_interrupt_says_how_to_go_on_with_what_was_begun(
    command: str, called: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sweeps, called, interrupted)
    monkeypatch.delenv("SITEGYM_COMMAND", raising=False)
    assert main(command.split()) == 130
    assert said in capsys.readouterr().err
