"""Giant inputs, tabs without number, and pages that never come to rest: refused, cut or given up, and graded."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from lab_site import HOME
from sitegym.envs import param, session, tabs
from sitegym.errors import EnvironmentFault
from sitegym.sites.world import World
from visiting import Visitor

from .attacks import attack
from .conftest import Agent

MEGABYTE = 1_000_000


def nested(depth: int) -> list[object]:
    """A list in a list, so deep."""
    found: list[object] = []
    for _ in range(depth):
        found = [found]
    return found


@attack(
    "giants",
    tried="10 MB of text to type, to press, to search, to navigate to; as an action that can't be read; as names of "
    "things",
    against="a text of an action has 100,000 characters at most; messages quote the beginning only",
    trace="the step's error",
)
def test_no_action_is_larger_than_a_page_can_take(lab: Agent) -> None:
    giant = "x" * 10 * MEGABYTE
    field = lab.now.find("textbox", "Text")
    moves = [
        {"action": "type", "ref": field, "text": giant},
        f'type("{field}", "{giant}")',
        {"action": "keyboard_type", "text": giant},
        {"action": "press", "key": giant},
        {"action": "navigate", "url": f"/?q={giant}"},
        {"action": "click", "ref": giant},
        {"action": giant},
        giant,
        "(" * MEGABYTE,
        {"action": "read_download", "name": giant},
        {"action": "upload", "ref": field, "files": [giant]},
        {"action": "wait", "ms": int("9" * 1000)},
        {"action": "finish", "answer": nested(100_000)},
        f"finish(answer={'[' * 100_000}",
        {"action": "finish", "answer": giant},
        {"action": "finish", "answer": [giant]},
        {"action": "finish", "outcome": giant},
    ]
    for move in moves:
        now = lab.act(move)
        assert now.error, str(move)[:60]
        assert len(now.error) < 5000, str(move)[:60]
    assert len(lab.now.axtree) < 5000
    lab.rests()


@attack(
    "giants",
    tried="the longest text that an action takes, typed into a field and sent; 5 MB and 40 MB in one request",
    against="a site takes 4 MB a request, the world's port 32 MB",
    trace="damage in the verdict for what was taken; the refused request for what was not",
)
def test_what_a_field_takes_is_kept_and_graded(lab: Agent, lab_world: World) -> None:
    text = "y" * param.LONGEST
    lab.on("type", "textbox", "Text", text=text)
    assert lab.now.error == ""
    assert len(lab.now.axtree) < 20_000, "what an agent is shown is cut"
    lab.on("click", "button", "Add")
    assert f"({param.LONGEST})" in lab.now.axtree
    for size in (5, 40):
        with Visitor(lab_world, "lab.localhost") as visitor, suppress(OSError):  # it hangs up on who goes on sending
            assert visitor.ask("POST", "/notes", {"text": "z" * size * MEGABYTE}).status == 413
    verdict = lab.episode.finish()
    assert verdict.reward == 0.0
    assert [dict(one.new)["text"] for one in verdict.damage] == [text]  # type: ignore[call-overload]
    assert sum(": 413," in line for line in lab.refused) == 2


@attack(
    "giants",
    tried="requests with headers and addresses of half a megabyte, a hundred thousand parameters, ten thousand fields",
    against="the port refuses headers beyond its limit; forms have a limit of fields and of size",
    trace="each among the world's refused requests",
)
def test_no_request_breaks_the_world(shop_world: World) -> None:
    shop_world.reset()
    for method, path, fields, headers in (
        ("GET", f"/orders?q={'q' * 500_000}", None, {}),
        ("GET", "/orders", None, {"X_Giant": "h" * 500_000}),
        ("GET", "/" + "/".join(["a"] * 50_000), None, {}),
        ("POST", "/login", {f"f{number}": "1" for number in range(10_000)}, {}),
        ("POST", "/login", {"email": "e" * 5 * MEGABYTE}, {}),
    ):
        with Visitor(shop_world, "admin.shop.localhost") as visitor:
            answer = visitor.ask(method, path, fields, **headers)
            assert answer.status in (303, 400, 403, 404, 413, 414, 431)
            assert len(answer.headers.get("location", "")) < 5000
    with Visitor(shop_world, "admin.shop.localhost", "owner") as visitor:
        assert visitor.ask("GET", "/orders").status == 200
    assert shop_world.errors() == []
    assert len(shop_world.refusals()) == 5


def fill_with_tabs(agent: Agent, tries: int) -> int:
    """Open tabs; how many attempts were refused."""
    return sum("tabs are open" in agent.act("new_tab()").error for _ in range(tries))


@attack(
    "giants",
    tried="opening tabs without end, by the action and by a page (200 pop-ups at a click)",
    against="a context has a limit of tabs, a document one of pop-ups in one action",
    trace="the step's error; the address among what the record tells as refused",
)
def test_tabs_have_a_limit(lab: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tabs, "MOST_TABS", 6)
    monkeypatch.setattr("sitegym.envs.travel.MOST_TABS", 6)
    assert fill_with_tabs(lab, 20) == 15
    lab.only_tab()
    lab.act({"action": "navigate", "url": f"{HOME}page/tabs"})
    lab.on("click", "button", "Go")
    assert len(lab.now.tabs) == 6
    assert any("one tab too many" in line for line in lab.refused)
    assert any("not opened by the browser" in line for line in lab.refused)
    lab.only_tab()
    lab.rests()


@pytest.mark.long
@attack(
    "giants",
    tried="10,000 tabs, one after the other",
    against="the same limit of 32",
    trace="the step's error",
)
def test_ten_thousand_tabs(lab: Agent) -> None:
    assert fill_with_tabs(lab, 10_000) == 10_000 - (tabs.MOST_TABS - 1)
    lab.rests()


@attack(
    "giants",
    tried="a page with a timer every millisecond, for ever",
    against="each action runs a fixed span of world time; what goes on beyond it is left standing",
    trace="`settled` is false in the observation",
)
def test_timers_without_end_do_not_hold_an_episode_up(lab: Agent) -> None:
    lab.act({"action": "navigate", "url": f"{HOME}page/busy"})
    lab.on("click", "button", "Go")
    assert (lab.now.error, lab.now.settled) == ("", False)
    lab.rests()


@pytest.mark.long
@attack(
    "giants",
    tried="a request that is never answered, while the page is scrolled",
    against="it is waited for up to 15 seconds, and not again by the same action",
    trace="`settled` is false in the observation; the request as under way when the database was frozen",
)
def test_a_request_without_an_answer_does_not_hold_an_episode_up(lab: Agent) -> None:
    lab.act({"action": "navigate", "url": f"{HOME}page/held"})
    lab.on("click", "button", "Go")
    assert (lab.now.error, lab.now.settled) == ("", False)
    lab.act({"action": "scroll", "direction": "down"})
    lab.rests()
    assert "1 request was under way" in lab.refused[-1]
    lab.episode.world.call("notes.add", actor="owner", text="go on")


@attack(
    "giants",
    tried="a script that never returns, and clicks at its page",
    against="it is given up after a minute as a fault of the page's: no reward, and the next episode begins",
    trace="the fault `page_hangs` in the record",
)
def test_a_script_without_end_is_a_fault_and_no_reward(lab: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    lab.act({"action": "navigate", "url": f"{HOME}page/loop"})
    monkeypatch.setattr(session, "ACT_S", 1.0)
    with pytest.raises(EnvironmentFault) as fault:
        lab.on("click", "button", "Go")
    assert fault.value.cause == "page_hangs"
    assert (lab.episode.done, lab.episode.verdict) == (True, None)
    monkeypatch.undo()
    again = Agent(lab.episode, lab.task)
    again.rests()


@attack(
    "giants",
    tried="lists with the largest pages, sorts and filters that the shop takes, and far larger ones",
    against="pages have a limit of rows; an observation has one of tokens, with a mark where it is cut",
    trace="the server's record of views",
)
def test_no_list_is_larger_than_a_page(shop: Callable[..., Agent]) -> None:
    agent = shop("owner")
    for query in (
        "size=100000",
        "size=-1",
        "page=999999999999999999999",
        "page=-5",
        f"f={'number:contains:1&f=' * 300}x",
    ):
        agent.act({"action": "navigate", "url": f"/orders?{query}"})
        assert agent.now.error == ""
        assert len(agent.now.axtree) < 60_000
    assert all((view.size or 0) <= 500 for view in agent.episode.world.views())
    agent.rests()
