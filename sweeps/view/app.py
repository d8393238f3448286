"""The pages of a run as a web application: they are only read, by this machine's own browser, and of this run alone.

Addresses are laid out as the run's folder is, so that the links of the report's pages lead where they should:

/report/index.html           the overview, live
/report/whole.html           the report's own overview, of what is over so far
/report/episodes/<id>.html   an episode, live while it is being played
/episodes/<id>/<file>        its evidence
/live/…                      what the pages ask for while they are open
"""

from __future__ import annotations

import re
import sqlite3
from importlib.resources import files
from pathlib import Path
from typing import Any

from flask import Flask, Response, abort, redirect, request, send_file

from ...errors import UsageError
from ..plan import EpisodeSpec
from ..report.episodes import FILES
from .pages import Pages
from .playing import steps_of, wait_for
from .watched import Watched

_PICTURE = re.compile(r"[0-9]+\.(webp|png)")
_STATIC = re.compile(r"[a-z]+\.(css|js)")
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; img-src 'self' data:; script-src 'self'; connect-src 'self'; "
    "style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
"""A page of this run asks nothing of anybody else, and nobody else's page can show or read one of it."""


def make_app(watched: Watched, hosts: frozenset[str]) -> Flask:
    """The application; `hosts` are the values of `Host` that are served: another name for this address is refused, so
    that no page of the internet can read a run by having its own name point here."""
    app = Flask(__name__, static_folder=None, template_folder=None)
    pages = Pages(watched)

    @app.before_request
    def only_from_here() -> Response | None:
        if request.host not in hosts:
            return Response("This host name is not served here.\n", 421, mimetype="text/plain")
        if request.method not in ("GET", "HEAD"):
            return Response("A run is only read here.\n", 405, {"Allow": "GET, HEAD"}, mimetype="text/plain")
        return None

    @app.after_request
    def guarded(response: Response) -> Response:
        response.headers.update(_HEADERS)
        return response

    @app.get("/")
    def root() -> Any:
        return redirect("/report/index.html")

    @app.get("/report/index.html")
    def overview() -> str:
        return pages.overview()

    @app.get("/report/whole.html")
    def whole() -> str:
        return pages.whole()

    @app.get("/report/episodes/<id>.html")
    def episode(id: str) -> str:
        return pages.episode(_spec(watched, id))

    @app.get("/report/<name>")
    def static(name: str) -> Response:
        if not _STATIC.fullmatch(name):
            abort(404)
        found = (files(package) / "static" / name for package in ("sitegym.sweeps.view", "sitegym.sweeps.report"))
        source = next((one for one in found if one.is_file()), None) or abort(404)
        return Response(source.read_bytes(), mimetype="text/css" if name.endswith("css") else "text/javascript")

    @app.get("/live/overview.json")
    def live_overview() -> Any:
        return watched.overview()

    @app.get("/live/whole.json")
    def live_whole() -> Any:
        return pages.whole_now()

    @app.get("/live/episodes/<id>.json")
    def live_episode(id: str) -> Any:
        spec = _spec(watched, id)
        after = request.args.get("after", 0, type=int)
        result = watched.result(id)
        about = {"over": result is not None, "graded": result is not None and result.graded}
        return {**steps_of(watched.episode(id), spec, max(after, 0), f"../../episodes/{id}"), **about}

    @app.get("/episodes/<id>/screens/<name>")
    def picture(id: str, name: str) -> Response:
        spec = _spec(watched, id)
        if not _PICTURE.fullmatch(name):
            abort(404)
        return _sent(watched, watched.episode(spec.id) / "screens" / name, wait=watched.result(id) is None)

    @app.get("/episodes/<id>/<name>")
    def evidence(id: str, name: str) -> Response:
        spec = _spec(watched, id)
        if name not in FILES:
            abort(404)
        return _sent(watched, watched.episode(spec.id) / name)

    @app.errorhandler(sqlite3.Error)
    def busy(error: sqlite3.Error) -> Response:
        return Response("The run's index can't be read just now.\n", 503, {"Retry-After": "1"}, mimetype="text/plain")

    @app.errorhandler(UsageError)
    def no_run(error: UsageError) -> Response:
        return Response(f"{error}\n", 404, mimetype="text/plain")

    return app


def _spec(watched: Watched, id: str) -> EpisodeSpec:
    """The planned episode of this name: names that are not in the plan lead nowhere, whatever they spell."""
    spec = watched.spec(id)
    if spec is None:
        abort(404)
    return spec


def _sent(watched: Watched, path: Path, *, wait: bool = False) -> Response:
    """A file of the run; one that a link leads out of it is not there."""
    if not (wait_for(path) if wait else path.is_file()) or not watched.holds(path):
        abort(404)
    return send_file(path.resolve(), conditional=False)
