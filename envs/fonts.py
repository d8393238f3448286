"""The fonts that pages are drawn with: those in `static/fonts`, and on Linux nothing else that a machine may have."""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

from ..cache import cache_dir

FOLDER = Path(__file__).parent / "static" / "fonts"
"""The font files, their licence, and how they were made."""

FAMILIES: dict[str, tuple[str, ...]] = {
    "Arimo": ("sans-serif", "sans", "system-ui", "ui-sans-serif", "Arial", "Helvetica", "Liberation Sans"),
    "Tinos": ("serif", "ui-serif", "Times New Roman", "Times", "Liberation Serif"),
    "Cousine": ("monospace", "mono", "ui-monospace", "Courier New", "Courier", "Liberation Mono"),
    "Noto Emoji": ("emoji", "Noto Color Emoji", "Apple Color Emoji", "Segoe UI Emoji"),
}
"""Family to the names that stand for it. The first three are as wide as Arial, Times New Roman and Courier New."""

FALLBACKS = ("Arimo", "Noto Sans Math", "Noto Sans Symbols", "Noto Sans Symbols2", "Noto Sans CJK JP", "Noto Emoji")
"""Where a character that the wanted family lacks is looked for, in this order."""

_LEFT_OUT = ("FONTCONFIG_PATH", "FONTCONFIG_SYSROOT", "FC_DEBUG", "FC_LANG")
"""Variables of the caller's that would change which fonts are found."""


def available() -> bool:
    """The browser can be told which fonts to see: on Linux only; elsewhere it asks the system, past fontconfig."""
    return sys.platform == "linux"


def files() -> list[Path]:
    """All font files, sorted by name."""
    return sorted(file for file in FOLDER.iterdir() if file.suffix in {".ttf", ".otf"})


def environment() -> dict[str, str]:
    """The environment for a browser that sees these fonts only; where that can't be had, the caller's own."""
    if not available():
        return dict(os.environ)
    own = {name: value for name, value in os.environ.items() if name not in _LEFT_OUT}
    return own | {"FONTCONFIG_FILE": str(configuration()), "FC_LANG": "en"}


def configuration() -> Path:
    """The file for fontconfig, written to the cache folder once; to a folder of this process where that is read-only.

    Raises `UsageError` where there is no cache folder and none can be made.
    """
    folder = cache_dir() / "fonts"
    text = _text(folder)
    name = f"fonts-{hashlib.sha256(text.encode()).hexdigest()[:12]}.conf"
    file = folder / name
    with contextlib.suppress(OSError):
        if file.read_text("utf-8") == text:
            return file
    try:
        _write(file, text)
    except OSError:
        file = _own_folder() / name
        _write(file, text)
    return file


def _write(file: Path, text: str) -> None:
    """In one go: other processes may be reading it, or writing the same."""
    file.parent.mkdir(exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix="fonts-", suffix=".new")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as new:
            new.write(text)
        os.replace(name, file)
    except OSError:
        os.unlink(name)
        raise


@functools.cache
def _own_folder() -> Path:
    folder = tempfile.mkdtemp(prefix="sitegym-fonts-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _text(cache: Path) -> str:
    """Fontconfig's XML: one folder, one cache, our names, and drawing that does not depend on the screen."""
    aliases = "".join(_alias(name, family) for family, names in FAMILIES.items() for name in names)
    fallbacks = "".join(f"<string>{family}</string>" for family in FALLBACKS)
    return f"""<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
<dir>{escape(str(FOLDER))}</dir>
<cachedir>{escape(str(cache))}</cachedir>
{aliases}<match target="pattern"><edit name="family" mode="append" binding="weak">{fallbacks}</edit></match>
<match target="font">
<edit name="antialias" mode="assign"><bool>true</bool></edit>
<edit name="hinting" mode="assign"><bool>false</bool></edit>
<edit name="autohint" mode="assign"><bool>false</bool></edit>
<edit name="hintstyle" mode="assign"><const>hintnone</const></edit>
<edit name="rgba" mode="assign"><const>none</const></edit>
</match>
</fontconfig>
"""


def _alias(name: str, family: str) -> str:
    """Binding "same": what is found counts as the family asked for, where Chromium would pass over a stand-in."""
    test = f'<test name="family" qual="any"><string>{name}</string></test>'
    edit = f'<edit name="family" mode="prepend" binding="same"><string>{family}</string></edit>'
    return f'<match target="pattern">{test}{edit}</match>\n'
