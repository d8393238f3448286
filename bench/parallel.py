"""Steps a second of 1, 2, 4, 8 and 16 episodes at once in one browser, beside as many raw pages; where the time goes.

Every episode has a context and a world of its own. A step is a click on a row's tick of the 100-row list, settling, the
tree and the picture; the raw pages do the same with Playwright alone.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Sequence

from sitegym.envs import actions
from sitegym.envs.async_episode import AsyncEpisode
from sitegym.sites.world.client import World

from ._shop import VIEWPORT, Shop, shop, task
from .step import GRID, TICKS, raw_step
from .table import Row

AT_ONCE = (1, 2, 4, 8, 16)
STEPS = 60
"""Steps of each measurement, shared among its episodes."""
ROUNDS = 3

Stepper = Callable[[int], Awaitable[object]]


def main(quick: bool = False) -> list[Row]:
    """A row for each number of episodes, ours and raw measured in turn; and the time of a step by phase."""
    with shop() as place:
        worlds = [place.world, *(place.server.open(data="base") for _ in range(max(AT_ONCE) - 1))]
        rows = [_at_once(place, worlds[:count], 1 if quick else ROUNDS) for count in AT_ONCE]
        best = max(row.median for row, _ in rows)
        fall = [
            Row(what=f"  rate at {count} episodes, of the best rate", unit="%", median=100 * row.median / best)
            for count, (row, _) in zip(AT_ONCE, rows, strict=True)
        ]
        return [row for row, _ in rows] + fall + [phase for _, phases in rows[:1] for phase in phases]


def _at_once(place: Shop, worlds: Sequence[World], rounds: int) -> tuple[Row, list[Row]]:
    return place.host.call(_measure(place, worlds, rounds))


async def _measure(place: Shop, worlds: Sequence[World], rounds: int) -> tuple[Row, list[Row]]:
    """The rates of as many episodes as worlds, and of as many raw pages."""
    episodes = [
        AsyncEpisode(place.host, world, observations=("axtree", "screenshot"), viewport=VIEWPORT, max_steps=100_000)
        for world in worlds
    ]
    ours = await asyncio.gather(*(_episode(episode) for episode in episodes))
    plain = [await Shop(place.host, place.server, world).plain_page(GRID) for world in worlds]
    theirs = [await _page(page) for _, page in plain]
    begun = [dict(episode.timings) for episode in episodes]
    mine, raw = [], []
    for _ in range(rounds):
        mine.append(await _rate(ours))
        raw.append(await _rate(theirs))
    steps = rounds * max(1, STEPS // len(worlds))
    phases = [
        Row(what=f"  one episode: {name}", unit="ms a step", median=(seconds - begun[0][name]) * 1000 / steps)
        for name, seconds in episodes[0].timings.items()
    ]
    for episode in episodes:
        await episode.close()
    for context, _ in plain:
        await context.close()
    middle = rounds // 2
    what = f"{len(worlds)} episodes at once" if len(worlds) > 1 else "1 episode"
    row = Row(
        what=what, unit="steps/s", median=sorted(mine)[middle], runs=rounds,
        beside=sorted(raw)[middle], beside_what="raw pages",
    )  # fmt: skip
    return row, phases


async def _rate(steppers: Sequence[Stepper]) -> float:
    """Steps a second of all together."""
    each = max(1, STEPS // len(steppers))

    async def go(step: Stepper) -> None:
        for number in range(each):
            await step(number)

    begun = time.perf_counter()
    await asyncio.gather(*(go(step) for step in steppers))
    return each * len(steppers) / (time.perf_counter() - begun)


async def _episode(episode: AsyncEpisode) -> Stepper:
    await episode.reset(task())
    seen = await episode.act(actions.navigate(GRID))
    refs = seen.find_all("checkbox", re.compile("^Select order"))[:TICKS]
    return lambda number: episode.act(actions.click(refs[number % len(refs)]))


async def _page(page: object) -> Stepper:
    tree = await page.aria_snapshot(mode="ai")  # type: ignore[attr-defined]
    refs = re.findall(r'checkbox "Select order \d+"[^\n]*\[ref=(\w+)\]', tree)[:TICKS]
    return lambda number: raw_step(page, refs[number % len(refs)], picture=True)  # type: ignore[arg-type]
