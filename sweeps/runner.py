"""A sweep as it runs: episodes to workers, results to disk, faults retried once, progress on screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..errors import EnvironmentFault, out_of_disk
from .calls import spent
from .engines import Engine
from .faults import ATTEMPTS, NODES_LOST, cause_of
from .plan import EpisodeSpec
from .pool import Event, Job, Pool
from .results import EpisodeResult, Fault, Status
from .run_folder import RunFolder
from .tally import Tally

EPISODE_TIMEOUT_S = 600.0
"""Wall clock without any progress (a world, a browser, a page, a step) after which an episode counts as hanging."""


class Runner:
    """Plays what is left of a run. `results` holds every episode that is over, also those of earlier sessions."""

    def __init__(
        self,
        folder: RunFolder,
        *,
        workers: int,
        settings: dict[str, Any],
        timeout_s: float = EPISODE_TIMEOUT_S,
        engine: Engine[Any] | None = None,
    ) -> None:
        self.folder = folder
        self.workers = workers
        self.settings = settings
        self.timeout_s = timeout_s
        self.engine = engine
        self.results = folder.results()
        self.faults: Counter[str] = Counter()
        """Faulted attempts of this session, by cause."""
        self.tally = Tally(self.results.values())
        """Figures over `results`."""
        self.waits: dict[int, list[str]] = {}
        """What calls of models that failed are tried again for, a sentence each, by worker."""
        self.watch: Callable[[Runner], None] = lambda runner: None
        """Called after every event and a few times a second; the progress bar."""
        self._earlier: dict[str, tuple[Fault, ...]] = {}
        """Attempts of earlier sessions at episodes that are played again; they use up no tries, but were paid for."""
        self._history: dict[str, tuple[Fault, ...]] = {}
        self._specs = {spec.id: spec for spec in folder.plan.episodes}

    def run(self) -> None:
        """Play until every planned episode is over; `KeyboardInterrupt` leaves workers closed and the folder whole.

        Raises `EnvironmentFault` where going on makes no sense (causes `out_of_disk`, `worker_start`).
        """
        try:
            self._run()
        except KeyboardInterrupt:
            self._reread()
            raise
        except Exception as error:
            if isinstance(error, EnvironmentFault) or not out_of_disk(error):
                raise
            raise EnvironmentFault(f"the disk is full: {error}", cause="out_of_disk", retry=False) from error

    def _reread(self) -> None:
        """Take what is on disk for true: an interrupt may come after a result was written and before it was counted."""
        self.results = self.folder.results()
        self.tally = Tally(self.results.values())
        self.folder.rewrite_list(self.results)

    def _run(self) -> None:
        left = self._prepare()
        with Pool(
            workers=self.workers,
            settings=self.settings,
            logs=self.folder.path / "logs",
            job_timeout_s=self.timeout_s,
            engine=self.engine,
        ) as pool:
            self.waits = pool.waits
            for event in pool.run(self._message(spec) for spec in left):
                if event is not None:
                    self._take(event, pool)
                self.watch(self)

    def _prepare(self) -> list[EpisodeSpec]:
        """Episodes to play: those that never ended, and those that ended in a fault."""
        done = {id_: result for id_, result in self.results.items() if result.status != Status.FAULT}
        self._earlier = {id_: result.faults for id_, result in self.results.items() if id_ not in done}
        left = self.folder.remaining(done)
        self.folder.reopen(spec.id for spec in left)
        self.results, self.tally = done, Tally(done.values())
        self.folder.rewrite_list(done)
        return left

    def _message(self, spec: EpisodeSpec) -> dict[str, Any]:
        return {
            "kind": "episode",
            "id": spec.id,
            "spec": {name: getattr(spec, name) for name in EpisodeSpec.__dataclass_fields__},
            "folder": str(self.folder.episode(spec.id)),
        }

    def _take(self, event: Event, pool: Pool) -> None:
        if event.kind == "started":
            self.folder.index.began(event.job.id)
            return
        if event.kind == "done":
            self._over(EpisodeResult.from_json(event.content["result"]), event.job)
        else:
            self._fault(event, pool)

    def _over(self, result: EpisodeResult, job: Job) -> None:
        faults = (*self._earlier.get(job.id, ()), *self._history.get(job.id, ()))
        result = replace(result, attempts=job.attempt, faults=faults)
        self.folder.write(result)
        self.results[result.id] = result
        self.tally.add(result)

    def _fault(self, event: Event, pool: Pool) -> None:
        job, content = event.job, event.content
        used = spent(self.folder.episode(job.id))
        fault = Fault(cause=content["cause"], message=content["message"], attempt=job.attempt, usage=used)
        self.faults[fault.cause] += 1
        self._history[job.id] = (*self._history.get(job.id, ()), fault)
        if cause_of(fault.cause).stops:
            raise EnvironmentFault(f"{job.id}: {fault.message}", cause=fault.cause, retry=False)
        counted = self._counts(job, fault.cause)
        if content["retry"] and (job.attempt < ATTEMPTS or not counted):
            self.folder.set_aside(job.id)
            pool.retry(job, counted=counted)
            return
        spec = self._specs[job.id]
        self._give_up(spec, fault, job)

    def _counts(self, job: Job, cause: str) -> bool:
        """Whether a fault uses up one of the episode's tries."""
        if cause == "node_lost":
            return sum(fault.cause == cause for fault in self._history[job.id]) > NODES_LOST
        return cause != "neighbour_hung"

    def _give_up(self, spec: EpisodeSpec, fault: Fault, job: Job) -> None:
        self.folder.write_fault(spec.id, fault)
        failed = EpisodeResult(
            id=spec.id,
            task=spec.task,
            task_seed=spec.task_seed,
            agent=spec.agent,
            status=Status.FAULT,
            reason=f"{fault.cause}: {fault.message}",
            versions=self.settings.get("versions", {}),
        )
        self._over(failed, job)
