"""The runs: who is measured when, so that whatever else the machine does meets all contenders alike."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from rich.console import Console
from sitegym.envs.host import BrowserHost

from ..table import Row, measured
from .contenders import Contender, Failed, Ours, Place, Rival

TARGETS = 8
"""Elements that are clicked in turn; they stand in the window without scrolling."""
RAW = "raw Playwright"


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """How often things are done."""

    steps: int = 40
    resets: int = 25
    rounds: int = 5
    """Rounds of resets back to back."""
    burst: int = 10
    """Resets in one round; BrowserGym does two."""

    @classmethod
    def quick(cls) -> Sizes:
        """Just enough to see that it works."""
        return cls(steps=4, resets=2, rounds=1, burst=2)


@dataclass(frozen=True)
class Arena:
    """All contenders and all pages."""

    host: BrowserHost
    places: Sequence[Place]
    raw: Rival
    gyms: Mapping[str, Rival]
    sizes: Sizes

    def steps(self) -> Iterator[Row]:
        """Click steps with the whole tree and as agents get it, with and without the picture."""
        for place in self.places:
            for tree in ("axtree_full", "axtree"):
                for picture in (True, False):
                    yield from self._steps(place, tree, picture)

    def _steps(self, place: Place, tree: str, picture: bool) -> Iterator[Row]:
        what = f"step, {place.name}, {tree}{', screenshot' * picture}"
        Console(stderr=True).print(f"  {what} …")
        with closing(Ours(self.host, tree)) as ours:
            field: dict[str, Contender] = {"": ours, RAW: self.raw}
            if picture and tree == "axtree_full":
                field |= self.gyms
            times = self._clicked(field, place, picture)
        yield from _rows(what, times)

    def _clicked(self, field: Mapping[str, Contender], place: Place, picture: bool) -> dict[str, list[float]]:
        counts = {}
        for name, one in field.items():
            one.reset(place, picture=picture)
            counts[name] = min(TARGETS, one.targets(place))
            if not counts[name]:
                raise SystemExit(f"{name or 'sitegym'} sees nothing to click on {place.url}")
        times: dict[str, list[float]] = {name: [] for name in field}
        failed: dict[str, int] = {}
        for run in range(self.sizes.steps):
            for name, one in field.items():
                if name in self.gyms and not _due(run, self.sizes.steps, self.gyms[name].share):
                    continue
                try:
                    times[name].append(one.click(run % counts[name], picture=picture))
                except Failed:
                    failed[name] = failed.get(name, 0) + 1
        for name, count in failed.items():
            Console(stderr=True).print(f"    {count} clicks of {name} took longer than it allows, and are left out")
        return {name: values for name, values in times.items() if values}

    def resets(self) -> Iterator[Row]:
        """Resets with the first observation; the context of ours is made ahead, during the episode before."""
        for place in (self.places[1], self.places[-1]):
            for picture in (True, False):
                what = f"reset, {place.name}, axtree_full{', screenshot' * picture}"
                Console(stderr=True).print(f"  {what} …")
                yield from _rows(what, self._reset(place, picture))

    def _reset(self, place: Place, picture: bool) -> dict[str, list[float]]:
        with closing(Ours(self.host)) as ours:
            ours.reset(place, picture=picture)
            times: dict[str, list[float]] = {"": [], RAW: []}
            if picture:
                times |= {name: [] for name in self.gyms}
            for run in range(self.sizes.resets):
                ours.ready()
                times[""].append(ours.reset(place, picture=picture))
                times[RAW].append(self.raw.reset(place, picture=picture))
                for name, gym in self.gyms.items():
                    if picture and _due(run, self.sizes.resets, gym.share):
                        times[name].append(gym.reset(place, picture=True))
        return times

    def rates(self) -> Iterator[Row]:
        """Resets back to back, where nothing is prepared that is not paid for: how many there are in a second."""
        place = self.places[-1]
        what = f"resets in a row, {place.name}, axtree_full, screenshot"
        Console(stderr=True).print(f"  {what} …")
        with closing(Ours(self.host)) as ours:
            field: dict[str, Contender] = {"": ours, RAW: self.raw, **self.gyms}
            for one in field.values():
                one.reset(place, picture=True)
            rates: dict[str, list[float]] = {name: [] for name in field}
            for _ in range(self.sizes.rounds):
                for name, one in field.items():
                    count = 2 if name in self.gyms else self.sizes.burst
                    begun = time.perf_counter()
                    for _ in range(count):
                        one.reset(place, picture=True)
                    rates[name].append(count / (time.perf_counter() - begun))
        yield from _rows(what, rates, unit="1/s")


def _due(run: int, runs: int, share: float) -> bool:
    """Whether a slow one runs now, so that it has its share of the runs, spread evenly, but one at least."""
    wanted = max(1, round(runs * share))
    return run * wanted // runs != (run - 1) * wanted // runs


def _rows(what: str, times: Mapping[str, Sequence[float]], unit: str = "ms") -> Iterator[Row]:
    ours = times[""]
    for name, theirs in times.items():
        if name:
            yield measured(what, unit, ours, theirs, name)
