"""A step on the orders grid with 100 rows: click, settle, tree and picture, beside the same raw Playwright calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitegym.envs import actions

from ._shop import Shop, shop, task, timed, timed_async
from .table import Row, measured

if TYPE_CHECKING:
    from playwright.async_api import Page

GRID = "/orders?size=100"
RUNS = 40
TICKS = 15
"""Rows whose ticks are clicked in turn; they are in the window without scrolling."""


def main() -> list[Row]:
    """With and without the picture, alternating with the raw calls, and where the time of a step goes."""
    with shop() as place:
        rows = []
        for kinds in (("axtree",), ("axtree", "screenshot")):
            rows += _steps(place, kinds)
        return rows


def _steps(place: Shop, kinds: tuple[str, ...]) -> list[Row]:
    episode = place.episode(*kinds)
    episode.reset(task())
    ours = episode.act(actions.navigate(GRID)).find_all("checkbox", re.compile("^Select order"))[:TICKS]
    context, page = place.host.run(place.plain_page(GRID))
    theirs = re.findall(
        r'checkbox "Select order \d+"[^\n]*\[ref=(\w+)\]', place.host.run(page.aria_snapshot(mode="ai"))
    )
    begun = dict(episode.timings)
    mine, raw = [], []
    for run in range(RUNS):
        raw.append(place.host.run(timed_async(raw_step(page, theirs[run % TICKS], "screenshot" in kinds))))
        mine.append(timed(lambda ref=ours[run % TICKS]: episode.act(actions.click(ref))))  # type: ignore[misc]
    phases = {name: (seconds - begun[name]) * 1000 / RUNS for name, seconds in episode.timings.items()}
    place.host.run(context.close())
    episode.close()
    what = f"step on a 100-row grid: click, settle, {' and '.join(kinds)}"
    return [
        measured(what, "ms", mine, raw, "locator.click, aria_snapshot" + (", screenshot" * ("screenshot" in kinds))),
        *(
            Row(what=f"  of it {name}", unit="ms", median=phases[name], runs=RUNS)
            for name in ("browser", "site", "observe")
        ),
    ]


async def raw_step(page: Page, ref: str, picture: bool) -> None:
    """The same with Playwright alone."""
    await page.locator(f"aria-ref={ref}").click()
    await page.aria_snapshot(mode="ai")
    if picture:
        await page.screenshot()
