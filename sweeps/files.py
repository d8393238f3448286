"""Files of a run folder: written whole or not at all, read with one clear sentence where they are broken."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ..errors import UsageError


def write_json(path: Path, value: object) -> None:
    """Write `value` so that a reader, or a kill at any moment, sees the old file or the new one, never half of one."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    os.replace(beside, path)


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
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(value, ensure_ascii=False) + "\n")
