"""Make the documentation's pictures anew, with the product itself: `python docs/pictures.py`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image, ImageSequence
from playwright.sync_api import Browser, sync_playwright
from sitegym import tasks
from sitegym.envs import actions
from sitegym.envs.discovery import launch_options
from sitegym.envs.episode import Episode
from sitegym.envs.host import BrowserHost
from sitegym.envs.kinds import KINDS, plain
from sitegym.sites.world import WorldServer
from sitegym.sweeps import evaluate

IMAGES = Path(__file__).parent / "images"
SCREENS = {"shopadmin": "/orders", "dashboard": "/", "reviews": "/reviews", "products": "/products"}
TASK = "store.admin/cancel-order"
OF_OVERVIEW = tuple(
    f"store.admin/{name}" for name in ("cancel-order", "orders-by-status", "order-field", "add-tracking")
)
SIZE = (1280, 800)
OBSERVED = Path(__file__).parent / "observed"
SCREEN = "/orders/102500"
LINES = 24
BEGIN = dict.fromkeys(KINDS, "Order 102500") | {
    "axtree_changes": "", "axtree_interactive": '"Invoice"', "boxes": '"f2e105"',
}  # fmt: skip
"""Where the excerpt of a text begins: navigation and top bar are the same on every screen."""


def main() -> None:
    """Screens of the shop, a report's episode, and the end of a demo."""
    observations()
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options(headless=True))
        screens(browser)
        report(browser, Path(scratch))
        overview(browser, Path(scratch))
        browser.close()
        demo(Path(scratch))


def observations() -> None:
    """Each kind of observation on the same screen, and what a click changes on it."""
    with BrowserHost() as host, WorldServer() as server, server.open(data="base") as world:
        episode = Episode(host, world, observations=tuple(KINDS), viewport=SIZE)
        episode.reset(tasks.task(TASK, 0))
        seen = episode.act(actions.navigate(SCREEN))
        for kind in KINDS:
            if kind != "axtree_changes":
                write(kind, plain(seen, kind))
        changed = episode.act(actions.click(seen.find("button", "Hold")))
        write("axtree_changes", changed.axtree_changes)
        episode.close()


def write(kind: str, value: Any) -> None:
    """A picture as it is; of a text the lines from where it says something of this screen."""
    if KINDS[kind].form == "picture":
        Image.fromarray(value).save(IMAGES / f"observed-{kind}.png", optimize=True)
        return
    text = value.replace('],"', '],\n"') if KINDS[kind].form == "json" else value
    lines = text.split("\n")
    begin = next((index for index, line in enumerate(lines) if BEGIN[kind] in line), 0)
    shown = [*["…"] * bool(begin), *lines[begin : begin + LINES], *["…"] * (len(lines) > begin + LINES)]
    (OBSERVED / f"{kind}.txt").write_text("\n".join(shown) + "\n")


def screens(browser: Browser) -> None:
    """The shop as a manager sees it."""
    with WorldServer() as server, server.open(data="base") as world:
        proxy = {"server": world.address, "bypass": "<-loopback>"}
        context = browser.new_context(viewport=dict(zip(("width", "height"), SIZE, strict=True)), proxy=proxy)
        context.add_cookies([world.sign_in("manager").for_browser()])
        page = context.new_page()
        for name, path in SCREENS.items():
            page.goto(f"http://admin.shop.localhost{path}")
            page.screenshot(path=IMAGES / f"{name}.png")
        context.close()


def report(browser: Browser, scratch: Path) -> None:
    """An oracle's episode, at the step where it chooses the reason."""
    run = evaluate(agents=("oracle",), tasks=TASK, instances=2, workers=1, out=scratch / "run", quiet=True)
    done = [line for line in (run.path / "results.jsonl").read_text().splitlines() if '"outcome": "DONE"' in line]
    number = 0 if done and "-0-oracle" in done[0] else 1
    page = browser.new_page(viewport={"width": SIZE[0], "height": 1000})
    page.goto((run.path / "report" / "episodes" / f"store.admin.cancel-order-{number}-oracle.html").as_uri() + "#3")
    page.locator("#overlay .d-box").wait_for()
    page.screenshot(path=IMAGES / "report.png")
    page.close()


def overview(browser: Browser, scratch: Path) -> None:
    """The top of a report: three agents on a few templates."""
    run = evaluate(
        agents=("oracle", "random", "noop"), tasks=OF_OVERVIEW, instances=3, workers=1, data="tiny", max_steps=12,
        screenshots=False, out=scratch / "overview", quiet=True,
    )  # fmt: skip
    page = browser.new_page(viewport={"width": SIZE[0], "height": 1000})
    page.goto(run.report.resolve().as_uri())
    page.locator("#episodes tbody tr").first.wait_for()
    page.screenshot(path=IMAGES / "report-overview.png")
    page.close()


def demo(scratch: Path) -> None:
    """The last frame of a filmed demo."""
    film = scratch / "film.gif"
    command = [sys.executable, "-m", "sitegym", "demo", TASK, "--headless", "--close", "--pace", "fast"]
    subprocess.run([*command, "--record", str(film), "--out", str(scratch / "demo")], check=True)
    with Image.open(film) as frames:
        last = [frame.convert("RGB") for frame in ImageSequence.Iterator(frames)][-1]
    last.save(IMAGES / "demo.png")


if __name__ == "__main__":
    main()
