"""`prove`, `verify` and `demo` in worlds that another machine serves: as `eval` does it, and nothing stays open."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from certificates import made
from sitegym.cli import main
from sitegym.sites.world.listener import Listener, worlds
from sitegym.sites.world.remote_address import Address, server_tls
from sitegym.sites.world.session import Session

TASK = "store.admin/cancel-order"
TOKEN = "a-token-that-nobody-could-guess-0123456789"


@dataclass
class Elsewhere:
    """A machine that serves worlds, and the options that lead to it."""

    words: list[str]
    served: list[threading.Event] = field(default_factory=list)
    """The sessions that it had, each set when it ends."""

    def is_idle(self) -> bool:
        """Whether all of them end."""
        return all(ended.wait(60) for ended in self.served)


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Elsewhere]:
    """Over TLS, as between two machines."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "token").write_text(TOKEN)
    certificates, start, served = made(folder), worlds(), list[threading.Event]()

    def session(end: socket.socket, store: Path) -> Session:
        begun, ended = start(end, store), threading.Event()
        served.append(ended)

        def run(serve: Callable[[], None] = begun.run) -> None:
            try:
                serve()
            finally:
                ended.set()

        begun.run = run  # type: ignore[method-assign]
        return begun

    tls = server_tls(certificates.cert, certificates.key)
    with Listener(Address(host="127.0.0.1"), TOKEN, tls=tls, session=session) as listener:
        words = ["--runtime", "remote", "--control", str(listener.address)]
        words += ["--token-file", str(folder / "token"), "--authority", str(certificates.authority)]
        yield Elsewhere(words, served)


def test_a_task_is_proven_in_worlds_elsewhere(elsewhere: Elsewhere, tmp_path: Path) -> None:
    before = len(elsewhere.served)
    words = ["prove", "--task", TASK, "-n", "1", "--mutations", "--data", "tiny", "-w", "1"]
    assert main([*words, "--out", str(tmp_path / "proof"), *elsewhere.words]) == 0
    told = json.loads((tmp_path / "proof" / "proof.json").read_text())
    assert told["holds"]
    assert [one["task"] for one in told["instances"]] == [TASK]
    assert len(elsewhere.served) > before
    assert elsewhere.is_idle()
    words = ["prove", "--task", TASK, "-n", "1", "--constants", "--data", "tiny"]
    seen = len(elsewhere.served)
    assert main([*words, "--out", str(tmp_path / "constants"), *elsewhere.words]) == 0
    assert len(elsewhere.served) > seen


def test_a_demo_elsewhere_is_a_run_that_is_verified_there(elsewhere: Elsewhere, tmp_path: Path) -> None:
    run, before = tmp_path / "run", len(elsewhere.served)
    words = ["demo", TASK, "--agent", "noop", "--headless", "--pace", "0", "--data", "tiny", "--out", str(run)]
    assert main([*words, *elsewhere.words]) == 0
    (result,) = map(json.loads, (run / "results.jsonl").read_text().splitlines())
    assert result["reward"] == 0.0
    assert len(elsewhere.served) == before + 1
    assert main(["verify", str(run), "-w", "1", *elsewhere.words]) == 0
    told = json.loads((run / "verified.json").read_text())
    assert (told["reproduced"], told["of"], told["faults"]) == (1, 1, {})
    assert len(elsewhere.served) == before + 2
    assert elsewhere.is_idle()


@pytest.mark.parametrize("command", [["prove"], ["verify", "run"], ["demo", TASK, "--headless"]], ids=lambda c: c[0])
def test_what_is_missing_is_told_before_anything_begins(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("SITEGYM_CONTROL", "SITEGYM_TOKEN_FILE", "SITEGYM_AUTHORITY"):
        monkeypatch.delenv(name, raising=False)
    for words, sentence in (
        (["--runtime", "remote"], "needs an address"),
        (["--runtime", "remote", "--control", "worlds:7000"], "needs a token"),
        (["--control", "worlds:7000"], "are for the runtime 'remote'"),
        (["--runtime", "remote", "--database", "sqlite"], "--runtime remote has its own"),
        (["--database", "mysql://x"], "named like postgresql://"),
    ):
        assert main([*command, *words]) == 2
        assert sentence in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
