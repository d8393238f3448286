"""What the agent is given after each step, and how elements are found in it by role and name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from ..errors import UsageError
from .kinds import KINDS as KINDS
from .tree import Node

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Name: TypeAlias = str | re.Pattern[str]
Box: TypeAlias = tuple[float, float, float, float]
Within: TypeAlias = "str | tuple[str, Name] | Node"

_REF = re.compile(r"(f\d+)?e\d+", re.ASCII)
_LISTED = 40


class ElementNotFound(UsageError):
    """The tree shows no such element; the message lists what it does show."""


@dataclass(frozen=True)
class Tab:
    """One tab of the browser."""

    title: str
    url: str
    active: bool


@dataclass(frozen=True)
class Dialog:
    """A native dialog that waits for an answer: `kind` is alert, confirm, prompt or beforeunload."""

    kind: str
    message: str
    default: str = ""


@dataclass(frozen=True, kw_only=True)
class Observation:
    """One look at the world. While a dialog is open, tree and picture are the last before it (`stale` is true)."""

    goal: str = ""
    url: str = ""
    title: str = ""
    tabs: tuple[Tab, ...] = ()
    axtree: str = ""
    """Accessibility tree as YAML with `[ref=e12]`, folded and paged; empty, as all kinds, where not asked for."""
    axtree_full: str = ""
    axtree_viewport: str = ""
    axtree_interactive: str = ""
    axtree_changes: str = ""
    screenshot: NDArray[np.uint8] | None = None
    """Height x width x 3; None where it was not asked for."""
    screenshot_marked: NDArray[np.uint8] | None = None
    """The same with a numbered frame around each element that can be acted on."""
    text: str = ""
    """What a person reads on the page."""
    html: str = ""
    boxes: Mapping[str, Box] = field(default_factory=dict)
    """Reference to x, y, width, height in CSS pixels of the window."""
    dialog: Dialog | None = None
    error: str = ""
    """Why the last action was refused, else empty."""
    result: str = ""
    """What the last action gave to read (a download, the clipboard), else empty."""
    held: tuple[str, ...] = ()
    """Keys and mouse buttons that are held down: `("Shift", "left mouse button")`."""
    time: str = ""
    """World time, such as 2026-03-18T10:00:00Z."""
    steps_left: int = 0
    settled: bool = True
    """False where the page was still busy when the harness stopped waiting."""
    stale: bool = False
    downloads: tuple[str, ...] = ()
    """Names of the files that pages have offered for download."""
    tree: Node = field(default_factory=lambda: Node("document"), repr=False)
    """The fullest tree that was asked for, as data, cut as its text is."""

    def find(self, role: str, name: Name | None = None, *, nth: int = 0, within: Within | None = None) -> str:
        """The reference of an element by role and accessible name, `nth` in the order of the page.

        `name` is the whole name (white space does not count) or a pattern to search for. `within` is a reference, a
        node, a pair of role and name, or text: the smallest row, item, dialog, region or group that holds this text.
        Raises `ElementNotFound`, listing what is there.
        """
        found = [node for node in self.elements(role, name, within=within) if node.ref]
        if len(found) <= nth:
            raise ElementNotFound(self._missing(role, name, nth, len(found), within))
        ref = found[nth].ref
        assert ref is not None
        return ref

    def find_all(self, role: str, name: Name | None = None, *, within: Within | None = None) -> list[str]:
        """The references of all such elements, in the order of the page; empty where there are none."""
        return [node.ref for node in self.elements(role, name, within=within) if node.ref]

    def elements(self, role: str, name: Name | None = None, *, within: Within | None = None) -> list[Node]:
        """All such elements as nodes, those without a reference (options of a select) included."""
        scope = self.tree if within is None else self._scope(within)
        return [node for node in scope.walk() if node is not scope and node.role == role and _named(node, name)]

    def element(self, ref: str) -> Node:
        """The node of a reference: role, name, text, states, children. Raises `ElementNotFound`."""
        if ref not in self._by_ref:
            raise ElementNotFound(f"the tree shows no {ref}")
        return self._by_ref[ref]

    def text_of(self, ref: str) -> str:
        """All that is written in an element; for a field, what it holds."""
        return self.element(ref).text

    def _repr_html_(self) -> str:
        """What notebooks show."""
        from .notebook import as_html

        return as_html(self)

    @cached_property
    def _by_ref(self) -> dict[str, Node]:
        return {node.ref: node for node in self.tree.walk() if node.ref}

    def _scope(self, within: Within) -> Node:
        if isinstance(within, Node):
            return within
        if isinstance(within, tuple):
            role, name = within
            found = self.elements(role, name) or [n for n in self.elements(role) if not n.name and _holds(n, name)]
            if not found:
                raise ElementNotFound(self._missing(role, name, 0, 0, None))
            return found[0]
        if _REF.fullmatch(within):
            return self.element(within)
        return self._smallest(within)

    def _smallest(self, text: str) -> Node:
        holders = [
            node for node in self.tree.walk() if node.role in _SCOPES and (_named(node, text) or _holds(node, text))
        ]
        if not holders:
            raise ElementNotFound(f"no row, item, dialog, region or group holds {text!r}")
        named = [node for node in holders if _named(node, text)]
        return min(named or holders, key=lambda node: sum(1 for _ in node.walk()))

    def _missing(self, role: str, name: Name | None, nth: int, count: int, within: Within | None) -> str:
        what = f"{role} {_shown(name)}" if name is not None else role
        where = f" within {_shown(within)}" if within is not None else ""
        if count:
            return f"there are only {count} of {what}{where}, so no number {nth} (counted from 0)"
        if self.elements(role, name, within=within):
            return f"{what}{where} has no reference, since no mouse reaches it; use its label or what lies over it"
        same = [_shown(node.name or node.text) for node in self.elements(role, within=within)][:_LISTED]
        if same:
            return f"no {what}{where}; there are: {', '.join(same)}{self._cut()}"
        scope = self.tree if within is None else self._scope(within)
        roles = sorted({node.role for node in scope.walk() if node is not scope} - {"text", "(cut)"})
        return f"no {what}{where}; there is only: {', '.join(roles) or 'nothing'}{self._cut()}"

    def _cut(self) -> str:
        cut = [node.value for node in self.tree.walk() if node.role == "(cut)"]
        return f" (the tree is cut: {'; '.join(cut)})" if cut else ""


_SCOPES = frozenset({
    "row", "listitem", "article", "dialog", "alertdialog", "region", "group", "form", "navigation", "main",
    "banner", "complementary", "table", "grid", "list", "tabpanel", "toolbar", "menu", "listbox", "treeitem",
    "radiogroup", "search", "contentinfo", "rowgroup",
})  # fmt: skip


def _normal(text: str) -> str:
    return " ".join(text.split())


def _named(node: Node, name: Name | None) -> bool:
    if name is None:
        return True
    own = _normal(node.name or node.text)
    return own == _normal(name) if isinstance(name, str) else name.search(own) is not None


def _holds(node: Node, name: Name) -> bool:
    text = _normal(f"{node.name} {_written(node)}")
    return _normal(name) in text if isinstance(name, str) else name.search(text) is not None


def _written(node: Node) -> str:
    parts = [node.name, node.value, *(_written(child) for child in node.children)]
    return " ".join(part for part in parts if part)


def _shown(what: object) -> str:
    if isinstance(what, re.Pattern):
        return f"/{what.pattern}/"
    if isinstance(what, tuple):
        return " ".join(str(part) if index == 0 else _shown(part) for index, part in enumerate(what))
    text = str(what)
    return f'"{text[:80]}…"' if len(text) > 80 else f'"{text}"'
