"""What a person types to start sitegym here, or to install a package for it, for hints that name a command."""

from __future__ import annotations

import os
import shlex
import sys


def to_type(words: str = "") -> str:
    """`sitegym demo`, or `./run demo` where the script of the checkout was typed, which need not be on the path."""
    typed = shlex.quote(os.environ.get("SITEGYM_COMMAND") or "sitegym")
    return f"{typed} {words}".rstrip()


def pip_install(package: str) -> str:
    """The command that installs a package for the Python that runs this; a bare `pip` may be that of another."""
    return f"{shlex.quote(sys.executable)} -m pip install {shlex.quote(package)}"
