"""Task sets as files: open ones (`tasks/sets/core.json`) say what they hold, sealed ones hold keyed hashes of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .. import tasks as task_room
from ..errors import UsageError, closest
from .files import read_json, write_json
from .frozen import FOLDER, Instance, TaskSet, clusters_of, feasibility
from .plan import Plan
from .sealing import Key, data_seed, first_seed

__all__ = ["FOLDER", "Instance", "TaskSet", "clusters_of", "names", "read_set", "set_plan", "write_set"]

FORMAT, VERSION = "sitegym-task-set", 2


def names() -> list[str]:
    """The sets that come with sitegym."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def write_set(chosen: TaskSet, path: Path) -> Path:
    """Write a set's file, and give its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, {"format": FORMAT, "version": VERSION, "hash": chosen.hash, **chosen.content})
    return path


def read_set(name: str, key_file: Path | str | None = None) -> TaskSet:
    """A set by its name, or by the path of its file (`sets/mine.json`); `key_file` holds the key of a sealed one.

    Raises `UsageError` where there is none, where the file was edited after it was frozen, and for a sealed set without
    its key or with another.
    """
    path = Path(name) if name.endswith(".json") else FOLDER / f"{name}.json"
    if not path.is_file():
        near = closest(name, names())
        meant = f" (did you mean {near!r}?)" if near else ""
        raise UsageError(f"there is no task set {name!r}{meant}; known: {', '.join(names())}, or the path of a .json")
    found = read_json(path)
    if not isinstance(found, dict) or (found.get("format"), found.get("version")) != (FORMAT, VERSION):
        raise UsageError(f"{path} is no task set of this version")
    try:
        read = _sealed(found, _key(found, key_file)) if "key" in found else _open(found, key_file)
    except (KeyError, TypeError) as cause:
        raise UsageError(f"{path} is no whole task set: {cause}") from cause
    if read.hash != found.get("hash"):
        raise UsageError(
            f"{path} was edited after it was frozen: its hash is not that of what it holds; freeze it anew"
        )
    return read


def set_plan(
    name: str, *, asked: Mapping[str, Any], key_file: Path | str | None = None, **about: Any
) -> tuple[Plan, dict[str, Any]]:
    """The plan of a set, checked, and its card. `asked` are arguments that the set decides, where one was given.

    Raises `UsageError` where one is given all the same, and what `read_set`, `check` and `make_plan` raise.
    """
    given = [argument for argument, value in asked.items() if value]
    if given:
        raise UsageError(f"a task set says itself what is played; leave out {', '.join(given)}, or the set")
    chosen = read_set(name, key_file)
    chosen.check()
    return chosen.plan(**about), chosen.card


def _open(found: dict[str, Any], key_file: Path | str | None) -> TaskSet:
    if key_file is not None:
        raise UsageError(f"the task set {found['name']} is not sealed: it needs no key")
    known = {name: found[name] for name in ("name", "data", "data_seed", "split", "baselines")}
    return TaskSet(
        **known, instances=tuple(Instance(**{**one, "tags": tuple(one["tags"])}) for one in found["instances"])
    )


def _key(found: dict[str, Any], key_file: Path | str | None) -> Key:
    """The key that a set was sealed with."""
    name, wanted = found["name"], found["key"]
    if key_file is None:
        raise UsageError(
            f"the task set {name} is sealed: only whoever has its key (fingerprint {wanted}) can play or check it, "
            "by --set-key-file FILE"
        )
    key = Key.read(Path(key_file))
    if key.fingerprint != wanted:
        raise UsageError(
            f"{key_file} holds another key (fingerprint {key.fingerprint}) than the task set {name} was sealed with "
            f"({wanted})"
        )
    return key


def _sealed(found: dict[str, Any], key: Key) -> TaskSet:
    """The instances that keyed hashes stand for; how they behaved when the set was sealed stays hashed."""
    ids = {key.of(f"template {id}"): id for id in task_room.templates()}
    if lost := sum(one["template"] not in ids for one in found["instances"]):
        raise UsageError(
            f"{lost} instances of the task set {found['name']} are of sealed templates that are not known here; where "
            "those are somebody's own, SITEGYM_TASKS names their module"
        )
    taken: dict[str, int] = {}
    listed: list[Instance] = []
    for one in found["instances"]:
        task = ids[one["template"]]
        seed = first_seed(key, task) + taken.setdefault(task, 0)
        taken[task] += 1
        template = task_room.template(task)
        feasible = one.pop("feasible") == key.of(feasibility(f"{task}:{seed}", feasible=True))
        about = {"task": task, "seed": seed, "kind": str(template.kind), "tags": template.tags, "feasible": feasible}
        listed.append(Instance(**about, **{name: one[name] for name in one if name != "template"}))
    known = {name: found[name] for name in ("name", "data", "split", "baselines")}
    return TaskSet(**known, data_seed=data_seed(key), instances=tuple(listed), key=key)
