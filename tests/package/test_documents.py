"""What the documents tell people to type exists: every command, subcommand and option."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from sitegym.cli import cli

ROOT = Path(__file__).resolve().parents[2]
OF_THE_SCRIPT = {"test", "test-docker", "check", "bench", "docs", "evidence", "help"}
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]


def commands(text: str) -> Iterator[list[str]]:
    """The words of every call of `./run` or `sitegym` in code blocks and code spans."""
    blocks = re.findall(r"^```(?:sh|bash|shell|console)?\n(.*?)^```", text, re.M | re.S)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += [line.strip() for line in text.splitlines() if line.startswith("    ")]
    lines += re.findall(r"`([^`\n]+)`", text)
    for line in lines:
        for part in re.split(r"&&|\|\||;", line.removeprefix("$ ")):
            words = re.match(r"\s*(?:\./run|sitegym)(?:\s+(.*))?$", part)
            if words:
                yield shlex.split(words[1] or "", comments=True)


def wrong(words: list[str]) -> str:
    """What does not exist in this call; empty where everything does."""
    if not words or words[0] in OF_THE_SCRIPT or not re.fullmatch(r"-*[a-z-]+", words[0]):
        return ""
    command: click.Command = cli
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        if words[0] not in command.commands:
            return words[0]
        command = command.commands[words.pop(0)]
    known = {name for parameter in command.params for name in parameter.opts} | {"--help", "-h"}
    unknown = [word for word in words if word.startswith("-") and word.split("=")[0] not in known]
    return " ".join(unknown)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_in_a_document_exists(document: Path) -> None:
    calls = list(commands(document.read_text()))
    assert [(words, problem) for words in calls if (problem := wrong(list(words)))] == []


def test_the_readme_shows_the_two_commands_first() -> None:
    first = next(commands((ROOT / "README.md").read_text()))
    assert first == ["eval"]


@pytest.mark.parametrize(
    ("line", "problem"), [("sitegym evl", "evl"), ("./run eval --agnet x", "--agnet"), ("./run test -n 0", "")]
)
def test_the_reader_of_documents_sees_mistakes(line: str, problem: str) -> None:
    assert wrong(next(commands(f"```sh\n{line}\n```\n"))) == problem
