"""The page of attacks, made from what the tests in `tests/escapes` say of themselves and from what came of them.

`./run evidence escapes` runs them all and writes docs/data/escapes.json; while the documentation is built, the page is
made from that file.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitegym.sweeps.content import ROOT, code_hash
from sitegym.sweeps.progress import duration

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

FOUND = Path(__file__).parent / "data" / "escapes.json"
TESTS = ROOT / "tests" / "escapes"
RUN_ON = ("envs", "sites", "verifiers", "sweeps", "tests/escapes")
"""What stands against the attacks, and the attacks: the page is dated by a hash over these."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page to those on disk."""
    from mkdocs.structure.files import File

    if not FOUND.exists():  # before the first run: the stand-in says where to look
        return files
    found = json.loads(FOUND.read_text(encoding="utf-8"))
    content = page(found, classes(), today=code_hash(RUN_ON))
    if stand_in := files.get_file_from_path("reference/escapes.md"):
        files.remove(stand_in)
    files.append(File.generated(config, "reference/escapes.md", content=content))
    return files


def classes() -> Mapping[str, str]:
    """The classes of attacks in their order, with their titles."""
    spec = importlib.util.spec_from_file_location("attacks", TESTS / "attacks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["attacks"] = module  # dataclasses look for it there
    spec.loader.exec_module(module)
    found: Mapping[str, str] = module.CLASSES
    return found


def page(found: Mapping[str, Any], titles: Mapping[str, str], *, today: str) -> str:
    """The page for a run; `today` is the hash of the code that the page is built from."""
    return "\n".join([*_head(found, today), *_tables(found["attacks"], titles)]) + "\n"


def _head(found: Mapping[str, Any], today: str) -> Iterator[str]:
    attacks, dated = found["attacks"].values(), found["hashes"]["code"]
    cases, held = (sum(one[name] for one in attacks) for name in ("cases", "held"))
    yield from ("# Attacks", "")
    yield "What an agent with all actions was made to try, against the real browser, server and database. Each test"
    yield "asserts that the attack fails *and* that the record shows it. The [threat model](../threat-model.md) says"
    yield "what follows from this, and what does not."
    yield from ("", "| | |", "|---|---|")
    same = "the same as today's" if today == dated else f"today's is `{today[:16]}`: some of it has changed since"
    yield f"| tried on | code with the hash `{dated[:16]}` ({same}) |"
    yield "| that hash is over | sites, environment, verifiers, sweeps and the attacks themselves |"
    yield f"| attacks | {len(attacks)}, in {cases} tests |"
    yield f"| held off | {'all' if held == cases else f'**{held} of {cases} tests**'} |"
    yield f"| took | {duration(found['took']['seconds'])} |"
    yield from ("", "This table is made from the tests. To make it anew: `./run evidence escapes`.", "")


def _tables(attacks: Mapping[str, Mapping[str, Any]], titles: Mapping[str, str]) -> Iterator[str]:
    for kind, title in titles.items():
        rows = [one for one in attacks.values() if one["kind"] == kind]
        if not rows:
            continue
        yield from (f"## {title}", "", "| what is tried | what stands against it | its trace | held |")
        yield "|---|---|---|---|"
        for one in rows:
            held = "yes" if one["held"] == one["cases"] else f"**{one['held']} of {one['cases']}**"
            yield f"| {_cell(one['tried'])} | {_cell(one['against'])} | {_cell(one['trace'])} | {held} |"
        yield ""


def _cell(text: str) -> str:
    """A text that may hold what Markdown would take for the end of a cell."""
    return text.replace("|", "\\|").replace("\n", " ")


def main() -> int:
    """Run every attack and write what came of it; the exit code is that of the tests."""
    begun, code = time.monotonic(), code_hash(RUN_ON)
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "attacks.json"
        command = [sys.executable, "-P", "-m", "pytest", "-q", "-n", "0", "-m", "", str(TESTS), f"--attacks={told}"]
        done = subprocess.run(command, cwd=ROOT, check=False)
        attacks = json.loads(told.read_text(encoding="utf-8"))
    found = {
        "format": "sitegym-escapes",
        "version": 1,
        "hashes": {"code": code},
        "took": {"seconds": round(time.monotonic() - begun)},
        "attacks": attacks,
    }
    FOUND.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
