"""The difference between two trees of a page, as lines in the manner of a unified diff, with what they stand in.

Lines begin with `+ ` (new), `- ` (gone), `~ ` (the same element, as it is now) or two spaces (unchanged, named only to
say where the others stand). The first line is a comment that sums it up.
"""

from __future__ import annotations

import difflib
import re

NOTHING = "# nothing changed"
OTHER = "# another page:"
WHOLE = "# so much changed that this is the whole tree:"
FIRST = "# the whole tree; later only what changes:"

WORTH_IT = 0.6
"""Beyond this share of the whole tree's length, the tree itself reads better than the difference."""

_REF = re.compile(r"\[ref=((?:f\d+)?e\d+)\]")


def place(url: str) -> str:
    """An address without the part that only moves within a page."""
    return url.partition("#")[0]


def between(old: str, new: str, *, same_page: bool) -> str:
    """What changed from `old` to `new`; all of `new` where the page is another one or little of it stayed."""
    if not old:
        return f"{FIRST}\n{new}"
    if old == new:
        return NOTHING
    before, after = old.split("\n"), new.split("\n")
    lines = _lines(before, after)
    if sum(len(line) + 1 for line in lines) > WORTH_IT * len(new):
        return f"{WHOLE if same_page else OTHER}\n{new}"
    counts = {sign: sum(1 for line in lines if line.startswith(sign)) for sign in "+-~"}
    told = ", ".join(f"{counts[sign]} {word}" for sign, word in _WORDS.items() if counts[sign])
    return "\n".join([f"# of {len(after)} lines: {told}", *lines])


_WORDS = {"+": "new (+)", "-": "gone (-)", "~": "changed (~)"}


def _lines(before: list[str], after: list[str]) -> list[str]:
    """Changed lines in the order of the page, each under the unchanged ones that it is nested in."""
    lines: list[str] = []
    told: set[int] = set()
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for tag, from_, to, start, end in matcher.get_opcodes():
        if tag == "equal":
            continue
        for index in _around(after, before[from_:to] + after[start:end], start):
            if index not in told:
                told.add(index)
                lines.append(f"  {after[index]}")
        told |= set(range(start, end))
        lines += _replaced(before[from_:to], after[start:end])
    return lines


def _replaced(gone: list[str], new: list[str]) -> list[str]:
    """Lines that went and lines that came; those of one element are told once, as it is now."""
    came = {ref for line in new if (ref := _ref(line))}
    went = {ref for line in gone if (ref := _ref(line))}
    lines = [f"- {line}" for line in gone if _ref(line) not in came or _ref(line) is None]
    return lines + [f"{'~' if _ref(line) in went else '+'} {line}" for line in new]


def _ref(line: str) -> str | None:
    found = _REF.search(line)
    return found[1] if found else None


def _around(lines: list[str], changed: list[str], at: int) -> list[int]:
    """The lines before `at` in which the changed ones are nested, outermost first."""
    depth = min(_depth(line) for line in changed)
    found: list[int] = []
    for index in range(at - 1, -1, -1):
        if _depth(lines[index]) < depth:
            depth = _depth(lines[index])
            found.append(index)
        if depth == 0:
            break
    return found[::-1]


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
