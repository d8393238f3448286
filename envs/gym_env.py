"""ShopAdmin as a Gymnasium environment: a thin face on `Episode`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces

from .. import tasks
from ..errors import EnvironmentFault, UnknownName, UnknownSplit, UsageError, VerifierError
from .episode import Episode
from .host import BrowserHost
from .observation import KINDS, Observation
from .shared import hosts, servers
from .spaces import ActionSpace, Unicode

if TYPE_CHECKING:
    from ..tasks import Task

_TEXTS = ("goal", "url", "title", "tabs", "dialog", "error", "time")
_MAX_STEPS = 100_000


class BrowserEnv(gymnasium.Env[dict[str, Any], Any]):
    """A web application in a browser, graded once, from its database.

    Observation (dict): always `goal`, `url`, `title`, `tabs`, `dialog`, `error` (why the last action was refused, else
    ""), `time` (of the world), `steps_left`; as asked for `axtree` (YAML with refs), `screenshot` (uint8, H x W x 3).
    Action: one call such as `click("e12")` or `finish(answer="41.50")`, or the same as a dict; see
    `sitegym.envs.actions`.
    Reward: 0.0 on every step but the last; then the verifier's 0.0 or 1.0.
    Ends: terminated on `finish`; truncated when the steps are used up, with reward 0.0. The last `info` has `goal_met`,
    `clean`, `damage` and `reason`.
    Raises: `EnvironmentFault` where the machinery fails and `VerifierError` where grading does; never a reward for it.

    Arguments: `task` is an id, a pattern such as `store.admin/*`, or None for all; one is sampled at each reset from
    `split` (train, validation, test; None: all). `reset(options={"task": id, "task_seed": n})` names one. `data` and
    `data_seed` choose the world, `browser` an executable or a `BrowserHost` of yours. `render_mode="human"` shows the
    browser's window; `"rgb_array"` makes `render()` give the picture. `max_steps` None means the task's own.
    """

    metadata = {  # noqa: RUF012 (an instance variable in Gymnasium's types)
        "render_modes": ["human", "rgb_array"],
        "render_fps": 2,
    }

    def __init__(
        self,
        task: str | None = None,
        *,
        split: str | None = None,
        observations: Sequence[str] = ("axtree",),
        viewport: tuple[int, int] = (1280, 800),
        render_mode: str | None = None,
        max_steps: int | None = None,
        data: str = "base",
        data_seed: int = 1,
        site: str = "store",
        browser: str | BrowserHost | None = None,
    ) -> None:
        _check(render_mode, observations, split)
        _check_numbers(viewport, max_steps)
        self._ids = tasks.match(task if task is not None else f"{site}.*")
        self.render_mode = render_mode
        self._split, self._data, self._data_seed, self._site = split, data, data_seed, site
        self._browser = browser
        self._kinds = tuple(observations)
        self._viewport = viewport
        self._max_steps = max_steps
        self._episode: Episode | None = None
        self._host: BrowserHost | None = None
        self._server: Any = None
        self.action_space = ActionSpace()
        self.observation_space = self._space(viewport)

    def _space(self, viewport: tuple[int, int]) -> spaces.Dict:
        parts: dict[str, gymnasium.Space[Any]] = {name: Unicode() for name in _TEXTS}
        parts["steps_left"] = spaces.Box(0, _MAX_STEPS, shape=(), dtype=np.int64)
        if "axtree" in self._kinds:
            parts["axtree"] = Unicode()
        if "screenshot" in self._kinds:
            parts["screenshot"] = spaces.Box(0, 255, shape=(viewport[1], viewport[0], 3), dtype=np.uint8)
        return spaces.Dict(parts)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode. With a `seed` the task is a function of it; `options` may name `task` and `task_seed`."""
        super().reset(seed=seed)
        task = self._choose(dict(options or {}))
        if self._episode is not None and not (self._episode.host.works and self._server.alive):
            self._release()
        observation = self._opened().reset(task)
        return self._given(observation), {"task": task.id, "task_seed": task.task_seed}

    def _choose(self, options: dict[str, Any]) -> Task:
        unknown = sorted(set(options) - {"task", "task_seed"})
        if unknown:
            raise UsageError(f"no reset option {unknown[0]!r}: there are task and task_seed")
        name, task_seed = options.get("task"), options.get("task_seed")
        drawn, drawn_seed = (int(self.np_random.integers(2**31)) for _ in range(2))
        if task_seed is not None and (isinstance(task_seed, bool) or not isinstance(task_seed, (int, np.integer))):
            raise UsageError(f"task_seed is a whole number, not {task_seed!r}")
        seed = drawn_seed if task_seed is None else int(task_seed)
        ids = self._ids if name is None else tasks.match(str(name))
        return self._first_of(ids[drawn % len(ids) :] + ids[: drawn % len(ids)], seed)

    def _first_of(self, ids: Sequence[str], seed: int) -> Task:
        """An instance of the first template that has one in this data and split."""
        none: UsageError | None = None
        for name in ids:
            try:
                return tasks.task(name, seed, data=self._data, data_seed=self._data_seed, split=self._split)
            except UnknownName:
                raise
            except UsageError as error:
                none = none or error
        assert none is not None
        raise none

    def _opened(self) -> Episode:
        if self._episode is None:
            self._episode = self._open()
        return self._episode

    def _open(self) -> Episode:
        self._server = servers.take()
        self._host = self._browser if isinstance(self._browser, BrowserHost) else self._lease()
        world = self._server.open(site=self._site, data=self._data, seed=self._data_seed)
        return Episode(self._host, world, observations=self._kinds, viewport=self._viewport, max_steps=self._max_steps)

    def _lease(self) -> BrowserHost:
        headless = self.render_mode != "human"
        return hosts.take((headless, self._browser), headless, self._browser)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take one step; see the class for what comes back."""
        if self._episode is None:
            raise UsageError("reset the environment first")
        observation = self._episode.act(action)
        info: dict[str, Any] = {}
        reward = 0.0
        verdict = self._episode.verdict
        if verdict is not None:
            if verdict.reward is None:  # a fault of ours has no reward, so it can't be returned as one
                raise VerifierError(verdict.reason)
            reward = verdict.reward
            damage = [str(damage) for damage in verdict.damage]
            info = {"goal_met": verdict.goal_met, "clean": verdict.clean, "damage": damage, "reason": verdict.reason}
        truncated = self._episode.truncated
        return self._given(observation), reward, self._episode.done and not truncated, truncated, info

    def render(self) -> Any:
        """The picture of the active tab in mode `rgb_array`; the window itself shows it in mode `human`."""
        if self.render_mode != "rgb_array":
            return None
        if self._episode is None:
            raise UsageError("reset the environment first")
        return self._episode.observe(("screenshot",)).screenshot

    @property
    def episode(self) -> Episode:
        """The episode beneath, with the verdict, timings and the world."""
        if self._episode is None:
            raise UsageError("reset the environment first")
        return self._episode

    def close(self) -> None:
        """Free context, world, and, as the last environment of the process, browser and world server."""
        self._release()
        super().close()

    def _release(self) -> None:
        episode, self._episode = self._episode, None
        server, self._server = self._server, None
        host, self._host = self._host, None
        with suppress(EnvironmentFault):  # dead already, which is as well
            if episode is not None:
                episode.close()
                episode.world.close()
        if host is not None and host is not self._browser:
            hosts.give_back(host)
        if server is not None:
            servers.give_back(server)

    def _given(self, observation: Observation) -> dict[str, Any]:
        given: dict[str, Any] = {name: getattr(observation, name) for name in ("goal", "url", "title", "error", "time")}
        dialog = observation.dialog
        given["dialog"] = f"{dialog.kind}: {dialog.message}" if dialog is not None else ""
        given["tabs"] = "\n".join(_tab(index, tab) for index, tab in enumerate(observation.tabs))
        given["steps_left"] = np.array(observation.steps_left, dtype=np.int64)
        shown = {kind: getattr(observation, kind) for kind in self._kinds}
        if "screenshot" in shown and shown["screenshot"] is not None:
            shown["screenshot"] = shown["screenshot"].copy()  # a finish shows the last picture again
        return given | shown


def _tab(index: int, tab: Any) -> str:
    return f"{'*' if tab.active else ' '} {index}: {tab.title} <{tab.url}>"


def _check(render_mode: str | None, observations: Sequence[str], split: str | None) -> None:
    if split is not None and split not in tasks.SPLITS:
        raise UnknownSplit(split, tasks.SPLITS)
    modes = BrowserEnv.metadata["render_modes"]
    if render_mode is not None and render_mode not in modes:
        raise UsageError(f"no render mode {render_mode!r}: there are {', '.join(modes)}")
    if isinstance(observations, str) or not observations:
        raise UsageError(f"observations is a list such as ('axtree',), of {', '.join(KINDS)}; not {observations!r}")
    for kind in observations:
        if kind not in KINDS:
            raise UsageError(f"no observation {kind!r}: there are {', '.join(KINDS)}")


def _check_numbers(viewport: object, max_steps: object) -> None:
    """Raise `UsageError` for a size or a number of steps that can't be."""
    pair = tuple(viewport) if isinstance(viewport, (tuple, list)) else ()
    if len(pair) != 2 or not all(_whole(side, 100, 10_000) for side in pair):
        raise UsageError(f"viewport is width and height, each from 100 to 10,000 pixels, not {viewport!r}")
    if max_steps is not None and not _whole(max_steps, 1, _MAX_STEPS):
        raise UsageError(f"max_steps is a whole number from 1 to {_MAX_STEPS:,}, or None, not {max_steps!r}")


def _whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and bool(least <= value <= most)
