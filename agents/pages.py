"""What a model is told of an observation: in full with tree and pictures, or in a line once it is old."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..envs.kinds import KINDS, plain

if TYPE_CHECKING:
    from ..envs.observation import Observation


def told(observation: Observation) -> list[str]:
    """What came of the last action: why it was refused, what it gave to read."""
    lines = [f"Refused: {observation.error}"] if observation.error else []
    return lines + ([observation.result] if observation.result else [])


def full(observation: Observation, kinds: Sequence[str]) -> str:
    """All that is to be read: what came of the last action, where the browser is, then each kind that is text."""
    lines = told(observation)
    lines.append(f"Page: {observation.title or '(no title)'}, {observation.url}")
    if len(observation.tabs) > 1:
        tabs = (f"{n}{'*' if tab.active else ''} {tab.title}" for n, tab in enumerate(observation.tabs))
        lines.append(f"Tabs (* is active): {'; '.join(tabs)}")
    if (dialog := observation.dialog) is not None:
        lines.append(f"A dialog of the browser is open ({dialog.kind}): {dialog.message!r}. Answer it first.")
    if observation.downloads:
        lines.append(f"Downloads: {', '.join(observation.downloads)}")
    if observation.held:
        lines.append(f"Held down: {', '.join(observation.held)}")
    if not observation.settled:
        lines.append("The page is still busy.")
    lines.append(f"Time: {observation.time}. Steps left: {observation.steps_left}.")
    texts = [(kind, plain(observation, kind)) for kind in kinds if KINDS[kind].form != "picture"]
    lines += [f"\n{kind}:\n{text}" if len(texts) > 1 else f"\n{text}" for kind, text in texts]
    return "\n".join(lines)


def line(observation: Observation) -> str:
    """The same, short, for an observation that lies back."""
    short = [words if len(words) <= 300 else f"{words[:300]}…" for words in told(observation)] or ["Done."]
    return " ".join([*short, f"Page: {observation.title or '(no title)'}, {observation.url} (left out: it is old)."])


def pictures(observation: Observation, kinds: Sequence[str]) -> list[str]:
    """The kinds that are pictures as data URLs of PNG files."""
    found = (getattr(observation, kind) for kind in kinds if KINDS[kind].form == "picture")
    return [f"data:image/png;base64,{png(pixels)}" for pixels in found if pixels is not None]


def png(pixels: Any) -> str:
    """A picture (height x width x 3, uint8) as a PNG file in base64."""
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG", compress_level=1)
    return base64.b64encode(stream.getvalue()).decode("ascii")
