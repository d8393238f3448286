"""The table of an audit as Markdown, from what `audit.json` holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

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


def page(found: Mapping[str, Any], *, today: str | None = None) -> str:
    """The whole page; `today`, where it is given, is the content hash of the tasks and verifiers it is shown beside."""
    return "\n".join(_page(found, today)) + "\n"


def _page(found: Mapping[str, Any], today: str | None) -> Iterator[str]:
    yield from ("# Audit", "", "Solvers who saw only the intent and the site attempted each task.", "")
    if today is not None and today != found.get("content"):
        yield from (
            "**Made of other content than today's.** Tasks, verifiers or data have changed since (now "
            f"`{today[:16]}`): what follows is about them as they were.",
            "",
        )
    yield from summary(found)
    yield ""
    content = f", tasks and verifiers with the content hash `{found['content'][:16]}`" if found.get("content") else ""
    yield (
        "The bound is exact and one-sided (Clopper and Pearson, 1934). Rates are of attempts that somebody finished; "
        f"sitegym {found['sitegym']}, data `{found['data']}`, seed {found['data_seed']}{content}."
    )
    yield from ("", "| template | made | earned 1 | earned 0 | wrongly refused | ambiguous | mistakes | not judged |")
    yield "|---|---|---|---|---|---|---|---|"
    for task, counts in found["templates"].items():
        yield f"| `{task}` | {' | '.join(str(counts[name]) for name in _COLUMNS)} |"
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
