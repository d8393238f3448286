"""The page on the audit, made from what `sitegym audit collect PACK… --out docs/data` wrote."""

from __future__ import annotations

import json
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from sitegym import tasks
from sitegym.audit.table import page
from sitegym.sweeps.content import template_hashes

FOUND = Path(__file__).parent / "data" / "audit.json"
ABOUT = """
## How this audit was made

The solvers, s1 to s11, were sessions of one language model that were given the pack and its commands and nothing else,
as [Audit](../guides/audit.md) describes; no person took part. They were free in how they worked: most read several
sheets ahead, opened lists by address once they had seen one, and worked on several attempts side by side. They could
have looked where they were asked not to, and say that they did not. What they doubted without being wrong (an e-mail
that a form sends unless somebody unticks it, a word that might be part of a longer one) made no difference to
any verdict.

On 2026-12-01 what 288 of these attempts left was graded again by the verifiers of that day: no verdict was another. The
other 26 are of tasks that ask for a page; which page was shown was not kept then. Of the 314 instances 304 ask for the
same in the same words; nine expect other by-products of the same change, and one is worded otherwise.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page to those on disk."""
    if FOUND.is_file():
        found = json.loads(FOUND.read_text("utf-8"))
        today = template_hashes(tasks.templates(), data=found["data"], data_seed=found["data_seed"])
        text = page(found, today=today) + ABOUT
        files.append(File.generated(config, "reference/audit.md", content=text))
    return files
