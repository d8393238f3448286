"""The plan of a sweep: tasks x seeds x repeats x agents as episodes with stable ids, decided before anything starts."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .. import tasks as task_room
from ..agents import load
from ..errors import UnknownSplit, UsageError
from ..sites.known import check_world

MOST = 1_000_000
"""Episodes that a run may have."""


@dataclass(frozen=True, kw_only=True)
class EpisodeSpec:
    """One planned episode: everything that decides what happens in it."""

    id: str
    """Stable name, also its folder: the same plan gives the same ids on every machine."""
    task: str
    """Template id, `store.admin/cancel-order`."""
    task_seed: int
    agent: str
    data: str
    data_seed: int
    split: str | None
    max_steps: int | None
    """Step budget; None is the task's own."""
    repeat: int = 0
    """Which of several plays of the same instance by the same agent this is; counts from 0."""
    max_seconds: float | None = None
    """Budget of wall-clock time, from the first observation on; None is none."""
    max_tokens: int | None = None
    """Budget of tokens that a model reads and writes; None is none."""
    max_cost_usd: float | None = None
    """Budget of US dollars; None is none."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a sweep will do, in order."""

    episodes: tuple[EpisodeSpec, ...]

    @property
    def agents(self) -> list[str]:
        """Agents in the order they were asked for."""
        return list(dict.fromkeys(episode.agent for episode in self.episodes))

    @property
    def tasks(self) -> list[str]:
        """Template ids in order."""
        return list(dict.fromkeys(episode.task for episode in self.episodes))

    def to_json(self) -> list[dict[str, Any]]:
        """One plain dict an episode."""
        return [asdict(episode) for episode in self.episodes]

    def check(self, *, agents: bool = True) -> None:
        """Raise `UsageError` where an episode could not be played: no such task, agent, split or data set, or data of
        two kinds in one site. A plan that `make_plan` made is right; one that was read may have been edited.

        Without `agents` theirs is left out: what was recorded is played again without their code.
        """
        worlds: dict[str, tuple[str, int]] = {}
        for spec in self.episodes:
            task_room.template(spec.task)
            _check_split(spec.split)
            site = site_of(spec.task)
            if (spec.data, spec.data_seed) == worlds.get(site):
                continue
            check_world(site, spec.data, spec.data_seed)
            if site in worlds:
                raise UsageError(
                    f"episodes on two data sets, {worlds[site][0]!r} (seed {worlds[site][1]}) and {spec.data!r} "
                    f"(seed {spec.data_seed}), don't compare; make a run of its own for each"
                )
            worlds[site] = spec.data, spec.data_seed
        for agent in self.agents if agents else ():
            load(agent)

    @classmethod
    def from_json(cls, value: Iterable[dict[str, Any]]) -> Plan:
        """The plan that `to_json` wrote."""
        return cls(episodes=tuple(EpisodeSpec(**episode) for episode in value))


def make_plan(
    *,
    tasks: str | Sequence[str] = "*",
    agents: Sequence[str] = ("oracle", "random", "noop"),
    instances: int = 1,
    first_seed: int = 0,
    seeds: Sequence[int] | None = None,
    repeats: int = 1,
    data: str = "base",
    data_seed: int = 1,
    split: str | None = None,
    max_steps: int | None = None,
    max_seconds: float | None = None,
    max_tokens: int | None = None,
    max_cost_usd: float | None = None,
) -> Plan:
    """Every task that matches, with `instances` seeds from `first_seed` up, `repeats` times by every agent.

    `seeds` are other seeds than those. Raises `UnknownTask`, `UnknownAgent` or `UsageError` before anything runs.
    """
    for name, number in (("instances", instances), ("repeats", repeats), ("max_steps", max_steps)):
        if number is not None and number < 1:
            raise UsageError(f"{name} is {number}; it must be at least 1")
    for name, limit in (("max_seconds", max_seconds), ("max_tokens", max_tokens), ("max_cost_usd", max_cost_usd)):
        check_limit(name, limit)
    chosen = range(first_seed, first_seed + instances) if seeds is None else seeds
    names, players = matching(tasks), list(dict.fromkeys(agents))
    check_count(len(names), _length(chosen), repeats, len(players))
    if seeds is not None and (not seeds or min(seeds) < 0):
        raise UsageError(f"seeds are whole numbers from 0, at least one, not {list(seeds)}")
    _check_split(split)
    if not agents:
        raise UsageError("no agent was named; name at least one, such as 'oracle'")
    for agent in agents:
        load(agent)
    common: dict[str, Any] = {"data": data, "data_seed": data_seed, "split": split, "max_steps": max_steps}
    common |= {"max_seconds": max_seconds, "max_tokens": max_tokens, "max_cost_usd": max_cost_usd}
    return Plan(
        episodes=tuple(
            EpisodeSpec(
                id=episode_id(task, seed, agent, repeat),
                task=task,
                task_seed=seed,
                agent=agent,
                repeat=repeat,
                **common,
            )
            for task in names
            for seed in dict.fromkeys(chosen)
            for repeat in range(repeats)
            for agent in players
        )
    )


def _length(seeds: Sequence[int]) -> int:
    """How many there are, also where a range is longer than `len` can tell."""
    return max(0, -((seeds.start - seeds.stop) // seeds.step)) if isinstance(seeds, range) else len(seeds)


def check_count(tasks: int, seeds: int, repeats: int, agents: int) -> None:
    """Refuse a plan that nobody means, before its episodes are made: they would fill the memory."""
    if (count := tasks * seeds * repeats * agents) > MOST:
        raise UsageError(
            f"{tasks:,} x {seeds:,} x {repeats:,} x {agents:,} (tasks, seeds, repeats, agents) are {count:,} episodes; "
            f"a run has at most {MOST:,}: take fewer, or several runs"
        )


def check_limit(name: str, limit: float | None) -> None:
    """Raise `UsageError` for a limit of seconds, tokens or dollars that is none: 0 or less, infinite, or `nan`."""
    if limit is not None and not 0 < limit < math.inf:
        raise UsageError(f"{name} is {limit}; it must be a finite number above 0")


def _check_split(split: str | None) -> None:
    if split is not None and split not in task_room.SPLITS:
        raise UnknownSplit(split, task_room.SPLITS)


def matching(patterns: str | Sequence[str]) -> list[str]:
    """Template ids that match any of the patterns, each once; raises `UnknownTask` for a pattern without a match."""
    wanted = [patterns] if isinstance(patterns, str) else patterns
    return list(dict.fromkeys(task for pattern in wanted for task in task_room.match(pattern)))


def about_templates(ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Kind and tags of each template, stored with a run so that its report needs no code to be read by."""
    known = task_room.templates()
    return {id: {"kind": str(known[id].kind), "tags": list(known[id].tags)} for id in ids}


def episode_id(task: str, seed: int, agent: str, repeat: int = 0) -> str:
    """A name that is safe as a folder: `store.admin.cancel-order-3-oracle`, and with `3.1` for the second play."""
    return f"{_slug(task)}-{seed}{f'.{repeat}' if repeat else ''}-{_slug(agent)}"


def site_of(task: str) -> str:
    """`store` of `store.admin/cancel-order`."""
    return task.partition("/")[0].partition(".")[0]


_SLUG = 60
"""Characters of a name that needs a hash anyway, such as that of an agent with its options: a folder's name has 255."""


def _slug(name: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9_.-]+", ".", name)
    if plain == name or plain == name.replace("/", "."):
        return plain
    return f"{plain[:_SLUG]}.{hashlib.sha256(name.encode()).hexdigest()[:6]}"
