"""What a model saw when it made a call: sizes, where it left the mouse, and the last observation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ..actions import Action, InvalidAction
from ..observation import Observation

_HANDS = ("mouse_click", "mouse_move", "mouse_down", "mouse_up", "mouse_scroll")
_CLICKS = ("click", "double_click", "right_click")


@dataclass(frozen=True, kw_only=True)
class View:
    """The side of the model. A value: `after` gives the next one.

    Calls name pixels of the picture that the model was sent (`picture`, where that is smaller than the page's window),
    actions pixels of the viewport.
    """

    viewport: tuple[int, int] = (1280, 800)
    """Width and height of the page's window in CSS pixels, as the episode has it."""
    picture: tuple[int, int] | None = None
    """Width and height of the pictures that the model is sent; None: the viewport's."""
    pointer: tuple[int, int] | None = (0, 0)
    """Where the mouse is, in CSS pixels; None after an action by reference whose place is not known."""
    chosen: str | None = None
    """The element that was clicked last, by reference; an upload without one is for it."""
    observation: Observation = field(default_factory=Observation)
    """What was seen last."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture that the model names pixels of."""
        return self.picture or self.viewport

    def point(self, x: float, y: float) -> tuple[int, int]:
        """A pixel of the model's picture as a point of the viewport; raises `InvalidAction` outside the picture."""
        width, height = self.size
        if not (0 <= x < width and 0 <= y < height):
            raise InvalidAction(f"({x:g}, {y:g}) lies outside the picture, which is {width} x {height}")
        if self.size == self.viewport:
            return int(x), int(y)
        return int((x + 0.5) * self.viewport[0] / width), int((y + 0.5) * self.viewport[1] / height)

    def distance(self, dx: float, dy: float) -> tuple[int, int]:
        """A distance in the model's picture as one in the viewport."""
        return round(dx * self.viewport[0] / self.size[0]), round(dy * self.viewport[1] / self.size[1])

    def here(self) -> tuple[int, int]:
        """Where the mouse is, in the viewport; raises `InvalidAction` where that is not known."""
        if self.pointer is None:
            raise InvalidAction("where the mouse is now is not known after an action by reference: name a point")
        return self.pointer

    def pointer_in_picture(self) -> tuple[int, int]:
        """Where the mouse is, in pixels of the model's picture."""
        x, y = self.here()
        return x * self.size[0] // self.viewport[0], y * self.size[1] // self.viewport[1]

    def middle(self, ref: str) -> tuple[int, int]:
        """The middle of an element, from the last observation's `boxes`; raises `InvalidAction` where there is none."""
        place = self._middle(ref)
        if place is None:
            raise InvalidAction(f"where {ref} stands is not known; name a point of the picture, or observe `boxes` too")
        return place

    def lists(self, ref: str) -> bool:
        """Whether the last observation shows an element with options to choose from."""
        found = (node for node in self.observation.tree.walk() if node.ref == ref)
        return any(below.role == "option" for node in found for below in node.walk())

    @property
    def tab(self) -> int:
        """The number of the active tab."""
        return next((number for number, tab in enumerate(self.observation.tabs) if tab.active), 0)

    def moved(self, actions: Iterable[Action]) -> View:
        """The view once these actions are done, but with the old observation."""
        view = self
        for action in actions:
            view = view._moved(action)
        return view

    def after(self, actions: Iterable[Action], observation: Observation) -> View:
        """The view once these actions are done and this was seen."""
        return replace(self.moved(actions), observation=observation)

    def _moved(self, action: Action) -> View:
        args = action.args
        if action.name in _HANDS:
            return replace(self, pointer=(_int(args["x"]), _int(args["y"])))
        if action.name == "mouse_drag":
            return replace(self, pointer=(_int(args["to_x"]), _int(args["to_y"])))
        ref = args.get("ref")
        if ref is None:
            return self
        chosen = str(ref) if action.name in _CLICKS else self.chosen
        return replace(self, pointer=self._middle(str(ref)), chosen=chosen)

    def _middle(self, ref: str) -> tuple[int, int] | None:
        box = self.observation.boxes.get(ref)
        if box is None:
            return None
        x, y, width, height = box
        point = int(x + width / 2), int(y + height / 2)
        inside = 0 <= point[0] < self.viewport[0] and 0 <= point[1] < self.viewport[1]
        return point if inside else None


def _int(value: object) -> int:
    assert isinstance(value, int)
    return value
