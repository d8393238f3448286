"""The wheel holds the whole package, and works where there is no checkout."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

OUTSIDE_THE_WHEEL = {"bench", "docker", "docs", "examples", "tests"}
LEFTOVERS = {"__pycache__", "build", "dist", "runs"}
ROOT_FILES = {"py.typed"}


def on_disk(root: Path) -> set[str]:
    """Every file that belongs to the package: all of its rooms, and the modules beside them."""
    rooms = [
        folder
        for folder in root.iterdir()
        if folder.is_dir()
        and not folder.is_symlink()
        and not folder.name.startswith(".")
        and not folder.name.endswith(".egg-info")
        and folder.name not in OUTSIDE_THE_WHEEL | LEFTOVERS
    ]
    files = {file for room in rooms for file in room.rglob("*") if file.is_file() and "__pycache__" not in file.parts}
    files |= {file for file in root.iterdir() if file.suffix == ".py" or file.name in ROOT_FILES}
    return {f"sitegym/{file.relative_to(root).as_posix()}" for file in files}


def test_the_wheel_holds_exactly_the_files_of_the_package(wheel: Path, copy: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == on_disk(copy)


def test_every_folder_with_modules_is_a_listed_package(root: Path, packages: set[str]) -> None:
    folders = {Path(name).parent for name in on_disk(root) if name.endswith(".py")}
    assert {".".join(folder.parts) for folder in folders} == packages


def test_the_wheel_carries_licence_and_notice(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {Path(name).name for name in archive.namelist()}
    assert {"LICENSE", "NOTICE"} <= names


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory, run) -> Path:
    """A fresh environment with the wheel in it; its dependencies are this environment's, found through a path."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    purelib = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip()
    # a path in a .pth file is searched, but .pth files there are not read: the editable sitegym stays invisible
    Path(purelib, "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", "--ignore-installed"]
    done = run(*pip, wheel)
    assert done.returncode == 0, done.stderr
    return folder / "venv" / "bin"


def test_the_installed_package_is_the_one_in_the_wheel(installed: Path, tmp_path: Path, run) -> None:
    done = run(installed / "python", "-c", "import sitegym; print(sitegym.__file__)", cwd=tmp_path)
    assert Path(done.stdout.strip()).is_relative_to(installed.parent), done.stderr


def test_the_installed_command_works(installed: Path, tmp_path: Path, run) -> None:
    done = run(installed / "sitegym", "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert "eval" in done.stdout


@pytest.mark.parametrize("name", [pytest.param("ShopAdmin-v0", marks=pytest.mark.long), "sitegym:ShopAdmin-v0"])
def test_the_environment_is_made_by_bare_id_and_by_module_id(installed: Path, tmp_path: Path, name: str, run) -> None:
    imports = "import gymnasium" if ":" in name else "import gymnasium, sitegym"
    script = f"{imports}\nenv = gymnasium.make({name!r}, data='tiny')\nprint(env.spec.id)\nenv.close()"
    done = run(installed / "python", "-c", script, cwd=tmp_path)
    assert done.stdout == "ShopAdmin-v0\n", done.stderr


SIGN_IN_PAGE = """
import urllib.request
from sitegym.sites.world.client import WorldServer

with WorldServer() as server:
    world = server.open(site="store", data="tiny", seed=1)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": world.address}))
    page = opener.open("http://admin.shop.localhost/login").read().decode()
    assets = {part.split('"')[0] for part in page.split('href="')[1:] if ".css" in part.split('"')[0]}
    assert assets, page
    for asset in assets:
        address = asset.replace("&amp;", "&")
        assert opener.open("http://admin.shop.localhost" + address).read(), address
    print(page)
"""


def test_the_installed_wheel_serves_the_sign_in_page_with_its_styles(installed: Path, tmp_path: Path, run) -> None:
    done = run(installed / "python", "-c", SIGN_IN_PAGE, cwd=tmp_path)
    assert 'type="password"' in done.stdout, done.stderr
