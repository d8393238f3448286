"""Worlds in containers of this machine: started when they are not running, and gone with whoever started them.

A set that goes with its owner has a reaper, which removes it when the owner is killed. Containers, networks and volumes
carry the owner's process id as well, so that what was left all the same (the engine was down, the reaper was killed) is
found and removed by the next.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ... import __version__
from ...cache import cache_dir
from ...errors import EnvironmentFault, SitegymError, UsageError
from ...reaper import Reaper
from . import engine
from .caller import CALL_TIMEOUT_S
from .remote import GRADING_S, RemoteServer
from .remote_address import Address, read_token

OWNER = "org.sitegym.owner"
DATABASE = "SITEGYM_SITE_DATABASE"
"""The environment's word for what worlds in containers keep their rows in: `sqlite` or `postgresql`."""
SHARED = "sitegym"
"""The project that `sitegym containers up` starts, for everybody to use until `down`."""
START_S = 60.0
_LOOK_S = 0.1


class Stack:
    """One set of containers."""

    def __init__(self, project: str, token_file: Path, owner: str) -> None:
        self.project = project
        self.token_file = token_file
        self.reaper: Reaper | None = None
        """Of a set that goes with this process."""
        self.files = ["compose.yaml", *(["postgresql.yaml"] if database_image() else [])]
        """What it is made of, in the folder `docker`."""
        self._env = {
            "SITEGYM_TAG": __version__,
            "SITEGYM_OWNER": owner,
            "SITEGYM_TOKEN_FILE": str(token_file),
            "SITEGYM_SECRETS": str(token_file.parent),
        }

    def up(self) -> None:
        """Start what is not running."""
        keeps = (self.reaper.end,) if self.reaper is not None else ()
        words = ("up", "--detach", "--no-build", "--pull", "never", "--quiet-pull")
        engine.docker(*self.command(*words), env=self._env, keeps=keeps)

    @property
    def address(self) -> Address:
        """Where the worlds' control is published."""
        return self.published(7000)

    def published(self, port: int) -> Address:
        """Where a port of the gateway is on this machine's loopback."""
        return Address.parse(self._compose("port", "gateway", str(port)))

    def wait(self, *ports: int) -> None:
        """Until worlds and grader answer, or those at some ports of the gateway."""
        for port in ports or (7000, 7001):
            server = RemoteServer.__new__(RemoteServer)
            self.join(server, port)
            server.close()

    def grader(self) -> RemoteServer:
        """A session with the grader; its first verdict on a data set waits for the rows to be generated there."""
        found = RemoteServer.__new__(RemoteServer)
        self.join(found, 7001, timeout_s=GRADING_S)
        return found

    def join(self, server: RemoteServer, port: int = 7000, *, timeout_s: float = CALL_TIMEOUT_S) -> None:
        """Connect `server`; waits for containers that are starting."""
        token, deadline = read_token(self.token_file), time.monotonic() + START_S
        while True:
            try:
                RemoteServer.__init__(server, self.published(port), token, plain=True, timeout_s=timeout_s)
                return
            except EnvironmentFault as error:
                if error.cause not in ("server_unreachable", "server_lost", "container_failed"):
                    raise
                if time.monotonic() > deadline or (why := self.dead()):
                    raise EnvironmentFault(f"{why or error}", cause="container_failed") from error
            time.sleep(_LOOK_S)  # the engine tells nobody when a server inside is ready

    def dead(self) -> str:
        """How a container ended that should run; empty where none did."""
        try:
            form = '{{.Label "com.docker.compose.service"}} {{.ID}} {{.State}}'
            named = ("--filter", f"label=com.docker.compose.project={self.project}")
            for line in engine.docker("ps", "--all", *named, "--format", form).splitlines():
                service, id, state = line.split(maxsplit=2)
                if state in ("exited", "dead"):
                    told = engine.docker("inspect", id, "--format", "{{.State.ExitCode}} {{.State.OOMKilled}}").split()
                    why = "out of memory" if told[1] == "true" else f"exit code {told[0]}"
                    return f"the container {service} of {self.project} ended ({why})"
        except SitegymError as error:
            return f"the containers can't be looked at: {error}"
        return ""

    def down(self) -> None:
        """Remove containers, networks and volumes; what is gone already is no error."""
        remove(self.project)
        if self.reaper is not None:
            self.reaper.release()
            self.reaper = None

    def _compose(self, *words: str) -> str:
        return engine.docker(*self.command(*words), env=self._env)

    def command(self, *words: str) -> list[str]:
        """What follows `docker` for a command of compose on this set; it needs `environment`."""
        files = [word for name in self.files for word in ("--file", str(engine.folder() / name))]
        return ["compose", "--project-name", self.project, *files, *words]

    @property
    def environment(self) -> dict[str, str]:
        """The variables that the compose files ask for."""
        return dict(self._env)


