"""Every snippet of the documentation runs: Python of a page as one script, commands one after the other."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import PAGES, ROOT

FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.M | re.S)
INCLUDED = re.compile(r'^--8<-- "([^"]+)"$', re.M)
UNATTENDED = {"demo": ["--headless", "--close", "--pace", "0", "--data", "tiny"], "serve": []}
"""What a command that waits for a person is given beside what the page says."""
SWEEPS = ("eval", "prove", "verify")
"""Commands that start workers: one where the page asks for no number, as another would play next to nothing."""


def blocks(page: Path, language: str) -> list[str]:
    """The code of a page in one language, included files in place."""
    found = [code for name, code in FENCE.findall(page.read_text()) if name == language]
    return [INCLUDED.sub(lambda file: (ROOT / file[1]).read_text(), code) for code in found]


def commands(page: Path) -> list[str]:
    """Every line that a page tells to type, in order."""
    return [line for code in blocks(page, "sh") for line in code.splitlines() if line.strip()]


def run(arguments: list[str], folder: Path, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder of its own, with the checkout's modules to be found."""
    paths = os.pathsep.join((str(folder), str(ROOT)))
    return subprocess.run(
        [sys.executable, "-P", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": paths} | environment,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("document", [one for one in PAGES if blocks(one, "python")], ids=lambda one: one.stem)
def test_the_python_of_a_page_runs(document: Path, tmp_path: Path) -> None:
    code = "\n".join(blocks(document, "python"))
    code = "\n".join(line for line in code.splitlines() if line != "from __future__ import annotations")
    (tmp_path / "my_notes.py").write_text(code.partition('sites.register("notes"')[0])
    (tmp_path / "page.py").write_text(code)
    done = run([str(tmp_path / "page.py")], tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("document", [one for one in PAGES if commands(one)], ids=lambda one: one.stem)
def test_what_a_page_tells_to_type_works(document: Path, tmp_path: Path) -> None:
    for line in commands(document):
        words = shlex.split(line, comments=True)
        settings = dict(word.split("=", 1) for word in words if re.match(r"[A-Z_]+=", word))
        words = words[len(settings) :]
        assert words[0] in ("./run", "sitegym"), "pages tell to type commands of ours only"
        extra = UNATTENDED.get(words[1], [])
        if words[1] in SWEEPS and "--workers" not in words:
            extra = ["--workers", "1"]
        done = run(["-m", "sitegym", *words[1:], *extra], tmp_path, stdin="q\n", **settings)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
