"""Writing the report: an overview and a page for each episode, beside their style sheet and script."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from importlib.resources import as_file, files
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from ...errors import UsageError
from ..results import EpisodeResult
from ..run_folder import RunFolder
from ..table import footnotes, lines
from . import groups
from .episodes import outcome_of, read_episode, timings_of

OVERVIEW_KEYS = (
    (("/",), "find in ids and reasons"),
    (("j", "k"), "next and previous episode of the list"),
    (("Enter",), "open the episode"),
    (("Esc",), "clear the filters, from within one"),
    (("t",), "light or dark"),
    (("?",), "these keys"),
)
EPISODE_KEYS = (
    (("←", "→"), "step before, next step"),
    (("Home", "End"), "first step, the end"),
    (("p", "n"), "episode before and after, in the list it was opened from"),
    (("u",), "up to the overview"),
    (("t",), "light or dark"),
    (("?",), "these keys"),
)
"""What the keyboard does on each kind of page, as its help says."""


class BrokenEvidence(UsageError):
    """Files of graded episodes can't be read; the report was written all the same, as `report`, and shows the rest."""

    def __init__(self, report: Path, broken: dict[str, str]) -> None:
        self.report = report
        first = next(iter(broken.values()))
        count = (
            f"{len(broken)} graded episodes have files that" if len(broken) > 1 else "a graded episode has files that"
        )
        super().__init__(f"{count} can't be read: {first} The report was written and shows the rest: {report}")


def write_report(run: Path | str, *, only_new: bool = False) -> Path:
    """Write `report/` in a run folder, also of a run that is not over; returns the page to open.

    With `only_new` pages that show what became of their episode stay as they are. Raises `UsageError` where the folder
    is no run of this version, and `BrokenEvidence`, after all pages were written, where files of a graded episode are
    missing or were cut short.
    """
    folder = RunFolder.open(Path(run))
    target, ids = folder.path / "report", {spec.id for spec in folder.plan.episodes}
    if only_new and (target / "index.html").is_file() and folder.index.whole:
        ids &= folder.index.unwritten()
        if not ids:
            return target / "index.html"
    results = folder.results()
    (target / "episodes").mkdir(parents=True, exist_ok=True)
    _copy_static(target)
    broken = _write_episodes(folder, results, target / "episodes", ids)
    write_overview(folder, results)
    folder.index.wrote(ids - set(broken))
    if broken:
        raise BrokenEvidence(target / "index.html", broken)
    return target / "index.html"


def write_overview(folder: RunFolder, results: dict[str, EpisodeResult] | None = None) -> None:
    """Write the overview of a report anew, and leave the pages of its episodes."""
    results = folder.results() if results is None else results
    _write(folder.path / "report" / "index.html", _overview(environment(), folder, results))


def _write_episodes(
    folder: RunFolder, results: dict[str, EpisodeResult], target: Path, ids: Collection[str]
) -> dict[str, str]:
    """Write a page for each of these episodes; returns what is wrong with the files of graded ones, by id."""
    template, broken = environment().get_template("episode.html"), {}
    specs = (None, *folder.plan.episodes, None)
    for before, spec, after in zip(specs, specs[1:], specs[2:], strict=False):
        assert spec is not None
        if spec.id not in ids:
            continue
        result = results.get(spec.id)
        page = read_episode(folder.episode(spec.id), spec, result, pictures=f"../../episodes/{spec.id}")
        if page.trouble and result and result.graded:
            broken[spec.id] = page.trouble
        names = {"title": spec.id, "root": "..", "run_name": folder.path.resolve().name, "keys": EPISODE_KEYS}
        _write(target / f"{spec.id}.html", template.render(**names, page=page, before=before, after=after))
    return broken


def environment() -> Environment:
    """The templates; every value is escaped, and a name that does not exist is an error."""
    found = Environment(
        loader=PackageLoader(__package__ or "sitegym.sweeps.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["seconds"] = seconds
    found.filters["percent"] = lambda part, whole: f"{100 * part / whole:.0f} %" if whole else "–"
    return found


def seconds(value: float | None) -> str:
    """`0.42 s`, `12.3 s`; a dash for None."""
    if value is None:
        return "–"
    return f"{value:.2f} s" if value < 10 else f"{value:.1f} s"


def _overview(pages: Environment, folder: RunFolder, results: dict[str, EpisodeResult]) -> str:
    rows = [
        {"spec": spec, "result": results.get(spec.id), "outcome": outcome_of(spec, results.get(spec.id))}
        for spec in folder.plan.episodes
    ]
    return pages.get_template("overview.html").render(
        title=folder.path.resolve().name,
        root=".",
        keys=OVERVIEW_KEYS,
        run=folder.manifest,
        agents=[line for line in lines(folder.plan, results) if line.task is None],
        lines=lines(folder.plan, results),
        notes=footnotes(folder.plan, results),
        tasks=folder.plan.tasks,
        rows=rows,
        about=groups.abouts(folder),
        kinds=groups.by_kind(folder, results),
        tags=groups.by_tag(folder, results),
        planned=len(folder.plan.episodes),
        over=len(results),
        time=_time_by_phase(results),
    )


def _time_by_phase(results: dict[str, EpisodeResult]) -> list[tuple[str, float]]:
    total: dict[str, float] = {}
    for result in results.values():
        for name, value in timings_of(result):
            total[name] = total.get(name, 0.0) + value
    return list(total.items())


def _copy_static(target: Path) -> None:
    for name in ("report.css", "report.js", "overview.js"):
        with as_file(files(__package__ or "sitegym.sweeps.report") / "static" / name) as source:
            shutil.copyfile(source, target / name)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="backslashreplace")