class ContainerServer(RemoteServer):
    """Worlds in containers: those that `sitegym containers up` started, else a set of its own that goes with it.

    `project` joins one that somebody else owns. Raises `UsageError` where there is no engine, no image, or another
    version; `EnvironmentFault` with cause `container_died` once the containers are gone.
    """

    def __init__(self, project: str | None = None) -> None:
        engine.check_images(*database_image())
        collect()
        if project is None and (shared := running()):
            self.stack, own = shared, False
        elif project is None:
            self.stack, own = begin(), True
        else:
            self.stack, own = known(project), False
            if project != SHARED and self.stack.dead():
                self.stack.up()
        self._end = weakref.finalize(self, _down, self.stack, os.getpid()) if own else None
        try:
            self.stack.join(self)
            self.grader = self.stack.grader()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the session and, where they are its own, the containers."""
        if self.grader is not None:
            self.grader.close()
        if hasattr(self, "_finalizer"):
            super().close()
        if self._end is not None:
            self._end()

    def _fault(self) -> SitegymError:
        if not self._closed and (why := self.stack.dead()):
            return EnvironmentFault(why, cause="container_died")
        return super()._fault()


def begin() -> Stack:
    """Start a set of containers that belongs to this process. Raises what `engine.docker` raises."""
    project = f"{SHARED}-{os.getpid()}-{secrets.token_hex(3)}"
    stack = Stack(project, _new_token(_folder(project)), _owner())
    stack.reaper = Reaper(f"{__name__}:{remove.__name__}", project)
    try:
        stack.up()
    except BaseException:
        with suppress(SitegymError):
            stack.down()
        raise
    return stack


def begin_shared(port: int) -> Stack:
    """Start the set that everybody uses. Raises `UsageError` where the images are missing or the port is taken."""
    engine.check_images(*database_image())
    collect()
    folder = _folder(SHARED)
    stack = Stack(SHARED, _new_token(folder), "")
    stack._env["SITEGYM_PORT"] = str(port)
    stack.up()
    stack.wait()
    return stack


def database_image() -> tuple[str, ...]:
    """The image that is needed beside the usual where `SITEGYM_SITE_DATABASE` wants worlds to be kept in PostgreSQL."""
    wanted = os.environ.get(DATABASE, "sqlite")
    if wanted not in ("sqlite", "postgresql"):
        raise UsageError(f"{DATABASE} is {wanted!r}: write postgresql, or sqlite")
    return ("database",) if wanted == "postgresql" else ()


@contextmanager
def held() -> Iterator[str]:
    """The name of a set of containers that is up inside the block: everybody's, else one that goes at its end."""
    engine.check_images(*database_image())
    collect()
    if shared := running():
        yield shared.project
        return
    stack = begin()
    try:
        stack.wait()
        yield stack.project
    finally:
        _down(stack, os.getpid())


def running() -> Stack | None:
    """The set that everybody uses, if it is up."""
    named = ("--filter", f"label=com.docker.compose.project={SHARED}")
    if not engine.docker("ps", "--quiet", *named):
        return None
    return known(SHARED)


def known(project: str) -> Stack:
    """A set that was started by another process of this user."""
    token = _folder(project) / "token"
    if not token.exists():
        raise UsageError(f"the containers {project!r} were started by somebody else, who has their token")
    return Stack(project, token, "" if project == SHARED else _owner_in(project))


def collect() -> list[str]:
    """Remove what belongs to processes that are gone; returns the projects."""
    gone = set()
    kinds = (("container", "ls", "--all"), ("network", "ls"), ("volume", "ls"))
    for words in kinds:
        form = '{{.Label "com.docker.compose.project"}} {{.Label "' + OWNER + '"}}'
        for line in engine.docker(*words, "--filter", f"label={OWNER}", "--format", form).splitlines():
            project, _, owner = line.partition(" ")
            if owner and not _lives(owner):
                gone.add(project)
    for project in gone:
        remove(project)
    return sorted(gone)


def remove(project: str) -> None:
    """Remove all that carries a project's name."""
    named = ("--filter", f"label=com.docker.compose.project={project}")
    for find, drop in (
        (("container", "ls", "--all", "--quiet"), ("container", "rm", "--force", "--volumes")),
        (("network", "ls", "--quiet"), ("network", "rm")),
        (("volume", "ls", "--quiet"), ("volume", "rm", "--force")),
    ):
        if found := engine.docker(*find, *named).split():
            with suppress(EnvironmentFault):  # somebody else removes the same at the same time
                engine.docker(*drop, *found)
    if project != SHARED:
        shutil.rmtree(_folder(project, make=False), ignore_errors=True)


def _folder(project: str, *, make: bool = True) -> Path:
    """Where the token of a project is."""
    folder = cache_dir() / "containers" / project
    if make:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _new_token(folder: Path) -> Path:
    """The token of a project, and beside it the secrets of its other containers; those that are there stay.

    In files that the containers' user can read, in a folder that nobody else here can enter.
    """
    folder.chmod(0o700)
    for name in ("token", "browser", "screen", "database"):
        if not (folder / name).exists():
            handle, half = tempfile.mkstemp(dir=folder)
            with os.fdopen(handle, "w") as file:
                file.write(secrets.token_hex(32))
            os.chmod(half, 0o444)
            Path(half).replace(folder / name)
    return folder / "token"


def _down(stack: Stack, owner: int) -> None:
    if os.getpid() != owner:
        return  # a forked child must not end its parent's containers
    with suppress(SitegymError):  # the next start collects them
        stack.down()


def _owner() -> str:
    """This process, told from a later one with the same number."""
    return f"{os.getpid()}-{_born(os.getpid())}"


def _owner_in(project: str) -> str:
    pid = project.split("-")[1]
    return f"{pid}-{_born(int(pid))}"


def _lives(owner: str) -> bool:
    pid, _, born = owner.partition("-")
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError):
        return False
    except PermissionError:
        return True
    return _born(int(pid)) == born


def _born(pid: int) -> str:
    """When a process began, in the kernel's ticks; empty where there is no such account."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""
