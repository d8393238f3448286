"""The checkout: light to import, collected from any folder, free of leftovers."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from sitegym import __version__

HEAVY = {"playwright", "flask", "sqlalchemy", "numpy", "PIL", "gymnasium", "waitress", "rich", "yaml"}


def test_importing_sitegym_imports_nothing_heavy(run, tmp_path: Path) -> None:
    done = run(sys.executable, "-c", "import sitegym, sys; print(*sys.modules)", cwd=tmp_path)
    assert HEAVY & set(done.stdout.split()) == set(), done.stderr


@pytest.mark.parametrize("where", [pytest.param("inside", marks=pytest.mark.long), "outside"])
def test_pytest_collects_from_a_folder_with_hyphen_and_space(copy: Path, tmp_path: Path, where: str, run) -> None:
    (tmp_path / "sitegym").symlink_to(copy)
    command = [sys.executable, "-P", "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-n", "0"]
    tests = "tests/package" if where == "inside" else copy / "tests" / "package"
    environment = {"PYTHONPATH": str(tmp_path)}
    done = run(*command, tests, cwd=copy if where == "inside" else tmp_path, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "test_checkout.py" in done.stdout


def texts(root: Path) -> list[Path]:
    """Every text file of the checkout but this one, which must name what it forbids."""
    hidden = re.compile(
        r"(^|/)(\.(?!ci/|github/|gitignore)[^/]*|__pycache__|build|dist|runs|[^/]*\.egg-info|sitegym)(/|$)"
    )
    files = [file for file in root.rglob("*") if not hidden.search(str(file.relative_to(root)))]
    binary = {".png", ".gif", ".woff2", ".ttf", ".otf", ".db"}
    return [f for f in files if f.is_file() and f != Path(__file__) and f.suffix not in binary]


@pytest.mark.parametrize(
    "forbidden",
    [
        pytest.param(r"(?<![\w.])/(work|root|home/\w+)/", id="paths-of-a-machine"),
        pytest.param(r"\b(TODO|FIXME|XXX|HACK)\b", id="unfinished"),
        pytest.param(r"pypi\.org/simple|pythonhosted|--index-url|--hash=", id="registry-hosts"),
        pytest.param(r"mark\.(skip|xfail)|pytest\.(skip|xfail)\(", id="tests-that-do-not-run"),
        pytest.param(r"except (Base)?Exception:\s*(pass|continue)\b", id="swallowed-errors"),
    ],
)
def test_no_file_holds_what_must_not_be_there(root: Path, forbidden: str) -> None:
    found = [
        f"{file.relative_to(root)}: {match[0]!r}"
        for file in texts(root)
        if (match := re.search(forbidden, file.read_text(errors="replace")))
    ]
    assert found == []


def test_every_module_opens_with_a_sentence(root: Path) -> None:
    mute = [file for file in texts(root) if file.suffix == ".py" and not file.read_text().startswith(('"""', "#!"))]
    assert mute == []


def test_the_changelog_tells_of_this_version(root: Path) -> None:
    assert f"## {__version__}" in (root / "CHANGELOG.md").read_text()


def test_the_pins_satisfy_what_the_package_asks_for(run) -> None:
    done = run(sys.executable, "-m", "pip", "check")
    assert done.returncode == 0, done.stdout


def test_everything_that_is_installed_for_tests_is_pinned(root: Path) -> None:
    from importlib.metadata import requires

    asked = {re.split(r"[ ;<>=!~\[]", line)[0].lower() for line in requires("sitegym") or []}
    pins = (root / "constraints.txt").read_text().splitlines()
    exact = re.compile(r'[\w.-]+==[\w.]+(; python_full_version [<>]=? "[\d.]+")?')
    assert all(exact.fullmatch(pin) for pin in pins if not pin.startswith("#"))
    assert asked <= {pin.split("==")[0].lower() for pin in pins}
