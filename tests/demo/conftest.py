"""What the tests of demos share: a person who sits before the stage, at the other end of a DevTools connection."""

from __future__ import annotations

import json
import queue
import socket
import threading
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright
from sitegym import sites, tasks
from sitegym.agents import HumanAgent
from sitegym.demo import demo, stage
from sitegym.envs.episode import Episode
from sitegym.envs.observation import Observation
from sitegym.sites.world.baseline import baseline
from sitegym.verifiers import Snapshot

Seen = tuple[Episode, Observation]


@pytest.fixture
def canceled() -> str:
    """How the change of status is told of the order that the first instance of cancel-order names (on tiny)."""
    number = tasks.task("store.admin/cancel-order", 0, data="tiny").params["number"]
    with Snapshot(baseline("store", "tiny", 1).path, sites.get("store").metadata) as before:
        return f"{before.row('orders', number=number)['status']} → canceled"


class Person:
    """Someone at the stage: looks at its page as people do, and works it with mouse and keyboard.

    What the person knows of the episode is what the agent is given: an observation, and where things stand on it.
    """

    def __init__(self, page: Page, first: Seen, seen: queue.Queue[Seen]) -> None:
        self.page = page
        self.episode, self.now = first
        self._seen = seen

    def look(self, steps: int = 1) -> Observation:
        """What is there after so many steps more."""
        for _ in range(steps):
            self.episode, self.now = self._seen.get(timeout=30)
        return self.now

    def at(self, ref: str) -> tuple[float, float]:
        """Where the middle of an element is in the window."""
        box, frame = self.episode.box(ref), self.page.locator("#screen").bounding_box()
        assert box is not None
        assert frame is not None
        scale = frame["width"] / 1280
        return frame["x"] + (box[0] + box[2] / 2) * scale, frame["y"] + (box[1] + box[3] / 2) * scale

    def click(self, ref: str, **options: Any) -> None:
        """Click where an element is."""
        self.page.mouse.click(*self.at(ref), **options)

    def play(self, move: dict[str, Any]) -> None:
        """Do by hand what an action says, and look at what came of it."""
        match move["action"]:
            case "click" | "check":
                self.click(move["ref"])
                self.look()
            case "type":
                self.click(move["ref"])
                self.look()
                self.page.keyboard.type(move["text"])
                self.look()
                if move.get("submit"):
                    self.page.keyboard.press("Enter")
                    self.look()
            case "select":
                self.click(move["ref"])
                self.look()
                self.click(self.now.find("option", move["option"]))
                self.look()
            case "finish":
                self.page.get_by_label("Answer, where the goal asks for one").fill(move.get("answer") or "")
                self.page.get_by_label("Outcome").select_option(move.get("outcome", "DONE"))
                self.page.get_by_role("button", name="Finish").click()
            case other:
                raise AssertionError(f"no hand knows how to {other}")


class Sitting:
    """A demo that runs in a thread while a person sits before it."""

    def __init__(self, person: Person, result: list[object], thread: threading.Thread) -> None:
        self.person = person
        self._result = result
        self._thread = thread

    def end(self) -> object:
        """Wait until the demo is over; its exit code, or what it raised."""
        self._thread.join(60)
        assert self._result, "the demo goes on"
        return self._result[0]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _connect(playwright: Playwright, port: int) -> Browser:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/version", timeout=30) as answer:
        return playwright.chromium.connect_over_cdp(json.load(answer)["webSocketDebuggerUrl"])


def _first(seen: queue.Queue[Seen], result: list[object], thread: threading.Thread) -> Seen:
    """The first observation, which is there when the stage is."""
    while thread.is_alive():
        try:
            return seen.get(timeout=0.2)
        except queue.Empty:
            continue
    raise AssertionError(f"the demo ended before it began: {result}")


@pytest.fixture
def sit_down(
    playwright: Playwright, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Callable[..., Sitting]]:
    """Starts a demo for a person and sits them down before it."""
    sittings: list[tuple[Browser, threading.Thread]] = []

    def sit(task: str, **options: Any) -> Sitting:
        port, seen, result = _free_port(), queue.Queue[Seen](), list[object]()
        monkeypatch.setattr(stage, "FLAGS", (*stage.FLAGS, f"--remote-debugging-port={port}"))
        act = HumanAgent.act

        def seeing(self: HumanAgent, observation: Observation) -> object:
            seen.put((self._episode, observation))
            return act(self, observation)

        monkeypatch.setattr(HumanAgent, "act", seeing)
        given = {"agent": "human", "data": "tiny", "headless": True, "pace": 0, "quiet": True, "out": tmp_path / "run"}

        def run() -> None:
            try:
                result.append(demo(task, **{**given, **options}))
            except BaseException as error:
                result.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        # only now: whoever connects earlier is asked about each new page, and a thread that waits doesn't answer
        first = _first(seen, result, thread)
        browser = _connect(playwright, port)
        sittings.append((browser, thread))
        person = Person(browser.contexts[0].pages[0], first, seen)
        return Sitting(person, result, thread)

    yield sit
    for browser, thread in sittings:
        for page in [page for context in browser.contexts for page in context.pages]:
            page.close()
        browser.close()
        thread.join(30)
