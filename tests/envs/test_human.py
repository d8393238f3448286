"""Hands on a picture become actions: which element was meant, and what the system would have shown over the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from sitegym.agents import HumanAgent
from sitegym.envs import pointing
from sitegym.envs.observation import Observation
from sitegym.envs.pointing import About


class Desk:
    """A person and their episode on a micro page: gestures go in, actions come out and are played."""

    def __init__(self, player: Any) -> None:
        self.player = player
        self.offered: list[Mapping[str, Any]] = []
        self.gave_up = False
        self.done: list[str] = []
        self._gestures: list[dict[str, Any]] = []
        self._agent = HumanAgent(self)
        self._agent.start(self, self)  # type: ignore[arg-type]

    files: Mapping[str, Any] = {"report.txt": {"name": "report.txt", "mimeType": "text/plain", "buffer": b"five!"}}

    # ---- as the agent's person

    def gesture(self, within: float | None = None) -> dict[str, Any] | None:
        return self._gestures.pop(0) if self._gestures else None

    def offer(self, choice: Mapping[str, Any]) -> None:
        self.offered.append(choice)

    # ---- as the agent's episode

    def elements_at(self, x: float, y: float) -> list[str]:
        return self.player.host.run(pointing.elements_at(self.player.session, x, y))

    def about(self, ref: str) -> About | None:
        return self.player.host.run(pointing.about(self.player.session, ref))

    def box(self, ref: str) -> Any:
        return self.player.host.run(self.player.session.box(ref))

    def observe(self, kinds: Sequence[str]) -> Observation:
        return self.player.look(*kinds)

    def give_up(self) -> None:
        self.gave_up = True

    # ---- as the test sees it

    def at(self, role: str, name: str) -> list[int]:
        x, y, width, height = self.box(self.player.now.find(role, name))
        return [round(x + width / 2), round(y + height / 2)]

    def do(self, *gestures: dict[str, Any]) -> str:
        """Make gestures that come to one action or several; plays them, and gives the last one."""
        self._gestures += gestures
        while True:
            action = self._agent.act(self.player.now)
            if not self.gave_up:
                self.player.play(action)
                self.done.append(str(action))
            if not self._gestures and not self._agent._moves and not self._agent._kept:
                return str(action)

    def click(self, role: str, name: str, *more: dict[str, Any], count: int = 1) -> str:
        return self.do({"kind": "click", "at": self.at(role, name), "count": count}, *more)

    def said(self) -> str:
        return str(self.player.eval("document.getElementById('said').textContent"))


@pytest.fixture
def desk(player: Callable[..., Any]) -> Callable[[str], Desk]:
    return lambda page: Desk(player(page, files=Desk.files))


def test_a_click_names_the_control_under_the_mouse(desk: Callable[[str], Desk]) -> None:
    here = desk("hands")
    switch = here.player.now.find("switch", "Dark")
    assert here.click("switch", "Dark") == f'click("{switch}")'
    assert "checked" in here.player.now.element(switch).states
    here.do({"kind": "click", "at": here.at("switch", "Dark"), "count": 1, "held": ["Shift"]})
    assert here.done[-1] == f'click("{switch}", modifiers=["Shift"])'


def test_a_second_click_at_once_is_a_double_click_where_a_single_one_is_not_meant(desk: Callable[[str], Desk]) -> None:
    here = desk("hands")
    item = here.at("listitem", "Two")
    twice = [{"kind": "click", "at": item, "count": 1}, {"kind": "click", "at": item, "count": 2}]
    assert here.do(*twice) == f"mouse_click({item[0]}, {item[1]}, count=2)"  # a wide row: where may matter
    once = [{"kind": "click", "at": item, "count": 1}, {"kind": "key", "key": "Escape"}]
    assert here.do(*once) == 'press("Escape")'


def test_the_other_button_the_wheel_and_a_drag(desk: Callable[[str], Desk]) -> None:
    here = desk("hands")
    assert here.do({"kind": "context", "at": here.at("button", "Pad")}).startswith("right_click(")
    assert here.said() == "contextmenu"
    inner = {"kind": "wheel", "at": here.at("region", "Scroller"), "x": 0, "y": 120}
    assert here.do(inner).startswith('scroll("down", ref="')
    assert here.said() == "scrolled 120"
    one, three = here.at("listitem", "One"), here.at("listitem", "Three")
    drag = {"kind": "drag", "at": one, "to": three}
    assert here.do(drag) == f"mouse_drag({one[0]}, {one[1]}, {three[0]}, {three[1]})"
    assert here.said() == "Two,Three,One"


def test_letters_are_added_to_a_field_or_replace_what_is_selected_or_go_where_the_caret_is(
    desk: Callable[[str], Desk],
) -> None:
    here = desk("hands")
    story = here.player.now.find("textbox", "Story")
    text = lambda: here.player.eval("document.getElementById('text').textContent")  # noqa: E731
    here.click("textbox", "Story")
    here.do({"kind": "key", "key": "End"})
    assert here.do({"kind": "text", "text": ", a dog"}) == f'type("{story}", ", a dog", clear=false)'
    assert text() == "Once upon a time, a dog"
    here.do({"kind": "key", "key": "Home"})
    assert here.do({"kind": "text", "text": "Ô!"}) == 'keyboard_type("Ô!")'
    assert text() == "Ô!Once upon a time, a dog"
    here.do({"kind": "key", "key": "Control+a"})
    assert here.do({"kind": "text", "text": "New"}).startswith(f'type("{story}", "New"')
    assert text() == "New"


def test_a_native_select_offers_its_options(desk: Callable[[str], Desk]) -> None:
    here = desk("selects")
    native = here.player.now.find("combobox", "Native")
    chosen = here.click("combobox", "Native", {"kind": "chosen", "ref": native, "options": ["Dark blue"]})
    assert here.offered[-1]["options"] == ("Choose", "Red", "Dark blue")
    assert here.offered[-1]["chosen"] == ["Choose"]
    assert chosen == f'select("{native}", "Dark blue")'
    assert here.said() == "native b"


def test_files_are_those_of_the_task(desk: Callable[[str], Desk]) -> None:
    here = desk("hands")
    field = here.player.now.find("button", "Picture")
    sent = here.click("button", "Picture", {"kind": "chosen", "ref": field, "options": ["report.txt"]})
    assert here.offered[-1]["options"] == ["report.txt"]
    assert sent == f'upload("{field}", "report.txt")'
    assert here.said() == "report.txt 5"


def test_a_resting_mouse_hovers_once_over_a_control(desk: Callable[[str], Desk]) -> None:
    here = desk("hands")
    rest = {"kind": "hover", "at": here.at("button", "Pad")}
    here.do(rest, rest, {"kind": "key", "key": "Tab"})
    pad = here.player.now.find("button", "Pad")
    assert here.done == [f'hover("{pad}")', 'press("Tab")']
    away = {"kind": "hover", "at": here.at("heading", "Hands")}
    here.do(away, {"kind": "key", "key": "Tab"})
    assert len(here.done) == 3


def test_while_a_dialog_is_open_only_its_answer_counts(desk: Callable[[str], Desk]) -> None:
    here = desk("dialogs")
    ask = here.player.now.find_all("button")[0]
    here.player.play({"action": "click", "ref": ask})
    assert here.player.now.dialog is not None
    assert here.do({"kind": "key", "key": "a"}, {"kind": "accept", "text": None}) == "accept_dialog()"


@pytest.mark.parametrize(
    ("gesture", "action"),
    [
        ({"kind": "back"}, "back()"),
        ({"kind": "navigate", "url": "/plain"}, 'navigate("/plain")'),
        ({"kind": "new_tab"}, "new_tab()"),
        ({"kind": "switch_tab", "tab": 0}, "switch_tab(0)"),
        ({"kind": "middle", "at": [5, 7]}, 'mouse_click(5, 7, button="middle")'),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else "",
)
def test_the_browser_has_its_own_controls(gesture: dict[str, Any], action: str, desk: Callable[[str], Desk]) -> None:
    assert desk("plain").do(gesture) == action


@pytest.mark.parametrize("kind", ["give_up", "closed"])
def test_a_person_may_leave(kind: str, desk: Callable[[str], Desk]) -> None:
    here = desk("plain")
    here.do({"kind": kind})
    assert here.gave_up
