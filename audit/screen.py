"""A page as lines of text, for whoever works through a terminal."""

from __future__ import annotations

from ..envs.kinds import KINDS, plain
from ..envs.observation import Observation

MOST = 40_000
"""Characters of a page; the tree is folded and paged before, so that hardly any is as long."""


def screen(seen: Observation, *, kind: str = "axtree") -> str:
    """What was refused or read, where one is, and the page as this kind of observation."""
    lines = []
    if seen.error:
        lines.append(f"Refused: {seen.error}")
    if seen.result:
        lines.append(f"Read: {seen.result}")
    lines.append(f"Page: {seen.title} <{seen.url}>  {seen.time}, {seen.steps_left} steps left")
    if len(seen.tabs) > 1:
        lines += [f"{'*' if tab.active else ' '} tab {at}: {tab.title} <{tab.url}>" for at, tab in enumerate(seen.tabs)]
    if seen.dialog is not None:
        lines.append(
            f"A dialog waits ({seen.dialog.kind}): {seen.dialog.message!r}; answer it with accept_dialog() or "
            "dismiss_dialog(). The page below is the last before it."
        )
    if seen.held:
        lines.append(f"Held down: {', '.join(seen.held)}")
    if seen.downloads:
        lines.append(f"Downloads: {', '.join(seen.downloads)}")
    if KINDS[kind].form != "picture":
        value = plain(seen, kind)
        text = value if isinstance(value, str) else str(value)
        cut = f"\n… {len(text) - MOST:,} more characters; scroll, or look closer" if len(text) > MOST else ""
        lines.append(f"\n{text[:MOST]}{cut}")
    return "\n".join(lines)
