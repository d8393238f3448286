"""One trial of one browser: is it started by Playwright, and does it show a page? Remembered on disk."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

from ..cache import cache_dir
from ..called import pip_install
from ..errors import UsageError
from . import fonts

PATIENCE_S = 30.0
"""A cold start from a slow disk takes up to ten seconds; what takes longer than this is taken to hang."""
FAILURE_KEPT_S = 24 * 3600.0
"""A broken browser is passed over for a day without being started again (unless nothing else works)."""
_GRACE_S = 10.0


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What came of starting a browser once. `problem` is empty exactly where it worked."""

    version: str = ""
    sandbox: bool = False
    """It started with its own sandbox on; off for root, and where the kernel grants no user namespaces."""
    problem: str = ""
    tried_at: float = 0.0
    """Unix time in seconds."""

    @property
    def ok(self) -> bool:
        """The browser started and showed a page."""
        return not self.problem


def trial(path: Path, *, fresh: bool = False, patience_s: float = PATIENCE_S) -> Trial:
    """The trial of the browser at `path`, from disk where the same file was tried before; `fresh` tries it anew."""
    key = _key(path)
    if not fresh and (known := _remembered().get(key)) and _holds(known):
        return known
    result = _start(path, patience_s)
    _remember(key, result)
    return result


def driver_folder() -> Path:
    """Where the installed Playwright keeps its driver, found without importing it."""
    spec = find_spec("playwright")
    if spec is None or not spec.submodule_search_locations:
        raise UsageError(f"Playwright is not installed: run `{pip_install('playwright')}`")
    return Path(spec.submodule_search_locations[0]) / "driver"


def _start(path: Path, patience_s: float) -> Trial:
    """Try with the browser's sandbox, then without it where none is to be had."""
    if is_root():
        return _start_once(path, sandbox=False, patience_s=patience_s)
    first = _start_once(path, sandbox=True, patience_s=patience_s)
    if "sandbox" not in first.problem:
        return first
    second = _start_once(path, sandbox=False, patience_s=patience_s)
    return second if second.ok else first


def _start_once(path: Path, *, sandbox: bool, patience_s: float) -> Trial:
    script = Path(__file__).with_name("launch_once.py")
    # -P: the script's folder holds modules of ours, which must not hide anybody's
    command = [sys.executable, "-P", str(script), str(path), "sandbox" if sandbox else "no-sandbox", str(patience_s)]
    code, out, err = _run_bounded(command, patience_s + _GRACE_S)
    if code is None:
        return Trial(problem=f"did not answer within {patience_s:.0f} s", tried_at=time.time())
    try:
        said = json.loads(out)
    except ValueError:
        return Trial(problem=_driver_problem(err, code), tried_at=time.time())
    if "version" in said:
        return Trial(version=said["version"], sandbox=sandbox, tried_at=time.time())
    return Trial(problem=explain(said["problem"], patience_s), tried_at=time.time())


def _run_bounded(command: list[str], seconds: float) -> tuple[int | None, str, str]:
    """Exit code (None: ran out of time), output and errors; the whole process group is ended.

    Output goes to files: a grandchild that inherits a pipe would keep it open and the reader waiting.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True, env=fonts.environment()
        )
        try:
            code: int | None = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return code, _text(out), _text(err)


def _text(file: object) -> str:
    file.seek(0)  # type: ignore[attr-defined]
    return file.read().decode(errors="replace")  # type: ignore[attr-defined, no-any-return]


def explain(log: str, patience_s: float = PATIENCE_S) -> str:
    """One phrase out of Playwright's account of a failed launch, which is a page long."""
    if library := re.search(r"loading shared libraries: ([^\s:]+)", log):
        return f"shared library {library[1]} is missing"
    if "ENOENT" in log or "doesn't exist" in log:
        return "no such file"
    if "EACCES" in log:
        return "not executable"
    if re.search(r"No usable sandbox|without --no-sandbox|SUID sandbox", log):
        return "the kernel grants it no sandbox"
    if "Timeout" in log:
        return f"did not answer within {patience_s:.0f} s"
    if code := re.search(r"exitCode=(\d+)", log):
        said = re.findall(r"\[err\] (.+)", log)
        return f"ended with code {code[1]}" + (f" ({said[-1].strip()[:120]})" if said else "")
    return log.strip().splitlines()[0][:160] if log.strip() else "said nothing"


def _driver_problem(err: str, code: int) -> str:
    """The script itself failed: Playwright's driver (a bundled Node) does not start."""
    if library := re.search(r"loading shared libraries: ([^\s:]+)", err):
        return f"Playwright's driver does not start: shared library {library[1]} is missing"
    last = err.strip().splitlines()[-1][:160] if err.strip() else f"exit code {code}"
    return f"Playwright does not start: {last}"


def is_root() -> bool:
    """Chromium refuses its sandbox to root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _key(path: Path) -> str:
    """Names a browser and everything that decides whether it starts and that can be known cheaply."""
    parts: list[object] = [path]
    for file in (path, driver_folder() / "package" / "browsers.json"):
        try:
            stat = file.stat()
        except OSError:
            parts.append("missing")
        else:
            parts += [stat.st_mtime_ns, stat.st_size]
    return "|".join(map(str, [*parts, "root" if is_root() else "user"]))


def _holds(known: Trial) -> bool:
    return known.ok or time.time() - known.tried_at < FAILURE_KEPT_S


def _file() -> Path:
    return cache_dir() / "browsers.json"


def _remembered() -> dict[str, Trial]:
    """All trials on disk; an unreadable or foreign file counts as empty and is written anew."""
    try:
        return {key: Trial(**fields) for key, fields in json.loads(_file().read_text()).items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _remember(key: str, result: Trial) -> None:
    """Write the trial down; a read-only cache only costs the next process a trial of its own."""
    trials = {**_remembered(), key: result}
    with contextlib.suppress(OSError):
        handle, name = tempfile.mkstemp(dir=_file().parent, prefix="browsers-")
        try:
            with os.fdopen(handle, "w") as file:
                json.dump({key: asdict(value) for key, value in trials.items()}, file, indent=1)
            os.replace(name, _file())
        except OSError:
            os.unlink(name)
