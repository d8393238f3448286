"""Icons as inline SVG, taken by name from the sprite that Bootstrap-Flask ships.

Inline, because a sprite of a megabyte per page is slow and an icon font leaks its glyphs into accessible names.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import flask_bootstrap
from markupsafe import Markup

SPRITE = Path(flask_bootstrap.__file__).parent / "static" / "bootstrap5" / "icons" / "bootstrap-icons.svg"
SYMBOL = re.compile(r'<symbol[^>]*viewBox="([^"]+)"[^>]*id="([^"]+)"[^>]*>(.*?)</symbol>', re.DOTALL)


@cache
def _symbols() -> dict[str, tuple[str, str]]:
    text = SPRITE.read_text(encoding="utf-8")
    return {name: (box, " ".join(body.split())) for box, name, body in SYMBOL.findall(text)}


@cache
def icon(name: str, css: str = "") -> Markup:
    """The picture `name` (a Bootstrap icon), hidden from the accessibility tree: a control's name is its text.

    Raises `LookupError` where there is no such icon.
    """
    if name not in _symbols():
        raise LookupError(f"there is no Bootstrap icon {name!r}")
    box, body = _symbols()[name]
    classes = f"icon {css}".strip()
    return Markup('<svg class="{}" viewBox="{}" aria-hidden="true" focusable="false">{}</svg>').format(
        classes, box, Markup(body)
    )
