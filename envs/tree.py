"""The accessibility tree of a page, read from Playwright's snapshot: nodes with role, name, states and reference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

_KEY = re.compile(r'(/?[\w-]+)(?: ("(?:[^"\\]|\\.)*"|/(?:[^/\\]|\\.)*/))?((?: \[[^\]]*\])*)')
_ATTRIBUTE = re.compile(r"\[([\w-]+)(?:=([^\]]*))?\]")
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0"}


@dataclass(slots=True, eq=False)
class Node:
    """One element (or, with role `text`, a piece of text).

    `states` holds what the snapshot says in brackets: `checked`, `disabled`, `expanded`, `selected`, `level` …
    """

    role: str
    name: str = ""
    value: str = ""
    """Text that stands behind the colon: what a field holds, or the text of a leaf."""
    states: dict[str, str] = field(default_factory=dict)
    props: dict[str, str] = field(default_factory=dict)
    """`url` of a link, `placeholder` of a field."""
    children: list[Node] = field(default_factory=list)

    @property
    def ref(self) -> str | None:
        """The reference by which actions name the element; None for text and for options of a native select."""
        return self.states.get("ref")

    @property
    def text(self) -> str:
        """All that is written in the element, in reading order; its name where it has no content of its own."""
        parts = [self.value] if self.value else []
        parts += [child.text for child in self.children]
        return " ".join(part for part in parts if part) or self.name

    def walk(self) -> Iterator[Node]:
        """The node and all beneath it, in the order of the page."""
        yield self
        for child in self.children:
            yield from child.walk()

    def __str__(self) -> str:
        return f'{self.role} "{self.name}"' if self.name else self.role


class Unread(Node):
    """The root of a snapshot's tree that is read once somebody looks into it: many never do."""

    __slots__ = ("_snapshot",)

    def __init__(self, snapshot: str) -> None:
        super().__init__("document")
        del self.children
        self._snapshot = snapshot

    def __getattr__(self, name: str) -> list[Node]:
        if name != "children":
            raise AttributeError(name)
        self.children = parse(self._snapshot).children
        self._snapshot = ""
        return self.children


class Entries(Protocol):
    """Which entries of long lists, by the roles in `sizes`, are read."""

    sizes: Mapping[str, int]

    def shows(self, parent: Node, node: Node) -> bool:
        """Whether `node`, the newest entry of `parent`, is to be read."""


def parse(snapshot: str, window: Entries | None = None) -> Node:
    """The tree of a snapshot, under a root with role `document`.

    Entries of long lists that `window` leaves out are there, but empty: reading a thousand rows to show twenty is slow.
    """
    root = Node("document")
    path: list[tuple[int, Node]] = [(-1, root)]
    skipped = 1_000_000
    for line in snapshot.split("\n"):  # not splitlines: names may hold other line ends
        body = line.lstrip(" ")
        indent = len(line) - len(body)
        if indent > skipped or not body.startswith("- "):
            continue
        skipped = 1_000_000
        while path[-1][0] >= indent:
            path.pop()
        node = _node(body[2:])
        parent = path[-1][1]
        if node.role.startswith("/"):
            parent.props[node.role[1:]] = node.value
            continue
        parent.children.append(node)
        if window is not None and node.role in window.sizes and not window.shows(parent, node):
            skipped = indent
        else:
            path.append((indent, node))
    return root


class Window:
    """Which entries of long lists are read: `sizes` by role, beginning at `starts` by reference of the list."""

    def __init__(self, sizes: Mapping[str, int], starts: Mapping[str, int]) -> None:
        self.sizes = sizes
        self.starts = starts
        self._counted: dict[tuple[int, str], int] = {}

    def shows(self, parent: Node, node: Node) -> bool:
        """Whether `node`, the newest entry of `parent`, is to be read."""
        place = self._counted.get((id(parent), node.role), 0)
        self._counted[id(parent), node.role] = place + 1
        start = self.starts.get(parent.ref or "", 0)
        return start <= place < start + self.sizes[node.role] or "selected" in node.states or parent.ref is None


def _node(entry: str) -> Node:
    key, rest = _split(entry)
    match = _KEY.match(key)
    if match is None:
        return Node("text", value=_scalar(entry))
    role, name, attributes = match.groups()
    states = {found[1]: found[2] or "" for found in _ATTRIBUTE.finditer(attributes)} if attributes else {}
    return Node(role, _unescape(name[1:-1]) if name else "", _scalar(rest), states)


def _split(entry: str) -> tuple[str, str]:
    """Key and value of a line; a key with special characters stands in single quotes."""
    if entry.startswith("'"):
        end = 1
        while (end := entry.find("'", end)) >= 0 and entry.startswith("''", end):
            end += 2
        return entry[1:end].replace("''", "'"), entry[end + 1 :].removeprefix(":").strip()
    match = _KEY.match(entry)
    if match is None:
        return entry, ""
    return match[0], entry[match.end() :].removeprefix(":").strip()


def _scalar(text: str) -> str:
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return _unescape(text[1:-1])
    if len(text) >= 2 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    return text


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_escaped, text) if "\\" in text else text


def _escaped(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _PLAIN.get(code, code)
