"""Print tasks for people: the list of templates, one template, one instance with what is expected of it."""

from __future__ import annotations

import inspect
import json
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from .. import sites, tasks
from ..sites.world.baseline import baseline
from ..verifiers.expectation import Deleted, Expectation, Inserted, Ordered, Part, Summed, Updated
from ..verifiers.snapshot import Snapshot

_SAMPLES = 3


def list_templates(pattern: str = "*", *, as_json: bool = False) -> None:
    """Print a line for each template whose id matches; raises `UnknownTask` where none does."""
    found = [tasks.template(name) for name in tasks.match(pattern)]
    if as_json:
        print(json.dumps([_facts(template) for template in found], indent=1))
        return
    width = max(len(template.id) for template in found)
    for template in found:
        print(f"{template.id:<{width}}  {template.kind:<8}  {_about(template)}")


def show_template(task_id: str, *, data: str = "base", data_seed: int = 1) -> None:
    """Print what a template is about, and the goals of its first instances."""
    template = tasks.template(task_id)
    print(f"{task_id} ({template.kind}; {', '.join(template.tags) or 'no tags'})\n")
    print(inspect.cleandoc(template.__doc__ or "") + "\n")
    for seed in range(_SAMPLES):
        task = tasks.task(task_id, seed, data=data, data_seed=data_seed)
        print(textwrap.fill(f"seed {seed}, for a {task.role}: {task.goal}", 110, subsequent_indent="  ") + "\n")


def show_instance(task_id: str, seed: int, *, split: str | None = None, data: str = "base", data_seed: int = 1) -> None:
    """Print one instance as an agent gets it, and the expectation that it is graded by."""
    task = tasks.task(task_id, seed, data=data, data_seed=data_seed, split=split)
    site = sites.get(task_id.partition("/")[0].partition(".")[0])
    start = baseline(site.name, data, data_seed)
    print(f"task     {task.id}, seed {seed}, {data} data with seed {data_seed}")
    print(f"split    {task.split or 'any'}")
    print(f"role     {task.role}")
    print(f"start    {task.start_url}")
    print(f"steps    at most {task.max_steps}")
    print(f"params   {_flat(task.params)}")
    print(f"\n{textwrap.fill(task.goal, 110)}\n")
    with Snapshot(start.path, site.metadata) as before:
        for line in describe(task.expectation(before)):
            print(line)


def describe(expectation: Expectation) -> Iterator[str]:
    """What an expectation asks for, a line each."""
    yield f"outcome  {expectation.outcome}"
    if expectation.answer is not None:
        yield f"answer   {expectation.answer.wanted()!r} ({type(expectation.answer).__name__})"
    if expectation.blocker is not None:
        yield f"blocker  {expectation.blocker.wanted()!r} ({type(expectation.blocker).__name__})"
    if expectation.view is not None:
        yield f"view     {expectation.view}"
    for word, parts in (("must", expectation.must), ("may", expectation.may)):
        for part in parts:
            yield f"{word:<8} {_part(part)}"
    yield "else     every other change of data is damage"


def _part(part: Part) -> str:
    """`update orders 17: status=canceled`."""
    match part:
        case Updated(table, key, values):
            return f"update {table} {key}: {_flat(values)}"
        case Inserted(table, values):
            return f"insert {table}: {_flat(values)}"
        case Deleted(table, key):
            return f"delete {table} {key}"
        case Ordered(table, within, keys):
            return f"order {table} in {_flat(within)}: {', '.join(map(str, keys))}"
        case Summed(table, where, column, least):
            return f"new rows of {table} with {_flat(where)}: {column} at least {least} in sum"


def _flat(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in values.items())


def _facts(template: tasks.Template[Any]) -> dict[str, object]:
    return {
        "id": template.id,
        "kind": str(template.kind),
        "about": _about(template),
        "role": template.role,
        "tags": list(template.tags),
        "max_steps": template.max_steps,
    }


def _about(template: tasks.Template[Any]) -> str:
    return (template.__doc__ or "").strip().partition("\n")[0]
