"""The page that shows several runs side by side."""

from __future__ import annotations

import base64
import gzip
import os
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from ..run_folder import RunFolder
from ..shards import part_told
from .comparing import Comparison, Contender, compare
from .episodes import outcome_of
from .pages import STYLES, environment, static
from .single import episode_link, write_single_report
from .writing import BrokenEvidence

KEYS = ((("t",), "light or dark"), (("?",), "these keys"))
_HERE = "<!-- runs -->"
SHOWN = 1_000
"""Instances that differ which the page lists at most."""


def write_comparison(
    runs: Sequence[Path | str],
    to: Path | None = None,
    *,
    other_versions: bool = False,
    single_file: bool = False,
    pictures: bool = True,
) -> Path:
    """Compare runs in one page, `compare-OTHERS.html` beside the report of the first unless said otherwise.

    It holds its style itself and leads to the reports of the runs; with `single_file` it holds these as well, with or
    without `pictures`, and needs nothing else. Raises `UsageError` as `compare` does, and `BrokenEvidence`, after the
    page was written, where files of a graded episode in a report that it holds can't be read.
    """
    folders = [RunFolder.open(Path(run)) for run in runs]
    found = compare(folders, other_versions=other_versions)
    names = [folder.path.resolve().name for folder in folders]
    path = to or folders[0].path / ("." if single_file else "report") / f"compare-{'-'.join(names[1:])}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    link = _links_inside(folders) if single_file else _links_to_reports(path)
    page = comparison_html(found, names, link, inside=single_file)
    if single_file:
        _write_with_reports(path, page, folders, names, pictures=pictures)
    else:
        path.write_text(page, "utf-8", errors="backslashreplace")
    return path


def _write_with_reports(
    path: Path, page: str, folders: Sequence[RunFolder], names: Sequence[str], *, pictures: bool
) -> None:
    head, tail = page.split(_HERE)
    broken: dict[str, str] = {}
    beside = path.with_name(f".{path.name}")
    with beside.open("w", encoding="utf-8", errors="backslashreplace") as file, TemporaryDirectory() as made:
        file.write(head)
        for number, (folder, name) in enumerate(zip(folders, names, strict=True)):
            report = Path(made) / "report.html"
            try:
                write_single_report(folder.path, report, pictures=pictures)
            except BrokenEvidence as error:
                broken |= {f"{name}/{episode}": trouble for episode, trouble in error.broken.items()}
            data = base64.b64encode(gzip.compress(report.read_bytes(), mtime=0)).decode()
            file.write(f'<script type="text/plain" id="run-{number}" data-name="{escape(name)}">{data}</script>\n')
        file.write(tail)
    beside.replace(path)
    if broken:
        raise BrokenEvidence(path, broken)


def comparison_html(found: Comparison, names: Sequence[str], link: Callable[..., str], *, inside: bool = False) -> str:
    """The page; `link` gives the address of a contender's report (and, with an id, of an episode in it).

    `inside` says that the reports of the runs are to be put in the page itself.
    """
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
        "code": "\n".join(map(static, ("report.js", "compare.js", *(["runs.js"] if inside else [])))),
        "inside": inside,
    }
    return environment().get_template("compare.html").render(given)


def _first_of_each(found: Comparison) -> list[Contender]:
    seen: dict[int, Contender] = {}
    for one in found.contenders:
        seen.setdefault(id(one.run), one)
    return list(seen.values())


def _links_to_reports(page: Path) -> Callable[..., str]:
    def link(one: Contender, episode: str | None = None, where: str = "") -> str:
        report = one.run.path.resolve() / "report" / ("index.html" if episode is None else f"episodes/{episode}.html")
        return quote(os.path.relpath(report, page.resolve().parent)) + where

    return link


def _links_inside(folders: Sequence[RunFolder]) -> Callable[..., str]:
    places = {folder.path: number for number, folder in enumerate(folders)}

    def link(one: Contender, episode: str | None = None, where: str = "") -> str:
        at = (episode_link(episode) if episode else where).removeprefix("#")
        return f"#run={places[one.run.path]}" + (f"&at={quote(at, safe='')}" if at else "")

    return link
