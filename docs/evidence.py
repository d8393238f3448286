"""All that is published of the trust in verdicts, made anew: `./run evidence` (files in docs/data, pages from them).

1. the proof: every promise of every template, in the browser, with constant policies       -> proof.json
2. mutations of what the service oracle leaves, on 20 outcomes of every template            -> mutations.json
3. the attacks of an agent that has all actions                                             -> escapes.json

Each part is kept as it goes in build/evidence; run the command again after a stop, and it goes on where it was. A part
that was made of today's contents is not made again. With --changed, only templates that are no longer as they were
published are proven and mutated, and what is published of the others stays.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from sitegym import tasks
from sitegym.sweeps.content import ROOT, template_hashes
from sitegym.sweeps.evidence import fingerprint
from sitegym.sweeps.files import read_json

DATA = Path(__file__).parent / "data"
KEPT = ROOT / "build" / "evidence"
PARTS = ("proof", "mutations", "escapes")


def main() -> int:
    """Make the parts that are asked for, one after the other; the first exit code that is not 0."""
    parser = argparse.ArgumentParser(prog="./run evidence", description=__doc__.split("\n", 1)[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all where none is named")
    parser.add_argument("--changed", action="store_true", help="only templates that are not as they were published")
    parser.add_argument("--instances", type=int, help="outcomes of each template instead of 20 in the proof")
    parser.add_argument("--workers", type=int, default=2, help="processes (2)")
    asked = parser.parse_args()
    unknown = sorted(set(asked.parts) - set(PARTS))
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}; the parts are {', '.join(PARTS)}")
    count = ["--instances", str(asked.instances or 20)]
    prove = _changed if asked.changed else _prove
    made = {
        "proof": lambda: prove("proof", ["--all", *count], asked.workers),
        "mutations": lambda: prove("mutations", ["--instances", "20", "--mutations"], asked.workers),
        "escapes": lambda: _run([sys.executable, "-P", str(Path(__file__).parent / "escapes.py")]),
    }
    for part in asked.parts or PARTS:
        if code := made[part]():
            return code
    return 0


def _prove(name: str, what: list[str], workers: int) -> int:
    """Everything, in its folder."""
    return _kept(KEPT / name, what, workers, ["--save", str(DATA / f"{name}.json")])


def _changed(name: str, what: list[str], workers: int) -> int:
    """What is no longer as it was published, then what is about all templates together."""
    published = DATA / f"{name}.json"
    found = read_json(published)
    data, _, seed = found["data"].partition(", seed ")
    today = template_hashes(tasks.templates(), data=data, data_seed=int(seed))
    old = [task for task, content in today.items() if found["templates"].get(task, {}).get("content") != content]
    own = [option for option in what if option != "--all"]
    folder = KEPT / f"{name}-{fingerprint({task: today[task] for task in old})[:12]}"
    update = ["--update", str(published)]
    chosen = [word for task in old for word in ("--task", task)]
    if old and (code := _kept(folder, [*chosen, *own], workers, update)):
        return code
    if own == what or found["constants"].get("content") == fingerprint(today):
        return 0
    return _kept(KEPT / f"{name}-constants-{fingerprint(today)[:12]}", ["--constants"], workers, update)


def _kept(folder: Path, what: list[str], workers: int, then: list[str]) -> int:
    """A proof in its folder, continued where there is one."""
    begun = (folder / "proof-plan.json").is_file()
    options = ["--resume", str(folder)] if begun else [*what, "--out", str(folder)]
    return _run([sys.executable, "-P", "-m", "sitegym", "prove", *options, "--workers", str(workers), *then])


def _run(command: list[str]) -> int:
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
