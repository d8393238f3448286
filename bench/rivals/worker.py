"""What runs in a rival's environment: reads commands as JSON lines, does what they say, and answers with milliseconds.

Run as a file with the name of the rival, `playwright` or `browsergym`; it imports nothing of sitegym.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from typing import Any


class Raw:
    """The same calls through Playwright alone, without anything around them."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.loop = asyncio.new_event_loop()
        self.context: Any = None
        self.loop.run_until_complete(self._start())

    async def _start(self) -> None:
        from playwright.async_api import async_playwright

        self.playwright = await async_playwright().start()
        self.browser = await self.playwright.chromium.launch(executable_path=self.options["executable"])

    def reset(self, place: dict[str, Any], picture: bool) -> float:
        """A fresh context with the first tree (and picture)."""
        return self.loop.run_until_complete(self._timed(self._reset(place, picture)))

    async def _reset(self, place: dict[str, Any], picture: bool) -> None:
        if self.context is not None:
            await self.context.close()
        width, height = self.options["viewport"]
        proxy: Any = {"server": place["proxy"], "bypass": "<-loopback>"}
        self.context = await self.browser.new_context(viewport={"width": width, "height": height}, proxy=proxy)
        await self.context.add_cookies(place["cookies"])
        self.page = await self.context.new_page()
        await self.page.goto(place["url"])
        self.tree = await self.page.aria_snapshot(mode="ai")
        if picture:
            await self.page.screenshot()

    def targets(self, role: str, pattern: str) -> int:
        """How many elements there are to click."""
        self.refs = re.findall(rf'- {role} "{pattern}"[^\n]*?\[ref=(\w+)\]', self.tree)
        return len(self.refs)

    def click(self, number: int, picture: bool) -> float:
        """A click, then the tree (and the picture)."""
        return self.loop.run_until_complete(self._timed(self._click(self.refs[number], picture)))

    async def _click(self, ref: str, picture: bool) -> None:
        await self.page.locator(f"aria-ref={ref}").click()
        self.tree = await self.page.aria_snapshot(mode="ai")
        if picture:
            await self.page.screenshot()

    async def _timed(self, work: Any) -> float:
        begun = time.perf_counter()
        await work
        return (time.perf_counter() - begun) * 1000

    def stop(self) -> None:
        """Close the browser."""
        self.loop.run_until_complete(self.browser.close())
        self.loop.run_until_complete(self.playwright.stop())


class Gym:
    """BrowserGym's `BrowserEnv` with an open-ended task; `options["waits"]` false sets its two waits to 0."""

    def __init__(self, options: dict[str, Any]) -> None:
        import logging

        logging.disable(logging.WARNING)
        self.options = options
        from browsergym.utils.obs import flatten_axtree_to_str

        self.write: Any = flatten_axtree_to_str
        self.env: Any = None
        self.proxy = ""

    def reset(self, place: dict[str, Any], picture: bool) -> float:
        """`env.reset`; the environment itself is made anew where the proxy is another one."""
        if self.env is None or self.proxy != place["proxy"]:
            self._make(place)
        self.place.clear()
        self.place.update(place)
        begun = time.perf_counter()
        self.seen, _ = self.env.reset(seed=0)
        self.tree = self.write(self.seen["axtree_object"])
        return (time.perf_counter() - begun) * 1000

    def _make(self, place: dict[str, Any]) -> None:
        from browsergym.core.env import BrowserEnv
        from browsergym.core.task import AbstractBrowserTask

        if self.env is not None:
            self.env.close()
        self.place = place_now = dict(place)
        self.proxy = place["proxy"]

        class Visit(AbstractBrowserTask):  # type: ignore[misc]  # where BrowserGym is not installed
            """Open a page."""

            def setup(self, page: Any) -> tuple[str, dict[str, Any]]:
                """Sign in and go there."""
                page.context.add_cookies(place_now["cookies"])
                page.goto(place_now["url"])
                return "look", {}

            def validate(self, page: Any, chat_messages: Any) -> tuple[float, bool, str, dict[str, Any]]:
                """Nothing is asked."""
                return 0.0, False, "", {}

        width, height = self.options["viewport"]
        waits: dict[str, Any] = {} if self.options["waits"] else {"slow_mo": 0, "pre_observation_delay": 0}
        self.env = BrowserEnv(
            Visit,
            viewport={"width": width, "height": height},
            pw_chromium_kwargs={"executable_path": self.options["executable"]},
            pw_context_kwargs={"proxy": {"server": place["proxy"], "bypass": "<-loopback>"}},
            **waits,
        )

    def targets(self, role: str, pattern: str) -> int:
        """How many elements there are to click."""
        nodes = self.seen["axtree_object"]["nodes"]
        self.bids = [
            node["browsergym_id"]
            for node in nodes
            if node.get("browsergym_id")
            and node.get("role", {}).get("value") == role
            and re.fullmatch(pattern, node.get("name", {}).get("value", ""))
        ]
        return len(self.bids)

    def click(self, number: int, picture: bool) -> float | None:
        """`env.step`; its observation always has the picture. None where its click ran into its own 500 ms."""
        begun = time.perf_counter()
        self.seen, *_ = self.env.step(f"click('{self.bids[number]}')")
        self.tree = self.write(self.seen["axtree_object"])
        took = (time.perf_counter() - begun) * 1000
        error = self.seen["last_action_error"]
        if error and "Timeout 500ms" not in error:
            raise RuntimeError(error)
        return None if error else took

    def stop(self) -> None:
        """Close the browsers."""
        if self.env is not None:
            self.env.close()


def main() -> None:
    """Answer one line for each line, until there are no more."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a rival prints is no answer
    rival: Any = None
    for line in sys.stdin:
        command = json.loads(line)
        try:
            if command["do"] == "start":
                rival = {"playwright": Raw, "browsergym": Gym}[sys.argv[1]](command["options"])
                answer: Any = True
            else:
                answer = getattr(rival, command["do"])(*command["with"])
            answers.write(json.dumps({"answer": answer}) + "\n")
        except Exception as error:
            answers.write(json.dumps({"error": f"{type(error).__name__}: {error}"}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
