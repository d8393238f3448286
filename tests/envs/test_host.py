"""The browser host: usable from anywhere, and nothing of it is left when it or its process ends, however it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from sitegym.envs.host import BrowserHost
from sitegym.errors import EnvironmentFault, UsageError


async def open_page(host: BrowserHost) -> int:
    context = await host.browser.new_context()
    page = await context.new_page()
    answer = await page.evaluate("6 * 7")
    await context.close()
    return int(answer)


def processes() -> dict[int, tuple[int, str]]:
    """Every living process with its parent and command."""
    listed = subprocess.run(["ps", "-Aww", "-o", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True)
    found = {}
    for line in listed.stdout.splitlines():
        pid, parent, state, command = [*line.split(None, 3), ""][:4]
        if not state.startswith("Z"):
            found[int(pid)] = (int(parent), command)
    return found


def below(pid: int) -> dict[int, str]:
    """All processes beneath one, with their commands."""
    everyone = processes()
    found: dict[int, str] = {}
    todo = [pid]
    while todo:
        above = todo.pop()
        children = {child: command for child, (parent, command) in everyone.items() if parent == above}
        found |= children
        todo += children
    return found


def browsers(started: dict[int, str]) -> list[int]:
    return [pid for pid, command in started.items() if "--remote-debugging" in command]


def wait_gone(started: dict[int, str], seconds: float) -> set[int]:
    """Those that are still there when the time is over."""
    deadline = time.monotonic() + seconds
    while (left := set(started) & set(processes())) and time.monotonic() < deadline:
        threading.Event().wait(0.1)
    return left


@pytest.fixture
def own() -> Iterator[BrowserHost]:
    with BrowserHost() as host:
        yield host


def test_it_works_from_plain_code_many_threads_and_inside_a_running_loop(
    host: BrowserHost, in_a_loop: Callable[[Coroutine[Any, Any, Any]], Any]
) -> None:
    assert host.run(open_page(host)) == 42
    answers: list[int] = []
    threads = [threading.Thread(target=lambda: answers.append(host.run(open_page(host)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [42] * 4

    async def inside() -> int:
        return host.run(open_page(host))

    assert in_a_loop(inside()) == 42


def test_waiting_for_itself_is_refused(host: BrowserHost) -> None:
    async def nested() -> int:
        return host.run(open_page(host))

    with pytest.raises(UsageError, match="run\\(\\) would wait for itself"):
        host.run(nested())


def test_an_error_in_the_work_comes_out_as_it_is(host: BrowserHost) -> None:
    async def wrong() -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        host.run(wrong())


def test_the_death_of_the_browser_is_a_fault_at_once() -> None:
    before = below(os.getpid())
    with BrowserHost() as own:
        own.run(open_page(own))
        started = {pid: command for pid, command in below(os.getpid()).items() if pid not in before}
        assert browsers(started)

        async def forever() -> None:
            await asyncio.get_running_loop().create_future()

        def kill() -> None:
            for pid in browsers(started):
                os.kill(pid, signal.SIGKILL)

        threading.Timer(0.2, kill).start()
        for work in (forever, lambda: open_page(own)):
            with pytest.raises(EnvironmentFault) as fault:
                own.run(work())
            assert fault.value.cause == "browser_died"
        assert not own.works
    assert wait_gone(started, 10) == set()


def test_nothing_is_left_after_close_and_use_after_it_is_refused() -> None:
    before = below(os.getpid())
    host = BrowserHost()
    host.run(open_page(host))
    started = {pid: command for pid, command in below(os.getpid()).items() if pid not in before}
    assert started
    host.close()
    host.close()
    assert wait_gone(started, 5) == set()
    with pytest.raises(UsageError, match="closed"):
        host.run(open_page(host))


SCRIPT = """
import os, signal, sys
from sitegym.envs.host import BrowserHost
async def page(host):
    context = await host.browser.new_context()
    return await context.new_page()
host = BrowserHost()
host.run(page(host))
print("ready", flush=True)
sys.stdin.readline()
{end}
"""


@pytest.mark.parametrize(
    "end",
    [
        pytest.param("os.kill(os.getpid(), signal.SIGKILL)", id="killed"),
        pytest.param("raise SystemExit(3)", id="exit-without-close"),
        pytest.param("raise RuntimeError('uncaught')", id="uncaught-error"),
    ],
)
def test_no_process_outlives_python_however_it_ends(end: str) -> None:
    script = SCRIPT.format(end=end)
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "ready\n"
        started = below(process.pid)
        assert browsers(started)
        process.stdin.write("\n")
        process.stdin.flush()
        process.wait(20)
        assert wait_gone(started, 10) == set()


def test_a_browser_that_does_not_start_is_named_as_the_fault() -> None:
    with BrowserHost(executable="/no/such/browser") as host, pytest.raises(EnvironmentFault) as fault:
        host.run(open_page(host))
    assert fault.value.cause == "browser_start"
    assert str(fault.value) == "the browser /no/such/browser does not start: no such file"


def test_what_is_no_browser_is_named_in_one_line() -> None:
    with BrowserHost(executable="/bin/true") as host, pytest.raises(EnvironmentFault) as fault:
        host.run(open_page(host))
    assert str(fault.value).startswith("the browser /bin/true does not start: ")
    assert len(str(fault.value).splitlines()) == 1


def test_a_fork_must_make_its_own(own: BrowserHost) -> None:
    own.run(open_page(own))
    own._pid += 1  # as it looks from a forked process
    try:
        with pytest.raises(UsageError, match="cannot be used after fork"):
            own.run(open_page(own))
    finally:
        own._pid -= 1
