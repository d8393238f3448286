"""Parts of a tree: what the window shows now, and what can be acted on."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from . import fold, tree
from .tree import Node

_PLACES = frozenset({
    "row", "listitem", "dialog", "alertdialog", "region", "navigation", "form", "group", "tablist", "menu", "menubar",
    "toolbar", "radiogroup", "article", "tabpanel", "iframe", "list", "listbox", "table", "grid", "tree", "treeitem",
    "search", "banner", "contentinfo", "complementary", "main",
})  # fmt: skip
"""Roles that say where a control stands."""

_TOLD = frozenset({"row", "listitem", "article"})
"""Places that have no name of their own: what is written in them says which one it is."""

_TOLD_CHARS = 60
_REPEATED = frozenset({"list", "table", "grid", "tree", "main", "banner", "contentinfo", "complementary"})
"""Places that are left out where they have no name."""


class InView:
    """Which entries of long lists are read of a snapshot: those that the window shows a part of."""

    def __init__(self, seen: Collection[str]) -> None:
        self.sizes: Mapping[str, int] = fold.PAGE_SIZES
        self._seen = seen

    def shows(self, parent: Node, node: Node) -> bool:
        """Whether `node` is to be read."""
        return node.ref is None or node.ref in self._seen


def in_view(snapshot: str, seen: Collection[str]) -> Node:
    """The tree of what the window shows, with a last line that says how much lies outside of it.

    Text has no place of its own: it goes with the element that holds it.
    """
    whole = tree.parse(snapshot, InView(seen))
    shown = fold.simplify(_cut(whole, seen) or Node("document"))
    outside = sum(1 for node in whole.walk() if node.ref and node.ref not in seen)
    if outside:
        words = f"{outside} more element{'s' * (outside != 1)} outside of the window; scroll shows them"
        shown.children.append(Node("(cut)", value=words))
    return shown


def _cut(node: Node, seen: Collection[str]) -> Node | None:
    """A node with what is in view beneath it; None where nothing of it is."""
    inside = node.role == "document" or node.ref in seen
    children = [kept for child in _options(node) if (kept := _part(child, seen, inside)) is not None]
    if not inside and not any(child.ref for child in children):
        return None
    return Node(node.role, node.name, node.value if inside else "", node.states, node.props, children)


def _options(node: Node) -> list[Node]:
    """Children; of a long native select, whose list is closed, the first options and the chosen ones."""
    most = fold.PAGE_SIZES["option"]
    options = [child for child in node.children if child.role == "option" and child.ref is None]
    if len(options) <= most:
        return node.children
    shown = options[:most] + [child for child in options[most:] if "selected" in child.states]
    return [*shown, Node("(cut)", value=f"options 1-{most} of {len(options)}; select takes any of them by its name")]


def _part(node: Node, seen: Collection[str], inside: bool) -> Node | None:
    """A child; one without a reference, as text is, goes with what holds it."""
    if node.ref is None and not any(below.ref for below in node.walk()):
        return node if inside else None
    return _cut(node, seen)


def interactive(shown: Node) -> Node:
    """The part of a folded tree that can be acted on, with what says where it stands."""
    return Node("document", children=_acting(shown))


def _acting(node: Node) -> list[Node]:
    return [kept for child in node.children for kept in _acts(child, is_summary=_is_summary(child, node))]


def _is_summary(child: Node, node: Node) -> bool:
    """The line that opens and closes a <details>, which has a name but no role."""
    return node.role == "group" and child is node.children[0] and child.role == "generic" and bool(child.name)


def _acts(node: Node, *, is_summary: bool) -> list[Node]:
    if node.role == "(cut)":
        return [node]
    if fold.is_pointer(node) or is_summary:
        inner = _acting(node)
        value = node.value or ("" if node.name else _short(node.text))
        return [Node(node.role, node.name, value, node.states, node.props, inner)]
    inner = _acting(node)
    if not inner or node.role not in _PLACES or (node.role in _REPEATED and not node.name):
        return inner
    value = _short(_around(node)) if node.role in _TOLD else ""
    if node.role in _TOLD and not value:
        return inner
    states = {key: value for key, value in node.states.items() if key != "ref" or node.role not in _TOLD}
    return [Node(node.role, "" if value else node.name, value, states, {}, inner)]


def _around(node: Node) -> str:
    """What is written in a place beside its controls."""
    parts = [node.value] if node.value else []
    for child in node.children:
        if not fold.is_pointer(child):
            parts.append(_around(child) or (child.name if not child.children else ""))
    return " ".join(part for part in parts if part)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _TOLD_CHARS else text[:_TOLD_CHARS].rstrip() + "…"
