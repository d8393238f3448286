"""Writing the report: an overview and a page for each episode, beside their style sheet and script."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from ..plan import EpisodeSpec
from ..results import EpisodeResult
from ..run_folder import RunFolder
from ..table import footnotes, lines
from .episodes import outcome_of, read_episode, timings_of


def write_report(run: Path | str) -> Path:
    """Write `report/` in a run folder, also of a run that is not over; returns the page to open.

    Raises `UsageError` where the folder is no run of this version.
    """
    folder = RunFolder.open(Path(run))
    results, target = folder.results(), folder.path / "report"
    (target / "episodes").mkdir(parents=True, exist_ok=True)
    _copy_static(target)
    pages = environment()
    specs = list(folder.plan.episodes)
    for index, spec in enumerate(specs):
        neighbours = {
            "before": specs[index - 1] if index else None,
            "after": specs[index + 1] if index + 1 < len(specs) else None,
        }
        _write(
            target / "episodes" / f"{spec.id}.html",
            _episode_page(pages, folder, spec, results.get(spec.id), neighbours),
        )
    _write(target / "index.html", _overview(pages, folder, results))
    return target / "index.html"


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
        {"spec": spec, "result": results.get(spec.id), "outcome": outcome_of(results.get(spec.id))}
        for spec in folder.plan.episodes
    ]
    return pages.get_template("overview.html").render(
        title=folder.path.resolve().name,
        root=".",
        run=folder.manifest,
        agents=[line for line in lines(folder.plan, results) if line.task is None],
        lines=lines(folder.plan, results),
        notes=footnotes(folder.plan, results),
        tasks=folder.plan.tasks,
        rows=rows,
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


def _episode_page(
    pages: Environment,
    folder: RunFolder,
    spec: EpisodeSpec,
    result: EpisodeResult | None,
    neighbours: dict[str, EpisodeSpec | None],
) -> str:
    page = read_episode(folder.episode(spec.id), spec, result, pictures=f"../../episodes/{spec.id}")
    return pages.get_template("episode.html").render(
        title=spec.id, root="..", run_name=folder.path.resolve().name, page=page, **neighbours
    )


def _copy_static(target: Path) -> None:
    for name in ("report.css", "report.js"):
        with as_file(files(__package__ or "sitegym.sweeps.report") / "static" / name) as source:
            shutil.copyfile(source, target / name)


def _write(path: Path, text: str, **kwargs: Any) -> None:
    path.write_text(text, encoding="utf-8", **kwargs)
