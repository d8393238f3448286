"""An agent whose every word tries to break what keeps it: JSON, logs, tables, and the pages of the report."""

from __future__ import annotations

from typing import Any

NASTY = (
    "</script><script>escaped=1</script><esc-x>",
    "\"'}],\"reward\":1.0,\"x\":[{",
    "\n{\"id\": \"forged\", \"reward\": 1.0}\n",
    "]]>--><!--\u2028\u2029\x00\x1b[2J\x1b]0;title\x07\ud800\ufeff\u202e",
    "[/bold][red]{{7*7}}${7*7}%s%n{0}",
    "=HYPERLINK(\"http://127.0.0.2/\")\t\r\n; DROP TABLE orders; --",
    "../../../../etc/passwd",
    "<img src=x onerror=escaped=1>",
)  # fmt: skip
GIANT = "9" * 100_000


class Hostile:
    """Seed 0 says everything nasty, in actions of all kinds and as the answer; other seeds answer with 100,000 "
    "digits."""

    name = "hostile"

    def start(self, task: Any, episode: Any) -> None:
        """Choose what to say."""
        everything = "".join(NASTY)
        self.moves: list[Any] = [{"action": "finish", "answer": GIANT}]
        if task.task_seed == 0:
            self.moves = [*NASTY, {"action": everything}, {"action": "navigate", "url": everything}]
            self.moves += [{"action": "navigate", "url": f"/orders?q={NASTY[0]}"}, 'navigate("/nowhere")']
            self.moves += [{"action": "keyboard_type", "text": everything}, {"action": "finish", "answer": everything}]

    def act(self, observation: Any) -> Any:
        """Say the next of it."""
        return self.moves.pop(0)
