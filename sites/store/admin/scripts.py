"""Which scripts a page gets: those of the frame, and those whose controls it has.

A page of this shop has few of the thirty modules to run, and each one costs a browser a request, also out of its cache.
"""

from __future__ import annotations

from functools import cache

from flask import Response
from markupsafe import Markup

from .assets import asset_url

PLACE = Markup("<!-- scripts -->")
"""Where they go, in the head of every page."""

FRAME = ("dialogs", "frame", "toasts", "combobox", "search", "theme", "forms", "bell", "conflict")
"""What every page runs."""

MARKED: tuple[tuple[str, tuple[str, ...]], ...] = (
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
"""Script to what a page holds that needs it, in the order in which they run."""


def place(response: Response) -> Response:
    """Put the tags of its scripts into a page of the back office; anything else is left alone."""
    if response.mimetype == "text/html" and not response.direct_passthrough:
        html = response.get_data(as_text=True)
        if PLACE in html:
            response.set_data(html.replace(PLACE, tags(names(html)), 1))
    return response


def names(html: str) -> tuple[str, ...]:
    """The scripts that a page needs."""
    return FRAME + tuple(name for name, marks in MARKED if any(mark in html for mark in marks))


@cache
def tags(scripts: tuple[str, ...]) -> str:
    """The elements that load them."""
    addresses = (asset_url("admin", f"js/{name}.js") for name in scripts)
    return "\n".join(f'<script type="module" src="{address}"></script>' for address in addresses)
