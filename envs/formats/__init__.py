"""Computer-use and tool formats of others: calls of a vendor become actions, observations become its results.

Pure functions: nothing here opens a browser or needs a vendor's package.

    form = formats.get("anthropic/computer_20251124")
    view = View(viewport=(1280, 800))
    call = {"type": "tool_use", "name": "computer", "id": "t1", "input": {"action": "key", "text": "ctrl+a"}}
    form.translate(call, view)    # [press("Control+a")]
"""

from __future__ import annotations

from ...errors import UnknownName
from ..actions import InvalidAction
from .anthropic import COMPUTER_20250124, COMPUTER_20251124, COMPUTER_TOOLSET
from .anthropic_browser_members import BROWSER
from .browsergym_actions import BROWSERGYM
from .format import Format
from .gemini import GEMINI_3_5
from .gemini_2_5 import GEMINI_2_5
from .openai import COMPUTER, PREVIEW
from .playwright_mcp_tools import MCP
from .rounds import play, play_async
from .view import View

__all__ = ["FORMATS", "Format", "InvalidAction", "UnknownFormat", "View", "get", "play", "play_async"]

FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        COMPUTER, PREVIEW, COMPUTER_20250124, COMPUTER_20251124, COMPUTER_TOOLSET, BROWSER, GEMINI_3_5, GEMINI_2_5,
        MCP, BROWSERGYM,
    )
}  # fmt: skip
"""Every format by name."""


class UnknownFormat(UnknownName):
    """There is no format of this name."""

    kind = "format"


def get(name: str) -> Format:
    """The format of a name such as `openai/computer`; raises `UnknownFormat`."""
    if name not in FORMATS:
        raise UnknownFormat(name, FORMATS)
    return FORMATS[name]
