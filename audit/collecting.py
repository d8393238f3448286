"""What an audit came to: counts, the attempts that earned 0 with a field for the judge, the rate and its bound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..sweeps.files import read_json, write_json
from .bound import upper_bound
from .places import Pack
from .table import page, summary

WRONGLY_REFUSED, MISTAKE, AMBIGUOUS = "wrongly refused", "solver's mistake", "ambiguous intent"
JUDGEMENTS = (WRONGLY_REFUSED, MISTAKE, AMBIGUOUS)
JUDGED = "disagreements.json"


@dataclass(frozen=True, kw_only=True)
class Tally:
    """What there was, counted."""

    planned: int
    made: int
    """Attempts that somebody finished and that were graded: what the rates are of."""
    earned_1: int
    earned_0: int
    abandoned: int
    """Given up, or out of steps: nobody claimed that the task was done."""
    faults: int
    open: int
    wrongly_refused: int
    mistakes: int
    ambiguous: int
    to_judge: int

    @property
    def rate(self) -> float:
        """Wrong refusals as a part of all that were made."""
        return self.wrongly_refused / self.made if self.made else 0.0

    @property
    def bound(self) -> float:
        """The 95 % upper bound of that rate; what is not judged yet counts as a wrong refusal here."""
        return upper_bound(self.wrongly_refused + self.to_judge, self.made)

    def to_json(self) -> dict[str, Any]:
        """The counts, the rate and its bound."""
        return {**asdict(self), "rate": self.rate, "upper_bound_95": self.bound}


def collect(packs: Sequence[Pack], out: Path | None = None) -> Iterator[str]:
    """Write `disagreements.json` into each pack's results (what a judge wrote stays), and `audit.md` and `audit.json`
    of all of them to `out` (the results of the only pack without it).

    Gives lines for the terminal. Raises `UsageError` for a judgement that is none of `JUDGEMENTS`, and for packs of
    different data.
    """
    if out is None and len(packs) > 1:
        raise UsageError("several packs have several folders of results: say where the table goes by --out")
    out = out or packs[0].results
    results: dict[str, dict[str, Any] | None] = {}
    tasks: dict[str, str] = {}
    refused: list[dict[str, Any]] = []
    for pack in packs:
        for name, label, one in _attempts(pack, several=len(packs) > 1):
            results[label], tasks[label] = _result(pack, name), one["task"]
        refused += _refused_of(pack, several=len(packs) > 1)
    tally = _tally(list(results.values()), refused)
    found = {
        **_about(packs),
        **tally.to_json(),
        "templates": _by_template(tasks, results, refused),
        "disagreements": refused,
    }
    out.mkdir(parents=True, exist_ok=True)
    write_json(out / "audit.json", found)
    (out / "audit.md").write_text(page(found), encoding="utf-8", errors="backslashreplace")
    yield from summary(found)
    if tally.to_judge:
        places = ", ".join(str(pack.results / JUDGED) for pack in packs)
        yield f"{tally.to_judge} to be judged in {places}: {', '.join(JUDGEMENTS)}."
    yield f"Written: {out / 'audit.md'} and audit.json"


def _about(packs: Sequence[Pack]) -> dict[str, Any]:
    """What was attempted: the data, and by template the hash of what it promises; all packs must agree on them."""
    keys = [pack.key() for pack in packs]
    about = [{name: key.get(name) for name in ("data", "data_seed", "split", "sitegym")} for key in keys]
    contents: dict[str, str] = {}
    for pack, key, one in zip(packs, keys, about, strict=True):
        if one != about[0]:
            raise UsageError(f"{pack.path} was made of {one}, {packs[0].path} of {about[0]}: collect them apart")
        for task, content in key.get("contents", {}).items():
            if contents.setdefault(task, content) != content:
                raise UsageError(
                    f"{pack.path} was made of another version of {task} than an earlier one: collect them apart"
                )
    return {**about[0], "contents": dict(sorted(contents.items()))}


def _attempts(pack: Pack, *, several: bool) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Name, name among all packs, and what it stands for."""
    key = pack.key()["attempts"]
    for name in pack.names:
        yield name, f"{pack.path.name}/{name}" if several else name, key[name]


def _refused_of(pack: Pack, *, several: bool) -> list[dict[str, Any]]:
    """Attempts of a pack that ended at 0, with what a judge said; written down for the judge."""
    judged = _judged(pack)
    found = [
        (label, _disagreement(pack, name, one, judged.get(name, {})))
        for name, label, one in _attempts(pack, several=several)
        if _refused(_result(pack, name))
    ]
    write_json(pack.results / JUDGED, [one for _, one in found])
    return [{**one, "attempt": label} for label, one in found]


def _result(pack: Pack, name: str) -> dict[str, Any] | None:
    path = pack.attempt(name) / "result.json"
    return read_json(path) if path.is_file() else None


def _finished(one: dict[str, Any] | None) -> bool:
    return one is not None and one["reward"] is not None and one["status"] == "finished"


def _refused(one: dict[str, Any] | None) -> bool:
    return one is not None and _finished(one) and one["reward"] == 0.0


def _judged(pack: Pack) -> dict[str, dict[str, Any]]:
    path = pack.results / JUDGED
    found = {one["attempt"]: one for one in read_json(path)} if path.is_file() else {}
    for name, one in found.items():
        if one["judgement"] not in ("", *JUDGEMENTS):
            raise UsageError(f"{path}: {one['judgement']!r} on attempt {name} is none of: {', '.join(JUDGEMENTS)}")
    return found


def _disagreement(pack: Pack, name: str, one: dict[str, Any], judged: dict[str, Any]) -> dict[str, Any]:
    """One attempt that ended at 0: all that a judge needs, what was done and seen by its folder."""
    folder = pack.attempt(name)
    verdict = read_json(folder / "verdict.json")
    return {
        "attempt": name,
        "judgement": judged.get("judgement", ""),
        "note": judged.get("note", ""),
        "task": one["task"],
        "seed": one["seed"],
        "solver": read_json(folder / "result.json")["agent"],
        "goal": one["goal"],
        "said": verdict["said"],
        "reason": verdict["reason"],
        "failed": [check for check in verdict["checks"] if not check["ok"]],
        "damage": verdict["damage"],
        "record": f"attempts/{name}",
    }


def _tally(results: list[dict[str, Any] | None], refused: list[dict[str, Any]]) -> Tally:
    made = [one for one in results if _finished(one)]
    over = [one for one in results if one is not None]
    counts = Counter(one["judgement"] for one in refused)
    faults = sum(one["reward"] is None for one in over)
    return Tally(
        planned=len(results),
        made=len(made),
        earned_1=len(made) - len(refused),
        earned_0=len(refused),
        abandoned=len(over) - len(made) - faults,
        faults=faults,
        open=len(results) - len(over),
        wrongly_refused=counts[WRONGLY_REFUSED],
        mistakes=counts[MISTAKE],
        ambiguous=counts[AMBIGUOUS],
        to_judge=counts[""],
    )


def _by_template(
    tasks: dict[str, str], results: dict[str, dict[str, Any] | None], refused: list[dict[str, Any]]
) -> dict[str, dict[str, Any]]:
    names: dict[str, list[str]] = {}
    for name, task in tasks.items():
        names.setdefault(task, []).append(name)
    return {
        task: _tally([results[name] for name in some], [one for one in refused if one["attempt"] in some]).to_json()
        for task, some in sorted(names.items())
    }
