"""What goes back to a model: pictures, words, errors and tabs in each vendor's form, and the tools it is offered."""

from __future__ import annotations

import base64
import io
import json
from typing import Any

import numpy as np
import pytest
from PIL import Image
from sitegym.envs.formats import FORMATS, InvalidAction, View
from sitegym.envs.formats.shown import MAX_TEXT
from sitegym.envs.observation import Dialog, Observation, Tab
from sitegym.errors import UsageError

from .format_cases import BG, G25, MCP, NEW, OLD, SAME, SET, TABS, ZOOM, call_of

TREE = '- main [ref=e1]:\n  - row "Total" [ref=e2]:\n    - cell "41.50" [ref=e3]\n  - button "Save" [ref=e4]'
VIEW = View(viewport=(64, 40), pointer=(3, 4))
PICTURE = np.arange(64 * 40 * 3, dtype=np.uint32).astype(np.uint8).reshape(40, 64, 3)
SEEN = Observation(
    goal="Do it",
    url="http://a.test/",
    title="A",
    tabs=(Tab("A", "http://a.test/", True), Tab("B", "http://b.test/", False)),
    axtree=TREE,
    axtree_full=TREE,
    axtree_interactive='- button "Save" [ref=e4]',
    text="Total 41.50",
    boxes={"e4": (4, 6, 20, 10)},
    screenshot=PICTURE,
)
COMPUTERS = [*SAME, OLD, ZOOM, SET, NEW, G25]


def pixels(data: str) -> np.ndarray:
    """A base64 PNG as an array."""
    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        assert image.format == "PNG"
        return np.array(image)


def picture_of(name: str, result: Any) -> np.ndarray:
    """The picture in the result of a format."""
    vendor = name.partition("/")[0]
    if vendor == "openai":
        head, _, data = result[0]["output"]["image_url"].partition(",")
        assert head == "data:image/png;base64"
        return pixels(data)
    if vendor == "gemini":
        return pixels(result["function_response"]["parts"][0]["inline_data"]["data"])
    source = next(block for block in result["content"] if block["type"] == "image")
    return pixels(source.get("data") or source["source"]["data"])


def answer(name: str, member: str, seen: Observation = SEEN, view: View = VIEW, /, **arguments: object) -> Any:
    """The result of a call, which is JSON but for BrowserGym's."""
    result = FORMATS[name].result(call_of(FORMATS[name], member, arguments), seen, view)
    if name != BG:
        json.dumps(result)
    return result


LOOK = {NEW: "take_screenshot", G25: "open_web_browser", MCP: "browser_take_screenshot"}


@pytest.mark.parametrize("name", [*COMPUTERS, TABS, MCP])
def test_a_look_shows_the_screenshot_to_the_pixel(name: str) -> None:
    member = LOOK.get(name, "screenshot")
    assert "screenshot" in FORMATS[name].needs(call_of(FORMATS[name], member, {}))
    assert np.array_equal(picture_of(name, answer(name, member)), PICTURE)


@pytest.mark.parametrize("name", COMPUTERS)
def test_a_smaller_picture_is_sent_where_the_model_is_to_have_one(name: str) -> None:
    small = View(viewport=(64, 40), picture=(32, 20))
    assert picture_of(name, answer(name, LOOK.get(name, "screenshot"), SEEN, small)).shape == (20, 32, 3)


@pytest.mark.parametrize("name", COMPUTERS)
def test_a_missing_picture_is_the_callers_mistake(name: str) -> None:
    with pytest.raises(UsageError, match="observe") as wrong:
        answer(name, LOOK.get(name, "screenshot"), Observation())
    assert not isinstance(wrong.value, InvalidAction)


@pytest.mark.parametrize("name", [ZOOM, SET, TABS])
def test_a_part_is_shown_enlarged(name: str) -> None:
    found = picture_of(name, answer(name, "zoom", region=[0, 0, 32, 10]))
    assert found.shape == (20, 64, 3)
    with pytest.raises(InvalidAction, match="is empty"):
        answer(name, "zoom", region=[5, 5, 5, 5])


