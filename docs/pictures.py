"""Make the documentation's pictures anew, with the product itself: `python docs/pictures.py`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageSequence
from playwright.sync_api import Browser, sync_playwright
from sitegym.envs.discovery import launch_options
from sitegym.sites.world import WorldServer
from sitegym.sweeps import evaluate

IMAGES = Path(__file__).parent / "images"
SCREENS = {"shopadmin": "/orders", "dashboard": "/", "reviews": "/reviews", "products": "/products"}
TASK = "store.admin/cancel-order"
SIZE = (1280, 800)


def main() -> None:
    """Screens of the shop, a report's episode, and the end of a demo."""
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options(headless=True))
        screens(browser)
        report(browser, Path(scratch))
        browser.close()
        demo(Path(scratch))


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
