"""What an agent reads of a tree: repeated and empty nodes folded, long tables and lists paged, each cut marked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from .tree import Node

PAGE_SIZES = {"row": 20, "listitem": 30, "option": 15, "treeitem": 40, "article": 20}
"""How many children of a role are shown at a time."""

MAX_CHARS = 30_000
"""Length of a whole tree, beyond which its end is cut (about 8,000 tokens)."""

_POINTER_ROLES = frozenset({
    "button", "link", "checkbox", "radio", "switch", "combobox", "textbox", "searchbox", "spinbutton", "slider",
    "tab", "option", "menuitem", "treeitem", "menuitemcheckbox", "menuitemradio", "listbox",
})  # fmt: skip
_FIELD_ROLES = frozenset({
    "textbox", "searchbox", "spinbutton", "combobox", "listbox", "checkbox", "radio", "switch", "slider",
})  # fmt: skip
_WORD_ROLES = frozenset({"text", "generic", "paragraph", "strong", "emphasis", "time", "code"})
_WRAPPERS = frozenset({
    "cell", "gridcell", "columnheader", "rowheader", "listitem", "paragraph", "generic", "definition", "term",
})  # fmt: skip
_TEXT_ROLES = frozenset({
    "paragraph", "strong", "emphasis", "code", "rowgroup", "separator", "term", "definition", "time", "img",
})  # fmt: skip
_SYNTAX = re.compile(r":(\s|$)|\s#")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_encode = json.JSONEncoder(ensure_ascii=False).encode
_PLAIN_VALUE = re.compile(r"[^\W_][^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]*(?<!\s)")


def simplify(node: Node) -> Node:
    """The tree without what says nothing: empty generics, generics around a single child, labels beside their field."""
    children = _without_labels([kept for child in node.children for kept in _keep(child)])
    value = node.value
    if not value and len(children) == 1 and _is_words(children[0]) and node.role != "document":
        value, children = children[0].value, []
    if node.name and node.role in _POINTER_ROLES and _repeats(node.name, children):
        children = []
    return Node(node.role, node.name, value, node.states, node.props, children)


def is_pointer(node: Node) -> bool:
    """Whether a node can be acted on: by its role, or because the mouse turns into a hand over it."""
    return node.role in _POINTER_ROLES or "cursor" in node.states


def _is_words(node: Node) -> bool:
    """Whether a node is nothing but its text."""
    plain = node.role in _WORD_ROLES and not node.name and not node.children
    return plain and not {"cursor", "active"} & set(node.states)


def _repeats(name: str, children: list[Node]) -> bool:
    """Whether what stands in a link or button is no more than its name says."""
    if not all(_is_words(child) or child.role == "img" for child in children):
        return False
    said = set(name.casefold().split())
    return all(set((child.value or child.name).casefold().split()) <= said for child in children)


def _keep(node: Node) -> list[Node]:
    node = _labelled(simplify(node))
    if "aria-hidden" in node.states and not any(part.role in _POINTER_ROLES for part in node.walk()):
        return []  # on screen, but said elsewhere: a shortcut's hint, an icon, initials
    if node.role != "generic" or node.name or "cursor" in node.states or "active" in node.states:
        return [node]
    if not node.value and len(node.children) <= 1:
        return node.children
    return [node]


def _without_labels(children: list[Node]) -> list[Node]:
    """Children without texts that only repeat the name of the field before or after them."""
    around = [None, *children, None]
    return [
        child
        for before, child, after in zip(around, children, around[2:], strict=False)
        if not (_is_label(child, before) or _is_label(child, after))
    ]


def _is_label(node: Node, field: Node | None) -> bool:
    if field is None or field.role not in _FIELD_ROLES or field.ref is None or node.role not in ("text", "generic"):
        return False
    return not node.children and "cursor" not in node.states and node.value.strip(" *:") == field.name.strip(" *:")


def _labelled(node: Node) -> Node:
    """A label around a field that no mouse reaches (a styled tick, say) stands for it, with the label's reference."""
    if node.role != "generic" or len(node.children) != 2 or node.ref is None:
        return node
    field = next((child for child in node.children if child.role in _FIELD_ROLES and child.ref is None), None)
    if field is None or not any(child.role == "text" and child.value == field.name for child in node.children):
        return node
    states = {**field.states, "ref": node.ref}
    return Node(field.role, field.name, field.value, states, field.props, field.children)


