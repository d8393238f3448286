"""What the overview shows at a moment, as plain values: how far the sweep is, how fast, and what is being played."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ..faults import cause_of
from ..files import read_json
from ..plan import EpisodeSpec
from ..report.episodes import outcome_of
from ..run_folder import RunFolder
from ..statistics import estimate_plays
from .reading import IndexReader, planned_by_agent

WINDOW_S = 300.0
"""The rate is that of the last so many seconds."""
ALIVE_S = 30.0
"""A heartbeat that is younger says that the sweep runs."""
MOST = 200
"""How many episodes that are being played are shown."""


class RunState:
    """One run that is watched. Not safe for several threads at once."""

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder
        self.specs = {spec.id: spec for spec in folder.plan.episodes}
        self.index = IndexReader(folder)
        self._places = {id: place for place, id in enumerate(self.specs)}
        self._planned = planned_by_agent(folder.plan)
        self._read: float | None = None
        self._said = ""
        self._agents: tuple[int, list[dict[str, Any]]] = (-1, [])

    def now(self) -> dict[str, Any]:
        """The overview. Raises `sqlite3.Error` where the index can't be read just now."""
        self.index.look()
        index, planned, playing = self.index, len(self.specs), list(self._playing())
        state = self._state(playing)
        rate = self._rate() if state == "running" else None
        left = planned - index.over
        return {
            "name": self.folder.path.resolve().name,
            "created": self.folder.manifest.get("created") or "",
            "state": state,
            "planned": planned,
            "over": index.over,
            "rate": rate,
            "left_s": left / rate * 60 if rate and left else None,
            "took_s": self._took() if state == "over" else None,
            "cost_usd": index.cost_usd,
            "tokens": index.tokens,
            "agents": self._by_agent(),
            "playing": playing[:MOST],
            "faults": self._faults(),
            "latest": [self._ended(result, changed) for result, changed in reversed(index.latest)],
        }

    def neighbours(self, spec: EpisodeSpec) -> tuple[EpisodeSpec | None, EpisodeSpec | None]:
        """The planned episodes before and after one."""
        planned, at = self.folder.plan.episodes, self._places[spec.id]
        return planned[at - 1] if at else None, planned[at + 1] if at + 1 < len(planned) else None

    def _state(self, playing: list[dict[str, Any]]) -> str:
        """`ready` (nothing begun), `running`, `stopped` (its process is gone), `interrupted` or `over`."""
        said = self._manifest()
        if said != "running":
            return said or "over"
        ages = [one["age_s"] for one in playing if one["age_s"] is not None]
        if _at_work(self.folder.path) or min(ages, default=ALIVE_S) < ALIVE_S:
            return "running"
        return "stopped" if self.index.over or playing else "ready"

    def _manifest(self) -> str:
        """The state in `run.json`, which is read only where it was written anew."""
        path = self.folder.path / "run.json"
        try:
            written = path.stat().st_mtime
            if written != self._read:
                self._said, self._read = str(read_json(path).get("state") or ""), written
        except (OSError, UsageError):
            pass  # gone just now: what it said before
        return self._said

    def _rate(self) -> float | None:
        """Episodes a minute of late; None while none was over in this session."""
        now, begun = time.time(), _begun(self.folder.path)
        window = min(WINDOW_S, now - begun) if begun is not None else WINDOW_S
        since = now - window
        late = 0
        for moment in reversed(self.index.times):
            if moment < since:
                break
            late += 1
        return late / window * 60 if late and window > 0 else None

    def _took(self) -> float | None:
        """Seconds from the run's beginning to the end of its last episode, pauses included; None where not known."""
        try:
            begun = datetime.fromisoformat(str(self.folder.manifest["created"])).timestamp()
        except (KeyError, ValueError):
            return None
        last = max(self.index.times, default=begun)
        return last - begun if last > begun else None

    def _by_agent(self) -> list[dict[str, Any]]:
        if self._agents[0] != self.index.over or not self._agents[1]:
            self._agents = self.index.over, [self._agent(name, planned) for name, planned in self._planned.items()]
        return self._agents[1]

    def _agent(self, name: str, planned: int) -> dict[str, Any]:
        plays = self.index.outcomes.get(name, [])
        found = estimate_plays(plays)
        return {
            "name": name,
            "planned": planned,
            "over": self.index.ended[name],
            "graded": found.plays,
            "success": int(sum(success for _, _, success in plays)),
            "low": found.interval.low if found.interval else None,
            "high": found.interval.high if found.interval else None,
            "damaged": self.index.damaged[name],
            "faults": self.index.lost[name],
        }

    def _playing(self) -> Iterator[dict[str, Any]]:
        for id, since in self.index.running.items():
            spec = self.specs.get(id)
            if spec is not None:
                yield {**_named(spec), **status_of(self.folder.episode(id)), "for_s": max(0.0, time.time() - since)}

    def _faults(self) -> list[dict[str, Any]]:
        return [
            {"cause": cause, "meaning": cause_of(cause).meaning, "attempts": count, "lost": self.index.without[cause]}
            for cause, count in (self.index.attempts | self.index.without).most_common()
        ]

    def _ended(self, result: Any, changed: float | None) -> dict[str, Any]:
        spec = self.specs[result.id]
        outcome = outcome_of(spec, result)
        return {
            **_named(spec),
            "word": outcome.word,
            "kind": outcome.kind,
            "reason": result.reason,
            "steps": result.steps,
            "seconds": result.seconds,
            "ago_s": None if changed is None else max(0.0, time.time() - changed),
        }


def _named(spec: EpisodeSpec) -> dict[str, Any]:
    return {"id": spec.id, "agent": spec.agent, "task": spec.task, "seed": spec.task_seed, "repeat": spec.repeat}


def status_of(episode: Path) -> dict[str, Any]:
    """What an episode's `status.json` says: its state, step, and the age of its heartbeat in seconds."""
    try:
        found: Mapping[str, Any] = read_json(episode / "status.json")
        age = time.time() - datetime.fromisoformat(found["heartbeat"]).timestamp()
        return {"state": str(found["state"]), "step": int(found["step"]), "age_s": max(0.0, age)}
    except (UsageError, OSError, KeyError, TypeError, ValueError):
        return {"state": "", "step": 0, "age_s": None}  # it has no folder yet


def _begun(run: Path) -> float | None:
    """When the last session of the sweep began: it then writes its number into the lock."""
    try:
        return (run / "lock").stat().st_mtime
    except OSError:
        return None


def _at_work(run: Path) -> bool:
    """Whether the process that has the run's lock is alive on this machine."""
    try:
        os.kill(int((run / "lock").read_text()), 0)
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True
