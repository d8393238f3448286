"""The container engine of this machine, through its command `docker`: what goes wrong is said with what mends it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from ... import __version__
from ...called import to_type
from ...errors import EnvironmentFault, UsageError
from .content import content_hash

IMAGES = {"site": "site", "grader": "site", "database": "database", "browser": "harness", "runner": "harness"}
"""The images that are built, each a stage of its name in `docker/….Dockerfile`."""
ALWAYS = ("site", "grader")
"""The images that every set of containers needs."""
CALL_S = 120.0
BUILD_S = 1800.0
_ABSENT = ("cannot connect to the docker daemon", "is the docker daemon running", "failed to connect to the docker api")


def docker(
    *words: str, timeout_s: float = CALL_S, env: Mapping[str, str] | None = None, keeps: Sequence[int] = ()
) -> str:
    """What `docker WORDS` prints; it keeps the files `keeps` open.

    Raises `UsageError` where there is no engine to use, `EnvironmentFault` otherwise.
    """
    command = shutil.which("docker")
    if command is None:
        raise UsageError("there is no command `docker` here: install an engine, or leave out the runtime 'docker'")
    try:
        done = subprocess.run(
            [command, *words],
            capture_output=True,
            text=True,
            timeout=timeout_s,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **(env or {})},
            pass_fds=keeps,
        )
    except subprocess.TimeoutExpired:
        message = f"the container engine did not answer `docker {words[0]}` within {timeout_s:.0f} s"
        raise EnvironmentFault(message, cause="engine_hung") from None
    if done.returncode:
        raise _failed(words, done.stderr.strip() or done.stdout.strip())
    return done.stdout.strip()


def _failed(words: tuple[str, ...], said: str) -> UsageError | EnvironmentFault:
    low = said.lower()
    last = said.splitlines()[-1] if said else "it said nothing"
    if "permission denied" in low and "docker" in low and "connect" in low:
        return UsageError(
            "the container engine runs, but you may not use it: `sudo usermod -aG docker $USER` and sign in again, "
            "or use a rootless engine"
        )
    if any(text in low for text in _ABSENT):
        return UsageError("no container engine runs: start it (`sudo systemctl start docker`), or set DOCKER_HOST")
    if "'compose' is not a docker command" in low or "unknown command: docker compose" in low:
        return UsageError(
            "the engine's plugin `compose` is missing: install it (Debian: docker-compose, or docker-compose-v2)"
        )
    if "port is already allocated" in low or "address already in use" in low:
        return UsageError(f"the port is taken: set SITEGYM_PORT to another one, or to 0 for any that is free ({last})")
    if "no space left on device" in low:
        return EnvironmentFault(f"the disk is full: {last}", cause="out_of_disk", retry=False)
    return EnvironmentFault(f"`docker {' '.join(words[:2])}` failed: {last}", cause="container_failed")


def folder() -> Path:
    """Where the Dockerfiles are. Raises `UsageError` where sitegym was installed without its checkout."""
    found = Path(__file__).resolve().parents[2] / "docker"
    if not (found / "compose.yaml").is_file():
        raise UsageError("containers need a checkout of sitegym, and this is an installed package without one")
    return found


def check_images(*more: str) -> None:
    """Raise `UsageError` where an image is missing, or was built from other code than this; `more` beside the usual."""
    for name in (*ALWAYS, *more):
        image = f"sitegym-{name}:{__version__}"
        build = f"build it with `{to_type('containers build')}`"
        try:
            found = docker("image", "inspect", image, "--format", '{{index .Config.Labels "org.sitegym.content"}}')
        except EnvironmentFault as error:
            if "no such image" in str(error).lower():
                raise UsageError(f"there is no image {image}: {build}") from None
            raise
        if found != content_hash():
            raise UsageError(f"the image {image} was built from other code ({found[:12]}) than this: {build}")


def build(*names: str) -> None:
    """Build images from this checkout, with version and content hash in their labels; the engine keeps their layers."""
    here = folder()
    for name in names or IMAGES:
        docker(
            "build", "--quiet", "--file", str(here / f"{IMAGES[name]}.Dockerfile"), "--target", name,
            "--build-arg", f"VERSION={__version__}", "--build-arg", f"CONTENT={content_hash()}",
            "--tag", f"sitegym-{name}:{__version__}", str(here.parent),
            timeout_s=BUILD_S,
        )  # fmt: skip
