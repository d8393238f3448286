"""The store's one application: hosts, hooks, templates and error pages; the world comes in with each request."""

from __future__ import annotations

import traceback
from typing import Any

from flask import Flask, Response, g, request
from jinja2 import StrictUndefined
from werkzeug.exceptions import HTTPException, InternalServerError
from werkzeug.routing import IntegerConverter, Map
from werkzeug.wrappers import Response as Answer

from ...cache import cache_dir
from ..kit import templates
from ..kit.rules import RuleError
from . import admin
from .admin import errors, frame, templating


class RowId(IntegerConverter):
    """Ids in addresses: larger ones than a database holds are addresses of nothing, not errors."""

    def __init__(self, map: Map, *args: Any, **kwargs: Any) -> None:
        super().__init__(map, *args, **{"max": 2**31 - 1, **kwargs})


def create_app() -> Flask:
    """Make the application. Each request finds its world in `environ["sitegym.world"]`, so one serves many worlds."""
    app = Flask(__name__, static_folder=None, host_matching=True)
    app.config["MAX_CONTENT_LENGTH"] = 4 * 1024 * 1024
    app.config["PROPAGATE_EXCEPTIONS"] = False
    app.url_map.converters["int"] = RowId
    templates.install(app.jinja_env, cache_dir())
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.auto_reload = False
    app.before_request(enter)
    app.after_request(frame.leave)
    app.teardown_request(frame.close)
    admin.register(app)
    templating.install(app)
    app.register_error_handler(RuleError, refused)
    app.register_error_handler(HTTPException, failed)
    return app


def enter() -> Answer | None:
    """Take the world from the server, and find out who asks; runs for unknown addresses too."""
    g.world = request.environ["sitegym.world"]
    return frame.enter()


def refused(error: RuleError) -> Response:
    """A rule, a role or a conflict that no route answered itself: its own page."""
    return errors.refusal(error)


def failed(error: HTTPException) -> Answer:
    """A page that does not exist or a request that broke; what broke is kept for the harness."""
    if isinstance(error, InternalServerError) and error.original_exception is not None:
        g.world.record_error("".join(traceback.format_exception(error.original_exception)))
    return errors.failure(error.code or 500)
