"""Give this machine a browser. Called only where a person asked for it: `./run …` and `sitegym doctor --fix`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress

from ..errors import NoBrowser
from .discovery import DEBIAN_PACKAGES, Browser, find_browser, remedy
from .trial import is_root

_LIMIT_S = 900.0
"""A download of 120 MB over a slow line; what takes longer is given up."""


def install_browser(say: Callable[[str], None]) -> Browser:
    """The browser there is, or one that gets installed: Playwright's headless shell, else (root and apt) Debian's.

    `say` hears one line before each step. Raises `NoBrowser` where every way failed.
    """
    try:
        return find_browser()
    except NoBrowser:
        if os.environ.get("SITEGYM_BROWSER"):
            raise
    for what, commands in _ways():
        say(f"No browser that starts yet; trying {what}")
        if not all(_run(command) for command in commands):
            say(f"  that failed: {_shown(commands)}")
        with suppress(NoBrowser):
            return find_browser(fresh=True)
    raise NoBrowser(f"no browser that starts is here, and none could be installed; run: {remedy()}")


def _ways() -> Iterator[tuple[str, list[list[str]]]]:
    """What may give a browser, in order: a name and the commands to run one after the other."""
    playwright = [sys.executable, "-m", "playwright", "install", "--only-shell"]
    yield "Playwright's headless shell", [[*playwright, "chromium"]]
    if not (is_root() and shutil.which("apt-get")):
        return
    update, install = ["apt-get", "update", "-qq"], ["apt-get", "install", "-qq", "-y", "--no-install-recommends"]
    yield "Debian's headless shell", [update, [*install, *DEBIAN_PACKAGES]]
    # Ubuntu has no such package; there Playwright's own list of libraries is the way
    yield (
        "Playwright's headless shell with its libraries",
        [update, [*install, *DEBIAN_PACKAGES[1:]], [*playwright, "--with-deps", "chromium"]],
    )


def _run(command: list[str]) -> bool:
    """Run one command, what it says on standard error for the person to follow; True where it succeeded."""
    environment = {
        **os.environ,
        "DEBIAN_FRONTEND": "noninteractive",
        # Playwright tries each of its servers five times; without this an unreachable one takes ten minutes
        "PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": os.environ.get("PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT", "5000"),
    }
    # apt tells of every package it unpacks; its errors, and Playwright's progress, are worth seeing
    out = subprocess.DEVNULL if command[0] == "apt-get" else sys.stderr.fileno()
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, env=environment, timeout=_LIMIT_S)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _shown(commands: list[list[str]]) -> str:
    return " && ".join(" ".join(command) for command in commands)
