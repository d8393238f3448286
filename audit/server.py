"""The process of one attempt: a browser and a world, driven by requests that come through a socket, one at a time.

Started as `python -m sitegym.audit.server FD SETTINGS` by `client.py`; it ends with the attempt, or when nobody has
asked for anything for a while. It plays as any agent does, so the record is that of a sweep; no answer holds a verdict.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
import traceback
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..envs import actions
from ..envs.host import BrowserHost
from ..errors import UsageError
from ..sites.world.client import WorldServer
from ..sweeps.files import json_bytes, write_json
from ..sweeps.plan import site_of
from .client import ENDED
from .places import Pack, open_pack
from .record import recorded, solver_before, spec_of
from .screen import screen

if TYPE_CHECKING:
    from ..envs.actions import Action
    from ..envs.episode import Episode
    from ..envs.observation import Observation
    from ..tasks import Task

IDLE_S = 1800.0
"""How long nobody may ask for anything before the attempt is given up."""
_FAULT = "The attempt {name} was ended by a fault of the machinery, not by you. There is nothing more to do in it."


class Solver:
    """Somebody at the other end of a socket, as an agent: acts as requests say, answers them with what is seen."""

    version = "1"
    observations = ("axtree_changes",)

    def __init__(self, listening: socket.socket, ready: socket.socket, idle_s: float) -> None:
        self.abandoned = False
        self._listening = listening
        self._listening.settimeout(idle_s)
        self._ready: socket.socket | None = ready
        self._waiting: tuple[socket.socket, str] | None = None

    def start(self, task: Task, episode: Episode) -> None:
        """Take the episode, to look at it in other ways."""
        self._episode = episode

    def act(self, observation: Observation) -> Action | str:
        """The next action that somebody asks for; gives the episode up where nobody does."""
        if self._ready is not None:
            with self._ready, suppress(OSError):  # who began it may have gone already
                self._ready.sendall(b"ready\n")
            self._ready = None
        self._answer(observation)
        while True:
            try:
                door, _ = self._listening.accept()
            except TimeoutError:
                self.abandoned = True
                self._episode.give_up()
                return actions.finish()
            if (move := self._move(door, observation)) is not None:
                return move

    def end(self, text: str) -> None:
        """Answer whoever waits, for the last time."""
        self._reply({"text": text, "error": "", "over": True})

    def _move(self, door: socket.socket, observation: Observation) -> str | None:
        """The action that a request asks for, kept waiting for its answer; None where it only wanted to look."""
        door.settimeout(10.0)
        try:
            request = json.loads(door.makefile("rb").readline())
        except (OSError, ValueError):
            door.close()  # somebody connected to see whether anybody is here
            return None
        self._waiting = (door, str(request.get("kind") or "axtree"))
        if request.get("do") == "act":
            return str(request.get("action"))
        try:
            reply = {"text": self._look(request, observation), "error": ""}
        except (UsageError, OSError) as error:  # no such kind, no such place for the picture
            reply = {"text": str(error), "error": str(error)}
        self._reply({**reply, "over": False})
        return None

    def _look(self, request: Mapping[str, Any], observation: Observation) -> str:
        kind, picture = request.get("kind") or "axtree", request.get("picture")
        if kind not in ("axtree", *self.observations) or picture:
            observation = replace(self._episode.observe(["screenshot", kind]), error=observation.error)
        if picture:
            from PIL import Image

            assert observation.screenshot is not None
            Image.fromarray(observation.screenshot).save(picture)
        return screen(observation, kind=kind)

    def _answer(self, observation: Observation) -> None:
        if self._waiting is not None:
            text = screen(observation, kind=self._waiting[1])
            asks = observation.dialog is not None
            self._reply(
                {"text": text, "error": observation.error, "read": observation.result, "asks": asks, "over": False}
            )

    def _reply(self, reply: dict[str, Any]) -> None:
        if self._waiting is None:
            return
        door, self._waiting = self._waiting[0], None
        with door, suppress(OSError):  # who asked may have gone; what was done stands
            door.sendall(json_bytes(reply) + b"\n")


def serve(ready: socket.socket, pack: Pack, name: str, *, solver: str, idle_s: float) -> None:
    """Play the attempt to its end. Whatever ends it is recorded before it is told."""
    with ExitStack() as stack:
        lock = stack.enter_context((pack.path / ".open" / f"{name}.lock").open("w"))
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder = Path(tempfile.mkdtemp(prefix="sitegym-"))  # short: the path of a socket may have 100 characters
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        listening = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        listening.bind(str(folder / "door"))
        listening.listen()
        write_json(pack.door(name), {"socket": str(folder / "door"), "pid": os.getpid()})
        stack.callback(pack.door(name).unlink, missing_ok=True)
        spec = spec_of(pack, name, solver or solver_before(pack, name) or "unnamed")
        host = stack.enter_context(BrowserHost())
        server = stack.enter_context(WorldServer())
        world = server.open(site=site_of(spec.task), data=spec.data, seed=spec.data_seed)
        somebody = Solver(listening, ready, idle_s)
        result = recorded(pack, spec, host, world, somebody)
        somebody.end((_FAULT if result.reward is None else ENDED).format(name=name))


def main() -> None:
    """Entry of the process: a socket on which to say that it is ready, and the settings."""
    signal.signal(signal.SIGTERM, _stop)
    ready, about = socket.socket(fileno=int(sys.argv[1])), json.loads(sys.argv[2])
    try:
        pack = open_pack(Path(about["pack"]), Path(about["results"]))
        serve(ready, pack, about["name"], solver=about["solver"], idle_s=about["idle_s"] or IDLE_S)
    except Exception as error:
        traceback.print_exception(error)
        with suppress(OSError):
            ready.sendall(f"the attempt can't begin: {error}\n".encode())
        raise SystemExit(1) from None


def _stop(number: int, frame: object) -> None:
    """Leave by the front door, so that the browser and the world server are closed on the way."""
    raise SystemExit(128 + number)


if __name__ == "__main__":
    main()
