"""`prove`: every promise that a task makes, tried out on many instances; what `sitegym prove` calls.

For each instance: the oracle in the browser earns 1, the service oracle leaves the same difference, doing nothing earns
0, every near miss earns 0, other right ways earn 1, and every mutation of the final database is refused. Over all of
them: no policy that does the same whatever it is asked for earns where none may.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any

from rich.console import Console

from .. import tasks as task_room
from ..called import to_type
from ..errors import UsageError, VerifierError
from ..sites import registry
from ..sites.world.baseline import baseline
from ..sites.world.runtime import Runtime, as_runtime
from ..verifiers import Snapshot
from .constants import try_constants
from .content import PLAYED_BY, code_hash, commit_hash, template_hashes
from .evaluate import terminate_like_interrupt
from .evidence import fingerprint
from .files import write_json
from .plan import matching, site_of
from .progress import duration, make_console, many
from .proof import InstanceProof, proof_matrix
from .proof_folder import ProofFolder, ProvenOf
from .proof_run import run_jobs
from .proof_summary import summary, to_update, updated
from .sampled import sampled
from .seen import plain
from .versions import versions

INTERRUPTED = 130
TRIES_PER_OUTCOME = 30
"""Seeds looked at for each distinct outcome wanted, before it is said that there are no more."""


@dataclass(frozen=True, kw_only=True)
class Proof:
    """What `prove` found."""

    instances: tuple[InstanceProof, ...] = field(repr=False)
    path: Path
    """The folder with `proof.json` and the matrix as `proof.txt`."""
    constants: dict[str, Any] = field(default_factory=dict, repr=False)
    """What constant policies earn, where they were tried."""
    planned: int = 0
    """How many instances were to be tried."""
    interrupted: bool = False

    @property
    def failures(self) -> list[str]:
        """A sentence for each promise that was broken, naming the instance and the cause."""
        found = [sentence for instance in self.instances for sentence in instance.failures()]
        return found + list(self.constants.get("failures", ()))

    @property
    def holds(self) -> bool:
        """Whether every promise was kept, and there was one."""
        return bool(self.instances or self.constants) and not self.failures

    @property
    def exit_code(self) -> int:
        """0 where all holds, else 1; 130 after Ctrl-C."""
        return INTERRUPTED if self.interrupted else 0 if self.holds else 1


def prove(
    *,
    tasks: str | Sequence[str] = "*",
    instances: int = 3,
    workers: int = 2,
    data: str = "base",
    data_seed: int = 1,
    split: str | None = None,
    seed: int = 0,
    out: Path | str | None = None,
    headless: bool = True,
    ui: bool = True,
    mutations: bool = False,
    constants: bool = False,
    constant_seeds: int | None = None,
    sample: int | None = None,
    budget_s: float | None = None,
    resume: Path | str | None = None,
    save: Path | str | None = None,
    update: Path | str | None = None,
    runtime: str | Runtime | None = None,
    quiet: bool = False,
) -> Proof:
    """Prove `instances` distinct outcomes of every task that matches (all there are where there are fewer).

    Prints the matrix and a sentence for each failure, and stores both in the folder `out` (`runs/prove-<time>`), each
    instance as soon as it is over. `resume` continues the proof in that folder: its settings count, and what was proven
    of the same code and data stays. `ui=False` leaves out what needs a browser; `mutations` tries nothing but mutations
    of what the service oracle leaves. `constants` tries constant policies as well, on every instance there is or on
    `constant_seeds` seeds of each template and split; with `instances=0` nothing else. `sample` takes so many instances
    by the hash of the commit instead, and `budget_s` stops all after so many seconds. `save` writes the summary for the
    documentation; `update` puts what was tried into such a summary in the place of what it says of these templates, as
    after one of them was mended. Worlds run where `runtime` says: `process`, `docker`, `remote`, or a `Runtime`.
    Raises `UsageError` before anything runs where an argument is wrong.
    """
    if instances < int(not constants) or workers < 1:
        raise UsageError(f"instances is {instances} and workers is {workers}; both must be at least 1")
    placed = as_runtime(runtime)
    placed.check()
    console, begun = make_console(quiet=quiet), time.monotonic()
    settings: dict[str, Any] = {
        "tasks": matching(tasks), "instances": instances, "data": data, "data_seed": data_seed, "split": split,
        "seed": seed, "ui": ui, "mutations": mutations, "constants": constants, "constant_seeds": constant_seeds,
        "sample": sample, "budget_s": budget_s,
    }  # fmt: skip
    asked = ProofFolder.open(Path(resume)).settings if resume is not None else settings
    known = to_update(Path(update), asked) if update is not None else None
    folder = _folder(settings, out, resume)
    settings = folder.settings
    browser = settings["ui"] and not settings["mutations"] and bool(folder.jobs)
    about = versions(headless=headless) if browser else {}
    policies: dict[str, Any] = {}
    with terminate_like_interrupt(), placed.held() as held:
        found, interrupted = run_jobs(
            folder,
            workers=workers,
            settings={"headless": headless, "screenshots": False, "versions": about, "runtime": held.to_json()},
            deadline=begun + settings["budget_s"] if settings["budget_s"] else None,
            console=console,
        )
        if settings["constants"] and not interrupted:
            console.print("Trying constant policies on every instance.", highlight=False)
            of: dict[str, Any] = {"data": settings["data"], "data_seed": settings["data_seed"]}
            tried = try_constants(settings["tasks"], most=settings["constant_seeds"], runtime=held, **of)
            policies = {"content": fingerprint(folder.of.templates), **tried.to_json()}
    proof = Proof(
        instances=tuple(found), path=folder.path, constants=policies, planned=len(folder.jobs), interrupted=interrupted
    )
    seconds = folder.before_s + time.monotonic() - begun
    _tell(console, proof, settings, seconds=seconds)
    told = summary(proof.instances, proof.constants, folder.settings, folder.of, workers=workers, seconds=seconds)
    _store(proof, folder, about, told, seconds=seconds)
    console.print(f"Stored in {proof.path}", highlight=False, soft_wrap=True)
    for path, content in ((save, told), (update, known and updated(known, told))):
        if path is not None and not interrupted:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            write_json(Path(path), content)
            console.print(f"Summary in {path}", highlight=False, soft_wrap=True)
    return proof


def _folder(settings: dict[str, Any], out: Path | str | None, resume: Path | str | None) -> ProofFolder:
    """A new folder with what is to be tried, or the one to continue, whose plan is made anew where contents changed."""
    if resume is None:
        path = Path(out) if out else Path("runs") / f"prove-{datetime.now():%Y-%m-%d-%H%M%S}"
        return ProofFolder.create(path, settings, _of(settings), _jobs(settings))
    folder = ProofFolder.open(Path(resume))
    of = _of(folder.settings)
    if of != folder.of:
        folder.renew(of, _jobs(folder.settings))
    return folder


def _of(settings: dict[str, Any]) -> ProvenOf:
    about = {"data": settings["data"], "data_seed": settings["data_seed"]}
    return ProvenOf(templates=template_hashes(settings["tasks"], **about), code=code_hash(PLAYED_BY))


def _jobs(settings: dict[str, Any]) -> list[tuple[str, int]]:
    known, count = settings["tasks"], settings["instances"]
    about = {name: settings[name] for name in ("data", "data_seed", "split")}
    if settings["sample"] or settings["budget_s"]:
        return sampled(known, settings["sample"] or count * len(known), commit_hash(), **about)
    if not count:
        return []
    seeds = {task: _seeds(task, count, settings["seed"], about) for task in known}
    # the first outcome of every template comes before the second of any: a proof that is stopped has seen all templates
    rounds = zip_longest(*([(task, number) for number in numbers] for task, numbers in seeds.items()))
    return [job for one in rounds for job in one if job is not None]


def _seeds(task: str, count: int, first: int, about: dict[str, Any]) -> list[int]:
    """Of a template whose expectation can't be computed one instance: its proof says so, beside those of the others."""
    try:
        return distinct_seeds(task, count, first=first, **about)
    except VerifierError:
        return [first]


