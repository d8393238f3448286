"""The program of the browser's container: one Chromium behind Playwright's server, and its screen in a web page.

The harness connects by loopback, whose network it shares (`envs.distant`). With `--screen` the browser has windows, on
a display that is seen through a Unix socket by who has the token of `envs.screen`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..errors import SitegymError
from .discovery import launch_options
from .distant import secret
from .host import FLAGS

PORT = 9333
NOVNC = Path("/usr/share/novnc")
SIZE = (1300, 920)
"""Pixels of the screen: a page of 1280 × 800 with the browser's own bars."""


async def _display(folder: Path) -> asyncio.subprocess.Process:
    """Start the display, whose pictures are served at the socket `vnc` in the folder; `DISPLAY` names it then."""
    Path("/tmp/.X11-unix").mkdir(mode=0o777, exist_ok=True)
    told, say = os.pipe()
    command = [
        "Xtigervnc", "-displayfd", str(say), "-geometry", "{}x{}".format(*SIZE), "-depth", "24",
        "-rfbunixpath", str(folder / "vnc"), "-rfbunixmode", "0600", "-rfbport", "-1", "-SecurityTypes", "None",
        "-AlwaysShared", "-nolisten", "tcp", "-nolisten", "local", "-extension", "GLX",
    ]  # fmt: skip
    started = await asyncio.create_subprocess_exec(*command, pass_fds=[say], stdout=asyncio.subprocess.DEVNULL)
    os.close(say)
    with os.fdopen(told) as pipe:
        number = (await asyncio.to_thread(pipe.readline)).strip()  # comes when it is ready
    if not number:
        raise SystemExit("the display does not start")
    os.environ["DISPLAY"] = f":{number}"
    return started


def _settings(token: str, *, headless: bool) -> dict[str, Any]:
    """What Playwright's server is told."""
    found = launch_options(headless)
    args = [*found["args"], *FLAGS]
    if not headless:
        # without GLX there is no GPU to fall back from: no picture could be taken
        args += ["--disable-gpu", "--window-position=0,0", "--window-size={},{}".format(*SIZE), "--no-first-run"]
    return {
        "executablePath": found["executable_path"],
        "headless": headless,
        "chromiumSandbox": found["chromium_sandbox"],
        "args": args,
        "env": {**found["env"], **({} if headless else {"DISPLAY": os.environ["DISPLAY"]})},
        "host": "127.0.0.1",
        "port": PORT,
        "wsPath": f"/{token}",
    }


async def _server(folder: Path, settings: dict[str, Any]) -> asyncio.subprocess.Process:
    file = folder / "browser.json"
    file.touch(mode=0o600)
    file.write_text(json.dumps(settings))
    command = [sys.executable, "-m", "playwright", "launch-server", "--browser", "chromium", "--config", str(file)]
    return await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)  # it prints the token


async def _serve(given: argparse.Namespace) -> int:
    folder = Path("/tmp/browser")
    folder.mkdir(mode=0o700, exist_ok=True)
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    running = []
    if given.screen:
        from .screen import Screen

        running.append(await _display(folder))
        await Screen(folder / "vnc", NOVNC, secret(given.screen_token_file)).serve(given.screen)
    settings = await asyncio.to_thread(_settings, secret(given.token_file), headless=not given.screen)
    running.append(await _server(folder, settings))
    print(f"Serving a browser at port {PORT}{', and its screen' if given.screen else ''}.", flush=True)
    waiting = [asyncio.ensure_future(one.wait()) for one in running] + [asyncio.ensure_future(ended.wait())]
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for one in running:
        with suppress(ProcessLookupError):
            one.terminate()
    for wait in waiting:
        wait.cancel()
    return 0 if ended.is_set() else 1


def main(arguments: list[str] | None = None) -> int:
    """Serve until SIGTERM; 1 where browser or display ended by themselves."""
    parser = argparse.ArgumentParser(prog="sitegym.envs.browser_server", description=__doc__)
    parser.add_argument("--token-file", required=True, type=Path, help="file with what the harness has to know")
    parser.add_argument("--screen", type=Path, metavar="SOCKET", help="show windows, and serve them there")
    parser.add_argument("--screen-token-file", type=Path, help="file with what a watcher has to know")
    given = parser.parse_args(arguments)
    try:
        return asyncio.run(_serve(given))
    except SitegymError as error:
        parser.exit(2, f"{error}\n")


if __name__ == "__main__":
    raise SystemExit(main())
