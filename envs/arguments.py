"""Checks of what environments and episodes are made with, before a browser is started (worlds: `sites.known`)."""

from __future__ import annotations

import inspect
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from ..errors import NoBrowser, UsageError, closest
from .dictionary import check_numbers
from .kinds import check_kinds
from .rewards import check_rewards


def check_browser(browser: object) -> None:
    """Raise `NoBrowser` where a browser is named by what is no executable file; whether it starts is not tried."""
    if not isinstance(browser, (str, os.PathLike)):
        return
    path = Path(browser)
    if path.is_file() and os.access(path, os.X_OK):
        return
    found = shutil.which(os.path.expanduser(browser))
    hint = f"did you mean {found!r}?" if found else "name one, or leave it out to have one found (`sitegym doctor`)"
    raise NoBrowser(f"browser is {str(browser)!r}, which is no executable file: {hint}")


def check_options(options: Mapping[str, object], *faces: Callable[..., object]) -> None:
    """Raise `UsageError` for keyword arguments of an episode that there are not, or that can't be."""
    parameters = [each for face in faces for each in inspect.signature(face).parameters.values()]
    known = {each.name: each.default for each in parameters if each.kind is each.KEYWORD_ONLY}
    for name in options:
        if name not in known:
            close = closest(name, known)
            hint = f" (did you mean {close!r}?)" if close else ""
            raise UsageError(f"no argument {name!r}{hint}: there are {', '.join(known)}")
    given = {**known, **options}
    check_kinds(given["observations"])
    check_numbers(given["viewport"], given["max_steps"])
    check_rewards(given["rewards"], given["gamma"])
