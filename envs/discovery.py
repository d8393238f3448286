"""Find a browser that really starts. Nothing is installed here; `install.py` does that when it is asked to."""

from __future__ import annotations

import os
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..called import to_type
from ..errors import NoBrowser
from . import distant, fonts
from .candidates import Candidate, candidates, chosen
from .trial import Trial, trial


@dataclass(frozen=True, kw_only=True)
class Browser:
    """A browser that was started through Playwright and showed a page."""

    path: Path
    kind: str
    """For people: where it comes from, such as "Playwright's headless shell" or "chromium"."""
    version: str
    headless_only: bool
    sandbox: bool
    """Its own sandbox is to be on; off for root, and where the kernel grants no user namespaces."""


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """A candidate and what came of starting it."""

    candidate: Candidate
    trial: Trial


_found: dict[tuple[object, ...], Browser] = {}
_searching = threading.Lock()


def find_browser(headless: bool = True, *, fresh: bool = False) -> Browser:
    """The best browser that starts.

    Order: `SITEGYM_BROWSER` (which is taken or refused, never replaced; `distant` if it is elsewhere), Playwright's
    managed browser, the system's headless shell (only where `headless`), Chrome, Chromium, Edge. Each is proven by a
    real launch, once per file: the result is kept on disk, so later processes pay nothing. `fresh` starts them all
    anew.

    Raises `NoBrowser`, saying what was tried and the command that mends it.
    """
    if not headless and not has_display() and distant.address() is None:
        raise NoBrowser(
            "a headed browser needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set: "
            "run it on a desktop or under `xvfb-run`, or use a headless browser"
        )
    where = (headless, *(os.environ.get(name) for name in ("SITEGYM_BROWSER", "PLAYWRIGHT_BROWSERS_PATH", "PATH")))
    with _searching:
        if fresh or where not in _found:
            _found[where] = _search(headless, fresh)
        return _found[where]


def launch_options(headless: bool = True) -> dict[str, Any]:
    """Arguments for Playwright's `chromium.launch` that start the browser found here; append to `args` freely.

    With `chromium_sandbox` off, Playwright itself passes `--no-sandbox`; with `env`, on Linux, the browser sees only
    sitegym's own fonts.
    """
    browser = find_browser(headless)
    return {
        "executable_path": str(browser.path),
        "headless": headless,
        "chromium_sandbox": browser.sandbox,
        "args": [],
        "env": fonts.environment(),
    }


def has_display() -> bool:
    """A window can be shown: always on macOS, elsewhere where an X or Wayland server is named."""
    return sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def remedy(headless: bool = True) -> str:
    """The one command that gives this machine a browser."""
    if headless and _distribution() == "debian":
        return "sudo apt-get update && sudo apt-get install -y --no-install-recommends " + " ".join(DEBIAN_PACKAGES)
    if sys.platform == "linux":
        shell = "--only-shell " if headless else ""
        return f"sudo {sys.executable} -m playwright install --with-deps {shell}chromium"
    return f"{sys.executable} -m playwright install chromium"


DEBIAN_PACKAGES = ("chromium-headless-shell", "libatomic1")
"""libatomic1 is needed by Playwright's driver and does not come with the browser."""


def attempts(headless: bool = True, *, fresh: bool = False) -> list[Attempt]:
    """Every candidate with its trial, best first: what `doctor` shows."""
    if distant.address():
        return []  # it runs elsewhere, and is tried by `find_browser`
    wish = chosen()
    everything = [wish] if wish else list(candidates(headless=headless))
    return [Attempt(candidate=each, trial=trial(each.path, fresh=fresh)) for each in everything]


def _search(headless: bool, fresh: bool) -> Browser:
    if at := distant.address():
        return Browser(
            path=Path(at), kind="browser server", version=distant.version(), headless_only=False, sandbox=False
        )
    if wish := chosen():
        return _insist(wish, headless, fresh)
    tried = []
    for candidate in candidates(headless=headless):
        result = trial(candidate.path, fresh=fresh)
        if result.ok:
            return _browser(candidate, result)
        tried.append(Attempt(candidate=candidate, trial=result))
    # what failed earlier may have been mended since (a library installed): with nothing else left, try anew
    for attempt in () if fresh else tried:
        result = trial(attempt.candidate.path, fresh=True)
        if result.ok:
            return _browser(attempt.candidate, result)
    raise NoBrowser(_nothing(tried, headless))


def _insist(wish: Candidate, headless: bool, fresh: bool) -> Browser:
    """The browser that the user names, or a refusal: another one in its place would be a silent surprise."""
    if wish.headless_only and not headless:
        raise NoBrowser(f"SITEGYM_BROWSER is {wish.path}, a headless shell, which can't be shown: name a full browser")
    result = trial(wish.path, fresh=fresh)
    if not result.ok and not fresh:
        result = trial(wish.path, fresh=True)
    if not result.ok:
        raise NoBrowser(f"SITEGYM_BROWSER is {wish.path}, which does not start: {result.problem}")
    return _browser(wish, result)


def _browser(candidate: Candidate, result: Trial) -> Browser:
    return Browser(
        path=candidate.path,
        kind=candidate.kind,
        version=result.version,
        headless_only=candidate.headless_only,
        sandbox=result.sandbox,
    )


def _nothing(tried: list[Attempt], headless: bool) -> str:
    if tried:
        listing = "; ".join(f"{each.candidate.path}: {each.trial.problem}" for each in tried)
        what = f"no browser that starts was found (tried {listing})"
    else:
        what = "no browser was found (looked for SITEGYM_BROWSER, Playwright's own, Chrome, Chromium and Edge)"
    return f"{what}; run `{to_type('doctor --fix')}`, or: {remedy(headless)}"


def _distribution() -> str:
    """`ID` of /etc/os-release ("debian", "ubuntu"), "" elsewhere."""
    try:
        lines = Path("/etc/os-release").read_text().splitlines()
    except OSError:
        return ""
    return next((line[3:].strip('"') for line in lines if line.startswith("ID=")), "")
