"""Making a pack: a sheet for each attempt with the intent and nothing that a solver should not know."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from .. import __version__
from .. import tasks as task_room
from ..called import to_type
from ..errors import UsageError
from ..sweeps.content import template_hashes
from ..sweeps.files import write_json
from ..sweeps.plan import matching
from ..sweeps.run_folder import new_folder
from ..tasks import Task
from ..verifiers.outcomes import OUTCOMES
from .places import FORMAT, VERSION, Pack, remember

_SHEET = """# Attempt {name}

{goal}

You are signed in already, and the browser opens on {address}.
"""
_README = """# {count} things to do in a web application

Each file in `attempts/` asks for one thing, as a colleague might. Do it in the application, as you understand it, and
finish: with the answer where one was asked for, and with an outcome if it can't be done:

{outcomes}

Change nothing that you were not asked to change. An error that you put right again does no harm. Look only at the sheet
and at the application; the application's code and data are not for you. Nobody tells you how you did: we want to know
whether what is asked for can be understood, not how good you are.

## In a window

    {command} list PACK
    {command} play PACK 01

opens the application, signed in, with what is asked for beside it and a form to finish with.

## Line by line

    {command} attempt PACK 01
    {command} act PACK 01 'type("e7", "Ada", submit=true)' 'click("e12")'
    {command} look PACK 01
    {command} act PACK 01 'finish(answer="41.50")'

`attempt` shows what is asked for and the first page, as a tree of roles and names with references such as `[ref=e12]`;
`act` takes one or more actions, stops at the first that the page refuses, and shows the page after it. The page waits
between two commands. `{command} actions` lists all actions.

PACK is the path of this folder.
"""


def make_pack(
    out: Path,
    *,
    tasks: str | Sequence[str] = "*",
    instances: int = 2,
    seed: int = 0,
    split: str | None = None,
    data: str = "base",
    data_seed: int = 1,
    results: Path | None = None,
) -> Pack:
    """Write a pack to `out`, a new folder, and its key to `results` (by default beside it, `OUT-results`).

    For each template `instances` seeds from `seed` up; their order and so their names are drawn. Templates that offer
    nothing in this data or split are left out. Raises `UsageError`, also where nothing is left.
    """
    results = results or out.absolute().with_name(f"{out.absolute().name}-results")
    if results.absolute() == out.absolute() or out.absolute() in results.absolute().parents:
        raise UsageError("the results must not lie in the pack: solvers would find them there")
    seeds = range(seed, seed + instances)
    chosen = list(_chosen(matching(tasks), seeds, split=split, data=data, data_seed=data_seed))
    if not chosen:
        raise UsageError("no template offers an instance here: use the data set 'base', or another split")
    Random(f"audit {seed} {data} {data_seed} {split}").shuffle(chosen)
    width = max(2, len(str(len(chosen))))
    named = {f"{number:0{width}}": one for number, one in enumerate(chosen, 1)}
    pack = Pack(
        new_folder(out, "go on with the pack in it").absolute(),
        secrets.token_hex(6),
        tuple(named),
        new_folder(results, "empty it").absolute(),
    )
    _write_key(pack, named, split=split, data=data, data_seed=data_seed)
    _write_pack(pack, named)
    remember(pack.id, pack.results)
    return pack


def _chosen(ids: Sequence[str], seeds: range, *, split: str | None, data: str, data_seed: int) -> Iterator[Task]:
    """The instances; the same goal twice for one template would be the same attempt."""
    for id in ids:
        goals: set[tuple[str, str]] = set()
        for seed in seeds:
            try:
                one = task_room.task(id, seed, data=data, data_seed=data_seed, split=split)
            except UsageError:
                break
            if (one.goal, str(one.params)) not in goals:
                goals.add((one.goal, str(one.params)))
                yield one


def _write_key(pack: Pack, named: dict[str, Task], *, split: str | None, data: str, data_seed: int) -> None:
    for folder in ("attempts", "set-aside"):
        (pack.results / folder).mkdir()
    attempts = {name: {"task": one.id, "seed": one.task_seed, "goal": one.goal} for name, one in named.items()}
    contents = template_hashes({one.id for one in named.values()}, data=data, data_seed=data_seed)
    about = {"data": data, "data_seed": data_seed, "split": split, "sitegym": __version__, "contents": contents}
    write_json(pack.results / "key.json", {"pack": pack.id, **about, "attempts": attempts})


def _write_pack(pack: Pack, named: dict[str, Task]) -> None:
    for folder in ("attempts", ".open"):
        (pack.path / folder).mkdir()
    for name, one in named.items():
        sheet = _SHEET.format(name=name, goal=one.goal, address=one.start_url)
        (pack.path / "attempts" / f"{name}.md").write_text(sheet, encoding="utf-8")
    outcomes = "\n".join(f"- `{code}`: {meaning}" for code, meaning in OUTCOMES.items())
    readme = _README.format(count=len(named), outcomes=outcomes, command=to_type("audit"))
    (pack.path / "README.md").write_text(readme, encoding="utf-8")
    index = {"format": FORMAT, "version": VERSION, "id": pack.id, "attempts": list(named)}
    write_json(pack.path / "index.json", index)
