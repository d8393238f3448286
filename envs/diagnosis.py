"""What this machine offers sitegym: versions, browsers, display, cache; `sitegym doctor` prints it."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from .. import __version__
from ..cache import cache_dir
from ..called import to_type
from ..errors import NoBrowser, UsageError
from . import fonts
from .discovery import attempts, find_browser, has_display, remedy


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One line of the doctor's account."""

    what: str
    found: str
    ok: bool | None = True
    """None: missing, and only some uses need it."""
    fix: str = ""
    """The command or step that mends it; empty where nothing needs mending."""


def examine() -> Iterator[Fact]:
    """Everything there is to say, browsers started anew. A fact that is not ok keeps sitegym from working."""
    yield Fact(what="sitegym", found=f"{__version__} in {Path(__file__).parent.parent}")
    yield Fact(what="Python", found=f"{platform.python_version()} ({sys.executable})")
    yield Fact(what="platform", found=platform.platform())
    yield Fact(what="Playwright", found=version("playwright"))
    yield Fact(what="SQLite", found=sqlite3.sqlite_version)
    yield from _browsers()
    yield _used()
    yield _fonts()
    yield _display()
    yield _cache()


def _browsers() -> Iterator[Fact]:
    try:
        tried = attempts(fresh=True)
    except UsageError as refusal:
        yield Fact(what="browser", found=str(refusal), ok=False)
        return
    for attempt in tried:
        result, candidate = attempt.trial, attempt.candidate
        how = result.version if result.ok else result.problem
        sandbox = "" if result.sandbox or not result.ok else ", started without its sandbox"
        yield Fact(
            what="browser",
            found=f"{candidate.path} ({candidate.kind}): {how}{sandbox}",
            ok=True if result.ok else None,
        )


def _used() -> Fact:
    try:
        browser = find_browser()
    except NoBrowser as refusal:
        return Fact(what="used", found=str(refusal), ok=False, fix=_browser_fix())
    except UsageError as refusal:  # the cache: its own line says what mends it
        return Fact(what="used", found=str(refusal), ok=False)
    return Fact(what="used", found=f"{browser.path} {browser.version}")


def _browser_fix() -> str:
    """A choice that does not start is to be undone first: whatever gets installed, it would still be preferred."""
    if os.environ.get("SITEGYM_BROWSER"):
        return "unset SITEGYM_BROWSER"
    return f"{to_type('doctor --fix')}, or: {remedy()}"


def _fonts() -> Fact:
    files = fonts.files()
    if not fonts.available():
        return Fact(what="fonts", found="the system's: pictures agree between machines of Linux only", ok=None)
    size = sum(file.stat().st_size for file in files) / 1e6
    names = ", ".join(dict.fromkeys((*fonts.FAMILIES, *fonts.FALLBACKS)))
    return Fact(what="fonts", found=f"sitegym's own ({len(files)} files, {size:.1f} MB): {names}")


def _display() -> Fact:
    if not has_display():
        return Fact(
            what="display", found="none: episodes can't be watched in a window", ok=None, fix="xvfb-run, or a desktop"
        )
    try:
        browser = find_browser(headless=False)
    except UsageError:
        return Fact(
            what="display", found="there is one, but no browser with windows", ok=None, fix=remedy(headless=False)
        )
    return Fact(what="display", found=f"yes; headed browser {browser.path}")


def _cache() -> Fact:
    try:
        folder = cache_dir()
    except UsageError as refusal:
        return Fact(what="cache", found=str(refusal), ok=False, fix="export SITEGYM_CACHE=/a/folder/you/can/write")
    files = [file for file in folder.rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files) / 1e6
    found = f"{folder}: {len(files)} file{'' if len(files) == 1 else 's'}, {size:.1f} MB"
    if not _writable(folder):
        fix = f"chmod u+w {folder}, or set SITEGYM_CACHE"
        return Fact(what="cache", found=f"{found}, read-only", ok=None, fix=fix)
    return Fact(what="cache", found=found)


def _writable(folder: Path) -> bool:
    """Tried, not asked: permission bits say nothing about a read-only mount, nor to root."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return os.access(folder, os.W_OK)
    except OSError:
        return False


def report(*, fix: bool = False, quiet: bool = False) -> int:
    """Print the account and return 0, or 1 where something is missing that sitegym can't do without.

    `fix` installs a browser first if there is none, and with `quiet` does nothing more. Raises `NoBrowser` where that
    failed.
    """
    if fix:
        from .install import install_browser

        install_browser(lambda line: print(line, file=sys.stderr, flush=True))
    if fix and quiet:
        return 0
    facts = list(examine())
    wrong = [fact for fact in facts if fact.ok is False]
    for fact in facts if not quiet else wrong:
        print(_line(fact))
    return 1 if wrong else 0


def _line(fact: Fact) -> str:
    mark = {True: "ok     ", False: "MISSING", None: "-      "}[fact.ok]
    fix = f"\n{'':20}mend it: {fact.fix}" if fact.fix else ""
    return f"{mark} {fact.what:<11} {fact.found}{fix}"
