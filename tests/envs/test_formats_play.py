"""Models of all vendors play the real shop, each in its own language: the same deed, the same page."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest
from sitegym import tasks
from sitegym.envs import formats
from sitegym.envs.async_episode import AsyncEpisode
from sitegym.envs.episode import Episode
from sitegym.envs.formats import FORMATS, View
from sitegym.envs.host import BrowserHost
from sitegym.sites.world.client import World, WorldServer

from .format_cases import BG, G25, MCP, NEW, OLD, SAME, SET, TABS, ZOOM, call_of

KINDS = ("axtree", "screenshot", "boxes")
WORD = "ridge"
CANCEL = "store.admin/cancel-order"


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with WorldServer() as server, server.open(data="tiny") as world:
        yield world


@pytest.fixture(scope="module")
def episode(host: BrowserHost, world: World) -> Iterator[Episode]:
    episode = Episode(host, world, observations=KINDS)
    yield episode
    episode.close()


def begin(episode: Episode) -> tuple[View, str]:
    """The start page, and the search field on it."""
    seen = episode.reset(tasks.task(CANCEL, 0, data="tiny"))
    return View(observation=seen), seen.find("combobox", "Search everything")


def search(name: str, view: View, ref: str) -> list[tuple[str, dict[str, Any]]]:
    """Calls that click the search field, type a word and press Enter."""
    x, y = view.middle(ref)
    on_grid = {"x": -(-x * 1000 // view.viewport[0]), "y": -(-y * 1000 // view.viewport[1])}
    calls: dict[str, list[tuple[str, dict[str, Any]]]] = {
        NEW: [("click", on_grid), ("type", {"text": WORD, "press_enter": True})],
        G25: [("type_text_at", on_grid | {"text": WORD})],
        MCP: [("browser_type", {"target": ref, "text": WORD, "submit": True})],
        TABS: [
            ("left_click", {"target": {"type": "ref", "ref": ref}}),
            ("type", {"text": WORD}), ("key", {"text": "Return"}),
        ],
        BG: [("fill", {"bid": ref, "value": WORD}), ("press", {"bid": ref, "key_comb": "Enter"})],
    }  # fmt: skip
    for openai in SAME:
        calls[openai] = [
            ("click", {"button": "left", "x": x, "y": y}), ("type", {"text": WORD}), ("keypress", {"keys": ["ENTER"]})
        ]  # fmt: skip
    for anthropic in (OLD, ZOOM, SET):
        calls[anthropic] = [
            ("left_click", {"coordinate": [x, y]}),
            ("type", {"text": WORD}),
            ("key", {"text": "Return"}),
        ]
    return calls[name]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] if n % 3 else []) for n, name in enumerate(FORMATS)]
)
def test_every_vendor_s_model_reaches_the_same_page(name: str, episode: Episode) -> None:
    view, field = begin(episode)
    for member, arguments in search(name, view, field):
        answer, view = formats.play(episode, FORMATS[name], call_of(FORMATS[name], member, arguments), view)
        assert view.observation.error == ""
        assert answer
    assert WORD in view.observation.url
    assert view.observation.find("heading", "Search results")


def test_only_actions_cost_steps_and_a_wrong_call_is_one(episode: Episode) -> None:
    view, _ = begin(episode)
    left = view.observation.steps_left
    form = FORMATS[OLD]
    answer, view = formats.play(episode, form, call_of(form, "screenshot", {}), view)
    assert view.observation.steps_left == left
    answer, view = formats.play(episode, form, call_of(form, "left_click", {"coordinate": [5000, 0]}), view)
    assert view.observation.steps_left == left - 1
    assert "lies outside the picture" in answer["content"][0]["text"]


def test_a_batch_stops_where_the_page_refuses(episode: Episode) -> None:
    view, field = begin(episode)
    left = view.observation.steps_left
    text = f"hover('e99999')\nfill({field!r}, 'never')"
    answer, view = formats.play(episode, FORMATS[BG], text, view)
    assert "e99999" in answer["last_action_error"]
    assert view.observation.steps_left == left - 1


def test_finish_ends_the_episode_and_leaves_nothing_to_send(episode: Episode) -> None:
    view, _ = begin(episode)
    block = {"type": "tool_use", "id": "t", "name": "finish", "input": {"outcome": "NOT_ALLOWED"}}
    answer, _ = formats.play(episode, FORMATS[TABS], block, view)
    assert answer is None
    assert episode.done
    assert episode.outcome == "NOT_ALLOWED"


def test_both_rounds_are_one_function_but_for_waiting() -> None:
    def body(function: object) -> str:
        text = inspect.getsource(function).partition('"""')[2].partition('"""')[2]  # type: ignore[arg-type]
        return text.replace("await ", "")

    assert body(formats.play) == body(formats.play_async)
    assert {"act", "observe", "done", "observations"} <= set(dir(AsyncEpisode)) | {"done", "observations"}
