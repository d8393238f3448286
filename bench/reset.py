"""A reset: the world at its baseline, a fresh context, signed in, the start page settled and observed."""

from __future__ import annotations

from sitegym.envs import actions

from ._shop import Shop, shop, task, timed, timed_async
from .table import Row, measured

RUNS = 25


def main() -> list[Row]:
    """With a context made ahead during the episode before, and back to back, beside raw Playwright calls."""
    with shop() as place:
        episode = place.episode("axtree")
        episode.reset(task())
        ready, plain = [], []
        for run in range(RUNS):
            episode.act(actions.wait(1))
            episode.wait_ready()
            ready.append(timed(lambda seed=run: episode.reset(task(seed))))  # type: ignore[misc]
            plain.append(place.host.run(timed_async(_raw(place))))
        hurried = [timed(lambda seed=run: episode.reset(task(seed))) for run in range(RUNS)]  # type: ignore[misc]
        episode.close()
        return [
            measured("reset and first observation", "ms", ready, plain, "new context, goto, aria_snapshot"),
            measured("the same, back to back (no time to prepare)", "ms", hurried),
        ]


async def _raw(place: Shop) -> None:
    context, page = await place.plain_page("/")
    await page.aria_snapshot(mode="ai")
    await context.close()