def test_an_element_is_pictured_by_its_box() -> None:
    call = call_of(FORMATS[MCP], "browser_take_screenshot", {"target": "e4"})
    assert set(FORMATS[MCP].needs(call)) == {"screenshot", "boxes"}
    assert picture_of(MCP, answer(MCP, "browser_take_screenshot", target="e4")).shape == (32, 64, 3)
    with pytest.raises(InvalidAction, match="not on the page"):
        answer(MCP, "browser_take_screenshot", target="e99")


REFUSES = Observation(error='button "Save" is disabled', screenshot=PICTURE, url="http://a.test/")


def test_an_error_is_said_the_way_each_api_takes_it() -> None:
    error = REFUSES.error
    items = answer(SAME[0], "screenshot", REFUSES)
    assert [item.get("type", item.get("role")) for item in items] == ["computer_call_output", "user"]
    assert items[1]["content"] == [{"type": "input_text", "text": error}]
    for name in (OLD, ZOOM, SET, TABS):
        result = answer(name, "screenshot", REFUSES)
        assert result["is_error"] is True
        assert result["content"] == [{"type": "text", "text": error}]
    assert answer(NEW, "take_screenshot", REFUSES)["function_response"]["response"]["error"] == error
    assert answer(MCP, "browser_snapshot", REFUSES) == {"content": [{"type": "text", "text": error}], "isError": True}
    assert answer(BG, "noop", REFUSES)["last_action_error"] == error


def test_results_name_the_call_that_they_answer() -> None:
    assert answer(SAME[0], "screenshot")[0]["call_id"] == "c1"
    assert answer(OLD, "screenshot")["tool_use_id"] == "t1"
    assert "toolset_name" not in answer(OLD, "screenshot")
    assert answer(SET, "screenshot")["toolset_name"] == "computer"
    assert answer(TABS, "screenshot")["toolset_name"] == "browser"
    assert answer(NEW, "take_screenshot")["function_response"]["name"] == "take_screenshot"


def test_the_interactions_api_gets_its_own_form() -> None:
    call = {"type": "function_call", "id": "g1", "name": "click", "arguments": {"x": 0, "y": 0}}
    result = FORMATS[NEW].result(call, SEEN, VIEW)
    assert (result["type"], result["call_id"]) == ("function_result", "g1")
    words, image = result["result"]
    assert json.loads(words["text"]) == {"url": "http://a.test/"}
    assert np.array_equal(pixels(image["data"]), PICTURE)


def test_the_tabs_go_with_every_answer_of_the_browser_tools() -> None:
    state = answer(TABS, "left_click", target={"type": "ref", "ref": "e4"})["content"][-1]
    assert state["type"] == "browser_state"
    assert [(tab["tab_id"], tab["active"]) for tab in state["tabs"]] == [("0", True), ("1", False)]
    assert "state_changes" not in state
    assert [block["type"] for block in answer(TABS, "list_tabs")["content"]] == ["browser_state"]
    before = View(viewport=(64, 40), observation=Observation(tabs=SEEN.tabs[:1]))
    opened = answer(TABS, "screenshot", SEEN, before)["content"][-1]["state_changes"]
    assert opened == [{"type": "tab_opened", "tab_id": "1"}]


def test_the_page_is_read_as_far_as_asked() -> None:
    def words(**arguments: object) -> str:
        return answer(TABS, "read_page", **arguments)["content"][0]["text"]

    assert words() == TREE
    assert words(filter="interactive") == SEEN.axtree_interactive
    assert words(ref="e2") == '- row "Total" [ref=e2]:\n  - cell "41.50" [ref=e3]'
    assert words(depth=1) == "- main [ref=e1]:"
    assert answer(TABS, "get_page_text")["content"][0]["text"] == SEEN.text
    with pytest.raises(InvalidAction, match="shows no e99"):
        words(ref="e99")


@pytest.mark.parametrize(
    ("filter", "kind"), [(None, "axtree"), ("all", "axtree_full"), ("interactive", "axtree_interactive")]
)
def test_what_is_to_be_observed_follows_from_the_call(filter: str | None, kind: str) -> None:
    assert FORMATS[TABS].needs(call_of(FORMATS[TABS], "read_page", {"filter": filter})) == (kind,)


