"""A person as an agent: what hands do to the picture of the page becomes actions that any agent could take.

So a person works under an agent's conditions (the same pages, the same time, which stands still between two steps), and
the trajectory is one like any other: it can be played again, action by action. Where no element with a reference lies
under the mouse, an action names pixels instead, and is only as good as the layout.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from ..envs import actions
from ..envs.actions import Action

if TYPE_CHECKING:
    from ..envs.episode import Episode
    from ..envs.observation import Observation
    from ..envs.pointing import About
    from ..envs.tree import Node
    from ..tasks import Task

    Gesture = Mapping[str, Any]
    Point = tuple[int, int]

DOUBLE_S = 0.25
"""How soon a second click makes a double click of two; only where a single one is not likely meant."""

_CONTROLS = frozenset({
    "button", "link", "checkbox", "radio", "switch", "combobox", "textbox", "searchbox", "spinbutton", "slider",
    "tab", "option", "menuitem", "treeitem", "menuitemcheckbox", "menuitemradio",
})  # fmt: skip
_PICKED = frozenset({"date", "time", "datetime-local", "month", "week", "color"})
_WHOLE_PX = 40_000
"""A larger element that is no control is not named by a click on it: where it was clicked may matter."""


class Person(Protocol):
    """Whoever sits before the stage."""

    def gesture(self, within: float | None = None) -> Gesture | None:
        """What the person does next; None where that is nothing `within` so many seconds (None: wait for it)."""

    def offer(self, choice: Mapping[str, Any]) -> None:
        """Show a list or a picker at an element's place, as the system would; the choice comes as a gesture."""


