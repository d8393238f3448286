"""The table of an audit as Markdown, from what `audit.json` holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..sweeps.progress import many

_COLUMNS = ("made", "earned_1", "earned_0", "wrongly_refused", "ambiguous", "mistakes", "to_judge")


def summary(found: Mapping[str, Any]) -> Iterator[str]:
    """How many attempts there were, how they were judged, and the rate of wrong refusals with its bound."""
    yield (
        f"{found['planned']} attempts: {found['made']} made ({found['earned_1']} earned 1, {found['earned_0']} earned"
        f" 0), {found['abandoned']} abandoned, {found['faults']} faults, {found['open']} open."
    )
    yield (
        f"Of those that earned 0: {found['wrongly_refused']} wrongly refused, {found['mistakes']} solver's mistakes, "
        f"{found['ambiguous']} ambiguous intents, {found['to_judge']} not judged yet."
    )
    worst = " if all that is not judged was wrongly refused" if found["to_judge"] else ""
    yield (
        f"Wrongly refused: {found['wrongly_refused']} of {found['made']}, {found['rate']:.1%}; 95 % upper bound "
        f"{found['upper_bound_95']:.1%}{worst}."
    )


def page(found: Mapping[str, Any], *, today: Mapping[str, str] | None = None) -> str:
    """The whole page; `today`, where it is given, is the content hash of each template that it is shown beside."""
    return "\n".join(_page(found, today)) + "\n"


def _page(found: Mapping[str, Any], today: Mapping[str, str] | None) -> Iterator[str]:
    contents = found["contents"]
    yield from ("# Audit", "", "Solvers who saw only the intent and the site attempted each task.", "")
    if today is not None and (other := [task for task in found["templates"] if today.get(task) != contents.get(task)]):
        all_of_them = len(other) == len(found["templates"])
        which = "all templates" if all_of_them else f"{many(len(other), 'template')}, marked as older"
        yield from (
            f"**Made of other content than today's: {which}.** Their code, the verifiers or the data have changed",
            "since: what follows is about them as they were.",
            "",
        )
    yield from summary(found)
    yield ""
    yield (
        "The bound is exact and one-sided (Clopper and Pearson, 1934). Rates are of attempts that somebody finished; "
        f"sitegym {found['sitegym']}, data `{found['data']}`, seed {found['data_seed']}; the content of a "
        "template is a hash of its code, the verifiers and the data that it begins with."
    )
    yield from (
        "",
        "| template | made | earned 1 | earned 0 | wrongly refused | ambiguous | mistakes | not judged | content |",
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for task, counts in found["templates"].items():
        content = contents.get(task, "")
        older = " (older)" if today is not None and today.get(task) != content else ""
        yield f"| `{task}` | {' | '.join(str(counts[name]) for name in _COLUMNS)} | `{content[:8] or '?'}`{older} |"
    if found["disagreements"]:
        yield from ("", "## Disagreements", "")
    for one in found["disagreements"]:
        yield from (f"### {one['attempt']}: `{one['task']}`, seed {one['seed']}", "", f"> {_line(one['goal'])}", "")
        yield f"- finished with `{_line(str(one['said']['answer']))}`, {one['said']['outcome']} ({one['solver']})"
        yield f"- refused because: {_line(one['reason'])}"
        yield f"- judged: {one['judgement'] or 'not yet'}{'. ' + _line(one['note']) if one['note'] else ''}"
        yield ""


def _line(text: str) -> str:
    return " ".join(text.split()).replace("`", "'").replace("<", "&lt;")
