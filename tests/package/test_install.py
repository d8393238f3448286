"""Installing a browser: Playwright really downloads (from a server of this test), apt-get is a recording stand-in."""

from __future__ import annotations

import io
import sys
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from sitegym.envs import install
from sitegym.envs.discovery import find_browser
from sitegym.errors import NoBrowser

PLATFORMS = ("linux64", "linux-arm64", "mac-x64", "mac-arm64")


@pytest.fixture(scope="session")
def real() -> Path:
    """The browser that this machine has."""
    return find_browser().path


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without browsers and without apt, where downloads fail; returns the one folder on its PATH."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("SITEGYM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "downloads"))
    monkeypatch.setenv("PLAYWRIGHT_DOWNLOAD_HOST", "http://127.0.0.1:9")
    monkeypatch.delenv("SITEGYM_BROWSER", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    return tmp_path / "bin"


def wrapper(real: Path) -> str:
    """A browser that is the real one under another name."""
    return f'#!/bin/sh\nPATH=/usr/bin:/bin exec "{real}" "$@"\n'


@pytest.fixture
def downloads(bare: Path, real: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server from which Playwright can download what looks like its headless shell."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        shells = [f"chrome-headless-shell-{platform}/chrome-headless-shell" for platform in PLATFORMS]
        # Playwright fetches its video encoder along with a browser; the same archive answers that request
        for name in (*shells, "ffmpeg-linux", "ffmpeg-mac"):
            info = zipfile.ZipInfo(name)
            info.external_attr = 0o100755 << 16
            archive.writestr(info, wrapper(real))

    class Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(packed.getvalue())))
            self.end_headers()
            self.wfile.write(packed.getvalue())

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv("PLAYWRIGHT_DOWNLOAD_HOST", f"http://127.0.0.1:{server.server_port}")
        yield
        server.shutdown()
        thread.join()


@pytest.mark.usefixtures("downloads")
def test_playwrights_headless_shell_is_downloaded_and_proven() -> None:
    heard: list[str] = []
    browser = install.install_browser(heard.append)
    assert browser.kind == "Playwright's headless shell"
    assert browser.headless_only
    assert heard == ["No browser that starts yet; trying Playwright's headless shell"]


@pytest.mark.usefixtures("bare")
def test_nothing_that_works_ends_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    with pytest.raises(NoBrowser, match=r"none could be installed; run: [^\n]+$"):
        install.install_browser(heard.append)
    assert len(heard) == 2
    assert "that failed" in heard[1]


def test_root_with_apt_gets_debians_browser(bare: Path, real: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "is_root", lambda: True)
    (bare / "apt-get").write_text(
        f'#!/bin/sh\necho "$*" >>"{bare}/../apt.log"\n'
        f"case \"$*\" in *chromium-headless-shell*) PATH=/usr/bin:/bin; cp '{bare}/../new' '{bare}/chromium' ;; esac\n"
    )
    (bare / "apt-get").chmod(0o755)
    (bare.parent / "new").write_text(wrapper(real))
    (bare.parent / "new").chmod(0o755)
    assert install.install_browser(lambda _: None).path == bare / "chromium"
    log = (bare.parent / "apt.log").read_text().splitlines()
    assert log[0].startswith("update")
    assert log[1].endswith("--no-install-recommends chromium-headless-shell libatomic1")
    assert len(log) == 2


def test_what_is_there_is_not_installed_again(bare: Path, real: Path) -> None:
    (bare / "chromium").write_text(wrapper(real))
    (bare / "chromium").chmod(0o755)
    heard: list[str] = []
    assert install.install_browser(heard.append).path == bare / "chromium"
    assert heard == []


def test_a_chosen_browser_is_never_replaced_by_an_installed_one(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITEGYM_BROWSER", str(bare / "nothing"))
    with pytest.raises(NoBrowser, match="SITEGYM_BROWSER"):
        install.install_browser(lambda line: pytest.fail(line))
