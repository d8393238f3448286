"""The overview of a run: from its plan, its results and nothing else, so that it costs no walk through folders.

`overview_html` is the page, `summary_html` all of it above the list of episodes, `listing` the list as data. A page
that is open takes new ones by `showSummary(html)` and `showEpisodes(data)` of `overview.js`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from ..results import EpisodeResult
from ..run_folder import RunFolder
from ..shards import part_told
from .episodes import PHASES
from .figures import Figures, figures
from .listing import listing
from .pages import STYLES, environment
from .plots import forest, histograms, phases

OVERVIEW_SCRIPTS = ("report.js", "overview.js")
OVERVIEW_KEYS = (
    (("/",), "find in ids and reasons"),
    (("j", "k"), "next and previous episode of the list"),
    (("Enter",), "open the episode"),
    (("Esc",), "clear the filters, from within one"),
    (("t",), "light or dark"),
    (("?",), "these keys"),
)
"""What the keyboard does, as the help says."""


def overview_html(
    folder: RunFolder,
    results: dict[str, EpisodeResult] | None = None,
    *,
    root: str = ".",
    scripts: Sequence[str] = (),
    template: str = "overview.html",
    **more: Any,
) -> str:
    """The page. `root` is the address of its style sheets and scripts, `scripts` are names of others to load there.

    `template` is another that has this one's parts, `more` what it is given beside or instead.
    """
    results = folder.results() if results is None else results
    found = figures(folder, results)
    given: dict[str, Any] = {"styles": STYLES, "scripts": (*OVERVIEW_SCRIPTS, *scripts), "keys": OVERVIEW_KEYS}
    given |= {**_of_summary(folder, results, found), "data": listing(folder, results), "filters": _filters(found)}
    return environment().get_template(template).render({**given, "root": root, **more})


def summary_html(folder: RunFolder, results: dict[str, EpisodeResult] | None = None) -> str:
    """What stands above the list of episodes, as a fragment."""
    results = folder.results() if results is None else results
    of_it = _of_summary(folder, results, figures(folder, results))
    return environment().get_template("summary.html").render(**of_it)


def _of_summary(folder: RunFolder, results: dict[str, EpisodeResult], found: Figures) -> dict[str, Any]:
    agents = folder.plan.agents
    return {
        "title": folder.path.resolve().name,
        "episode_link": lambda id: f"episodes/{quote(id)}.html",
        "run": folder.manifest,
        "part": part_told(folder.plan, folder.manifest),
        "settings": folder.manifest.get("settings", {}),
        "found": found,
        "forest": forest(found),
        "phases": phases(found.agents, PHASES),
        "steps": histograms(results.values(), agents, "steps"),
        "tokens": histograms(results.values(), agents, "tokens"),
    }


def _filters(found: Figures) -> dict[str, list[tuple[str, str]]]:
    """Values and words of the list's filters that come from groups."""
    named = {one.name: [(group.code, group.words) for group in one.groups] for one in found.groupings}
    return {name: named.get(name, []) for name in ("task", "kind", "tag", "difficulty", "split")}
