"""One real sweep, shared by all tests that look at what a sweep leaves behind."""

from __future__ import annotations

import fcntl
import os
import sys
from pathlib import Path

import pytest
from sitegym.sweeps import evaluate
from sitegym.sweeps.run_folder import RunFolder

sys.path.insert(0, str(Path(__file__).parent))  # for saboteurs.py, here and by name in worker processes

AGENTS = ("oracle", "random", "noop")
TASKS = ("cancel-order", "orders-by-status", "add-tracking", "message-customer", "order-field", "customer-by-phone")


@pytest.fixture(scope="session")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Six templates once by every built-in agent on `tiny`; made by the first of xdist's workers that needs it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    run = shared / "shared-sweep"
    with (shared / "shared-sweep.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (run / "report" / "index.html").exists():
            tasks = [f"store.admin/{name}" for name in TASKS]
            evaluate(agents=AGENTS, tasks=tasks, instances=1, workers=2, data="tiny", max_steps=16, out=run, quiet=True)
    return RunFolder.open(Path(run))
