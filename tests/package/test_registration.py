"""The environments are known to Gymnasium however and in whatever order the two are imported."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

KNOWN = "print('ShopAdmin-v0' in gymnasium.registry)"


@pytest.mark.parametrize(
    "imports",
    [
        pytest.param("import gymnasium, sitegym", id="gymnasium-first"),
        pytest.param("import sitegym, gymnasium", id="sitegym-first"),
        pytest.param("import sitegym, gymnasium.envs.registration, gymnasium", id="a-module-of-gymnasium"),
        pytest.param(
            "import sitegym, sitegym.envs, gymnasium, importlib; importlib.reload(sitegym)", id="imported-again"
        ),
    ],
)
def test_both_orders_of_import_register(imports: str, tmp_path: Path, run) -> None:
    done = run(sys.executable, "-W", "error", "-c", f"{imports}\n{KNOWN}", cwd=tmp_path)
    assert done.stdout == "True\n", done.stderr


def test_gymnasium_is_left_as_it_was_found(tmp_path: Path, run) -> None:
    script = (
        "import sys; before = list(sys.meta_path)\n"
        "import sitegym, gymnasium\n"
        "assert sys.meta_path == before, sys.meta_path\n"
        "print(type(gymnasium.__loader__).__name__, gymnasium.__spec__.loader is gymnasium.__loader__)"
    )
    done = run(sys.executable, "-c", script, cwd=tmp_path)
    assert done.stdout == "SourceFileLoader True\n", done.stderr


def test_without_gymnasium_sitegym_can_be_imported(tmp_path: Path, run) -> None:
    script = "import sys; sys.modules['gymnasium'] = None; import sitegym; print(sitegym.__version__)"
    done = run(sys.executable, "-c", script, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
