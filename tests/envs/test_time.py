"""World time: pages stand still while the agent thinks, settle after each action, and repeat to the byte."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from .conftest import PageServer, Player

Open = Callable[..., Player]


def said(player: Player) -> object:
    return player.eval("document.getElementById('said').textContent")


def press(player: Player, name: str) -> None:
    assert player.play({"action": "click", "ref": player.now.find("button", name)}).error == ""


def test_a_page_lives_in_world_time_and_stands_still_between_actions(player: Open) -> None:
    page = player("timers")
    assert "2026-03-18T10:00:00.000Z" in page.now.axtree
    page.play("wait(0)")
    first = page.eval("Date.now()")
    threading.Event().wait(0.2)
    assert page.eval("Date.now()") == first
    page.play("wait(1234)")
    assert page.eval("Date.now()") == first + 1234  # type: ignore[operator]
    page.play("reload()")
    assert "2026-03-18T10:00:01.734Z" in page.now.axtree


def test_a_toast_stays_for_its_world_time_however_long_the_agent_thinks(player: Open) -> None:
    page = player("timers")
    press(page, "Toast")
    assert said(page) == "saved"
    page.play("wait(4000)")
    assert said(page) == "saved"
    page.play("wait(600)")
    assert said(page) == "toast gone"


def test_a_debounced_search_has_its_answer_in_the_same_step(player: Open) -> None:
    page = player("timers")
    observation = page.play({"action": "type", "ref": page.now.find("textbox", "Colour"), "text": "bl"})
    assert [node.text for node in observation.elements("listitem", within="Suggestions")] == ["blue", "black"]
    assert observation.settled


def test_chains_frames_and_redirects_come_to_their_end_within_the_step(player: Open) -> None:
    page = player("timers")
    press(page, "Chain")
    assert said(page) == "chain 0"
    press(page, "Frames")
    assert said(page) == "frames 0"
    press(page, "Ticks")
    assert said(page) in ("frames 0", "tick 1")
    press(page, "Redirect")
    assert page.now.url == "http://micro.localhost/echo?from=timer"


def test_an_answer_that_takes_its_time_is_waited_for(player: Open, pages: PageServer) -> None:
    page = player("timers")
    pages.gates["late"] = threading.Event()
    threading.Timer(0.3, pages.gates["late"].set).start()
    press(page, "Late data")
    assert said(page) == "late 3"


def test_the_same_seed_and_actions_give_the_same_bytes(player: Open) -> None:
    def play(seed: str, think_s: float) -> list[tuple[str, bytes]]:
        page = player("timers", seed=seed)
        page.kinds = ("axtree", "screenshot")
        seen = []
        for action in (
            {"action": "click", "ref": page.now.find("button", "Chance")},
            {"action": "type", "ref": page.now.find("textbox", "Colour"), "text": "b"},
            {"action": "click", "ref": page.now.find("button", "Toast")},
            "wait(3000)",
            {"action": "hover", "ref": page.now.find("button", "Chain")},
            'navigate("/covered")',
        ):
            threading.Event().wait(think_s)
            now = page.play(action)
            assert isinstance(now.screenshot, np.ndarray)
            seen.append((now.axtree, now.screenshot.tobytes()))
        return seen

    first = play("one", 0.0)
    assert play("one", 0.0) == first
    assert play("one", 0.3) == first
    assert play("two", 0.0)[0][0] != first[0][0]


def test_each_picture_is_a_fresh_array(player: Open) -> None:
    page = player("plain")
    first, second = page.look("screenshot").screenshot, page.look("screenshot").screenshot
    assert first is not None
    assert second is not None
    assert first.shape == (800, 1280, 3)
    assert first.dtype == np.uint8
    assert (first == second).all()
    first[:] = 0
    assert not (second == 0).all()


def test_looking_leaves_the_page_as_it_was(player: Open) -> None:
    page = player("hands")
    page.eval("""(() => { window.changes = 0; new MutationObserver((all) => { changes += all.length; })
        .observe(document, { subtree: true, childList: true, attributes: true, characterData: true }); })()""")
    state = "[document.documentElement.outerHTML, scrollX, scrollY, document.activeElement.tagName, changes].join()"
    before = page.eval(state)
    page.look("axtree", "screenshot")
    assert page.eval(state) == before


def test_a_picture_that_comes_into_sight_is_waited_for(player: Open, pages: PageServer) -> None:
    pages.gates["picture"] = gate = threading.Event()
    page = player("lazy")
    threading.Timer(0.5, gate.set).start()
    assert page.play("scroll('down', pixels=9000)").error == ""
    seen = page.look("screenshot")
    assert seen.settled
    assert seen.screenshot is not None
    red = (seen.screenshot == np.array([255, 0, 0])).all(axis=2)
    assert red.sum() > 400 * 100
    assert not any("never" in request for request in pages.seen)
