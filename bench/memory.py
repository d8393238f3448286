"""Memory of a further parallel episode in the same browser: proportional set size of everything that belongs to it.

Everything is the browser's processes, the driver, the world server, Python, and the share of what is made ahead. Beside
it stand plain contexts of Playwright that show the same page, in a browser with our flags and in one with Playwright's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from sitegym.envs import actions
from sitegym.envs.host import FLAGS, BrowserHost
from sitegym.sites.world.client import World, WorldServer

from ._processes import used_mb
from ._shop import Shop, task
from .step import GRID
from .table import Row

EPISODES = 6
PAGES = {"the list of orders": "/orders", "the same with 100 rows": GRID}
REST_S = 3.0
"""An agent thinks for so long before memory is read: the browser clears up meanwhile."""

Opener = Callable[[World], Awaitable[Callable[[], Awaitable[None]]]]


def main() -> list[Row]:
    """With 1 and with more episodes, beside as many raw contexts."""
    if not Path("/proc/self/smaps_rollup").is_file():
        return []  # only Linux says how memory is shared
    rows = []
    for name, path in PAGES.items():
        first, ours = _measured(_episode, path)
        _, same = _measured(_plain, path)
        _, stock = _measured(_plain, path, flags=())
        rows += [
            Row(what=f"first episode, at {name}, with browser, world server and Python", unit="MB", median=first),
            Row(
                what="  each further episode in the same browser", unit="MB", median=ours, runs=EPISODES,
                beside=stock, beside_what="raw contexts, Playwright's flags",
            ),
            Row(what="  raw contexts in a browser with our flags", unit="MB", median=same, runs=EPISODES),
        ]  # fmt: skip
    return rows


def _measured(
    opener: Callable[[BrowserHost, WorldServer, str], Opener], path: str, flags: Sequence[str] = FLAGS
) -> tuple[float, float]:
    """Memory with the first, and what each further one adds."""
    with WorldServer() as server, BrowserHost(flags=flags) as host:
        worlds = [server.open(data="base") for _ in range(EPISODES + 1)]
        return host.call(_counted(opener(host, server, path), worlds))


async def _counted(opened: Opener, worlds: Sequence[World]) -> tuple[float, float]:
    close = [await opened(worlds[0])]
    await asyncio.sleep(REST_S)
    first = used_mb()
    close += [await opened(world) for world in worlds[1:]]
    await asyncio.sleep(REST_S)
    each = (used_mb() - first) / EPISODES
    for one in close:
        await one()
    return first, each


def _episode(host: BrowserHost, server: WorldServer, path: str) -> Opener:
    async def opened(world: World) -> Callable[[], Awaitable[None]]:
        episode = Shop(host, server, world).episode("axtree", "screenshot").core
        await episode.reset(task())
        await episode.act(actions.navigate(path))
        return episode.close

    return opened


def _plain(host: BrowserHost, server: WorldServer, path: str) -> Opener:
    async def opened(world: World) -> Callable[[], Awaitable[None]]:
        context, page = await Shop(host, server, world).plain_page("/")
        await page.aria_snapshot(mode="ai")
        await page.goto(page.url.rstrip("/") + path)
        await page.aria_snapshot(mode="ai")
        await page.screenshot()
        return context.close

    return opened
