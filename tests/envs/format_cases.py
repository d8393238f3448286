"""Calls of other vendors and what they become or why they are refused: the tables behind test_formats.py."""

from __future__ import annotations

from sitegym.envs.formats import View
from sitegym.envs.formats.browsergym import BrowserGym
from sitegym.envs.formats.format import Format
from sitegym.envs.observation import Observation


def call_of(form: Format, member: str, arguments: dict[str, object]) -> object:
    """A call as the vendor writes it."""
    vendor = form.name.partition("/")[0]
    if isinstance(form, BrowserGym):
        return f"{member}({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"
    if vendor == "openai":
        one = {"type": member, **arguments}
        return {
            "type": "computer_call",
            "call_id": "c1",
            **({"actions": [one]} if form.name == "openai/computer" else {"action": one}),
        }
    if vendor == "anthropic" and "toolset" not in form.name:
        return {"type": "tool_use", "id": "t1", "name": "computer", "input": {"action": member, **arguments}}
    if vendor == "anthropic":
        family = "browser" if "browser" in form.name else "computer"
        return {"type": "tool_use", "id": "t1", "name": member, "toolset_name": family, "input": arguments}
    if vendor == "gemini":
        return {"name": member, "args": arguments}
    return {"name": member, "arguments": arguments}


SAME = ("openai/computer", "openai/computer-use-preview")
OLD, ZOOM, SET = "anthropic/computer_20250124", "anthropic/computer_20251124", "anthropic/computer_toolset_20260801"
TABS, NEW, G25, MCP, BG = (
    "anthropic/browser_toolset_20260801",
    "gemini/3.5",
    "gemini/2.5",
    "playwright-mcp",
    "browsergym",
)
AT = {"type": "coordinate", "x": 10, "y": 20}
REF = {"type": "ref", "ref": "e7"}
BY = View(pointer=(3, 4), observation=Observation(boxes={"e7": (10, 20, 30, 40)}))

