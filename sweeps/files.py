"""Files of a run folder: written whole or not at all, read with one clear sentence where they are broken."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..errors import UsageError


def write_json(path: Path, value: object) -> None:
    """Write `value` so that a reader, or a kill at any moment, sees the old file or the new one, never half of one."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(json_bytes(value, indent=1) + b"\n")
        os.replace(beside, path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def read_json(path: Path) -> Any:
    """The value in `path`; raises `UsageError` where the file is missing or was cut short."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as cause:
        raise UsageError(f"{path} does not exist") from cause
    except (UnicodeDecodeError, json.JSONDecodeError) as cause:
        raise UsageError(f"{path} is not whole JSON ({cause}); it was cut short or edited") from cause


def append_line(path: Path, value: object) -> None:
    """Append one JSON line and hand it to the operating system."""
    append_lines(path, [value])


def append_lines(path: Path, values: Iterable[object]) -> None:
    """Append JSON lines and hand them to the operating system."""
    with path.open("ab") as file:
        file.write(b"".join(json_bytes(value) + b"\n" for value in values))


def json_bytes(value: object, *, indent: int | None = None, sort_keys: bool = False) -> bytes:
    """A value as JSON in UTF-8; half a surrogate pair, which an agent may send, stays an escape (`\\ud800`)."""
    return json.dumps(value, ensure_ascii=False, indent=indent, sort_keys=sort_keys).encode(errors="backslashreplace")
