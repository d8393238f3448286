"""How an observation looks in a notebook: where the agent is, what it was told, and each kind that was asked for."""

from __future__ import annotations

import base64
import io
from html import escape
from typing import TYPE_CHECKING, Any

from .kinds import KINDS, plain

if TYPE_CHECKING:
    from .observation import Observation

_HEADER = ("goal", "error", "result", "time", "steps_left")


def as_html(seen: Observation) -> str:
    """HTML without scripts or addresses that would be loaded."""
    where = f"<p><b>{escape(seen.title)}</b> <code>{escape(seen.url)}</code></p>"
    rows = "".join(_row(name, getattr(seen, name)) for name in _HEADER)
    kinds = "".join(_kind(name, value) for name, value in _held(seen).items())
    dialog = f"{seen.dialog.kind}: {seen.dialog.message}" if seen.dialog is not None else ""
    return f"<div>{where}<table>{rows}{_row('dialog', dialog)}</table>{kinds}</div>"


def as_png(picture: Any) -> bytes:
    """A picture (uint8, height x width x 3) as a PNG file."""
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG")
    return file.getvalue()


def _held(seen: Observation) -> dict[str, Any]:
    """What an observation holds, by kind, pictures first."""
    names = sorted(KINDS, key=lambda name: KINDS[name].form != "picture")
    return {name: plain(seen, name) for name in names if _filled(getattr(seen, name))}


def _filled(value: Any) -> bool:
    return value is not None and len(value) > 0


def _kind(name: str, value: Any) -> str:
    if KINDS[name].form == "picture":
        data = base64.b64encode(as_png(value)).decode()
        return f'<img alt="{name}" style="max-width: 100%" src="data:image/png;base64,{data}">'
    return f"<details><summary>{name}</summary><pre>{escape(value)}</pre></details>"


def _row(name: str, value: object) -> str:
    shown = escape(str(value))
    return f"<tr><th>{name}</th><td style='text-align: left'>{shown}</td></tr>" if shown else ""
