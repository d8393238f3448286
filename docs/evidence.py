"""All that is published of the trust in verdicts, made anew: `./run evidence` (files in docs/data, pages from them).

1. the proof: every promise of every template, in the browser, with constant policies       -> proof.json
2. mutations of what the service oracle leaves, on 20 outcomes of every template            -> mutations.json
3. the attacks of an agent that has all actions                                             -> escapes.json

Each part is kept as it goes in build/evidence; run the command again after a stop, and it goes on where it was. A part
that was made of today's contents is not made again.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from sitegym.sweeps.content import ROOT

DATA = Path(__file__).parent / "data"
KEPT = ROOT / "build" / "evidence"
PARTS = ("proof", "mutations", "escapes")


def main() -> int:
    """Make the parts that are asked for, one after the other; the first exit code that is not 0."""
    parser = argparse.ArgumentParser(prog="./run evidence", description=__doc__.split("\n", 1)[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all where none is named")
    parser.add_argument("--instances", type=int, help="outcomes of each template instead of 20 in the proof")
    parser.add_argument("--workers", type=int, default=2, help="processes (2)")
    asked = parser.parse_args()
    unknown = sorted(set(asked.parts) - set(PARTS))
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}; the parts are {', '.join(PARTS)}")
    few = ["--all", *(["--instances", str(asked.instances)] if asked.instances else [])]
    made = {
        "proof": lambda: _prove("proof", few, asked.workers),
        "mutations": lambda: _prove("mutations", ["--mutations", "--instances", "20"], asked.workers),
        "escapes": lambda: _run([sys.executable, "-P", str(Path(__file__).parent / "escapes.py")]),
    }
    for part in asked.parts or PARTS:
        if code := made[part]():
            return code
    return 0


def _prove(name: str, what: list[str], workers: int) -> int:
    """A proof in its folder, continued where there is one."""
    folder = KEPT / name
    begun = (folder / "proof-plan.json").is_file()
    options = ["--resume", str(folder)] if begun else [*what, "--out", str(folder)]
    save = ["--workers", str(workers), "--save", str(DATA / f"{name}.json")]
    return _run([sys.executable, "-P", "-m", "sitegym", "prove", *options, *save])


def _run(command: list[str]) -> int:
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
