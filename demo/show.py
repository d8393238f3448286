"""`demo`: an episode played before people, on a stage, at a human pace; what `sitegym demo` calls."""

from __future__ import annotations

import queue
import shlex
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from .. import tasks as task_room
from ..agents import HUMAN, HumanAgent, load
from ..called import to_type
from ..envs.discovery import has_display
from ..envs.host import BrowserHost
from ..errors import EnvironmentFault, UsageError, VerifierError
from ..sites.world.runtime import Runtime, as_runtime
from ..sweeps.beginning import begin_run
from ..sweeps.evaluate import terminate_like_interrupt
from ..sweeps.faults import fault_of
from ..sweeps.plan import EpisodeSpec, Plan, episode_id, make_plan, site_of
from ..sweeps.play import play
from ..sweeps.progress import make_console
from ..sweeps.report import write_report
from ..sweeps.report.episodes import read_episode
from ..sweeps.results import EpisodeResult, Fault, Status
from ..sweeps.run_folder import RunFolder
from ..sweeps.versions import versions
from .audience import OnStage
from .pace import seconds_of
from .recording import Recording, recordable
from .stage import Closed, Stage
from .words import end_of, print_end

if TYPE_CHECKING:
    from ..sites.world.client import World, WorldServer

HUMAN_STEPS = 400
"""What a person may need: each pause in typing is a step."""
LINGER_S = 6.0
"""How long the verdict is shown where nobody is there to close it."""


def demo(
    task: str,
    *,
    agent: str = "oracle",
    seed: int | None = None,
    data: str = "base",
    data_seed: int = 1,
    split: str | None = None,
    pace: str | float = "normal",
    record: Path | str | None = None,
    headless: bool = False,
    close: bool = False,
    out: Path | str | None = None,
    runtime: str | Runtime | None = None,
    quiet: bool = False,
) -> int:
    """Play every template that matches `task` once by `agent`, on a stage; returns the exit code.

    `task` is an id or a pattern, `id:seed` names the instance as `seed` does. `record` is a `.webm` or `.gif` to
    write. Without `close` the verdict stays until the person closes the window, or presses Enter where there is a
    terminal. Each demo is a run with a folder and a report; its worlds run where `runtime` says. Raises `UsageError`
    before anything starts.
    """
    placed = as_runtime(runtime)
    placed.check()
    seconds = seconds_of(pace)
    film = recordable(Path(record)) if record is not None else None
    plan = plan_of(task, agent=agent, seed=seed, data=data, data_seed=data_seed, split=split)
    console = make_console(quiet=quiet)
    given: dict[str, tuple[object, object]] = {
        "--agent": (agent, "oracle"),
        "--seed": (seed, None),
        "--data": (data, "base"),
        "--data-seed": (data_seed, 1),
    }
    given |= {"--pace": (pace, "normal"), "--out": (out, None), "--runtime": (placed.kind, "process")}
    given |= {"--control": (placed.control, None), "--token-file": (placed.token_file, None)}
    given |= {"--authority": (placed.authority, None)}
    others = {name: value for name, (value, usual) in given.items() if value != usual}
    if not headless and _windowless(task, film, doing=agent == HUMAN, options=others):
        headless = True
        console.print("There is no display; it is recorded without a window.", highlight=False)
    with ExitStack() as stack:
        stack.enter_context(terminate_like_interrupt())
        stage = Stage(headless=headless, doing=agent == HUMAN, seconds=seconds)
        stack.callback(stage.close)
        host = stack.enter_context(BrowserHost())
        folder = begin_run(plan, out=out, name=None, versions=versions(), screenshots=True)
        stack.enter_context(folder.locked())
        server = stack.enter_context(placed.start())
        show = Show(stage, host, server, folder, console, seconds=seconds, close=close or headless)
        with show.filmed(film):
            return show.run()


def plan_of(task: str, *, agent: str, seed: int | None, **about: Any) -> Plan:
    """What a demo plays. Raises `UsageError` where the task, the seed or the agent does not exist."""
    name, colon, number = task.rpartition(":")
    if colon and number.isdecimal():
        if seed not in (None, int(number)):
            raise UsageError(f"{task!r} names seed {number}, and --seed {seed}: give one of them")
        task, seed = name, int(number)
    if agent != HUMAN:
        load(agent)
    plan = make_plan(tasks=task, agents=("noop",), instances=1, first_seed=seed or 0, **about)
    steps = HUMAN_STEPS if agent == HUMAN else None
    for spec in plan.episodes:
        task_room.task(spec.task, spec.task_seed, data=spec.data, data_seed=spec.data_seed, split=spec.split)
    return Plan(
        episodes=tuple(
            replace(spec, agent=agent, id=episode_id(spec.task, spec.task_seed, agent), max_steps=steps)
            for spec in plan.episodes
        )
    )


