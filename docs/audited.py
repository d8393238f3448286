"""The page on the audit, made from what `sitegym audit collect PACK… --out docs/data` wrote."""

from __future__ import annotations

import json
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from sitegym.audit.table import page

FOUND = Path(__file__).parent / "data" / "audit.json"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page to those on disk."""
    if FOUND.is_file():
        files.append(File.generated(config, "reference/audit.md", content=page(json.loads(FOUND.read_text("utf-8")))))
    return files
