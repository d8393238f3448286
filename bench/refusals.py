"""How long it takes to decide that the page does not take an action, and why: from the page's state, by no timeout."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from playwright.async_api import Error
from sitegym.envs import actions
from sitegym.envs.session import Session, prepare

from ._shop import VIEWPORT, shop, timed_async
from .table import Row, measured

if TYPE_CHECKING:
    from playwright.async_api import Route

    from ._shop import Shop

RUNS = 40
LIMIT_S = 1.0
"""What the raw calls are given before they give up; Playwright's own limit is 30 seconds."""

SITE = "http://refusals.localhost/"
PAGE = """<!doctype html><meta charset="utf-8"><title>Refusals</title>
<button id="gone">Gone</button> <button id="folded">Folded</button> <button disabled>Off</button>
<label>Fixed <input readonly></label> <label>Choice <select><option>Red</option><option>Blue</option></select></label>
<label>File <input type="file"></label>
<div style="position: relative; width: 200px"><button>Below</button>
<div role="dialog" aria-label="Veil" style="position: absolute; inset: 0; background: white"></div></div>
<button style="position: absolute; left: -500px">Away</button>
<script>document.onclick = (event) => { if (event.target.id === "gone") event.target.remove();
if (event.target.id === "folded") event.target.hidden = true; };</script>"""

CASES = {
    "unknown reference": 'click("e999")',
    "stale reference": 'click("{Gone}")',
    "hidden": 'click("{Folded}")',
    "disabled": 'click("{Off}")',
    "read-only": 'type("{Fixed}", "x")',
    "no text field": 'type("{Off}", "x")',
    "covered": 'click("{Below}")',
    "outside the window": 'click("{Away}")',
    "not a select": 'select("{Fixed}", "Red")',
    "option missing": 'select("{Choice}", "Green")',
    "file not offered": 'upload("{File}", "a.txt")',
    "address outside the world": 'navigate("http://example.com/")',
    "key that does not exist": 'press("Retrun")',
}


def main(quick: bool = False) -> list[Row]:
    """Each kind of refusal by itself, and a click on a disabled button beside Playwright's own."""
    with shop() as place:
        rows: list[Row] = place.host.run(_measure(place, 3 if quick else RUNS))
        return rows


async def _measure(place: Shop, runs: int) -> list[Row]:
    session = Session(
        await prepare(place.host, place.world.address, VIEWPORT), now=0, seed="", hosts=("refusals.localhost",)
    )
    await session.context.route(f"{SITE}**", _answer)
    await session.open(SITE)
    refs = {node.name: str(node.ref) for node in (await session.observe(("axtree",))).tree.walk() if node.ref}
    for name in ("Gone", "Folded"):
        await session.act(actions.click(refs[name]))
        await session.observe(("axtree",))
    rows = []
    for what, call in CASES.items():
        action = actions.parse(re.sub(r"\{(\w+)\}", lambda found: refs[found[1]], call))
        rows.append(measured(f"refusal: {what}", "ms", [await _refused(session, action) for _ in range(runs)]))
    rows.append(await _beside(session, refs["Off"], min(runs, 5)))
    await session.close()
    return rows


async def _refused(session: Session, action: actions.Action) -> float:
    """Milliseconds until an action is refused."""
    begun = time.perf_counter()
    error = await session.act(action)
    took = (time.perf_counter() - begun) * 1000
    if not error:
        raise AssertionError(f"{action} was not refused")
    return took


async def _beside(session: Session, ref: str, runs: int) -> Row:
    mine, raw = [], []
    for _ in range(runs):
        mine.append(await _refused(session, actions.click(ref)))
        raw.append(await timed_async(_raw(session, ref)))
    return measured("refusal: disabled, side by side", "ms", mine, raw, f"locator.click with a limit of {LIMIT_S:g} s")


async def _raw(session: Session, ref: str) -> None:
    try:
        await session.tabs.active.locator(f"aria-ref={ref}").click(timeout=LIMIT_S * 1000)
    except Error:
        return


async def _answer(route: Route) -> None:
    await route.fulfill(content_type="text/html", body=PAGE)