def distinct_seeds(
    task: str, count: int, *, first: int = 0, data: str = "base", data_seed: int = 1, split: str | None = None
) -> list[int]:
    """The first task seeds whose instances differ in what they demand of the database or as an answer.

    Another wording of the same demand does not count as another outcome; fewer than `count` where there are no more.
    """
    begin = baseline(site=site_of(task), data=data, seed=data_seed)
    seen: dict[str, int] = {}
    count = min(count, sum(task_room.outcomes(task, data=data, data_seed=data_seed, split=split)))
    with Snapshot(begin.path, registry.get(site_of(task)).metadata) as before:
        for seed in range(first, first + count * TRIES_PER_OUTCOME):
            instance = task_room.task(task, seed, data=data, data_seed=data_seed, split=split)
            seen.setdefault(fingerprint(plain(instance.expectation(before))), seed)
            if len(seen) == count:
                break
    return sorted(seen.values())


def _store(proof: Proof, folder: ProofFolder, about: dict[str, str], told: dict[str, Any], *, seconds: float) -> None:
    write_json(
        proof.path / "proof.json",
        {
            "format": "sitegym-proof",
            "version": 2,
            "versions": about,
            "holds": proof.holds and not proof.interrupted,
            "failures": proof.failures,
            "summary": told,
            "instances": [instance.to_json() for instance in proof.instances],
        },
    )
    with (proof.path / "proof.txt").open("w", encoding="utf-8") as file:
        _tell(Console(file=file, width=140), proof, folder.settings, seconds=seconds)


def _tell(console: Console, proof: Proof, settings: dict[str, Any], *, seconds: float) -> None:
    if proof.instances:
        partial = settings["sample"] or settings["budget_s"] or proof.interrupted
        console.print(proof_matrix(proof.instances, wanted=0 if partial else settings["instances"]))
    for scope, best in proof.constants.get("best", {}).items():
        rate = f"{best['earned']}/{best['instances']}"
        console.print(f"Best constant policy, {scope}: {best['policy']}: {rate}", highlight=False, soft_wrap=True)
    for sentence in proof.failures:
        console.print(f"✗ {sentence}", style="red", highlight=False, soft_wrap=True, markup=False)
    count = len(proof.instances)
    verdict = "All proofs hold" if proof.holds else f"{many(len(proof.failures), 'proof')} failed"
    if not count and not proof.constants:
        verdict = "Nothing was proven"
    told = f"{count} of {many(proof.planned, 'instance')}" if proof.planned > count else many(count, "instance")
    if proof.constants and not proof.planned:
        told = f"no constant policy of {len(proof.constants['policies'])} earns what none may"
    console.print(f"{verdict}: {told} in {duration(seconds)}.", highlight=False)
    if proof.interrupted:
        again = to_type(f"prove --resume {proof.path}")
        console.print(f"Stopped; what was proven is kept. Continue with: {again}", highlight=False, soft_wrap=True)