def test_long_pages_are_cut_with_a_marker() -> None:
    seen = Observation(axtree="x" * (MAX_TEXT + 5), screenshot=PICTURE)
    assert "5 more characters" in answer(TABS, "read_page", seen)["content"][0]["text"]


def test_a_search_shows_matches_beneath_what_holds_them() -> None:
    text = answer(MCP, "browser_find", text="41.5")["content"][0]["text"]
    assert text.splitlines()[:2] == TREE.splitlines()[:2]
    assert answer(MCP, "browser_find", regex="/TOTAL/i")["content"][0]["text"].startswith("- main")
    assert answer(MCP, "browser_find", regex="TOTAL")["content"][0]["text"] == "Nothing matches."


def test_a_snapshot_names_page_and_tabs_and_may_have_boxes() -> None:
    text = answer(MCP, "browser_snapshot", boxes=True)["content"][0]["text"]
    assert "- 0: (current) [A](http://a.test/)" in text
    assert '- button "Save" [ref=e4] [box=4,6,20,10]' in text


def test_where_the_mouse_is_is_told_in_pixels_of_the_picture() -> None:
    view = View(viewport=(64, 40), picture=(32, 20), pointer=(10, 20))
    assert answer(OLD, "cursor_position", SEEN, view)["content"] == [{"type": "text", "text": "X=5,Y=10"}]


def test_news_are_told_in_words() -> None:
    seen = Observation(
        screenshot=PICTURE, result="a,b", dialog=Dialog("confirm", "Sure?"), downloads=("a.csv",), settled=False
    )
    said = answer(OLD, "screenshot", seen)["content"][0]["text"]
    for part in ("a,b", "(confirm): 'Sure?'", "press Enter for OK or Escape for Cancel", "Downloaded: a.csv", "busy"):
        assert part in said
    again = View(viewport=(64, 40), observation=seen)
    assert "Downloaded" not in answer(OLD, "screenshot", seen, again)["content"][0]["text"]


def test_browsergym_s_observation_has_its_names() -> None:
    seen = answer(BG, "noop")
    assert seen["open_pages_urls"] == ("http://a.test/", "http://b.test/")
    assert (seen["axtree_txt"], seen["active_page_index"], seen["last_action"]) == (TREE, 0, "noop()")


@pytest.mark.parametrize("name", FORMATS)
def test_tools_are_json_and_offer_actions_of_ours(name: str) -> None:
    text = json.dumps(FORMATS[name].tools(VIEW, also=("finish", "read_clipboard")))
    assert '"finish"' in text
    assert '"read_clipboard"' in text
    with pytest.raises(UsageError, match="no action 'fly'"):
        FORMATS[name].tools(VIEW, also=("fly",))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        (SAME[0], {"type": "computer"}),
        (SAME[1], {"type": "computer_use_preview", "display_width": 64, "display_height": 40,
                   "environment": "browser"}),
        (OLD, {"type": OLD.partition("/")[2], "name": "computer", "display_width_px": 64, "display_height_px": 40}),
        (ZOOM, {"type": ZOOM.partition("/")[2], "name": "computer", "display_width_px": 64, "display_height_px": 40,
                "enable_zoom": True}),
        (SET, {"type": SET.partition("/")[2]}),
        (G25, {"computer_use": {"environment": "ENVIRONMENT_BROWSER", "excluded_predefined_functions": ["search"]}}),
    ],
)  # fmt: skip
def test_the_declaration_is_the_vendors(name: str, wanted: dict[str, object]) -> None:
    assert FORMATS[name].tools(VIEW, also=()) == [wanted]


def test_members_that_are_refused_are_not_offered() -> None:
    configs = FORMATS[TABS].tools(VIEW, also=())[0]["configs"]
    assert {name for name, config in configs.items() if not config["enabled"]} == {
        one.name for one in FORMATS[TABS].refused()
    }
    offered = {tool["name"] for tool in FORMATS[MCP].tools(VIEW, also=())}
    assert offered == {one.name for one in FORMATS[MCP].offered()}


def test_a_name_of_the_vendor_cannot_be_one_of_ours_as_well() -> None:
    with pytest.raises(UsageError, match="already"):
        FORMATS[NEW].tools(VIEW, also=("click",))
