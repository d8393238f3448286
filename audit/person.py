"""An attempt by a person, in a window that shows what is asked for beside the page; no verdict at the end."""

from __future__ import annotations

import fcntl
from contextlib import ExitStack
from dataclasses import replace

from .. import tasks as task_room
from ..agents import HUMAN, HumanAgent
from ..demo.audience import OnStage
from ..demo.stage import Closed, Stage
from ..envs.discovery import has_display
from ..envs.host import BrowserHost
from ..errors import UsageError
from ..sites.world.client import WorldServer
from ..sweeps.plan import site_of
from ..sweeps.progress import make_console
from .client import ENDED
from .places import OPEN, Pack
from .record import recorded, set_aside, spec_of


def play_in_window(pack: Pack, name: str, *, solver: str = "", headless: bool = False) -> str:
    """Let a person make the attempt; gives what to tell them at the end. Raises `UsageError` without a display."""
    if (state := pack.state(pack.known(name))) != OPEN:
        raise UsageError(f"attempt {name} is {state}")
    if not headless and not has_display():
        raise UsageError("a person needs a window, and there is no display; without one, use `attempt` and `act`")
    spec = spec_of(pack, name, solver or "person")
    task = task_room.task(spec.task, spec.task_seed, data=spec.data, data_seed=spec.data_seed, split=spec.split)
    with ExitStack() as stack:
        lock = stack.enter_context((pack.path / ".open" / f"{name}.lock").open("w"))
        fcntl.flock(lock, fcntl.LOCK_EX)
        stage = Stage(headless=headless, doing=True)
        stack.callback(stage.close)
        host = stack.enter_context(BrowserHost())
        world = stack.enter_context(WorldServer()).open(site=site_of(spec.task), data=spec.data, seed=spec.data_seed)
        shown = replace(spec, task="attempt", task_seed=int(name), agent=HUMAN)
        console = make_console(quiet=True)
        audience = OnStage(stage, shown, task, console, place=(1, 1), ready=lambda: None)
        try:
            recorded(pack, spec, host, world, HumanAgent(audience), audience)
        except Closed:
            set_aside(pack, name)
            return f"The window was closed; attempt {name} is open again."
    return ENDED.format(name=name)
