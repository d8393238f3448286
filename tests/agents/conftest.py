"""Fakes of models' endpoints by plain import, here and in worker processes, and no keys of the person who tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sitegym.sweeps.worker import Machine

sys.path.insert(0, str(Path(__file__).parent))

from playing import Room


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the environment says of models is not for tests."""
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "ANTHROPIC_", "GEMINI_", "GOOGLE_")):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def machine() -> Iterator[Machine]:
    """A browser and a world server."""
    machine = Machine(headless=True)
    yield machine
    machine.close()


@pytest.fixture
def room(machine: Machine, tmp_path: Path) -> Room:
    """Where episodes are played."""
    return Room(tmp_path, machine)
