"""A model that nobody can reach is found out before a sweep begins, and while one is tried again, that is said."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fake_openai import Fails, FakeOpenAI, Says
from sitegym.agents import load
from sitegym.cli import main
from sitegym.errors import UsageError

TASK = "store.admin/cancel-order"


def evaluating(url: str, out: Path, *more: str) -> list[str]:
    agent = f"llm:model=fake,base_url={url}"
    return ["eval", "-a", agent, "-t", TASK, "--data", "tiny", "-w", "1", "--out", str(out), *more]


def test_a_server_that_does_not_listen_is_told_before_anything_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeOpenAI([]) as server:
        url = server.url
    assert main(evaluating(url, tmp_path / "run")) == 1
    said = capsys.readouterr()
    assert re.fullmatch(rf"sitegym: the model's server at {url} does not answer \(.+\); start it, .+\n", said.err)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("agent", ["llm:model=m", "cua:vendor=anthropic,model=m"])
@pytest.mark.parametrize("address", ["not-a-url", "127.0.0.1:8000", "ftp://host/v1", "http://", "http://host:port/v1"])
def test_what_is_no_address_is_refused(agent: str, address: str) -> None:
    with pytest.raises(UsageError, match=rf"base_url is an address such as http://.*, not '{re.escape(address)}'"):
        load(f"{agent},base_url={address}")


def test_an_address_from_the_environment_is_named_by_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "not-a-url")
    with pytest.raises(UsageError, match="OPENAI_BASE_URL is an address such as"):
        load("llm:model=m")


@pytest.mark.parametrize(
    ("agent", "key", "package"),
    [
        ("llm:model=m", "OPENAI_API_KEY", "openai"),
        ("cua:vendor=anthropic,model=m", "ANTHROPIC_API_KEY", "anthropic"),
        ("cua:vendor=google,model=m", "GEMINI_API_KEY", "google-genai"),
    ],
)
def test_a_missing_key_and_a_missing_package_are_told_together(
    agent: str, key: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(
        UsageError,
        match=rf"{key} holds no key.*; and .* needs the package .*: {sys.executable} -m pip install {package} ",
    ):
        load(agent)


@contextmanager
def typed(words: list[str]) -> Iterator[subprocess.Popen[str]]:
    """A command that runs, its output to be read line by line."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "sitegym", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=60)


def test_while_a_call_is_tried_again_the_sweep_says_so(tmp_path: Path) -> None:
    back = threading.Event()

    def brain(request: object) -> Says | Fails:
        done = Says(calls=[("finish", {"outcome": "NOT_FOUND"})])
        return done if back.is_set() else Fails(503, "loading", headers={"retry-after": "3"})

    with FakeOpenAI(brain) as server, typed(evaluating(server.url, tmp_path / "run")) as process:
        assert process.stdout is not None
        told = next(line for line in process.stdout if "model's server" in line)
        back.set()
        assert re.fullmatch(rf"0/1 episodes, the model's server at {server.url}/ answers 503, try \d of 9\n", told)
        assert any("1 episode in" in line for line in process.stdout)
