"""What the benchmarks of the environment share: the shop, an episode on it, the same page through Playwright alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sitegym import tasks
from sitegym.envs.episode import Episode
from sitegym.envs.host import BrowserHost
from sitegym.sites.world.client import World, WorldServer

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page

TASK = "store.admin/cancel-order"
ADMIN = "http://admin.shop.localhost"
VIEWPORT = (1280, 800)


@dataclass(frozen=True)
class Shop:
    """A browser and a world with the data set `base`."""

    host: BrowserHost
    server: WorldServer
    world: World

    def episode(self, *observations: str, max_steps: int = 100_000) -> Episode:
        """An episode on it, not begun yet."""
        return Episode(self.host, self.world, observations=observations, viewport=VIEWPORT, max_steps=max_steps)

    async def plain_page(self, path: str) -> tuple[BrowserContext, Page]:
        """A signed-in page in a context as Playwright makes it, without anything of ours."""
        context = await self.host.browser.new_context(
            viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]},
            proxy={"server": self.world.address, "bypass": "<-loopback>"},
        )
        await context.add_cookies([self.world.sign_in("manager").for_browser()])  # type: ignore[list-item]
        page = await context.new_page()
        await page.goto(ADMIN + path)
        return context, page


@contextmanager
def shop() -> Iterator[Shop]:
    """Open browser and world, and close them afterwards."""
    with WorldServer() as server, BrowserHost() as host, server.open(data="base") as world:
        yield Shop(host, server, world)


def task(seed: int = 0) -> Any:
    """The task that the episodes are about; which one hardly matters."""
    return tasks.task(TASK, seed)


def timed(work: Callable[[], object]) -> float:
    """Milliseconds that a call takes."""
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


async def timed_async(work: Coroutine[Any, Any, object]) -> float:
    """Milliseconds that a coroutine takes."""
    begun = time.perf_counter()
    await work
    return (time.perf_counter() - begun) * 1000
