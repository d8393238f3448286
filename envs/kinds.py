"""The kinds of observation that can be asked for, what each gives and in which form: the one list that all read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..errors import UsageError, closest

if TYPE_CHECKING:
    from .observation import Observation


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind: the name is what `observations=` takes, the attribute of `Observation`, and the key in Gymnasium."""

    name: str
    doc: str
    form: Literal["text", "picture", "json"] = "text"
    """`text` is a str, `picture` uint8 of height x width x 3, `json` a mapping (as JSON text in Gymnasium)."""
    refs: bool = True
    """It shows references that actions take."""


_ALL = (
    Kind(
        name="axtree",
        doc="the accessibility tree as YAML with references, kept short: empty and repeated nodes folded, long tables "
        'and lists paged with a marker that says how many there are and how to read on (`more("e40")`)',
    ),
    Kind(
        name="axtree_full",
        doc='the whole tree exactly as Playwright\'s `aria_snapshot(mode="ai")` gives it: nothing folded, paged or cut',
    ),
    Kind(
        name="axtree_viewport",
        doc="the part of the tree that can be seen in the window now; a marker says how much lies outside",
    ),
    Kind(
        name="axtree_interactive",
        doc="what can be acted on, with the rows, dialogs and regions that it stands in; paged as `axtree` is",
    ),
    Kind(
        name="axtree_changes",
        doc="what is new and gone in `axtree` since the last look at it; the whole tree where the page is another one",
    ),
    Kind(name="screenshot", doc="the window as pixels", form="picture", refs=False),
    Kind(
        name="screenshot_marked",
        doc="the window with a numbered frame around all that can be acted on and is really to be seen; "
        "the numbers are references",
        form="picture",
    ),
    Kind(
        name="text",
        doc="what a person reads, top to bottom: words, what fields hold, cells of a row side by side; nothing hidden",
        refs=False,
    ),
    Kind(
        name="html",
        doc="the page's HTML without scripts, styles, hidden elements and attributes that only style, with `ref`s",
    ),
    Kind(
        name="boxes",
        doc="reference to x, y, width, height in CSS pixels of the window, those of frames and shadow roots included; "
        "what lies outside of the window has coordinates outside of it",
        form="json",
    ),
)

KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _ALL}
"""What `observations=` may ask for beside the fields that are always there, by name."""

TREES = tuple(name for name in KINDS if name.startswith("axtree"))
"""The kinds that are trees."""


def check_kinds(observations: Sequence[str]) -> tuple[str, ...]:
    """The kinds asked for, each once and in order; raises `UsageError` where there is no such kind, or none at all."""
    if isinstance(observations, str) or not observations:
        raise UsageError(f"observations is a list such as ('axtree',), of {', '.join(KINDS)}; not {observations!r}")
    for name in observations:
        if name not in KINDS:
            close = closest(str(name), KINDS)
            hint = f" (did you mean {close!r}?)" if close else ""
            raise UsageError(f"no observation {name!r}{hint}: there are {', '.join(KINDS)}")
    return tuple(dict.fromkeys(observations))


def plain(observation: Observation, name: str) -> Any:
    """What an observation holds of a kind as a value of its own: a str, JSON text, or an array nobody else has."""
    value = getattr(observation, name)
    match KINDS[name].form:
        case "picture":
            return None if value is None else value.copy()
        case "json":
            return json.dumps(value, separators=(",", ":"))
    return value
