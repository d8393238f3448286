"""An attempt by a person in a window: the goal beside the page, a form to finish with, no verdict."""

from __future__ import annotations

import queue
import threading
from typing import Any

import pytest
from sitegym.audit import person
from sitegym.audit.places import OVER, Pack
from sitegym.errors import UsageError
from sitegym.sweeps.files import read_json

from .conftest import names, right_answer


def test_a_person_attempts_a_task_in_a_window(pack: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    name = names(pack, "store.admin/order-field")[1]
    stages: queue.Queue[Any] = queue.Queue()
    texts: list[str] = []

    class Watched(person.Stage):
        """A stage whose text is read before the person finishes, and that the test finds."""

        def look(self) -> None:
            """The first page is shown."""
            super().look()
            texts.append(self.host.run(self.page.inner_text("body")))
            stages.put(self)

    monkeypatch.setattr(person, "Stage", Watched)
    ended: list[str] = []
    thread = threading.Thread(
        target=lambda: ended.append(person.play_in_window(pack, name, headless=True)), daemon=True
    )
    thread.start()
    stage = stages.get(timeout=120)
    with pytest.raises(UsageError, match="is under way"):
        person.play_in_window(pack, name, headless=True)
    answer, outcome = right_answer(pack, name)
    stage.gestures.put({"kind": "finish", "answer": answer, "outcome": outcome})
    thread.join(60)
    assert ended == [
        f"The attempt {name} is over; what was done and said is recorded. There is nothing more to do in it."
    ]
    goal = pack.key()["attempts"][name]["goal"]
    assert " ".join(goal.split())[:60] in " ".join(texts[0].split())
    assert "order-field" not in texts[0]
    assert pack.state(name) == OVER
    result = read_json(pack.attempt(name) / "result.json")
    assert (result["reward"], result["agent"]) == (1.0, "person")
