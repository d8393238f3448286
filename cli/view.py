"""The command `view` of the command line."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(epilog="\b\nExample:\n  sitegym view runs/2026-03-18-1000")
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="Port on 127.0.0.1; 0 for a free one."
)
def view(run: Path, port: int) -> int:
    """Serve the report of RUN on this machine, live while its sweep runs.

    Shows how far the sweep is, what is being played now, success so far and faults, and each episode step by step, also
    while it is being played. RUN may be over, or not begun yet. Nothing is written; Ctrl-C ends it.
    """
    from ..sweeps.view import view as serve_view

    return serve_view(run, port=port)
