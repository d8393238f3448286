"""An episode that is being played: its steps as they come, read from the record that is written meanwhile."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from ..plan import EpisodeSpec
from ..report.episodes import read_episode
from .state import status_of

WAIT_S = 3.0
"""How long a picture is waited for: it is written beside the episode, and may be named before it is there."""
_TURN_S = 0.05


def steps_of(folder: Path, spec: EpisodeSpec, after: int, pictures: str) -> dict[str, Any]:
    """The steps from number `after` on (counted from 0), and how the episode is.

    Each step is the page before an action, with the action; the last is the page that the agent has before it now.
    `whole` is false where the record was being written at this moment, so that nothing of it could be read.
    """
    page = read_episode(folder, spec, None, pictures=pictures)
    frames = page.frames[after:]
    if page.frames and frames:
        frames[-1] = {**frames[-1], "words": "", "waiting": True}
    status = status_of(folder)
    return {"goal": page.goal, "frames": frames, "count": len(page.frames), "whole": not page.trouble, **status}


def wait_for(path: Path, seconds: float = WAIT_S) -> bool:
    """Whether a file is there, or comes soon."""
    until = time.monotonic() + seconds
    while not path.is_file():
        if time.monotonic() > until:
            return False
        time.sleep(_TURN_S)
    return True
