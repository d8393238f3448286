"""An episode with all it needs from one call: a world of its own, in the browser and world server of the process."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import TYPE_CHECKING, Any, TypeVar

from ..sites.known import check_world
from ..sites.world.runtime import Runtime, as_runtime
from .arguments import check_browser, check_options
from .async_episode import AsyncEpisode
from .episode import Episode
from .shared import hosts, servers

if TYPE_CHECKING:
    from .host import BrowserHost

Face = TypeVar("Face", Episode, AsyncEpisode)


class open_episode:
    """A world of `data`, `data_seed` and `site` with a browser at it, ready for `reset(task)`.

    `with open_episode(data="tiny") as episode:` gives an `Episode`, `async with` an `AsyncEpisode`, and
    `episode = await open_episode(data="tiny")` one that lives until `await episode.close()`, as notebooks like it.
    `browser` is an executable, or a `BrowserHost` of yours; `headless=False` shows the window; `runtime` says where the
    world runs (`process`, `docker`, `remote`, or a `Runtime`). All other arguments (`observations`, `viewport`,
    `max_steps` …) are those of `Episode`.
    """

    def __init__(
        self,
        *,
        site: str = "store",
        data: str = "base",
        data_seed: int = 1,
        browser: str | BrowserHost | None = None,
        headless: bool = True,
        runtime: str | Runtime | None = None,
        database: str | None = None,
        **options: Any,
    ) -> None:
        self._runtime = as_runtime(runtime, database)
        check_world(site, data, data_seed)
        check_browser(browser)
        check_options(options, open_episode, Episode)
        self._world: dict[str, Any] = {"site": site, "data": data, "seed": data_seed}
        self._browser = browser
        self._headless = headless
        self._options = options
        self._given: Episode | AsyncEpisode | None = None

    def _open(self, face: type[Face]) -> Face:
        own = self._browser is None or isinstance(self._browser, str)
        server = servers.take(self._runtime, self._runtime)
        host: Any = self._browser
        if own:
            host = hosts.take((self._headless, self._browser), self._headless, self._browser)
        try:
            world = server.open(**self._world)
            try:
                episode = face(host, world, **self._options)
            except BaseException:
                world.close()
                raise
        except BaseException:
            servers.give_back(server)
            if own:
                hosts.give_back(host)
            raise

        def give_back() -> None:
            world.close()
            servers.give_back(server)
            if own:
                hosts.give_back(host)

        episode.on_close = give_back
        self._given = episode
        return episode

    def __enter__(self) -> Episode:
        return self._open(Episode)

    def __exit__(self, *_: object) -> None:
        assert isinstance(self._given, Episode)
        self._given.close()

    def __await__(self) -> Generator[Any, None, AsyncEpisode]:
        return asyncio.to_thread(self._open, AsyncEpisode).__await__()

    async def __aenter__(self) -> AsyncEpisode:
        return await self

    async def __aexit__(self, *_: object) -> None:
        assert isinstance(self._given, AsyncEpisode)
        await self._given.close()
