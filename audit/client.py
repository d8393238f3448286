"""A solver's side of an attempt: short commands that talk to the attempt's own process, which the first one starts.

Loads nothing heavy: a command is over as soon as the page has answered.
"""

from __future__ import annotations

import fcntl
import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..called import to_type
from ..errors import EnvironmentFault, UsageError
from .places import OPEN, OVER, Pack, read

ENDED = "The attempt {name} is over; what was done and said is recorded. There is nothing more to do in it."


_ANSWER = re.compile(r"""\W*(action\W+)?(accept|dismiss)_dialog\b""")
"""How an action begins that answers a dialog, as a call or as JSON."""


class Refused(Exception):
    """The page or the parser refused an action; the text was shown."""


def attempt(pack: Pack, name: str, *, solver: str = "", idle_s: float | None = None) -> str:
    """Begin an attempt, or come back to it: its sheet and the page as it stands."""
    begun = _begin(pack, pack.known(name), solver=solver, idle_s=idle_s)
    page = _ask(pack, name, {"do": "look"})["text"]
    return f"{pack.text(name)}\n{begun}{page}"


def act(pack: Pack, name: str, actions: list[str], *, kind: str = "axtree") -> Iterator[str]:
    """Take actions one after the other; gives what came of each, and the page after the last or the first refused.

    A dialog of the browser that opens and that the next action does not answer ends it as well: who sent them together
    can't have known. `kind` is how the page is shown. Raises `Refused` at the end where actions were not taken, and
    `UsageError` where nobody has begun the attempt.
    """
    note = _go_on(pack, pack.known(name))
    if note:
        yield note
    for number, action in enumerate(actions, 1):
        reply = _ask(pack, name, {"do": "act", "action": action, "kind": kind})
        left = actions[number:]
        stops = reply["error"] or (left and reply.get("asks") and not _ANSWER.match(left[0]))
        if reply["over"] or stops or not left:
            yield reply["text"]
        elif reply["read"]:
            yield f"Read: {reply['read']}"
        if reply["over"]:
            return
        if stops:
            if left:
                were = "actions after it were" if len(left) > 1 else "action after it was"
                yield f"The {len(left)} {were} not taken."
            raise Refused


def look(pack: Pack, name: str, *, kind: str = "axtree", picture: Path | None = None) -> str:
    """The page as it stands, as this kind of observation; `picture` is a PNG to write. Costs nothing.

    Raises `UsageError` where nobody has begun the attempt.
    """
    _go_on(pack, pack.known(name))
    file = None if picture is None else str(picture.absolute())
    return str(_ask(pack, name, {"do": "look", "kind": kind, "picture": file})["text"])


def listed(pack: Pack) -> Iterator[str]:
    """Each attempt with its state."""
    states = {name: pack.state(name) for name in pack.names}
    for name, state in states.items():
        yield f"{name}  {state}"
    counts = ", ".join(f"{list(states.values()).count(state)} {state}" for state in dict.fromkeys(states.values()))
    yield f"\n{len(states)} attempts: {counts}"


def _go_on(pack: Pack, name: str) -> str:
    """See to it that the process of an attempt that was begun runs; says so where it had to begin anew."""
    if pack.state(name) == OPEN and not pack.attempt(name).exists():
        first = to_type(f"audit attempt {pack.path} {name} --solver NAME")
        raise UsageError(f"nobody has begun the attempt {name}: begin it first, with `{first}`")
    return _begin(pack, name)


def _begin(pack: Pack, name: str, *, solver: str = "", idle_s: float | None = None) -> str:
    """See to it that the attempt's process runs; says so where it had to begin anew."""
    if pack.state(name) == OVER:
        raise UsageError(ENDED.format(name=name))
    with _one_at_a_time(pack, name):
        try:
            with _connected(pack, name):
                return ""
        except OSError:
            pass
        again = pack.attempt(name).exists()
        _start(pack, name, {"solver": solver, "idle_s": idle_s})
    return "This attempt was interrupted before; it begins anew.\n\n" if again else ""


@contextmanager
def _one_at_a_time(pack: Pack, name: str) -> Iterator[None]:
    with pack.door(name).with_suffix(".start").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _start(pack: Pack, name: str, settings: dict[str, Any]) -> None:
    """Start the process and wait until its first page is there. Raises `EnvironmentFault` where it ends before."""
    ours, theirs = socket.socketpair()
    logs = pack.results / "logs"
    logs.mkdir(exist_ok=True)
    about = {"pack": str(pack.path), "results": str(pack.results), "name": name, **settings}
    with (logs / f"{name}.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "sitegym.audit.server", str(theirs.fileno()), json.dumps(about)],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    theirs.close()
    with ours:
        said = ours.makefile("r", encoding="utf-8").readline()
    if said.strip() != "ready":
        process.wait()
        raise EnvironmentFault(said.strip() or "the attempt's process could not start; its log lies with the results")
    process.returncode = 0  # it outlives this command, on purpose


@contextmanager
def _connected(pack: Pack, name: str) -> Iterator[socket.socket]:
    """A connection to the attempt's process; raises `OSError` where none listens."""
    try:
        address = read(pack.door(name), "an open door")["socket"]
    except UsageError as error:
        raise ConnectionRefusedError(str(error)) from None
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
        door.connect(address)
        yield door


def _ask(pack: Pack, name: str, request: dict[str, Any]) -> dict[str, Any]:
    with _connected(pack, name) as door:
        door.sendall(json.dumps(request).encode() + b"\n")
        line = door.makefile("rb").readline()
    if not line:
        again = to_type(f"audit attempt {pack.path} {name}")
        raise EnvironmentFault(f"the attempt's process ended by itself; begin it anew with `{again}`")
    reply: dict[str, Any] = json.loads(line)
    return reply
