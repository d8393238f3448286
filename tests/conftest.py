"""What all tests share: a cache folder of this session's own, and the browser that sitegym itself would take."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from sitegym.envs.discovery import launch_options

# how long an example takes depends on who else is at work
settings.register_profile("any-machine", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-machine")

_made: list[str] = []


def pytest_configure(config: pytest.Config) -> None:
    """Give the session a cache of its own; xdist's workers inherit it, so each baseline is built once."""
    if not hasattr(config, "workerinput"):
        _made.append(tempfile.mkdtemp(prefix="sitegym-tests-"))
        os.environ["SITEGYM_CACHE"] = _made[-1]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what is marked `long` more time before it counts as hanging."""
    for item in items:
        if item.get_closest_marker("long") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(6 * float(config.getini("timeout"))))


def pytest_unconfigure() -> None:
    """Remove it."""
    for folder in _made:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """pytest-playwright's fixtures (`page`, `browser`, …) start the discovered browser."""
    return {**browser_type_launch_args, **launch_options(browser_type_launch_args.get("headless", True))}


@pytest.fixture
def in_a_loop() -> Callable[[Coroutine[Any, Any, Any]], Any]:
    """Runs a coroutine as somebody's program would, in an event loop of its own.

    It gets a thread of its own too: once pytest-playwright has started its browser, this one counts as a running loop.
    """

    def run(work: Coroutine[Any, Any, Any]) -> Any:
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(asyncio.run, work).result()

    return run
