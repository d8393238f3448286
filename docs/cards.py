"""A card for each task, made from its code: how it is asked for, what must come of it, what fails, how long it is."""

from __future__ import annotations

import inspect
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import difficulty
import expected_in_words
from sitegym import sites, tasks
from sitegym.sites.world.baseline import baseline
from sitegym.tasks import tags
from sitegym.tasks.listing import describe
from sitegym.verifiers import Snapshot

MEASURED = Path(__file__).parent / "data" / "difficulty.json"
DATA = "tiny"
SEEDS = range(4)
"""Instances whose near misses and other ways a card names."""


def path(task_id: str) -> str:
    """Where the card of a template stands."""
    return f"tasks/{re.sub('[^a-z0-9-]+', '-', task_id)}.md"


def tasks_page() -> str:
    """All templates by kind, with what they ask for, how many outcomes they have, and how long they are."""
    found, measured = tasks.templates(), _measured()
    kinds = Counter(str(one.kind) for one in found.values())
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    outcomes = sum(sum(tasks.outcomes(task_id)) for task_id in found)
    lines = [
        "# Tasks",
        "",
        f"{len(found)} templates ({told}) with {outcomes:,} distinct outcomes in `base`. Each card is made from the "
        "code. Steps are the actions that the oracle takes; screens are the pages and dialogs that it sees on the way.",
        "",
    ]
    lines += ["| task | kind | what it asks for | outcomes | steps | screens | tags |", "|---|---|---|--:|--:|--:|---|"]
    for task_id, one in found.items():
        about = inspect.cleandoc(one.__doc__ or "").split("\n")[0]
        link = f"[{task_id.partition('/')[2]}]({path(task_id).partition('/')[2]})"
        steps, screens = (_span(measured.get(task_id, {}).get("played", ()), name) for name in ("steps", "screens"))
        row = (link, one.kind, about, f"{sum(tasks.outcomes(task_id)):,}", steps, screens, " ".join(one.tags))
        lines.append(f"| {' | '.join(map(str, row))} |")
    lines += ["", "## Tags", "", "| tag | stands for |", "|---|---|"]
    every = {tag for one in found.values() for tag in one.tags}
    lines += [f"| {tag} | {tags.meaning(tag)} |" for tag in sorted(every, key=lambda tag: (tag[0], int(tag[1:])))]
    return "\n".join(lines) + "\n"


def card(task_id: str) -> str:
    """One template, section by section."""
    drawn = [tasks.task(task_id, seed, data=DATA) for seed in SEEDS]
    done = next((task for task in drawn if task.instance.feasible), drawn[0])
    refused = next((task for task in drawn if not task.instance.feasible), None)
    site = sites.get(done.template.site)
    with Snapshot(baseline(site.name, DATA, 1).path, site.metadata) as before:
        lines = [f"# {task_id.partition('/')[2]}", "", inspect.cleandoc(done.template.__doc__ or ""), ""]
        lines += [*_facts(task_id, done.template), "", *_asked(done), "", *_expected(done, refused, before), ""]
        lines += [*_misses(drawn, before), "", *_others(drawn, before), "", *_tags(done.template), ""]
        lines += [*_example(done, before)]
    return "\n".join(lines) + "\n"


def _facts(task_id: str, one: tasks.Template[Any]) -> Iterator[str]:
    can, can_not = tasks.outcomes(task_id)
    yield from ("| | |", "|---|---|", f"| id | `{task_id}` |", f"| kind | {one.kind} |", f"| done by | a {one.role} |")
    yield f"| starts on | `{one.start_url}` |"
    of_split = {split: sum(tasks.outcomes(task_id, split=split)) for split in tasks.SPLITS}
    splits = [f"{number:,} {split}" for split, number in of_split.items()]
    if others := can + can_not - sum(of_split.values()):
        splits.append(f"{others:,} whose entities are of several splits in none")
    why = f"; {one.few}" if one.few else ""
    yield f"| distinct outcomes in `base` | {can + can_not:,} ({', '.join(splits)}){why} |"
    if can_not:
        yield f"| twins | {can:,} can be done, {can_not:,} can't; half of all seeds each, in the same words |"
    measured = _measured().get(task_id)
    if measured is not None:
        steps, screens = (_span(measured["played"], name) for name in ("steps", "screens"))
        stale = "" if measured["oracle"] == difficulty.mark(task_id) else " (before its oracle was changed)"
        yield f"| length | {steps} steps of the oracle over {screens} screens{stale}; at most {one.max_steps} steps |"


def _asked(task: tasks.Task) -> Iterator[str]:
    yield from ("## How it is asked for", "", "One of these is drawn by seed:", "")
    for intent in task.template.intents(task.instance):
        yield f"- {_plain(intent)}"


def _expected(done: tasks.Task, refused: tasks.Task | None, before: Snapshot) -> Iterator[str]:
    yield from ("## What must come of it", "", "For this instance, beside the outcome DONE:", "")
    yield from expected_in_words.told(done.expectation(before))
    if refused is not None:
        yield from ("", "For a twin of it that can't be done:", "")
        yield from expected_in_words.told(refused.expectation(before))


def _misses(drawn: Iterable[tasks.Task], before: Snapshot) -> Iterator[str]:
    own: dict[str, bool] = {}
    every: dict[str, bool] = {}
    for task in drawn:
        own |= {_unnumbered(m.name): m.ui is not None for m in task.template.near_misses(before, task.instance)}
        every |= {_unnumbered(miss.name): miss.ui is not None for miss in task.near_misses(before)}
    shared = [name for name in every if name not in own]
    yield from ("## What earns nothing", "", *_bullets(own), "")
    yield f"As for every task: doing nothing; {'; '.join(map(_plain, shared))}; and every mutation of the right result."


def _others(drawn: Iterable[tasks.Task], before: Snapshot) -> Iterator[str]:
    every = {other.name: other.ui is not None for task in drawn for other in task.still_right(before)}
    yield from ("## What is right as well", "", *_bullets(every))


def _tags(one: tasks.Template[Any]) -> Iterator[str]:
    yield from ("## Patterns and traps", "")
    yield from (f"- {tag}: {tags.meaning(tag)}" for tag in one.tags)


def _example(task: tasks.Task, before: Snapshot) -> Iterator[str]:
    yield from ("## An instance in full", "", f"> {_plain(task.goal)}", "")
    yield f"Seed {task.task_seed} of the data set `{DATA}`, as `sitegym tasks instance` prints it:"
    yield from ("", "```text", *describe(task.expectation(before)), "```")


def _bullets(names: dict[str, bool]) -> Iterator[str]:
    """Names, those that are played in the browser marked."""
    for name in sorted(names):
        yield f"- {_plain(name)}{' *(in the browser)*' if names[name] else ''}"


def _plain(text: str) -> str:
    """Text that Markdown leaves as it is."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text)


def _unnumbered(name: str) -> str:
    """A name without the numbers of one instance."""
    return re.sub(r"\breview \d+", "another review", name)


def _measured() -> dict[str, Any]:
    return dict(json.loads(MEASURED.read_text())) if MEASURED.exists() else {}


def _span(played: Iterable[dict[str, int]], name: str) -> str:
    """`6`, or `6 to 9`, of what was measured."""
    found = sorted({one[name] for one in played})
    return " to ".join(map(str, dict.fromkeys([found[0], found[-1]]))) if found else ""
