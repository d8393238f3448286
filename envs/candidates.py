"""Where a Chromium-family browser may be: the user's choice, Playwright's own, the system's, in order of preference."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import NoBrowser
from .trial import driver_folder


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """An executable that claims to be a browser; nothing is proven yet."""

    path: Path
    kind: str
    """For people: "headless shell", "chrome", "chromium", "edge" or "SITEGYM_BROWSER"; Playwright's own say so."""
    headless_only: bool


_ON_PATH = {
    "headless shell": ("chromium-headless-shell", "chrome-headless-shell", "headless_shell"),
    "chrome": ("google-chrome-stable", "google-chrome", "chrome"),
    "chromium": ("chromium", "chromium-browser"),
    "edge": ("microsoft-edge-stable", "microsoft-edge"),
}
_ON_MACOS = {
    "chrome": "Google Chrome.app/Contents/MacOS/Google Chrome",
    "chromium": "Chromium.app/Contents/MacOS/Chromium",
    "edge": "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
}
_MANAGED = {
    "chromium-headless-shell": ("headless shell", ("chrome-headless-shell", "headless_shell")),
    "chromium": (
        "chromium",
        (
            "chrome",
            "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
            "Chromium.app/Contents/MacOS/Chromium",
        ),
    ),
}


def chosen() -> Candidate | None:
    """What `SITEGYM_BROWSER` names (a path, or a command on PATH); raises `NoBrowser` where there is no such file."""
    wish = os.environ.get("SITEGYM_BROWSER")
    if not wish:
        return None
    found = shutil.which(os.path.expanduser(wish))
    if found is None:
        raise NoBrowser(f"SITEGYM_BROWSER is {wish!r}, which is no executable file: name one, or unset it")
    path = Path(found).absolute()
    return Candidate(path=path, kind="SITEGYM_BROWSER", headless_only=_is_shell(path))


def candidates(*, headless: bool) -> Iterator[Candidate]:
    """All browsers that exist as files, best first; a headless shell only where `headless`. Snap builds are left out:
    their confinement denies them Playwright's pipe and the temporary profile."""
    seen = set()
    for candidate in (*_managed(), *_system()):
        real = candidate.path.resolve()
        if real in seen or (candidate.headless_only and not headless) or is_snap(candidate.path):
            continue
        seen.add(real)
        yield candidate


def is_snap(path: Path) -> bool:
    """A link into snap's folders, or the small script with which Ubuntu's package hands over to snap."""
    real = path.resolve()
    if real.name == "snap" or "snap" in (part.lower() for part in (*real.parts[:3], *path.parts[:2])):
        return True
    try:
        with real.open("rb") as file:
            head = file.read(4096)
    except OSError:
        return False
    return head.startswith(b"#!") and (b"/snap/" in head or b"snap install" in head)


def _is_shell(path: Path) -> bool:
    names = path.name, path.resolve().name
    return any(name.replace("_", "-").endswith("headless-shell") for name in names)


def _managed() -> Iterator[Candidate]:
    """The browsers that Playwright downloaded for its present version."""
    revisions = _revisions()
    for name, (kind, executables) in _MANAGED.items():
        folder = _registry() / f"{name.replace('-', '_')}-{revisions.get(name)}"
        # between the folder and the executable lies a platform's name, which changes with Playwright's versions
        for executable in executables:
            for path in sorted(folder.glob(f"*/{executable}")):
                yield Candidate(path=path, kind=f"Playwright's {kind}", headless_only=kind == "headless shell")


def _revisions() -> dict[str, str]:
    listing = json.loads((driver_folder() / "package" / "browsers.json").read_text())
    return {browser["name"]: browser["revision"] for browser in listing["browsers"]}


def _registry() -> Path:
    """Playwright's folder of downloads, by its own rules."""
    override = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if override == "0":
        return driver_folder() / "package" / ".local-browsers"
    if override:
        return Path(override).absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ms-playwright"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ms-playwright"


def _system() -> Iterator[Candidate]:
    for kind, names in _ON_PATH.items():
        for name in names:
            if found := shutil.which(name):
                yield Candidate(path=Path(found).absolute(), kind=kind, headless_only=kind == "headless shell")
        if sys.platform == "darwin" and kind in _ON_MACOS:
            for root in (Path("/Applications"), Path.home() / "Applications"):
                if (path := root / _ON_MACOS[kind]).is_file():
                    yield Candidate(path=path, kind=kind, headless_only=False)
