"""A pack on the tiny data, and the commands of a solver as they are typed."""

from __future__ import annotations

import fcntl
import os
import signal
from collections.abc import Callable, Iterator

import pytest
from sitegym import tasks
from sitegym.audit.packing import make_pack
from sitegym.audit.places import Pack
from sitegym.cli import main
from sitegym.sweeps.files import read_json

TASKS = ("store.admin/order-field", "store.admin/units-ordered", "store.admin/cancel-order")

Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="session")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pack]:
    """Two instances of three templates; attempts that a failed test left under way end with it."""
    made = make_pack(tmp_path_factory.mktemp("audit") / "pack", tasks=TASKS, data="tiny")
    yield made
    for door in (made.path / ".open").glob("*.json"):
        os.kill(read_json(door)["pid"], signal.SIGTERM)
        wait_for_its_end(made, door.stem)


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str]) -> Typed:
    """Types a command of `sitegym audit`; gives the exit code, what was shown, and what was complained of."""

    def type_(*words: object) -> tuple[int, str, str]:
        code = main(["audit", *map(str, words)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return type_


def names(pack: Pack, task: str) -> list[str]:
    """What the attempts at a template are called."""
    return [name for name, one in pack.key()["attempts"].items() if one["task"] == task]


def right_answer(pack: Pack, name: str) -> tuple[str, str]:
    """The answer and outcome that the attempt's instance wants."""
    one = pack.key()["attempts"][name]
    want = tasks.task(one["task"], one["seed"], data="tiny").service_finish
    return str(want.answer), want.outcome


def wait_for_its_end(pack: Pack, name: str) -> None:
    """Wait until the process of an attempt has ended: it holds a lock as long as it lives."""
    with (pack.path / ".open" / f"{name}.lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