TRANSLATED = [
    *((name, "click", {"button": "wheel", "x": 1, "y": 2, "keys": ["CTRL", "SHIFT"]},
       ['mouse_click(1, 2, button="middle", modifiers=["Control", "Shift"])']) for name in SAME),
    (SAME[0], "click", {"button": "back", "x": 1, "y": 2}, ["back()"]),
    (SAME[0], "click", {"button": "forward", "x": 1, "y": 2}, ["forward()"]),
    (SAME[0], "click", {"button": "right", "x": 1.0, "y": 2, "keys": None}, ['mouse_click(1, 2, button="right")']),
    (SAME[0], "double_click", {"x": 1, "y": 2, "keys": ["ALT"]}, ['mouse_click(1, 2, count=2, modifiers=["Alt"])']),
    (SAME[0], "drag", {"path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}], "keys": ["SHIFT"]},
     ['key_down("Shift")', "mouse_drag(1, 2, 3, 4)", 'key_up("Shift")']),
    (SAME[0], "keypress", {"keys": ["CTRL", "SHIFT", "t"]}, ['press("Control+Shift+T")']),
    (SAME[0], "keypress", {"keys": ["ARROWDOWN", "ARROWDOWN"]}, ['press("ArrowDown")', 'press("ArrowDown")']),
    (SAME[0], "keypress", {"keys": ["CTRL", "R"]}, ['press("Control+r")']),
    (SAME[0], "keypress", {"keys": ["ALT", "LEFT"]}, ['press("Alt+ArrowLeft")']),
    (OLD, "key", {"text": "F5"}, ['press("F5")']),
    (SAME[0], "keypress", {"keys": ["ALT"]}, ['press("Alt")']),
    (SAME[0], "keypress", {"keys": ["CTRL+S"]}, ['press("Control+s")']),
    (SAME[0], "move", {"x": 1, "y": 2, "keys": ["CMD"]}, ['key_down("Meta")', "mouse_move(1, 2)", 'key_up("Meta")']),
    (SAME[0], "scroll", {"x": 1, "y": 2, "scroll_x": -5, "scroll_y": 70}, ["mouse_scroll(1, 2, dx=-5, dy=70)"]),
    (SAME[0], "screenshot", {}, []),
    *((name, "left_click", {"text": "ctrl+shift"}, ['mouse_click(3, 4, modifiers=["Control", "Shift"])'])
      for name in (OLD, ZOOM, SET)),
    (OLD, "triple_click", {"coordinate": [5, 6]}, ["mouse_click(5, 6, count=3)"]),
    (OLD, "key", {"text": "Page_Down"}, ['press("PageDown")']),
    (OLD, "key", {"text": "Down Down Return"}, ['press("ArrowDown")', 'press("ArrowDown")', 'press("Enter")']),
    (OLD, "key", {"text": "ctrl+plus"}, ['press("Control++")']),
    (SET, "key", {"text": "Tab", "repeat": 2}, ['press("Tab")', 'press("Tab")']),
    (OLD, "hold_key", {"text": "shift", "duration": 0.5}, ['key_down("Shift")', "wait(ms=500)", 'key_up("Shift")']),
    (OLD, "left_mouse_down", {}, ["mouse_down(3, 4)"]),
    (OLD, "left_mouse_up", {}, ["mouse_up(3, 4)"]),
    (OLD, "left_click_drag", {"start_coordinate": [1, 2], "coordinate": [3, 4], "text": "alt"},
     ['key_down("Alt")', "mouse_drag(1, 2, 3, 4)", 'key_up("Alt")']),
    (OLD, "scroll", {"coordinate": [1, 2], "scroll_direction": "left", "scroll_amount": 2, "text": "shift"},
     ['key_down("Shift")', "mouse_scroll(1, 2, dx=-200)", 'key_up("Shift")']),
    (ZOOM, "zoom", {"region": [0, 0, 10, 10]}, []),
    (TABS, "navigate", {"url": "back"}, ["back()"]),
    (TABS, "navigate", {"url": "reload"}, ["reload()"]),
    (TABS, "navigate", {"url": "/orders"}, ['navigate("/orders")']),
    (TABS, "left_click", {"target": REF, "modifiers": "cmd+alt"}, ['click("e7", modifiers=["Alt", "Meta"])']),
    (TABS, "left_click", {"target": AT}, ["mouse_click(10, 20)"]),
    (TABS, "left_click", {"target": REF, "tab_id": "2"}, ["switch_tab(2)", 'click("e7")', "switch_tab(0)"]),
    (TABS, "left_click", {"target": REF, "tab_id": "0"}, ['click("e7")']),
    (TABS, "middle_click", {"target": REF}, ['mouse_click(25, 40, button="middle")']),
    (TABS, "triple_click", {"target": REF}, ["mouse_click(25, 40, count=3)"]),
    (TABS, "hover", {"target": AT}, ["mouse_move(10, 20)"]),
    (TABS, "form_input", {"target": REF, "value": True}, ['check("e7")']),
    (TABS, "form_input", {"target": REF, "value": 12.0}, ['type("e7", "12")']),
    (TABS, "scroll", {"target": AT, "scroll_direction": "up"}, ["mouse_scroll(10, 20, dy=-300)"]),
    (TABS, "read_page", {"filter": "all", "tab_id": "1"}, ["switch_tab(1)"]),
    (TABS, "left_click_drag", {"from_": AT, "target": AT | {"x": 90}}, ["mouse_drag(10, 20, 90, 20)"]),
    (NEW, "click", {"x": 999, "y": 999, "intent": "why not"}, ["mouse_click(1278, 799)"]),
    (NEW, "type", {"text": "a", "press_enter": True}, [r'keyboard_type("a\n")']),
    (NEW, "press_key", {"key": "PAGE_UP"}, ['press("PageUp")']),
    (NEW, "wait", {}, ["wait()"]),
    (NEW, "drag_and_drop", {"start_x": 0, "start_y": 0, "end_x": 500, "end_y": 500}, ["mouse_drag(0, 0, 640, 400)"]),
    (NEW, "scroll", {"x": 0, "y": 0, "direction": "right"}, ["mouse_scroll(0, 0, dx=300)"]),
    (G25, "type_text_at", {"x": 500, "y": 500, "text": "", "press_enter": False},
     ["mouse_click(640, 400)", 'press("Control+a")', 'press("Delete")']),
    (G25, "type_text_at", {"x": 500, "y": 500, "text": "a", "press_enter": False, "clear_before_typing": False},
     ["mouse_click(640, 400)", 'keyboard_type("a")']),
    (G25, "scroll_at", {"x": 0, "y": 0, "direction": "up", "magnitude": 500}, ["mouse_scroll(0, 0, dy=-400)"]),
    (G25, "key_combination", {"keys": "ctrl+shift+T"}, ['press("Control+Shift+T")']),
    (MCP, "browser_click", {"target": "e7", "button": "right", "modifiers": ["ControlOrMeta"]},
     ['right_click("e7", modifiers=["Control"])']),
    (MCP, "browser_click", {"ref": "e7", "element": "the button"}, ['click("e7")']),
    (MCP, "browser_click", {"target": "e7", "button": "middle"}, ['mouse_click(25, 40, button="middle")']),
    (MCP, "browser_drag", {"startRef": "e7", "endRef": "e8"}, ['drag("e7", "e8")']),
    (MCP, "browser_tabs", {"action": "new", "url": "/orders"}, ['new_tab(url="/orders")']),
    (MCP, "browser_tabs", {"action": "select", "index": 1}, ["switch_tab(1)"]),
    (MCP, "browser_tabs", {"action": "close"}, ["close_tab()"]),
    (MCP, "browser_handle_dialog", {"accept": False}, ["dismiss_dialog()"]),
    (MCP, "browser_handle_dialog", {"accept": True, "promptText": "x"}, ['accept_dialog(text="x")']),
    (MCP, "browser_mouse_click_xy", {"x": 1, "y": 2, "delay": 500},
     ["mouse_down(1, 2)", "wait(ms=500)", "mouse_up(1, 2)"]),
    (MCP, "browser_mouse_wheel", {"deltaX": 0, "deltaY": -9.6}, ["mouse_scroll(3, 4, dy=-10)"]),
    (MCP, "browser_type", {"target": "e7", "text": "a", "submit": True}, ['type("e7", "a", submit=true)']),
    (BG, "click", {"bid": "e7", "button": "right"}, ['right_click("e7")']),
    (BG, "press", {"bid": "e7", "key_comb": "Meta+Shift+t"}, ['press("Shift+Meta+T", ref="e7")']),
    (BG, "mouse_click", {"x": 887.2, "y": 68}, ["mouse_click(887, 68)"]),
    (BG, "scroll", {"delta_x": 0, "delta_y": 200}, ["mouse_scroll(3, 4, dy=200)"]),
    (BG, "select_option", {"bid": "e7", "options": ["a", "b"]}, ['select("e7", ["a", "b"])']),
]  # fmt: skip


REFUSED = [
    (SAME[0], "click", {"button": "left", "x": 1280, "y": 2},
     r"\(1280, 2\) lies outside the picture, which is 1280 x 800"),
    (SAME[0], "click", {"button": "left", "x": -1, "y": 2}, "lies outside"),
    (SAME[0], "click", {"button": "top", "x": 1, "y": 2}, "button is one of left, right, wheel, back, forward"),
    (SAME[0], "click", {"button": "left", "x": 1}, "y is missing; it is a whole number"),
    (SAME[0], "click", {"button": "left", "x": 1.5, "y": 2}, "x is a whole number, not 1.5"),
    (SAME[0], "click", {"button": "left", "x": 1, "y": 2, "keys": ["a"]}, "a is no modifier"),
    (SAME[0], "clik", {}, "has no 'clik' .did you mean 'click'"),
    (SAME[0], "drag", {"path": [{"x": 1, "y": 2}]}, "two points or more"),
    (SAME[0], "drag", {"path": [{"x": 1}, {"x": 1, "y": 2}]}, "list of points such as"),
    (SAME[0], "keypress", {"keys": []}, "keys is empty"),
    (SAME[0], "keypress", {"keys": ["ENTRE"]}, "no key 'ENTRE' .did you mean 'Enter'"),
    (OLD, "zoom", {"region": [0, 0, 1, 1]}, "has no 'zoom'"),
    (ZOOM, "zoom", {"region": [5, 5, 5, 9]}, "is empty"),
    (ZOOM, "zoom", {"region": [0, 0, 2000, 9]}, "lies outside"),
    (OLD, "left_click", {"coordinate": [1, 2, 3]}, "coordinate is a point"),
    (OLD, "left_click", {"coordinates": [1, 2]}, "no argument 'coordinates' .did you mean 'coordinate'"),
    (OLD, "wait", {"duration": 301}, "from 0 to 300"),
    (OLD, "key", {"text": ""}, "not an empty text"),
    (SET, "key", {"text": "a", "repeat": 101}, "from 1 to 100"),
    (TABS, "left_click", {"target": {"type": "ref"}}, "target is an element such as"),
    (TABS, "left_click", {"target": {"type": "coordinate", "x": 1}}, "target is a point such as"),
    (TABS, "left_click", {"target": {"type": "ref", "ref": "ref_7"}}, 'reference from the tree, such as "e12"'),
    (TABS, "scroll_to", {"target": AT}, "target is an element such as"),
    (TABS, "switch_tab", {"tab_id": "one"}, "tab_id is the number of a tab"),
    (TABS, "middle_click", {"target": {"type": "ref", "ref": "e9"}}, "observe `boxes`"),
    (TABS, "wait", {"duration": 31}, "from 0 to 30"),
    (TABS, "form_input", {"target": REF, "value": [1]}, "value is a text, a number, true or false"),
    (TABS, "file_upload", {"target": REF}, "paths names the files"),
    (NEW, "click", {"x": 1000, "y": 0}, "x is a number from 0 to 999"),
    (NEW, "scroll", {"x": 0, "y": 0, "direction": "north"}, "direction is one of"),
    (NEW, "hotkey", {"keys": ["a", "b"]}, "one key at a time"),
    (MCP, "browser_click", {"target": "#save"}, "reference from the tree"),
    (MCP, "browser_wait_for", {"text": "Saved"}, "settled after each action"),
    (MCP, "browser_take_screenshot", {"type": "jpeg"}, "PNG here"),
    (MCP, "browser_take_screenshot", {"fullPage": True}, "window alone"),
    (MCP, "browser_snapshot", {"filename": "a.md"}, "nothing is saved"),
    (MCP, "browser_find", {}, "either text or regex"),
    (MCP, "browser_find", {"regex": "("}, "no regular expression"),
    (MCP, "browser_fill_form", {"fields": [{"target": "e1", "name": "a", "type": "checkbox", "value": "yes"}]},
     "true or false"),
    (MCP, "browser_tabs", {"action": "select"}, "index says which"),
    (BG, "click", {"bid": "a51"}, "reference from the tree"),
    (BG, "dblclick", {"bid": "e9", "button": "right"}, "observe `boxes`"),
]  # fmt: skip
