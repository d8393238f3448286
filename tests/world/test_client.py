"""The harness's hold on worlds: typed errors, branches of one world, and processes that end when they should."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from plain_http import ask
from sitegym.errors import EnvironmentFault, UnknownName, UsageError
from sitegym.sites.kit.rules import Refused
from sitegym.sites.world import World, WorldServer, folders


def texts(path: Path) -> list[str]:
    """What the notes say, newest first."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return [text for (text,) in connection.execute("SELECT text FROM notes ORDER BY id DESC")]


def test_a_use_case_runs_as_a_route_would_run_it(world: World) -> None:
    world.advance(61_000)
    added = world.call("notes.add", actor="clerk", text="hi")
    assert added == {"id": 21, "text": "hi", "created_at": "2026-03-18T10:01:01Z"}
    assert "<li>hi</li>" in ask(world, "http://notes.localhost/").text


@pytest.mark.parametrize(
    ("act", "error", "message"),
    [
        pytest.param(lambda w: w.call("notes.ad", text="x"), UnknownName, "did you mean 'notes.add'", id="use-case"),
        pytest.param(
            lambda w: w.call("notes.add", txt="x"), UsageError, "missing a required argument: 'text'", id="field"
        ),
        pytest.param(lambda w: w.call("notes.add", actor="boss", text="x"), UnknownName, "no role 'boss'", id="actor"),
        pytest.param(lambda w: w.sign_in("manger"), UnknownName, "did you mean 'manager'", id="role"),
        pytest.param(lambda w: w.restore("c77"), UnknownName, "no checkpoint 'c77'", id="restore"),
        pytest.param(lambda w: w.forget("c77"), UnknownName, "no checkpoint 'c77'", id="forget"),
        pytest.param(lambda w: w.fork("c77"), UnknownName, "no checkpoint 'c77'", id="fork"),
        pytest.param(lambda w: w.advance(-5), UsageError, "time can't go back", id="back-in-time"),
        pytest.param(
            lambda w: w.freeze(Path("/nowhere/x.sqlite")), UsageError, "its folder does not exist", id="freeze"
        ),
        pytest.param(lambda w: w.server.open("micro", "tiny", port=w.port), UsageError, "is in use", id="port-in-use"),
        pytest.param(lambda w: w.server.open("micro", "tiny", port=70000), UsageError, "not between 0 and", id="port"),
        pytest.param(lambda w: w.server.open("micro", "tinny"), UnknownName, "did you mean 'tiny'", id="data-set"),
    ],
)
def test_bad_input_is_answered_in_one_sentence_and_harms_nothing(
    world: World, act: Callable[[World], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        act(world)
    assert world.call("notes.add", text="still here")["id"] == 21


def test_a_refusal_comes_back_as_it_was_raised(world: World) -> None:
    with pytest.raises(Refused) as refusal:
        world.call("notes.add", text=" ")
    assert (refusal.value.code, refusal.value.field) == ("TEXT_REQUIRED", "text")


def test_a_bug_in_a_use_case_is_a_fault_that_no_retry_mends_and_leaves_no_rows(world: World) -> None:
    with pytest.raises(EnvironmentFault, match="KeyError: 'a bug'") as fault:
        world.call("notes.break")
    assert (fault.value.cause, fault.value.retry) == ("server_error", False)
    assert texts(world.freeze())[0] == "note 20 of 1"


def test_a_session_is_valid_until_the_reset_and_the_next_one_has_the_same_token(world: World) -> None:
    cookie = world.sign_in("manager")
    header = f"{cookie.name}={cookie.value}"
    assert "<p id=who>Ada</p>" in ask(world, "http://notes.localhost/", cookie=header).text
    world.reset()
    assert "<p id=who>nobody</p>" in ask(world, "http://notes.localhost/", cookie=header).text
    assert world.sign_in("manager") == cookie


def test_a_reset_brings_back_rows_time_and_views(world: World) -> None:
    ask(world, "http://notes.localhost/notes", "POST", "text=gone")
    ask(world, "http://notes.localhost/")
    world.advance(5_000)
    world.reset()
    assert (world.now(), world.views()) == ("2026-03-18T10:00:00Z", [])
    assert texts(world.freeze())[0] == "note 20 of 1"


def test_a_fork_goes_its_own_way(world: World) -> None:
    cookie = world.sign_in("clerk")
    world.call("notes.add", text="both")
    point = world.checkpoint()
    world.call("notes.add", text="later")
    with world.fork(point) as past, world.fork() as present:
        past.call("notes.add", text="past only")
        past.advance(1_000)
        assert texts(past.freeze())[:2] == ["past only", "both"]
        assert texts(present.freeze())[:2] == ["later", "both"]
        assert texts(world.freeze())[:2] == ["later", "both"]
        assert (past.now()[-3:], present.now()[-3:], world.now()[-3:]) == ("01Z", "00Z", "00Z")
        assert "<p id=who>Bo" in ask(past, "http://notes.localhost/", cookie=f"{cookie.name}={cookie.value}").text
        past.reset()
        assert texts(past.freeze())[0] == "note 20 of 1"


def test_freezing_writes_where_it_is_told_and_replaces_what_is_there(world: World, tmp_path: Path) -> None:
    target = tmp_path / "after.sqlite"
    target.write_text("old")
    world.call("notes.add", text="frozen")
    assert world.freeze(target) == target
    world.call("notes.add", text="thawed")
    assert texts(target)[0] == "frozen"
    assert [path.name for path in tmp_path.iterdir()] == ["after.sqlite"]


def test_a_request_in_its_middle_keeps_its_world_while_others_are_reset(world: World, tmp_path: Path) -> None:
    reached, go_on = tmp_path / "reached", tmp_path / "go_on"
    os.mkfifo(reached)
    os.mkfifo(go_on)
    world.call("notes.add", text="mine")
    with ThreadPoolExecutor() as pool:
        held = pool.submit(ask, world, "http://notes.localhost/hold", "POST", f"reached={reached}&go_on={go_on}")
        assert reached.read_text() == "here"
        assert world.requests() == 1
        world.reset()
        assert world.requests() == 0
        go_on.write_text("go")
        assert held.result().text == "mine|22"
    assert texts(world.freeze())[0] == "note 20 of 1"


def test_closing_frees_the_port_and_closing_twice_is_fine(server: WorldServer) -> None:
    world = server.open("micro", "tiny")
    world.close()
    world.close()
    with pytest.raises(UsageError, match="this world is closed"):
        world.reset()
    with server.open("micro", "tiny", port=world.port) as again:
        assert ask(again, "http://notes.localhost/").status == 200


def test_a_closed_world_leaves_no_files(server: WorldServer) -> None:
    with server.open("micro", "tiny") as world:
        folder = world.freeze().parent
        world.checkpoint()
        assert folder.exists()
    with server.open("micro", "tiny") as other:
        other.reset()  # the clearing away was asked for before, and is done in order
        other.checkpoint()
        wait_until(lambda: not folder.exists())


def test_threads_share_a_server_and_get_their_own_answers(server: WorldServer) -> None:
    def play(n: int) -> list[str]:
        with server.open("micro", "tiny") as world:
            for i in range(10):
                world.call("notes.add", text=f"{n}.{i}")
            return texts(world.freeze())[:10]

    with ThreadPoolExecutor(4) as pool:
        for n, found in enumerate(pool.map(play, range(4))):
            assert found == [f"{n}.{i}" for i in reversed(range(10))]


def test_a_killed_server_is_a_fault_at_once_for_those_who_wait_and_who_come_later() -> None:
    with WorldServer() as server, ThreadPoolExecutor() as pool:
        world = server.open("micro", "tiny")
        os.kill(server.pid, signal.SIGSTOP)
        waiting = pool.submit(world.reset)
        os.kill(server.pid, signal.SIGKILL)
        with pytest.raises(EnvironmentFault, match=r"died \(exit code -9\)") as fault:
            waiting.result(10)
        assert (fault.value.cause, fault.value.retry) == ("server_died", True)
        with pytest.raises(EnvironmentFault):
            world.now()
        assert not server.alive
        world.close()


def test_a_server_that_hangs_is_a_fault_after_the_time_out_and_can_be_closed() -> None:
    server = WorldServer(timeout_s=0.5)
    try:
        world = server.open("micro", "tiny")
        os.kill(server.pid, signal.SIGSTOP)
        with pytest.raises(EnvironmentFault, match="did not answer 'now'") as fault:
            world.now()
        assert fault.value.cause == "server_hung"
    finally:
        server.close()
    assert not running(server.pid)


def test_closing_ends_the_process_and_deletes_its_files_also_when_done_twice() -> None:
    server = WorldServer()
    world = server.open("micro", "tiny")
    folder = world.freeze().parent.parent
    server.close()
    server.close()
    assert not running(server.pid)
    assert not folder.exists()
    world.close()
    with pytest.raises(UsageError, match="server is closed"):
        server.open("micro", "tiny")


def test_a_server_that_is_forgotten_ends() -> None:
    server = WorldServer()
    pid = server.pid
    del server
    wait_until(lambda: not running(pid))


_PARENT = """
import os, sys, multiprocessing
from sitegym import sites
from sitegym.sites.world import WorldServer
sites.register("micro", "micro_site:MICRO")
server = WorldServer()
world = server.open("micro", "tiny")
if sys.argv[1] == "forked" and os.fork() == 0:
    os.setsid()
    print(os.getpid(), flush=True)
    sys.stdin.read()
    os._exit(0)
print(server.pid, world.freeze().parent.parent, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("kind", ["alone", "forked"])
def test_no_server_outlives_a_parent_that_is_killed(kind: str) -> None:
    """`forked`: a child of the parent still holds our end of the control channel."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-W", "ignore", "-c", _PARENT, kind]
    parent = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert parent.stdin is not None
    assert parent.stdout is not None
    lines = [parent.stdout.readline().split() for _ in range(2 if kind == "forked" else 1)]
    pid, folder = next(line for line in lines if len(line) == 2)
    assert running(int(pid))
    parent.kill()
    parent.wait()
    wait_until(lambda: not running(int(pid)) and not Path(folder).exists())
    parent.stdin.close()
    parent.stdout.close()


def test_a_forked_child_can_not_use_its_parents_server_and_does_no_harm(server: WorldServer, world: World) -> None:
    def child(answer: multiprocessing.SimpleQueue[str]) -> None:
        try:
            world.now()
        except UsageError as error:
            answer.put(str(error))

    context = multiprocessing.get_context("fork")
    answer: multiprocessing.SimpleQueue[str] = context.SimpleQueue()
    process = context.Process(target=child, args=(answer,))
    process.start()
    assert "start one here" in answer.get()
    process.join()
    assert world.now() == "2026-03-18T10:00:00Z"


def test_what_killed_servers_left_is_swept_and_what_is_used_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with WorldServer() as server, server.open("micro", "tiny") as world:
        used = world.freeze().parent.parent
        left, lock = folders.claim()
        os.close(lock)
        young, lock = folders.claim()
        os.close(lock)
        os.utime(left / "lock", (0, 0))
        os.utime(used / "lock", (0, 0))
        assert folders.sweep() == [left]
        assert (used.exists(), young.exists(), left.exists()) == (True, True, False)
        assert world.freeze().exists()


def running(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    if not Path("/proc/self").exists():
        return subprocess.run(["ps", "-p", str(pid)], stdout=subprocess.DEVNULL).returncode == 0
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(done: Callable[[], bool], timeout_s: float = 10) -> None:
    """Wait for another process; fails after the time-out."""
    waiting = threading.Event()
    for _ in range(int(timeout_s / 0.05)):
        if done():
            return
        waiting.wait(0.05)
    raise AssertionError(f"not within {timeout_s} s")
