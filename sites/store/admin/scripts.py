"""Which scripts a page gets: those of the frame, and those whose controls it has.

A page of this shop has few of the thirty modules to run, and each one costs a browser a request, also out of its cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from flask import current_app
from jinja2 import Environment, meta
from markupsafe import Markup

from .assets import asset_url

PLACE = Markup("<!-- scripts -->")
"""Where they go, in the head of every page."""

FRAME = ("dialogs", "frame", "toasts", "combobox", "search", "theme", "forms", "bell", "conflict")
"""What every page runs."""

Marks = tuple[tuple[str, tuple[str, ...]], ...]

MARKED: Marks = (
    ("dates", ("<date-field", "data-period")),
    ("reviews", ("data-ask",)),
    ("dashboard", ("data-tiles", "data-swap", 'class="chart')),
    ("audit", ("data-endless", "data-popover")),
    ("grid", ("data-selection", "data-toggle", "data-add-sort", "data-go")),
    ("grid-actions", ("data-grid", "data-question", "data-results")),
    ("grid-edit", ("data-editors",)),
    ("grid-columns", ("data-columns",)),
    ("orders", ("<textarea",)),
    ("product", ("product-form", "data-kinds")),
    ("editor", ("data-editor",)),
    ("tree", ("data-tree-picker",)),
    ("dropzone", ("<drop-zone",)),
    ("pictures", ("data-pictures", "<drop-zone")),
    ("order-lines", ("data-line", "data-tracks")),
    ("edit-items", ("data-edit-items",)),
    ("variants", ("data-variants",)),
    ("stock", ("data-stock",)),
    ("receive", ("data-receive",)),
    ("inventory", ("data-inventory",)),
    ("sortable", ("data-sortable", "data-edit-value", "data-delete-value", "data-swatch-of")),
    ("categories", ("data-category-tree",)),
)
"""Script to what a page holds that needs it, in the order in which they run; only templates write these marks."""


def place(template: str, html: str) -> str:
    """A page with the tags of its scripts in it."""
    return html.replace(PLACE, tags(names(html, marks_of(template))), 1)


def names(html: str, marks: Marks = MARKED) -> tuple[str, ...]:
    """The scripts that a page needs, of those whose marks it may have."""
    return FRAME + tuple(name for name, signs in marks if any(sign in html for sign in signs))


@cache
def marks_of(template: str) -> Marks:
    """The marks that a page from this template can have: those in its source, and in all that it takes in."""
    text = "".join(_sources(current_app.jinja_env, template, set()))
    found = ((name, tuple(sign for sign in signs if sign in text)) for name, signs in MARKED)
    return tuple((name, signs) for name, signs in found if signs)


def _sources(env: Environment, template: str, seen: set[str]) -> Iterator[str]:
    """The source of a template, and of those that it extends, includes or imports. They are named by constants."""
    seen.add(template)
    assert env.loader is not None
    source, _, _ = env.loader.get_source(env, template)
    yield source
    for name in meta.find_referenced_templates(env.parse(source)):
        assert name is not None, f"{template} takes in a template by a name that is computed"
        if name not in seen:
            yield from _sources(env, name, seen)


@cache
def tags(scripts: tuple[str, ...]) -> str:
    """The elements that load them."""
    addresses = (asset_url("admin", f"js/{name}.js") for name in scripts)
    return "\n".join(f'<script type="module" blocking="render" src="{address}"></script>' for address in addresses)
