"""ShopAdmin as a Gymnasium environment: a thin face on `Episode`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import gymnasium

from ..errors import EnvironmentFault, UsageError
from ..sites.world.runtime import Runtime, as_runtime
from .arguments import check_browser
from .branch import Checkpoint
from .choosing import Choice
from .dictionary import as_dict, check_numbers, ending, observation_space
from .episode import Episode
from .host import BrowserHost
from .kinds import check_kinds
from .observation import Observation
from .rewards import check_rewards
from .shared import hosts, servers
from .spaces import ActionSpace


class BrowserEnv(gymnasium.Env[dict[str, Any], Any]):
    """A web application in a browser, graded once, from its database.

    Observation (dict): always the texts `goal`, `url`, `title`, `tabs`, `dialog`, `error` (why the last action was
    refused, else ""), `result` (what it gave to read), `held` (keys and buttons), `downloads`, `time` (of the world),
    and `steps_left`; as asked for `axtree` (YAML with refs), `screenshot` (uint8, H x W x 3) and the other kinds of
    `sitegym.envs.kinds`.
    Action: one call such as `click("e12")` or `finish(answer="41.50")`, or the same as a dict; see
    `sitegym.envs.actions`.
    Reward: 0.0 on every step but the last; then the verifier's 0.0 or 1.0. With `rewards="milestones"` shaped on the
    way, see `sitegym.envs.rewards`; `info` always has `sparse` and `shaping`, which the reward is the sum of.
    Ends: terminated on `finish`; truncated when the steps are used up, with reward 0.0. The last `info` has `goal_met`,
    `clean`, `damage` and `reason`.
    Raises: `EnvironmentFault` where the machinery fails and `VerifierError` where grading does; never a reward for it.

    Arguments: `task` is an id, a pattern such as `store.admin/*`, or None for all; one is sampled at each reset from
    `split` (train, validation, test; None: all). `reset(options={"task": id, "task_seed": n})` names one, and
    `reset(options={"checkpoint": c})` begins at a moment of another episode. `data` and
    `data_seed` choose the world, `browser` an executable or a `BrowserHost` of yours. `render_mode="human"` shows the
    browser's window; `"rgb_array"` makes `render()` give the picture. `max_steps` None means the task's own. `gamma` is
    the learner's discount, which milestones need. `runtime` is where the worlds run: `process`, `docker`, `remote`, or
    a `Runtime`; `database` is a PostgreSQL to keep their rows in (`postgresql://…`), else it is SQLite.
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
        rewards: str = "sparse",
        gamma: float = 1.0,
        data: str = "base",
        data_seed: int = 1,
        site: str = "store",
        browser: str | BrowserHost | None = None,
        runtime: str | Runtime | None = None,
        database: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        self._kinds = check_kinds(observations)
        check_numbers(viewport, max_steps)
        check_rewards(rewards, gamma)
        check_browser(browser)
        self._choice = Choice(task=task, split=split, data=data, data_seed=data_seed, site=site)
        self.render_mode = render_mode
        self._browser = browser
        self._runtime = as_runtime(runtime, database)
        self._viewport = viewport
        self._episodes: dict[str, Any] = {"max_steps": max_steps, "rewards": rewards, "gamma": gamma}
        self._episode: Episode | None = None
        self._host: BrowserHost | None = None
        self._server: Any = None
        self.action_space = ActionSpace()
        self.observation_space = observation_space(self._kinds, viewport)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode. With a `seed` the task is a function of it; `options` may name `task` and `task_seed`."""
        super().reset(seed=seed)
        task = self._choice.draw(self.np_random, options)
        if isinstance(task, Checkpoint):
            return self.restore(task)
        if self._episode is not None and not (self._episode.host.works and self._server.alive):
            self._release()
        observation = self._opened().reset(task)
        return self._given(observation), {"task": task.id, "task_seed": task.task_seed}

    def _opened(self) -> Episode:
        if self._episode is None:
            self._episode = self._open()
        return self._episode

    def _open(self) -> Episode:
        self._server = servers.take(self._runtime, self._runtime)
        self._host = self._browser if isinstance(self._browser, BrowserHost) else self._lease()
        world = self._server.open(site=self._choice.site, data=self._choice.data, seed=self._choice.data_seed)
        return Episode(self._host, world, observations=self._kinds, viewport=self._viewport, **self._episodes)

    def _lease(self) -> BrowserHost:
        headless = self.render_mode != "human"
        return hosts.take((headless, self._browser), headless, self._browser)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take one step; see the class for what comes back."""
        if self._episode is None:
            raise UsageError("reset the environment first")
        observation = self._episode.act(action)
        reward, info = ending(self._episode.verdict, self._episode.scores)
        truncated = self._episode.truncated
        return self._given(observation), reward, self._episode.done and not truncated, truncated, info

    def checkpoint(self) -> Checkpoint:
        """This moment of the episode as plain data, for `restore` in this or any other environment on the same data."""
        return self.episode.checkpoint()

    def restore(self, checkpoint: Checkpoint) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin at a moment of an episode instead of a reset; gives what `reset` gives.

        `info["restored"]` is "fast" where the pages were loaded and filled, "replayed" where the actions were taken
        again. Raises what `Episode.restore` raises.
        """
        if self._episode is not None and not (self._episode.host.works and self._server.alive):
            self._release()
        episode = self._opened()
        observation = episode.restore(checkpoint)
        assert episode.restored is not None
        told = {"task": checkpoint.task.id, "task_seed": checkpoint.task.task_seed, "restored": episode.restored.way}
        return self._given(observation), told

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
        return as_dict(observation, self._kinds, self._viewport)


def check_render_mode(render_mode: str | None) -> None:
    """Raise `UsageError` for a mode that environments do not have."""
    modes = BrowserEnv.metadata["render_modes"]
    if render_mode is not None and render_mode not in modes:
        raise UsageError(f"no render mode {render_mode!r}: there are {', '.join(modes)}")
