"""The grader as a process of its own, apart from harness and agents: reads frozen databases, writes verdicts.

It serves a Unix socket that the harness's frozen databases come in by. It makes baseline, task and expectation by
itself, so that nothing but the database, the answer and the view is taken from who asks. Each verdict is kept in a
folder of its own before it is told.
"""

from __future__ import annotations

import argparse
import itertools
import json
import secrets
import socket
import tempfile
import time
from pathlib import Path
from typing import Any

from ..errors import EnvironmentFault, UsageError, VerifierError, boundary
from ..sites import registry
from ..sites.kit.views import View
from ..sites.world.baseline import baseline
from ..sites.world.listener import Listener
from ..sites.world.remote_address import Address, read_token
from ..sites.world.serving import wait_for_the_end
from ..sites.world.session import Session
from ..tasks import Task, task
from ..tasks.splits import SPLITS
from ..verifiers import Finish, Snapshot, Verdict, grade


class GraderSession(Session):
    """What one harness asks of a grader: verdicts, and nothing of worlds."""

    _numbers = itertools.count(1)

    def __init__(self, end: socket.socket, store: Path, verdicts: Path) -> None:
        super().__init__(end, store)
        self._verdicts = verdicts

    def run(self) -> None:
        """Grade what is sent until the channel ends."""
        self._serve()

    def _do(self, op: str, fields: dict[str, Any]) -> dict[str, Any]:
        if op != "grade":
            raise UsageError(f"a grader has no operation {op!r}")
        verdict = self._grade(**fields).to_json()
        self._keep({name: value for name, value in fields.items() if name != "blob"}, verdict)
        return {"result": verdict}

    def _grade(
        self,
        task: str,
        task_seed: int,
        data: str,
        data_seed: int,
        told: Any,
        hash: str,
        finish: dict[str, Any] | None,
        view: dict[str, Any] | None,
        blob: bytes,
    ) -> Verdict:
        """Raises `VerifierError` where grading fails, `EnvironmentFault` where the baseline is not the harness's."""
        drawn = _drawn(told, task, task_seed, data=data, data_seed=data_seed)
        start = baseline(drawn.template.site, data, data_seed)
        if start.hash != hash:
            message = f"the grader's baseline {start.hash[:12]} is not the harness's {hash[:12]}"
            raise EnvironmentFault(message, cause="baseline_changed", retry=False)
        site = registry.get(start.site)
        with tempfile.NamedTemporaryFile(suffix=".sqlite", dir=self._store) as frozen:
            frozen.write(blob)
            frozen.flush()
            with (
                boundary(VerifierError, f"grading {task} with seed {task_seed}"),
                Snapshot(start.path, site.metadata) as before,
                Snapshot(Path(frozen.name), site.metadata) as after,
            ):
                said = None if finish is None else Finish(**finish)
                seen = None if view is None else View.from_json(view)
                return grade(drawn.expectation(before), before, after, said, seen, site.recompute)

    def _keep(self, asked: dict[str, Any], verdict: dict[str, Any]) -> None:
        name = f"{time.time_ns()}-{next(self._numbers)}-{secrets.token_hex(4)}.json"
        half = self._verdicts / f".{name}"
        half.write_text(json.dumps({"asked": asked, "verdict": verdict}, indent=1) + "\n")
        half.replace(self._verdicts / name)


def _drawn(told: Any, id: str, task_seed: int, **about: Any) -> Task:
    """The task, drawn here: the instance with goal and parameters as told, from all or from one split.

    Raises `EnvironmentFault` where no such instance is drawn here.
    """
    for split in (None, *SPLITS):
        found = task(id, task_seed, split=split, **about)
        if _plain([found.goal, found.params]) == _plain(told):
            return found
    message = f"the grader draws another instance of {id} with seed {task_seed} than the harness"
    raise EnvironmentFault(message, cause="verifier_raised", retry=False)


def _plain(value: Any) -> str:
    return json.dumps(value, default=str, sort_keys=True)


def main(arguments: list[str] | None = None) -> int:
    """The command of the container of graders: `--control unix:PATH --token-file FILE --verdicts DIR`."""
    parser = argparse.ArgumentParser(prog="sitegym.envs.grader", description=__doc__)
    parser.add_argument("--control", required=True, help="address to serve at")
    parser.add_argument("--token-file", required=True, type=Path, help="file with the token")
    parser.add_argument("--verdicts", required=True, type=Path, help="folder to write verdicts to")
    given = parser.parse_args(arguments)
    try:
        address, token = Address.parse(given.control), read_token(given.token_file)
        with Listener(address, token, session=lambda end, store: GraderSession(end, store, given.verdicts)) as listener:
            print(f"Grading at {listener.address}.", flush=True)
            wait_for_the_end()
    except UsageError as error:
        parser.exit(2, f"{error}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
