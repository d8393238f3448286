"""Memory of a sweep of 1,000 episodes with an agent that answers at once: is the curve flat?

Counted is what the sweep's process and all beneath it (workers, browsers, world servers) hold besides files, read again
and again while the sweep runs; and the sweep's own process alone, which knows every result. The beginning is the tenth
of the episodes after the first tenth, when everything is warm; the end is the last tenth. Linux only.
"""

from __future__ import annotations

import os
import statistics
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

from sitegym.sweeps import evaluate
from sitegym.sweeps.index import FILE
from sitegym.sweeps.run_folder import RunFolder

from ._processes import own_mb
from .table import Row

TASK = "store.admin/cancel-order"
EPISODES = 1_000
EVERY_S = 1.0


class Curve:
    """Reads the memory of everything, and of this process alone, with how many episodes are over at that moment."""

    def __init__(self, run: Path) -> None:
        self._run = run
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self.points: list[tuple[int, float, float]] = []

    def _read(self) -> None:
        while not self._end.wait(EVERY_S):
            if (self._run / FILE).is_file() and (self._run / "results.jsonl").is_file():
                over = (self._run / "results.jsonl").read_bytes().count(b"\n")
                self.points.append((over, own_mb(), _alone_mb()))

    def __enter__(self) -> Curve:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def between(self, first: int, last: int) -> tuple[float, float]:
        """Medians while so many episodes were over."""
        found = [point[1:] for point in self.points if first <= point[0] <= last] or [self.points[-1][1:]]
        everything, alone = zip(*found, strict=True)
        return statistics.median(everything), statistics.median(alone)


def main(quick: bool = False) -> list[Row]:
    """Memory at the end, beside that at the beginning."""
    episodes = 40 if quick else EPISODES
    if not Path("/proc/self/smaps_rollup").is_file():
        return []  # only Linux says how memory is shared
    with TemporaryDirectory(prefix="sitegym-bench-") as folder:
        run = Path(folder) / "run"
        with Curve(run) as curve:
            evaluate(
                agents=("noop",), tasks=TASK, repeats=episodes, data="tiny", screenshots=False, out=run, quiet=True
            )
        assert len(RunFolder.open(run).results()) == episodes
    first, last = curve.between(episodes // 10, episodes // 5), curve.between(episodes * 9 // 10, episodes)
    names = (f"memory of a sweep after {episodes:,} episodes", "  of its own process alone")
    return [
        Row(
            what=what,
            unit="MB",
            median=after,
            runs=len(curve.points),
            beside=before,
            beside_what="after the first tenth",
        )
        for what, after, before in zip(names, last, first, strict=True)
    ]


def _alone_mb() -> float:
    """What this process holds besides files."""
    lines = Path(f"/proc/{os.getpid()}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Pss_Anon:", "Pss_Shmem:"))) / 1024
