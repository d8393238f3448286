"""The pages that `view` serves: its own while a run goes on, the report's of what is over, in one frame."""

from __future__ import annotations

from typing import Any

from jinja2 import ChoiceLoader, PackageLoader

from ..plan import EpisodeSpec
from ..report.episodes import read_episode
from ..report.listing import listing
from ..report.overview import overview_html, summary_html
from ..report.pages import environment
from ..report.siblings import siblings
from ..report.writing import episode_html
from .watched import Watched

KEYS = ((("t",), "light or dark"), (("?",), "these keys"))
STEPS = ((("←", "→"), "step before, next step"), (("Home", "End"), "first step, the newest"), *KEYS)
STYLES = ("report.css", "view.css")


class Pages:
    """Makes pages as text. Each raises `sqlite3.Error` where the index can't be read just now."""

    def __init__(self, watched: Watched) -> None:
        self._watched = watched
        reports = environment()
        assert reports.loader is not None
        own = PackageLoader("sitegym.sweeps.view", "templates")
        self._templates = reports.overlay(loader=ChoiceLoader([own, reports.loader]))

    def overview(self) -> str:
        """The overview, which fills itself."""
        return self._made("live.html", "live.js", title=self._name, root=".", keys=KEYS)

    def whole(self) -> str:
        """The report's own overview of what is over, which takes what comes."""
        run = self._watched.run()
        return overview_html(run.folder, self._watched.results(), scripts=("whole.js",))

    def whole_now(self) -> dict[str, Any]:
        """What changes of it."""
        run, results = self._watched.run(), self._watched.results()
        return {
            "over": len(results),
            "summary": summary_html(run.folder, results),
            "data": listing(run.folder, results),
        }

    def episode(self, spec: EpisodeSpec) -> str:
        """An episode: as the report shows it once it is over, as its steps come before."""
        result = self._watched.result(spec.id)
        if result is None:
            about: dict[str, Any] = {"title": spec.id, "run_name": self._name, "spec": spec}
            return self._made("playing.html", "viewer.js", "playing.js", root="..", keys=STEPS, **about)
        run = self._watched.run()
        page = read_episode(self._watched.episode(spec.id), spec, result, pictures=f"../../episodes/{spec.id}")
        before, after = run.neighbours(spec)
        alike = siblings(run.folder, self._watched.results_of(spec))
        return episode_html(run.folder, page, before=before, after=after, alike=alike.of(spec))

    @property
    def _name(self) -> str:
        return self._watched.path.resolve().name

    def _made(self, template: str, *scripts: str, **names: Any) -> str:
        return self._templates.get_template(template).render(styles=STYLES, scripts=("report.js", *scripts), **names)
