"""A recording becomes the draft of an oracle, which does the task again, for other parameters too."""

from __future__ import annotations

from typing import Any

from drafted import Drafted
from playing import TASK, Room
from sitegym import tasks
from sitegym.agents.draft import draft


def test_a_recording_becomes_an_oracle_for_other_instances(room: Room) -> None:
    task = tasks.task(TASK, 0, data="tiny")
    code = draft(room.play("oracle").trajectory, task.params)
    assert f"p.{next(name for name, value in task.params.items() if value and str(value) in task.goal)}" in code
    assert "[ref" not in code
    assert room.play("oracle", ready=Drafted(code)).result.reward == 1.0
    others = [seed for seed in range(1, 20) if _done(seed) and tasks.task(TASK, seed, data="tiny").goal != task.goal]
    same = next(
        seed for seed in others if tasks.task(TASK, seed, data="tiny").params["reason"] == task.params["reason"]
    )
    assert room.play("oracle", seed=same, ready=Drafted(code)).result.reward == 1.0


def _done(seed: int) -> bool:
    """Whether this instance can be done."""
    return not tasks.task(TASK, seed, data="tiny").params.get("invoice")


def test_what_was_refused_is_left_out_and_what_is_ambiguous_is_numbered() -> None:
    shown = '- button "Save" [ref=e1]\n- button "Save" [ref=e2]\n- textbox "Order {1}" [ref=e3]: x'
    content = {"results": [{"content": [{"type": "text", "text": shown}]}]}

    def step(name: str, error: str | None = None, **given: Any) -> dict[str, Any]:
        call = {"tool_call_id": "c", "function_name": name, "arguments": given}
        return {"source": "agent", "tool_calls": [call], "observation": content, "extra": {"error": error}}

    steps = [
        {"source": "user", "message": "Save it"},
        {"source": "system", "observation": content},
        step("click", ref="e1"),
        step("click", error="it is covered", ref="e1"),
        step("click", ref="e2"),
        step("type", ref="e3", text="order 77123", submit=True, clear=True),
        step("mouse_click", x=3, y=4, button="left", count=1),
        step("finish", answer="77123", outcome="DONE"),
    ]
    assert draft({"steps": steps}, {"number": "77123"}).splitlines()[2:] == [
        "    page = yield click(page.find('button', 'Save'))",
        "    page = yield click(page.find('button', 'Save', nth=1))",
        "    page = yield type_(page.find('textbox', 'Order {1}'), f'order {p.number}', submit=True)",
        "    # by pixels, which is only as good as the layout: name an element",
        '    page = yield {"action": "mouse_click", "x": 3, "y": 4}',
        "    yield finish(answer=p.number)",
    ]
