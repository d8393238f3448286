"""Run the benchmarks and print one table: `python -m sitegym.bench [NAME ...] [--json]`."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from .table import Row, as_dicts, show

_NOT_BENCHMARKS = {"__init__", "__main__", "table"}


def names() -> list[str]:
    """The benchmarks there are: every other file of this folder."""
    files = Path(__file__).parent.glob("*.py")
    return sorted(file.stem for file in files if file.stem not in _NOT_BENCHMARKS and not file.stem.startswith("_"))


def machine() -> dict[str, object]:
    """What the numbers were measured on."""
    return {"platform": platform.platform(), "python": platform.python_version(), "cores": os.cpu_count()}


def main(argv: Sequence[str] | None = None) -> int:
    """Run what is named, or all; exit code 2 for an unknown name."""
    parser = argparse.ArgumentParser(prog="./run bench", description="Reproduce the numbers of the README.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(names())}; all without a name")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args(argv)
    if unknown := [name for name in options.names if name not in names()]:
        parser.error(f"no benchmark {unknown[0]!r}: known: {', '.join(names())}")
    rows: list[Row] = []
    progress = Console(stderr=True)
    for name in options.names or names():
        progress.print(f"{name} …")
        rows += importlib.import_module(f".{name}", __package__).main()
    if options.json:
        json.dump({"machine": machine(), "rows": as_dicts(rows)}, sys.stdout, indent=1)
        print()
    else:
        print(", ".join(f"{key} {value}" for key, value in machine().items()))
        show(rows, Console())
    return 0


if __name__ == "__main__":
    sys.exit(main())
