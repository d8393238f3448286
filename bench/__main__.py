"""Run the benchmarks and print one table: `python -m sitegym.bench [NAME ...] [--quick] [--json] [--save FILE]`."""

from __future__ import annotations

import argparse
import importlib
import inspect
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
    """The benchmarks there are: every other module and package of this folder."""
    here = Path(__file__).parent
    found = {file.stem for file in here.glob("*.py")} | {file.parent.name for file in here.glob("*/__init__.py")}
    return sorted(name for name in found - _NOT_BENCHMARKS if not name.startswith("_"))


def machine() -> dict[str, object]:
    """What the numbers were measured on."""
    return {"platform": platform.platform(), "python": platform.python_version(), "cores": os.cpu_count()}


def main(argv: Sequence[str] | None = None) -> int:
    """Run what is named, or all; exit code 2 for an unknown name."""
    parser = argparse.ArgumentParser(prog="./run bench", description="Reproduce the numbers of the README.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(names())}; all without a name")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--quick", action="store_true", help="few runs where a benchmark has such a form; mere noise")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the JSON to a file as well")
    options = parser.parse_args(argv)
    if unknown := [name for name in options.names if name not in names()]:
        parser.error(f"no benchmark {unknown[0]!r}: known: {', '.join(names())}")
    rows: list[Row] = []
    progress = Console(stderr=True)
    for name in options.names or names():
        progress.print(f"{name} …")
        run = importlib.import_module(f".{name}", __package__).main
        rows += run(quick=True) if options.quick and "quick" in inspect.signature(run).parameters else run()
    found = {"machine": machine(), "quick": options.quick, "rows": as_dicts(rows)}
    if options.save is not None:
        options.save.parent.mkdir(parents=True, exist_ok=True)
        options.save.write_text(json.dumps(found, indent=1) + "\n")
    if options.json:
        json.dump(found, sys.stdout, indent=1)
        print()
    else:
        print(", ".join(f"{key} {value}" for key, value in machine().items()))
        console = Console()
        show(rows, console if console.is_terminal else Console(width=160))
    return 0


if __name__ == "__main__":
    sys.exit(main())
