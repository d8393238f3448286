"""Many ShopAdmins at once as a Gymnasium vector environment: one browser, one loop, a world for each slot."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array

from ..errors import EnvironmentFault, SitegymError, UsageError
from ..sites.world.runtime import Runtime, as_runtime
from . import per_slot
from .arguments import check_browser
from .autoreset import AutoresetMode
from .autoreset import autoreset_mode as to_mode
from .branch import Checkpoint
from .choosing import Choice
from .dictionary import as_dict, check_numbers, observation_space, whole
from .episode import Episode
from .gym_env import check_render_mode
from .host import BrowserHost
from .kinds import check_kinds
from .rewards import check_rewards
from .shared import hosts, servers
from .slot import Slot, Turn
from .spaces import ActionSpace

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..sites.world.client import WorldServer
    from ..tasks import Task

T = TypeVar("T")
Stepped = tuple[dict[str, Any], "NDArray[np.float64]", "NDArray[np.bool_]", "NDArray[np.bool_]", dict[str, Any]]


class BrowserVectorEnv(VectorEnv[dict[str, Any], Any, "NDArray[Any]"]):
    """`num_envs` times `BrowserEnv` in one browser, their steps at the same time: `make_vec("ShopAdmin-v0", 8)`.

    Observations, actions and arguments are those of `BrowserEnv`; texts come as tuples with one for each slot,
    pictures as arrays of num_envs x H x W x 3. `task` may be a list with one for each slot.

    `step(actions)` takes one action for each slot (list, tuple, array), or a dict from slot to action; a slot that
    gets None or is left out does nothing: it stays as it is, with reward 0.0, and its world's time stands still.

    `autoreset_mode` (NEXT_STEP, SAME_STEP, DISABLED) is Gymnasium's: the next episode begins in the step after the
    last one (which ignores its action and gives reward 0.0), in the same step (`info` has `final_obs`, `final_info`),
    or by `reset(options={"reset_mask": mask})`. `reset` takes a seed (slot i gets seed + i) or a list of seeds;
    `options` are those of `BrowserEnv`, each one value for all slots or a list.

    A fault in a slot (`EnvironmentFault`, `VerifierError`) leaves the others alone: that slot is truncated with reward
    0.0 which must not be learnt from, `info["fault"]` says what happened and `info["_fault"]` is the mask. The slot is
    masked until a reset works, which each following step tries (in mode DISABLED you do, by `reset_mask`). Raises the
    fault where no slot is left: at a `reset` or a `step` in which nothing but resets was tried, and all failed.
    """

    _slots: tuple[Slot, ...] = ()
    _host: BrowserHost | None = None
    _server: WorldServer | None = None

    def __init__(
        self,
        num_envs: int = 1,
        task: str | Sequence[str | None] | None = None,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
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
        if not whole(num_envs, 1, 1000):
            raise UsageError(f"num_envs is a whole number from 1 to 1,000, not {num_envs!r}")
        check_render_mode(render_mode)
        check_numbers(viewport, max_steps)
        check_rewards(rewards, gamma)
        check_browser(browser)
        self.num_envs = int(num_envs)
        self.render_mode = render_mode
        self.autoreset_mode = to_mode(autoreset_mode)
        self.metadata = {
            "render_modes": ["human", "rgb_array"],
            "render_fps": 2,
            "autoreset_mode": self.autoreset_mode,
        }
        self._kinds = check_kinds(observations)
        self._viewport = viewport
        self._episodes: dict[str, Any] = {"max_steps": max_steps, "rewards": rewards, "gamma": gamma}
        self._browser = browser
        self._runtime = as_runtime(runtime, database)
        self._world: dict[str, Any] = {"site": site, "data": data, "seed": data_seed}
        self.single_observation_space = observation_space(self._kinds, viewport)
        self.single_action_space = ActionSpace()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        wanted = per_slot.each("task", task, self.num_envs)
        self._choices = [Choice(task=one, split=split, data=data, data_seed=data_seed, site=site) for one in wanted]
        self._slots = tuple(Slot(choice.draw, self._open) for choice in self._choices)

    @property
    def episodes(self) -> tuple[Episode, ...]:
        """The episode of each slot, with verdict, timings and world; there from the first reset on."""
        if not all(slot.episode for slot in self._slots):
            raise UsageError("reset the environment first")
        return tuple(slot.episode for slot in self._slots if slot.episode is not None)

    @property
    def masked(self) -> NDArray[np.bool_]:
        """Slots that a fault has put out of action until a reset works."""
        return per_slot.mask([slot.masked for slot in self._slots])

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode in each slot, or in those of `options["reset_mask"]`."""
        rest = dict(options or {})
        numbers = per_slot.named(rest.pop("reset_mask", None), self.num_envs)
        seeds = per_slot.seeds(seed, self.num_envs)
        listed = {name: per_slot.each(name, value, self.num_envs) for name, value in rest.items()}
        chosen: list[Task | Checkpoint | None] = [None] * self.num_envs
        for number in numbers:
            slot, own_seed = self._slots[number], seeds[number]
            if own_seed is not None:
                slot.seed(own_seed)
            own = {name: values[number] for name, values in listed.items()}
            chosen[number] = self._choices[number].draw(slot.random, own)
        host, server = self._ready()
        begun = host.call(_all(self._slots[number].begin(host, server, chosen[number]) for number in numbers))
        turns = dict(zip(numbers, begun, strict=True))
        if all(turn.truncated for turn in turns.values()) and self.masked.all():
            raise self._hopeless(begun)
        infos: dict[str, Any] = {}
        for number, turn in turns.items():
            infos = self._add_info(infos, turn.info, number)
        return self._observed(), infos

    def step(self, actions: Any) -> Stepped:
        """Take one step in each slot; see the class for what comes back."""
        self._check_begun()
        given = per_slot.actions(actions, self.num_envs)
        self._check_disabled(given)
        lost = self.masked.all()
        host, server = self._ready()
        pairs = zip(self._slots, given, strict=True)
        turns = host.call(_all(self._turn(slot, host, server, action) for slot, action in pairs))
        if lost and self.masked.all() and self.autoreset_mode is not AutoresetMode.DISABLED:
            raise self._hopeless(turns)
        return self._batched(turns)

    async def _turn(self, slot: Slot, host: BrowserHost, server: WorldServer, action: Any) -> Turn:
        by_hand = self.autoreset_mode is AutoresetMode.DISABLED
        if by_hand and slot.masked:
            return slot.last
        if by_hand and slot.last.over:
            return replace(slot.last, reward=0.0, info={})
        if slot.masked or (slot.last.over and self.autoreset_mode is AutoresetMode.NEXT_STEP):
            return await slot.begin(host, server)
        if action is None:
            return replace(slot.last, reward=0.0, terminated=False, truncated=False, info={}, ended=None)
        turn = await slot.act(host, server, action)
        if turn.over and self.autoreset_mode is AutoresetMode.SAME_STEP:
            return await self._go_on(slot, host, server, turn)
        return turn

    async def _go_on(self, slot: Slot, host: BrowserHost, server: WorldServer, turn: Turn) -> Turn:
        """Begin the next episode in the step in which one ended; where that fails, the next step tries again."""
        begun = await slot.begin(host, server)
        info = {name: text for name, text in turn.info.items() if name.startswith("fault")}
        if not slot.masked:
            info = {**begun.info, **info}
        return replace(turn, observation=begun.observation, info=info, ended=(turn.observation, turn.info))

    def _batched(self, turns: Sequence[Turn]) -> Stepped:
        infos: dict[str, Any] = {}
        finals = np.full(self.num_envs, None, dtype=object)
        for number, turn in enumerate(turns):
            if turn.ended is not None:
                finals[number] = as_dict(turn.ended[0], self._kinds, self._viewport)
                infos = self._add_info(infos, {"final_info": turn.ended[1]}, number)
            infos = self._add_info(infos, turn.info, number)
        ended = per_slot.mask([turn.ended is not None for turn in turns])
        if ended.any():
            infos |= {"final_obs": finals, "_final_obs": ended}
        rewards = np.array([turn.reward for turn in turns], dtype=np.float64)
        terminations = per_slot.mask([turn.terminated for turn in turns])
        truncations = per_slot.mask([turn.truncated for turn in turns])
        return self._observed(), rewards, terminations, truncations, infos

    def _observed(self) -> dict[str, Any]:
        seen = [as_dict(slot.last.observation, self._kinds, self._viewport) for slot in self._slots]
        space = self.single_observation_space
        empty: Any = create_empty_array(space, self.num_envs)
        return cast("dict[str, Any]", concatenate(space, seen, empty))

    def _ready(self) -> tuple[BrowserHost, WorldServer]:
        """Browser and world server, new ones in place of those that died."""
        self._check_open()
        if self._server is not None and not self._server.alive:
            servers.give_back(self._server)
            self._server = None
        if self._host is not None and not self._host.works and self._host is not self._browser:
            hosts.give_back(self._host)
            self._host = None
        if self._server is None:
            self._server = servers.take(self._runtime, self._runtime)
        if self._host is None:
            headless = self.render_mode != "human"
            own = self._browser if isinstance(self._browser, BrowserHost) else None
            self._host = own or hosts.take((headless, self._browser), headless, self._browser)
        return self._host, self._server

    def _check_open(self) -> None:
        if self.closed:
            raise UsageError("this environment is closed; make a new one")

    def _open(self, host: BrowserHost, server: WorldServer) -> Episode:
        world = server.open(**self._world)
        return Episode(host, world, observations=self._kinds, viewport=self._viewport, **self._episodes)

    def render(self) -> tuple[Any, ...] | None:
        """The picture of each slot in mode `rgb_array`; None for a slot that a fault has put out of action."""
        if self.render_mode != "rgb_array":
            return None
        self._check_begun()

        async def look(slot: Slot) -> NDArray[np.uint8] | None:
            if slot.masked or slot.episode is None:
                return None
            return (await slot.episode.core.observe(("screenshot",))).screenshot

        host, _ = self._ready()
        return tuple(host.call(_all(look(slot) for slot in self._slots)))

    def close_extras(self, **_: Any) -> None:
        """Free contexts and worlds, and, as the last environment of the process, browser and world server."""
        host, self._host = self._host, None
        server, self._server = self._server, None
        worlds = [slot.episode.world for slot in self._slots if slot.episode is not None]
        if host is not None:
            with suppress(SitegymError):  # dead already, which is as well
                host.call(_all(slot.leave(host) for slot in self._slots))
            if host is not self._browser:
                hosts.give_back(host)
        for world in worlds:
            world.close()
        if server is not None:
            servers.give_back(server)

    def _check_begun(self) -> None:
        self._check_open()
        if any(slot.episode is None and not slot.masked for slot in self._slots):
            raise UsageError("reset the environment first")

    def _check_disabled(self, given: Sequence[Any]) -> None:
        if self.autoreset_mode is not AutoresetMode.DISABLED:
            return
        for number, (slot, action) in enumerate(zip(self._slots, given, strict=True)):
            if action is not None and slot.last.over and not slot.masked:
                raise UsageError(
                    f'the episode in slot {number} is over: reset it by options={{"reset_mask": mask}}, or give None'
                )

    @staticmethod
    def _hopeless(turns: Sequence[Turn]) -> EnvironmentFault:
        info = turns[0].info
        return EnvironmentFault(f"no slot can be reset: {info['fault']}", cause=info["fault_cause"])


async def _all(doing: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """All at once, and the results in order; an error is raised when all have ended."""
    results = await asyncio.gather(*doing, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return cast("list[T]", results)