class Show:
    """The episodes of a demo, one after the other, on one stage."""

    def __init__(
        self,
        stage: Stage,
        host: BrowserHost,
        server: WorldServer,
        folder: RunFolder,
        console: Console,
        *,
        seconds: float,
        close: bool,
    ) -> None:
        self.stage = stage
        self.host = host
        self.server = server
        self.folder = folder
        self.console = console
        self._pace = seconds
        self._close = close
        self._film: Recording | None = None
        self._worlds: dict[str, World] = {}
        self._terminal = not close and sys.stdin is not None and sys.stdin.isatty()

    def run(self) -> int:
        """Play them all; 1 where an episode ended in a fault, 130 where the person interrupted."""
        if self._terminal:
            threading.Thread(target=_hear_enter, args=(self.stage.gestures,), name="enter", daemon=True).start()
        code, state = 0, "over"
        try:
            for spec in self.folder.plan.episodes:
                code = max(code, self._episode(spec))
        except Closed:
            state = "interrupted"
            self.console.print("\nThe window was closed; the demo ends here.", highlight=False)
        except KeyboardInterrupt:
            code, state = 130, "interrupted"
            self.console.print("\nInterrupted.", highlight=False)
        self.folder.note(state=state)
        self.console.print(f"\nReport: {write_report(self.folder.path)}", highlight=False, soft_wrap=True)
        return code

    @contextmanager
    def filmed(self, path: Path | None) -> Iterator[None]:
        """Film what happens inside from the first page on, and write the film however it ends."""
        if path is None:
            yield
            return
        film = self._film = Recording(self.stage)
        try:
            yield
        finally:
            if film.begun:
                film.stop()
                self._write(film, path)
            else:
                self.console.print("Nothing was recorded: no page was shown.", highlight=False)

    def _write(self, film: Recording, path: Path) -> None:
        try:
            self.console.print(f"Writing {path} …", highlight=False, soft_wrap=True)
            film.write(path, self.host)
            size = path.stat().st_size / 1e6
            self.console.print(f"Recorded {film.seconds:.0f} s, {size:.1f} MB: {path}", highlight=False, soft_wrap=True)
        finally:
            film.discard()

    def _roll(self) -> None:
        """There is something to see: begin the film, where one is made and was not begun before."""
        if self._film is not None and not self._film.begun:
            self._film.start()

    def _episode(self, spec: EpisodeSpec) -> int:
        task = task_room.task(spec.task, spec.task_seed, data=spec.data, data_seed=spec.data_seed, split=spec.split)
        plan = self.folder.plan
        number = plan.episodes.index(spec) + 1
        self.console.print(Text.assemble("\n", (f"{spec.task}:{spec.task_seed}", "bold"), f"  ({spec.agent})"))
        self.console.print(task.goal, highlight=False, markup=False)
        place = (number, len(plan.episodes))
        audience = OnStage(self.stage, spec, task, self.console, place=place, ready=self._roll)
        result = self._played(spec, audience)
        self.folder.write(result)
        page = read_episode(self.folder.episode(spec.id), spec, result, pictures=".")
        print_end(self.console, page)
        last = number == len(plan.episodes)
        self.stage.verdict({**end_of(page), "hint": self._hint(last), "more": not last, "closing": not self._close})
        self._roll()  # a fault may come before the first page
        self._wait()
        return int(result.reward is None)

    def _played(self, spec: EpisodeSpec, audience: OnStage) -> EpisodeResult:
        agent = HumanAgent(audience) if spec.agent == HUMAN else None
        try:
            return play(
                spec,
                self.host,
                self._world(spec),
                self.folder.episode(spec.id),
                versions=self.folder.manifest["versions"],
                agent=agent,
                audience=audience,
            )
        except (EnvironmentFault, VerifierError) as error:
            fault = Fault(cause=fault_of(error)["cause"], message=str(error), attempt=1)
            return EpisodeResult(
                id=spec.id,
                task=spec.task,
                task_seed=spec.task_seed,
                agent=spec.agent,
                status=Status.FAULT,
                reason=str(error),
                faults=(fault,),
            )
        except (Closed, KeyboardInterrupt):
            self.folder.set_aside(spec.id)
            raise

    def _world(self, spec: EpisodeSpec) -> World:
        site = site_of(spec.task)
        if site not in self._worlds:
            self._worlds[site] = self.server.open(site=site, data=spec.data, seed=spec.data_seed)
        return self._worlds[site]

    def _hint(self, last: bool) -> str:
        if self._close:
            return ""
        end = "close this window" if last else "go on"
        return f"Press Enter in the terminal to {end}." if self._terminal else ""

    def _wait(self) -> None:
        """Leave the verdict standing until the person has seen it."""
        if self._close:
            self.stage.linger(max(LINGER_S, 3 * self._pace) if self._pace else 0)
            return
        _drain(self.stage.gestures)
        while (kind := self.stage.gestures.get()["kind"]) not in ("over", "closed"):
            pass
        if kind == "closed":
            self.stage.closed = True


def _windowless(task: str, film: Path | None, *, doing: bool, options: Mapping[str, object]) -> bool:
    """Whether to do without a window, since there is no display. Raises `UsageError` where one is needed."""
    if has_display():
        return False
    if doing:
        raise UsageError(
            "a person needs a window, and there is no display: run it on a desktop, or where a display is shared"
        )
    if film is None:
        typed = to_type(shlex.join(["demo", task, *(word for option in options.items() for word in map(str, option))]))
        raise UsageError(
            f"there is no display to show a window on: run `xvfb-run -a {typed}`, or record it without a "
            f"window: `{typed} --record demo.webm`"
        )
    return True


def _hear_enter(heard: queue.Queue[dict[str, Any]]) -> None:
    for _ in sys.stdin:
        heard.put({"kind": "over"})


def _drain(heard: queue.Queue[dict[str, Any]]) -> None:
    """Forget what was done before the verdict, but not that the window was closed."""
    while not heard.empty():
        if heard.get_nowait()["kind"] == "closed":
            heard.put({"kind": "closed"})
            return
