"""What a person types to start sitegym here, for hints that name a command."""

from __future__ import annotations

import os
import shlex


def to_type(words: str = "") -> str:
    """`sitegym demo`, or `./run demo` where the script of the checkout was typed, which need not be on the path."""
    typed = shlex.quote(os.environ.get("SITEGYM_COMMAND") or "sitegym")
    return f"{typed} {words}".rstrip()
