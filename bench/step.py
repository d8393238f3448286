"""A step on the orders grid with 100 rows: click, settle, tree and picture, beside the same raw Playwright calls."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from sitegym.envs import actions
from sitegym.envs.capture import decode

from ._processes import spent_ms
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
    spent = [
        _spent(lambda run: episode.act(actions.click(ours[run % TICKS]))),
        _spent(lambda run: place.host.run(raw_step(page, theirs[run % TICKS], "screenshot" in kinds))),
    ]
    place.host.run(context.close())
    episode.close()
    what = f"step on a 100-row grid: click, settle, {' and '.join(kinds)}"
    return [
        measured(what, "ms", mine, raw, "locator.click, aria_snapshot" + (", screenshot" * ("screenshot" in kinds))),
        *(
            Row(what=f"  of it {name}", unit="ms", median=phases[name], runs=RUNS)
            for name in ("browser", "site", "observe")
        ),
        *(
            Row(what=f"  processor time, {who}", unit="ms", median=spent[0][who], runs=RUNS, beside=spent[1][who])
            for who in ("page", "browser", "protocol", "site", "ours")
            if spent[0]
        ),
        *([_decoding(place)] if "screenshot" in kinds else []),
    ]


def _spent(step: Callable[[int], object]) -> dict[str, float]:
    """Milliseconds of processor time of a step, by who spends them; nothing where the system does not say."""
    if not Path("/proc/self/stat").is_file():
        return {}
    before = spent_ms()
    for run in range(RUNS):
        step(run)
    after = spent_ms()
    return {who: (after[who] - before[who]) / RUNS for who in after}


def _decoding(place: Shop) -> Row:
    """How long Python takes to unpack a picture."""

    async def packed() -> str:
        context, page = await place.plain_page(GRID)
        session = await context.new_cdp_session(page)
        answer = await session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
        await context.close()
        return str(answer["data"])

    data = place.host.run(packed())
    return measured("  of ours, decoding the picture", "ms", [timed(lambda: decode(data)) for _ in range(RUNS)])


async def raw_step(page: Page, ref: str, picture: bool) -> None:
    """The same with Playwright alone."""
    await page.locator(f"aria-ref={ref}").click()
    await page.aria_snapshot(mode="ai")
    if picture:
        await page.screenshot()