class HumanAgent:
    """Turns a person's gestures into actions."""

    version = "1"

    def __init__(self, person: Person) -> None:
        self._person = person
        self._kept: deque[Gesture] = deque()
        self._moves: deque[Action] = deque()
        self._under = ""

    def start(self, task: Task, episode: Episode) -> None:
        """Take the episode, to look up what lies under the mouse."""
        self._episode = episode
        self._offered: list[str] = list(getattr(task, "files", None) or {})
        self._files = self._offered

    def act(self, observation: Observation) -> Action:
        """The person's next action; ends the episode where the person gives up or goes away."""
        self._files = [*dict.fromkeys([*self._offered, *observation.downloads])]
        while not self._moves:
            gesture = self._kept.popleft() if self._kept else self._person.gesture()
            assert gesture is not None
            if gesture["kind"] in ("give_up", "closed"):
                self._episode.give_up()
                return actions.finish()
            if observation.dialog is None or gesture["kind"] in ("accept", "dismiss", "finish"):
                getattr(self, f"_{gesture['kind']}", self._nothing)(gesture, observation)
        return self._moves.popleft()

    def _do(self, *moves: Action) -> None:
        self._moves.extend(moves)

    def _nothing(self, gesture: Gesture, seen: Observation) -> None:
        """A gesture that means nothing here."""

    # ---- mouse

    def _click(self, gesture: Gesture, seen: Observation) -> None:
        x, y = gesture["at"]
        node, ref = self._target(x, y, seen)
        count = int(gesture["count"])
        held = gesture.get("held") or None
        about = self._episode.about(ref) if ref else None
        if ref and about is not None and self._opens(ref, about):
            return
        self._under = ref or ""
        control = node is not None and node.role in _CONTROLS
        if count == 1 and not control and not held and self._again():
            count = 2
        if ref is None or count > 2 or (about is not None and about.type == "range"):
            self._do(actions.mouse_click(x, y, count=min(count, 3), modifiers=held))
        elif count == 2 and (not control or _is_field(about)):
            self._do(actions.double_click(ref, held))
        else:  # quick clicks on one button are just that
            self._do(actions.click(ref, held))

    def _again(self) -> bool:
        """Whether a second click follows at once."""
        follows = self._person.gesture(within=DOUBLE_S)
        if follows is not None and follows["kind"] == "click" and follows["count"] == 2:
            return True
        if follows is not None:
            self._kept.append(follows)
        return False

    def _opens(self, ref: str, about: About) -> bool:
        """Offer what the system would open on a click: the options of a select, a picker, files."""
        choice: dict[str, Any] = {"ref": ref, "options": [], "chosen": [], "type": "", "empty": ""}
        if about.tag == "select":
            chosen = [node.name for node in self._options(ref) if "selected" in node.states]
            choice |= {"options": about.options, "chosen": chosen, "multiple": about.multiple}
        elif about.tag == "input" and about.type in _PICKED:
            choice |= {"type": about.type, "value": about.value}
        elif about.tag == "input" and about.type == "file":
            empty = "" if self._files else "There are no files: the task offers none, and none was downloaded."
            choice |= {"options": self._files, "multiple": about.multiple, "empty": empty}
        else:
            return False
        self._person.offer({**choice, "box": self._episode.box(ref) or (0, 0, 0, 0)})
        return True

    def _options(self, ref: str) -> list[Node]:
        tree = self._episode.observe(("axtree",)).tree
        return [option for node in tree.walk() if node.ref == ref for option in node.walk() if option.role == "option"]

    def _chosen(self, gesture: Gesture, seen: Observation) -> None:
        ref, options = gesture["ref"], list(gesture["options"])
        about = self._episode.about(ref)
        act = actions.upload if about is not None and about.type == "file" else actions.select
        if options:
            self._do(act(ref, options[0] if len(options) == 1 else options))

    def _picked(self, gesture: Gesture, seen: Observation) -> None:
        self._do(actions.type_(gesture["ref"], gesture["value"]))

    def _context(self, gesture: Gesture, seen: Observation) -> None:
        x, y = gesture["at"]
        _, ref = self._target(x, y, seen)
        self._do(actions.right_click(ref) if ref else actions.mouse_click(x, y, "right"))

    def _middle(self, gesture: Gesture, seen: Observation) -> None:
        x, y = gesture["at"]
        self._do(actions.mouse_click(x, y, "middle"))

    def _drag(self, gesture: Gesture, seen: Observation) -> None:
        self._do(actions.mouse_drag(*gesture["at"], *gesture["to"]))

    def _hover(self, gesture: Gesture, seen: Observation) -> None:
        x, y = gesture["at"]
        node, ref = self._target(x, y, seen)
        if ref and ref != self._under and node is not None and node.role in _CONTROLS:
            self._under = ref
            self._do(actions.hover(ref))

    def _wheel(self, gesture: Gesture, seen: Observation) -> None:
        x, y = round(gesture["x"]), round(gesture["y"])
        across = abs(x) > abs(y)
        far = x if across else y
        if not far:
            return
        direction = ("right" if far > 0 else "left") if across else ("down" if far > 0 else "up")
        self._do(actions.scroll(direction, self._scroller(*gesture["at"]), abs(far)))

    def _scroller(self, x: int, y: int) -> str | None:
        """The part of the page under the mouse that scrolls by itself."""
        under = ((ref, self._episode.about(ref)) for ref in self._episode.elements_at(x, y))
        return next((ref for ref, about in under if about is not None and about.scrolls and about.tag != "body"), None)

    def _target(self, x: int, y: int, seen: Observation) -> tuple[Node | None, str | None]:
        """What a person means who points there: the control under the mouse, else a small element."""
        under = self._episode.elements_at(x, y)
        known = {node.ref: node for node in seen.tree.walk() if node.ref}
        for ref in under:
            if ref in known and known[ref].role in _CONTROLS:
                return known[ref], ref
        box = self._episode.box(under[0]) if under else None
        if box is None or box[2] * box[3] > _WHOLE_PX:
            return None, None
        return known.get(under[0]), under[0]

    # ---- keys

    def _text(self, gesture: Gesture, seen: Observation) -> None:
        """Typed letters: for a field where they are added to it or replace what it holds, else where the focus is."""
        text = str(gesture["text"])
        focused = next((node.ref for node in seen.tree.walk() if "active" in node.states and node.ref), None)
        about = self._episode.about(focused) if focused else None
        if focused and _is_field(about) and about is not None and about.caret in ("end", "all"):
            words = " ".join(text.splitlines()) if about.tag == "input" else text
            self._do(actions.type_(focused, words, clear=about.caret == "all"))
        else:
            self._do(actions.keyboard_type(text.replace("\r\n", "\n")))

    def _key(self, gesture: Gesture, seen: Observation) -> None:
        self._do(actions.press(gesture["key"]))

    # ---- the browser's own controls

    def _back(self, gesture: Gesture, seen: Observation) -> None:
        self._do(actions.back())

    def _forward(self, gesture: Gesture, seen: Observation) -> None:
        self._do(actions.forward())

    def _reload(self, gesture: Gesture, seen: Observation) -> None:
        self._do(actions.reload())

    def _navigate(self, gesture: Gesture, seen: Observation) -> None:
        self._do(actions.navigate(gesture["url"]))

    def _new_tab(self, gesture: Gesture, seen: Observation) -> None:
        self._do(actions.new_tab())

    def _switch_tab(self, gesture: Gesture, seen: Observation) -> None:
        self._do(actions.switch_tab(gesture["tab"]))

    def _close_tab(self, gesture: Gesture, seen: Observation) -> None:
        self._do(actions.close_tab(gesture["tab"]))

    def _accept(self, gesture: Gesture, seen: Observation) -> None:
        self._do(actions.accept_dialog(gesture["text"]))

    def _dismiss(self, gesture: Gesture, seen: Observation) -> None:
        self._do(actions.dismiss_dialog())

    def _finish(self, gesture: Gesture, seen: Observation) -> None:
        self._do(actions.finish(gesture["answer"], gesture["outcome"]))


def _is_field(about: About | None) -> bool:
    """Whether letters go into it as text: a line, an area, or what is edited in place."""
    other = ("checkbox", "radio", "range", "file", "number", "button", "submit", "reset", "image")
    return about is not None and about.editable and about.type not in _PICKED and about.type not in other
