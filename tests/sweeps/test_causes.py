"""One table names every way to end: what the code raises is in it, and the guide shows it as it is."""

from __future__ import annotations

import errno
import re
import sqlite3
from pathlib import Path

import pytest
from sitegym.errors import EnvironmentFault, UsageError, VerifierError
from sitegym.sweeps.faults import CAUSES, as_markdown, cause_of, fault_of

ROOT = Path(__file__).parents[2]
ROOMS = ("agents", "envs", "sites", "sweeps", "tasks", "verifiers")
NOT_OF_EPISODES = {"first_page"}
"""Raised where constant policies are tried, which is no sweep."""


def raised() -> set[str]:
    """Every cause that the code gives to a fault, as it is written."""
    texts = [path.read_text() for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    return {
        name for text in texts for name in re.findall(r"EnvironmentFault\((?:[^()]|\([^()]*\))*?cause=\"(\w+)\"", text)
    }


def test_every_cause_that_is_raised_is_in_the_table() -> None:
    assert len(raised()) > 20
    assert raised() - set(CAUSES) - NOT_OF_EPISODES == set()


def test_no_fault_is_graded_or_counts_and_every_budget_does_both() -> None:
    for cause in CAUSES.values():
        ours = cause.name.startswith("budget_") or cause.name == "context_length"
        assert (cause.graded, cause.counts, cause.retry and ours) == (ours, ours, False), cause.name


def test_the_guide_shows_the_table() -> None:
    assert as_markdown() in (ROOT / "docs" / "guides" / "sweep.md").read_text()


@pytest.mark.parametrize(
    ("error", "cause", "retry"),
    [
        pytest.param(EnvironmentFault("x", cause="browser_died"), "browser_died", True, id="worth-a-retry"),
        pytest.param(EnvironmentFault("x", cause="site_error", retry=False), "site_error", False, id="not-this-time"),
        pytest.param(EnvironmentFault("x", cause="model_refused"), "model_refused", False, id="never-worth-one"),
        pytest.param(EnvironmentFault("x", cause="of_somebody"), "of_somebody", True, id="somebody-elses-name"),
        pytest.param(VerifierError("x"), "verifier_raised", False, id="verifier"),
        pytest.param(UsageError("x"), "impossible_plan", False, id="plan"),
        pytest.param(KeyError("x"), "harness_raised", True, id="anything"),
        pytest.param(OSError(errno.ENOSPC, "No space"), "out_of_disk", False, id="disk"),
        pytest.param(OSError(errno.EFBIG, "File"), "out_of_disk", False, id="quota"),
        pytest.param(sqlite3.OperationalError("database or disk is full"), "out_of_disk", False, id="database"),
    ],
)
def test_an_error_tells_its_cause_and_whether_to_try_again(error: Exception, cause: str, retry: bool) -> None:
    found = fault_of(error)
    assert (found["cause"], found["retry"]) == (cause, retry)


def test_a_full_disk_is_told_whatever_it_was_wrapped_in() -> None:
    wrapped = EnvironmentFault("could not be frozen", cause="server_error")
    wrapped.__cause__ = OSError(errno.ENOSPC, "No space left on device")
    assert fault_of(wrapped)["cause"] == "out_of_disk"
    assert cause_of("out_of_disk").stops
