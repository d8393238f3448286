"""How a way through a micro page is written down: steps, and what the page must have recorded at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from sitegym.envs.table import build

if TYPE_CHECKING:
    from .conftest import Player

FILES: Any = {
    name: {"name": name, "mimeType": "text/plain", "buffer": data}
    for name, data in (("small.txt", b"tiny"), ("large.txt", b"much too large " * 10))
}
"""What is offered for upload."""

Step: TypeAlias = "str | tuple[Any, ...] | Callable[[Player], object]"
"""`"reload()"`, `("click", "button", "Save")`, or a function for what has to be computed from the page."""


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way: `records` is what reaches the server, `refused` what the last step must be refused with."""

    pattern: str
    name: str
    steps: Sequence[Step]
    records: tuple[str, ...] = ()
    refused: str = ""
    right: bool = False
    vision: bool = False
    """The target is not in the tree: it has to be seen."""
    alone: dict[str, Any] = field(default_factory=dict)
    """It needs a context of its own, with these options."""


def right(pattern: str, *steps: Step, records: str | Sequence[str], name: str = "right", **options: Any) -> Way:
    """A right way."""
    return Way(pattern=pattern, name=name, steps=steps, records=_tuple(records), right=True, **options)


def wrong(pattern: str, name: str, *steps: Step, records: str | Sequence[str] = (), **options: Any) -> Way:
    """A wrong way, which ends in something else or is refused with a reason."""
    return Way(pattern=pattern, name=name, steps=steps, records=_tuple(records), **options)


def _tuple(records: str | Sequence[str]) -> tuple[str, ...]:
    return (records,) if isinstance(records, str) else tuple(records)


def take(player: Player, step: Step) -> str:
    """Take a step; the refusal or an empty text."""
    if isinstance(step, str):
        return player.play(step).error
    if callable(step):
        step(player)
        return player.now.error
    *call, last = step
    named = last if isinstance(last, dict) else {}
    name, role, label, *args = call if named else step
    return player.on(name, role, label, *args, **named).error


def keep(name: str, role: str, label: str) -> Callable[[Player], object]:
    """A step that remembers a reference for later."""
    return lambda player: player.kept.update({name: player.now.find(role, label)})


def use(name: str, action: str, *args: object) -> Callable[[Player], object]:
    """A step on a reference that was kept."""
    return lambda player: player.play(build(action, [player.kept[name], *args], {}))


def corner(player: Player, selector: str) -> tuple[int, int, int, int]:
    """Left, top, width and height of an element in the window."""
    script = f"(() => {{ const b = document.querySelector({selector!r}).getBoundingClientRect();"
    box: Any = player.eval(script + " return [b.left, b.top, b.width, b.height]; })()")
    return tuple(round(each) for each in box)  # type: ignore[return-value]


def answer(text: Callable[[Player], str] | str, label: str) -> Callable[[Player], object]:
    """A step that types an answer, read from the page, and sends it."""

    def give(player: Player) -> object:
        player.on("type", "textbox", label, text if isinstance(text, str) else text(player))
        return player.on("click", "button", "Answer")

    return give


def cell(header: str, row: int = 0) -> Callable[[Player], str]:
    """What the first table says in a column, by its header, in a row counted from 0."""

    def read(player: Player) -> str:
        rows = [[c.text or c.name for c in r.children] for r in player.now.elements("row")]
        return rows[row + 1][rows[0].index(header)]

    return read