def page(node: Node, starts: Mapping[str, int]) -> Node:
    """The tree with long tables and lists cut to one page each; `starts` says where, by reference of the list."""
    children = [page(child, starts) for child in node.children]
    role = _paged_role(children)
    if role is None or node.ref is None:
        return Node(node.role, node.name, node.value, node.states, node.props, children)
    places = [index for index, child in enumerate(children) if child.role == role]
    size = PAGE_SIZES[role]
    start = starts.get(node.ref, 0)
    shown = set(places[start : start + size]) | {i for i in places if "selected" in children[i].states}
    kept = [child for index, child in enumerate(children) if child.role != role or index in shown]
    kept.append(_marker(role, start, min(start + size, len(places)), len(places), node.ref))
    return Node(node.role, node.name, node.value, node.states, node.props, kept)


def reaches(node: Node, start: int) -> bool:
    """Whether a list still has an entry number `start` (counted from 0)."""
    role = _paged_role(node.children)
    return role is not None and sum(child.role == role for child in node.children) > start


def _paged_role(children: list[Node]) -> str | None:
    if len(children) <= min(PAGE_SIZES.values()):
        return None
    roles = [child.role for child in children]
    return next((role for role, size in PAGE_SIZES.items() if roles.count(role) > size), None)


def _marker(role: str, start: int, end: int, count: int, ref: str) -> Node:
    names = {"listitem": "items", "treeitem": "items"}.get(role, f"{role}s")
    which = "next" if end < count else "first"
    return Node("(cut)", value=f'{names} {start + 1}-{end} of {count}; more("{ref}") shows the {which} ones')


def next_start(node: Node, ref: str, starts: Mapping[str, int]) -> int | None:
    """Where the next page of the list `ref` begins; None where it is not cut."""
    for found in node.walk():
        if found.ref == ref:
            role = _paged_role(found.children)
            if role is None:
                return None
            count = sum(child.role == role for child in found.children)
            start = starts.get(ref, 0) + PAGE_SIZES[role]
            return start if start < count else 0
    return None


def render(node: Node) -> str:
    """The tree as YAML, one element a line, in the form of Playwright's snapshots."""
    lines: list[str] = []
    for child in node.children:
        _lines(child, 0, lines)
    return _limited(lines)


def _limited(lines: list[str]) -> str:
    total = 0
    for index, line in enumerate(lines):
        total += len(line) + 1
        if total > MAX_CHARS:
            rest = len(lines) - index
            return "\n".join(
                [*lines[:index], f"- (cut): {rest} more lines; filter, search or close what is not needed"]
            )
    return "\n".join(lines)


def _lines(node: Node, depth: int, lines: list[str]) -> None:
    head, text, children = _parts(node)
    placeholder = node.props.get("placeholder", "")
    if placeholder and placeholder != node.name:
        children = [Node("/placeholder", value=placeholder), *children]
    if node.props.get("url") and not node.name and not text:
        children = [Node("/url", value=node.props["url"]), *children]
    if text and children:
        children = [Node("text", value=text), *children]
    end = ":" if children else f": {_scalar(text)}" if text else ""
    lines.append(f"{'  ' * depth}- {_key(head)}{end}")
    for child in children:
        _lines(child, depth + 1, lines)


def _parts(node: Node) -> tuple[str, str, list[Node]]:
    """Key and value of a node's line, and the children that need lines of their own."""
    inner = node.children
    if node.role in _WRAPPERS and not node.value and len(inner) == 1 and _fits(node, inner[0]):
        return _parts(inner[0])
    text = node.value
    if not text and len(inner) == 1 and inner[0].role == "text":
        text, inner = inner[0].value, []
    return node.role + _name(node, text) + _states(node), "" if text == node.name else text, inner


def _fits(wrapper: Node, child: Node) -> bool:
    """Whether a wrapper says no more than its only child."""
    whole = not wrapper.name or wrapper.name == (child.name or child.text)
    return child.role != "text" and not child.children and "cursor" not in wrapper.states and whole and not child.value


def _name(node: Node, text: str) -> str:
    """The name in quotes, unless what follows says the same."""
    if not node.name or node.role == "row" or node.name == text or (node.role in _WRAPPERS and node.children):
        return ""
    return " " + _quoted(node.name)


def _states(node: Node) -> str:
    parts = []
    for key, value in node.states.items():
        if key == "cursor" and node.role in _POINTER_ROLES:
            continue
        if key == "ref" and node.role in _TEXT_ROLES and "cursor" not in node.states:
            continue
        parts.append(f" [{key}={value}]" if value else f" [{key}]")
    return "".join(parts)


def _key(head: str) -> str:
    """A line as a YAML key: quoted where its name holds what YAML reads as syntax."""
    return "'" + head.replace("'", "''") + "'" if _SYNTAX.search(head) else head


def _scalar(text: str) -> str:
    return text if _PLAIN_VALUE.fullmatch(text) and not _SYNTAX.search(text) else _quoted(text)


def _quoted(text: str) -> str:
    """Text in double quotes; what YAML does not take, or takes for the end of a line, is written as an escape."""
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", _encode(text))
