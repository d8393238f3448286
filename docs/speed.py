"""The page on speed, made from what `./run bench rivals` wrote: a plot and a table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from sitegym.bench.rivals import __doc__ as about
from sitegym.bench.rivals import plot

MEASURED = Path(__file__).parent / "data" / "rivals.json"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page to those on disk."""
    files.append(File.generated(config, "reference/speed.md", content=page(json.loads(MEASURED.read_text()))))
    return files


def page(found: Mapping[str, Any]) -> str:
    """The page for a file of measurements."""
    lines = ["# Speed", "", *(about or "").strip().splitlines(), ""]
    if found["quick"]:
        lines += [
            "!!! note",
            "    These numbers are from a trial with few runs on a busy machine; they say little.",
            "",
        ]
    lines += [f"Machine: {', '.join(f'{name} {value}' for name, value in found['machine'].items())}. "]
    lines += ["Bars are medians, the thin lines reach to the 95th percentile; the scale is logarithmic.", ""]
    lines += [
        "## Milliseconds",
        "",
        plot.svg(found["rows"]),
        "",
        "## Resets per second",
        "",
        plot.svg(found["rows"], "1/s"),
    ]
    lines += ["", "## The numbers", "", "| what | unit | sitegym | its p95 | beside | median | p95 | ratio |"]
    lines += ["|---|---|---:|---:|---|---:|---:|---:|", *(_row(row) for row in found["rows"]), ""]
    lines += ["To make them anew: `./run bench rivals --save docs/data/rivals.json` (about ten minutes), or `--quick`."]
    return "\n".join(lines) + "\n"


def _row(row: Mapping[str, Any]) -> str:
    numbers = [f"{row[key]:,.1f}" for key in ("median", "p95")] + [row["beside_what"]]
    numbers += [f"{row[key]:,.1f}" for key in ("beside", "beside_p95")] + [f"{row['ratio']:.2f}"]
    return f"| {row['what']} | {row['unit']} | {' | '.join(numbers)} |"
