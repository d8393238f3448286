"""The files of one room that a module is made of: its own, and what it imports of that room, read from the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path


def files_of(module: Path, room: Path) -> set[Path]:
    """The file `module` and all files within `room` that it imports by relative imports, and so on.

    The `__init__` of a package counts where a name is taken from it, not where one passes it by: such a file lists its
    neighbours, which are no part of what one of them does.
    """
    found: set[Path] = set()
    ahead = [module]
    while ahead:
        path = ahead.pop()
        if path not in found:
            found.add(path)
            ahead += _imports(path, room)
    return found


def _imports(path: Path, room: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
        if base.is_relative_to(room):
            yield from (_file(base / alias.name) or _file(base) or path for alias in node.names)


def _file(base: Path) -> Path | None:
    """The source of what is called `base`, a module or a package."""
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)
