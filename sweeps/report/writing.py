"""Writing the report: an overview and a page for each episode, beside their style sheet and script."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from urllib.parse import quote

from ...errors import UsageError
from ..plan import EpisodeSpec
from ..results import EpisodeResult
from ..run_folder import RunFolder
from .episodes import EpisodePage, read_episode
from .overview import overview_html
from .pages import EPISODE_KEYS, EPISODE_SCRIPTS, SCRIPTS, STYLES, environment, static
from .siblings import Sibling, siblings


class BrokenEvidence(UsageError):
    """Files of graded episodes can't be read; the report was written all the same, as `report`, and shows the rest."""

    def __init__(self, report: Path, broken: dict[str, str]) -> None:
        self.report, self.broken = report, broken
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
    if only_new and (target / "index.html").is_file() and folder.index.whole and not _of_another_version(target):
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
    _write(folder.path / "report" / "index.html", overview_html(folder, results))


def _write_episodes(
    folder: RunFolder, results: dict[str, EpisodeResult], target: Path, ids: Collection[str]
) -> dict[str, str]:
    """Write a page for each of these episodes; returns what is wrong with the files of graded ones, by id."""
    broken, others = {}, siblings(folder, results)
    specs = (None, *folder.plan.episodes, None)
    for before, spec, after in zip(specs, specs[1:], specs[2:], strict=False):
        assert spec is not None
        if spec.id not in ids:
            continue
        result = results.get(spec.id)
        page = read_episode(folder.episode(spec.id), spec, result, pictures=f"../../episodes/{spec.id}")
        if page.trouble and result and result.graded:
            broken[spec.id] = page.trouble
        text = episode_html(folder, page, before=before, after=after, alike=others.of(spec))
        _write(target / f"{spec.id}.html", text)
    return broken


def episode_html(
    folder: RunFolder,
    page: EpisodePage,
    *,
    before: EpisodeSpec | None,
    after: EpisodeSpec | None,
    alike: Sequence[Sibling],
) -> str:
    """The page of an episode, with links to those before and after it and to other plays of the same instance."""
    about = {"root": "..", "run_name": folder.path.resolve().name, "keys": EPISODE_KEYS, "episode_link": page_name}
    about |= {"styles": STYLES, "scripts": EPISODE_SCRIPTS, "evidence": "../../episodes", "pictures": True}
    given = {"page": page, "before": before, "after": after, "siblings": alike, "title": page.spec.id}
    return environment().get_template("episode.html").render(**about, **given)


def page_name(episode: str) -> str:
    """The address of an episode's page, from that of another."""
    return f"{quote(episode)}.html"


def _of_another_version(target: Path) -> bool:
    """Whether the pages there were written for other scripts than those of today."""
    if not (target / SCRIPTS[0]).is_file():
        return False
    there = ((target / name, static(name)) for name in (*STYLES, *SCRIPTS))
    return not all(file.is_file() and file.read_text("utf-8") == text for file, text in there)


def _copy_static(target: Path) -> None:
    for name in (*STYLES, *SCRIPTS):
        _write(target / name, static(name))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="backslashreplace")
