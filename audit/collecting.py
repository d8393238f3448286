"""What an audit came to: a table, the attempts that earned 0 with a field for the judge, the rate and its bound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..sweeps.files import read_json, write_json
from .bound import upper_bound
from .places import Pack

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


def collect(pack: Pack, out: Path | None = None) -> Iterator[str]:
    """Write `disagreements.json` into the results (what a judge wrote stays), `audit.md` and `audit.json` to `out`.

    Gives lines for the terminal. Raises `UsageError` for a judgement that is none of `JUDGEMENTS`.
    """
    key, out = pack.key(), out or pack.results
    results = {name: _result(pack, name) for name in pack.names}
    judged = _judged(pack)
    refused = [_disagreement(pack, name, key, judged.get(name, {})) for name, one in results.items() if _refused(one)]
    write_json(pack.results / JUDGED, refused)
    tally = _tally(list(results.values()), refused)
    about = {name: key[name] for name in ("data", "data_seed", "split", "sitegym")}
    templates = _by_template(key, results, refused)
    out.mkdir(parents=True, exist_ok=True)
    write_json(out / "audit.json", {**about, **tally.to_json(), "templates": templates, "disagreements": refused})
    text = "\n".join(_page(tally, about, templates, refused)) + "\n"
    (out / "audit.md").write_text(text, encoding="utf-8", errors="backslashreplace")
    yield from _summary(tally)
    if tally.to_judge:
        yield f"{tally.to_judge} to be judged in {pack.results / JUDGED}: {', '.join(JUDGEMENTS)}."
    yield f"Written: {out / 'audit.md'} and audit.json"


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


def _disagreement(pack: Pack, name: str, key: dict[str, Any], judged: dict[str, Any]) -> dict[str, Any]:
    """One attempt that ended at 0: all that a judge needs, what was done and seen by its folder."""
    one, folder = key["attempts"][name], pack.attempt(name)
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
    key: dict[str, Any], results: dict[str, dict[str, Any] | None], refused: list[dict[str, Any]]
) -> dict[str, dict[str, Any]]:
    names: dict[str, list[str]] = {}
    for name in results:
        names.setdefault(key["attempts"][name]["task"], []).append(name)
    return {
        task: _tally([results[name] for name in some], [one for one in refused if one["attempt"] in some]).to_json()
        for task, some in sorted(names.items())
    }


def _summary(tally: Tally) -> Iterator[str]:
    yield (
        f"{tally.planned} attempts: {tally.made} made ({tally.earned_1} earned 1, {tally.earned_0} earned 0), "
        f"{tally.abandoned} abandoned, {tally.faults} faults, {tally.open} open."
    )
    yield (
        f"Of those that earned 0: {tally.wrongly_refused} wrongly refused, {tally.mistakes} solver's mistakes, "
        f"{tally.ambiguous} ambiguous intents, {tally.to_judge} not judged yet."
    )
    worst = " if all that is not judged was wrongly refused" if tally.to_judge else ""
    yield (
        f"Wrongly refused: {tally.wrongly_refused} of {tally.made}, {tally.rate:.1%}; 95 % upper bound "
        f"{tally.bound:.1%}{worst}."
    )


def _page(
    tally: Tally, about: dict[str, Any], templates: dict[str, dict[str, Any]], refused: list[dict[str, Any]]
) -> Iterator[str]:
    yield from ("# Audit", "", "Solvers who saw only the intent and the site attempted each task.", "")
    yield from _summary(tally)
    yield ""
    yield (
        "The bound is exact and one-sided (Clopper and Pearson, 1934). Rates are of attempts that somebody finished; "
        f"sitegym {about['sitegym']}, data `{about['data']}`, seed {about['data_seed']}."
    )
    yield from ("", "| template | made | earned 1 | earned 0 | wrongly refused | ambiguous | mistakes | not judged |")
    yield "|---|---|---|---|---|---|---|---|"
    columns = ("made", "earned_1", "earned_0", "wrongly_refused", "ambiguous", "mistakes", "to_judge")
    for task, counts in templates.items():
        yield f"| `{task}` | {' | '.join(str(counts[name]) for name in columns)} |"
    if refused:
        yield from ("", "## Disagreements", "")
    for one in refused:
        yield from (f"### {one['attempt']}: `{one['task']}`, seed {one['seed']}", "", f"> {_line(one['goal'])}", "")
        yield f"- finished with `{_line(str(one['said']['answer']))}`, {one['said']['outcome']} ({one['solver']})"
        yield f"- refused because: {_line(one['reason'])}"
        yield f"- judged: {one['judgement'] or 'not yet'}{'. ' + _line(one['note']) if one['note'] else ''}"
        yield ""


def _line(text: str) -> str:
    return " ".join(text.split()).replace("`", "'").replace("<", "&lt;")
