"""What a process and all beneath it use: memory, processor time, processes, open files. Linux only."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from itertools import chain
from pathlib import Path


def used_mb() -> float:
    """Proportional set size of this process and all beneath it."""
    return sum(_kb(pid, "Pss:") for pid in below(os.getpid())) / 1024


def own_mb() -> float:
    """The part of it that holds no file's content: other browsers that come and go do not change it."""
    return sum(_kb(pid, "Pss_Anon:", "Pss_Shmem:") for pid in below(os.getpid())) / 1024


def _kb(pid: int, *fields: str) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0  # ended meanwhile, or a zombie
    return sum(int(line.split()[1]) for line in lines if line.startswith(fields))


def below(pid: int) -> list[int]:
    """A process and all beneath it."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found = [pid]
    for above in found:
        found += [child for child, parent in parents.items() if parent == above]
    return found


def spent_ms() -> Counter[str]:
    """Processor time until now, by who spent it: `ours`, `protocol` (the driver), `site`, `page`, `browser`."""
    tick = 1000 / os.sysconf("SC_CLK_TCK")
    spent: Counter[str] = Counter()
    for pid in below(os.getpid()):
        try:
            command = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
            times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # ended meanwhile
        spent[_whose(pid, command)] += round((int(times[11]) + int(times[12])) * tick)
    return spent


def _whose(pid: int, command: str) -> str:
    if pid == os.getpid():
        return "ours"
    signs = {"sites.world.server": "site", "run-driver": "protocol", "--type=renderer": "page"}
    return next((who for sign, who in signs.items() if sign in command), "browser")


def open_files() -> int:
    """Descriptors that this process and all beneath it hold open."""
    return len(_descriptors())


def ports() -> int:
    """TCP ports on which this process and all beneath it listen."""
    listening = "0A"
    lines = [line.split() for kind in ("tcp", "tcp6") for line in Path(f"/proc/net/{kind}").read_text().splitlines()]
    sockets = {f"socket:[{line[9]}]" for line in lines if line[3] == listening}
    return len(sockets & set(_descriptors()))


def _descriptors() -> list[str]:
    """What the descriptors of this process and all beneath it stand for."""
    found = []
    for entry in chain.from_iterable(Path("/proc").glob(f"{pid}/fd/*") for pid in below(os.getpid())):
        with suppress(OSError):  # closed meanwhile
            found.append(os.readlink(entry))
    return found
