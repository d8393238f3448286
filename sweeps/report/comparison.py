"""The page that shows several runs side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..run_folder import RunFolder
from ..shards import part_told
from .comparing import Comparison, Contender, compare
from .episodes import outcome_of
from .pages import STYLES, environment, static
from .single import episode_link

KEYS = ((("t",), "light or dark"), (("?",), "these keys"))
SHOWN = 1_000
"""Instances that differ which the page lists at most."""


def write_comparison(
    runs: Sequence[Path | str], to: Path | None = None, *, other_versions: bool = False, single_file: bool = False
) -> Path:
    """Compare runs in one page, `compare-OTHERS.html` beside the report of the first unless said otherwise.

    It holds its style itself; it leads to the reports of the runs, with `single_file` to those in one file. Raises
    `UsageError` as `compare` does.
    """
    folders = [RunFolder.open(Path(run)) for run in runs]
    found = compare(folders, other_versions=other_versions)
    names = [folder.path.resolve().name for folder in folders]
    path = to or folders[0].path / ("." if single_file else "report") / f"compare-{'-'.join(names[1:])}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(comparison_html(found, names, _links(path, single_file)), "utf-8", errors="backslashreplace")
    return path


def comparison_html(found: Comparison, names: Sequence[str], link: Callable[..., str]) -> str:
    """The page; `link` gives the address of a contender's report (and, with an id, of an episode in it)."""
    given: dict[str, Any] = {
        "title": " against ".join(names),
        "root": ".",
        "found": found,
        "link": link,
        "outcome_of": outcome_of,
        "rows": found.differing[:SHOWN],
        "parts": {
            name: part_told(one.run.plan, one.run.manifest)
            for name, one in zip(names, _first_of_each(found), strict=True)
        },
        "hashes": {name: one.run.manifest for name, one in zip(names, _first_of_each(found), strict=True)},
        "home": "#",
        "keys": KEYS,
        "css": "\n".join(map(static, STYLES)),
        "code": "\n".join(map(static, ("report.js", "compare.js"))),
    }
    return environment().get_template("compare.html").render(given)


def _first_of_each(found: Comparison) -> list[Contender]:
    seen: dict[int, Contender] = {}
    for one in found.contenders:
        seen.setdefault(id(one.run), one)
    return list(seen.values())


def _links(page: Path, single_file: bool) -> Callable[..., str]:
    def link(one: Contender, episode: str | None = None, where: str = "") -> str:
        folder = one.run.path.resolve()
        if single_file:
            report = folder / f"report-{folder.name}.html"
            after = episode_link(episode) if episode else where
        else:
            report = folder / "report" / ("index.html" if episode is None else f"episodes/{episode}.html")
            after = where
        return quote(os.path.relpath(report, page.resolve().parent)) + after

    return link
