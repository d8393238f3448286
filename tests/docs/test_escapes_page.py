"""The page of attacks tells of every attack that there is, and never hides one that was not held off."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from .conftest import DOCS, ROOT


@pytest.fixture(scope="module")
def escapes() -> ModuleType:
    spec = importlib.util.spec_from_file_location("escapes_page", DOCS / "escapes.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a run would write in which every attack was held off."""
    told = tmp_path_factory.mktemp("attacks") / "attacks.json"
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-n", "0", "-m", "", "--collect-only", "tests/escapes"]
    subprocess.run([*command, f"--attacks={told}"], cwd=ROOT, check=True, capture_output=True)
    there = json.loads(told.read_text(encoding="utf-8"))
    attacks = {name: {**one, "held": one["cases"]} for name, one in there.items()}
    return {"hashes": {"code": "abc"}, "took": {"seconds": 61}, "attacks": attacks}


def test_every_test_of_the_suite_is_an_attack_of_a_known_class(escapes: ModuleType, held: dict[str, Any]) -> None:
    assert len(held["attacks"]) > 30
    assert {one["kind"] for one in held["attacks"].values()} == set(escapes.classes())
    for one in held["attacks"].values():
        assert all(one[part] for part in ("tried", "against", "trace"))


def test_the_page_has_a_row_for_each_and_says_what_it_was_run_on(escapes: ModuleType, held: dict[str, Any]) -> None:
    page = escapes.page(held, escapes.classes(), today="abc")
    assert "`abc` (the same as today's)" in page
    assert "| held off | all |" in page
    assert page.count("| yes |") == len(held["attacks"])
    assert all(one["tried"].replace("|", "\\|") in page for one in held["attacks"].values())


def test_one_that_was_not_held_is_seen(escapes: ModuleType, held: dict[str, Any]) -> None:
    broken = deepcopy(held)
    first = next(iter(broken["attacks"].values()))
    first["held"] -= 1
    page = escapes.page(broken, escapes.classes(), today="x")
    assert f"**{first['held']} of {first['cases']}**" in page
    assert "| held off | all |" not in page
    assert "some of it has changed since" in page


def test_what_is_published_is_what_the_tests_say(held: dict[str, Any]) -> None:
    file = Path(DOCS / "data" / "escapes.json")
    published = json.loads(file.read_text(encoding="utf-8"))["attacks"] if file.exists() else held["attacks"]
    assert published == held["attacks"]
