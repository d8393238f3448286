"""The versions that a result depends on."""

from __future__ import annotations

import platform
from importlib.metadata import version

from .. import __version__
from ..envs.discovery import find_browser


def versions(*, headless: bool = True) -> dict[str, str]:
    """Of sitegym, Python, Playwright and the browser that a sweep will use (which is looked for here)."""
    browser = find_browser(headless=headless)
    return {
        "sitegym": __version__,
        "python": platform.python_version(),
        "playwright": version("playwright"),
        "browser": f"{browser.kind} {browser.version}",
    }
