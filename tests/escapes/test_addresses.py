"""Addresses that are no site's: typed, linked, sent by a form, a redirect, a script, a drag, put into a frame."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
import sitegym
from lab_site import HOME, WAYS
from sitegym.sites.world import World

from .attacks import attack
from .conftest import Agent, Outside

SCHEMES = {
    "file": "file:///etc/passwd",
    "view-source": f"view-source:{HOME}",
    "chrome": "chrome://version/",
    "devtools": "devtools://devtools/bundled/inspector.html",
    "data": "data:text/html,<title>Strange</title><h1>Strange</h1>",
}
"""Addresses that must never be open in a tab."""

TYPED = (
    "javascript:document.title='gone'",
    "JavaScript:alert(1)",
    "java\nscript:alert(1)",
    "\tfile:///etc/passwd",
    f"blob:{HOME}1",
    "about:version",
    "about:srcdoc",
    "filesystem:http://lab.localhost/temporary/a",
    "chrome-extension://a/b.html",
    "ftp://lab.localhost/",
    "https://lab.localhost/",
    "ws://lab.localhost/",
    "mailto:a@b.example",
)
"""What is no address of a site either."""

LEADING = ("link", "form", "window", "redirect", "frame")
ALIKE = ("tab", "post", "script", "refresh", "object")
"""Ways that are each much like one of `LEADING`."""


@attack(
    "addresses",
    tried="`navigate` and `new_tab` to `file:`, `view-source:`, `chrome:`, `devtools:`, `data:`, `javascript:`, "
    "`blob:`, `about:`, `ftp:` and `https:`, in capitals, with blanks and line breaks",
    against="the action takes http addresses of the world's own sites only",
    trace="the step's error",
)
def test_no_address_but_a_sites_is_opened_by_an_action(lab: Agent) -> None:
    for url in (*SCHEMES.values(), *TYPED):
        for action in ("navigate", "new_tab"):
            now = lab.act({"action": action, "url": url})
            assert now.error, (action, url)
            assert [(tab.url, tab.title) for tab in now.tabs] == [(HOME, "Notes")], url
    lab.rests()


@attack(
    "addresses",
    tried="a page that leads to such an address, by link, new tab, form (GET and POST), script, pop-up, refresh, "
    "redirect, frame and object",
    against="the browser does not follow it from a page, and the episode goes on",
    trace="the address among what the record tells as refused; the step's error for a redirect",
)
@pytest.mark.parametrize("how", [*LEADING, *(pytest.param(how, marks=pytest.mark.long) for how in ALIKE)])
def test_no_page_leads_to_an_address_that_no_server_gave(lab: Agent, how: str) -> None:
    for scheme, to in SCHEMES.items():
        if scheme == "data" and how in ("frame", "object"):
            continue  # such a frame does open: a test of its own
        if how == "redirect":
            now = lab.act({"action": "navigate", "url": f"{HOME}redirect?to={quote(to, safe='')}"})
            assert "leads to where nothing of this world is" in now.error or "gave no page" in now.error
        else:
            now = lab.way(how, to)
            assert now.error == ""
            assert any(line.startswith(to.rstrip("/")) for line in lab.refused), lab.refused
        assert now.settled
        assert len(now.tabs) == 1
        assert now.url.startswith((HOME, "chrome-error:"))
        for told in ("root:", "Strange", "Chromium"):
            assert told not in now.axtree
    lab.rests()


@attack(
    "addresses",
    tried="dragging a link to such an address onto the page",
    against="what is dropped on a page opens nothing",
    trace="the action is in the trajectory; the tab's address and view stay those of before",
)
def test_a_dragged_link_opens_nothing(lab: Agent) -> None:
    for to in (*SCHEMES.values(), f"{HOME}elsewhere"):
        lab.way("drag", to)
        assert lab.now.error == ""
        assert [tab.url.partition("?")[0] for tab in lab.now.tabs] == [f"{HOME}way/drag"]
    shown = lab.episode.session.tabs.views[lab.episode.session.tabs.active]
    lab.rests()
    assert lab.episode.view.id == shown


@attack(
    "addresses",
    tried="a document from `data:` in a frame, or from `blob:` in a frame or the tab itself",
    against="it comes from a page, not from the agent; it is no view of a site, so nothing that it shows is graded",
    trace="the address among what the record tells as refused; no view in the verdict",
)
def test_a_document_that_no_server_gave_is_never_graded(lab: Agent) -> None:
    lab.way("frame", SCHEMES["data"])
    assert any(line.startswith("data:text/html") for line in lab.refused)
    assert lab.now.error == ""
    lab.act({"action": "navigate", "url": f"{HOME}page/blob"})
    assert any(line.startswith(f"blob:{HOME}") for line in lab.refused)
    lab.on("click", "button", "Go")
    assert lab.now.url.startswith("blob:")
    assert "Made" in lab.now.axtree
    lab.rests()
    assert lab.episode.view is None


@attack(
    "addresses",
    tried="`javascript:` in a link, form, script, pop-up, frame and refresh, to fetch from a host outside",
    against="it runs as the page's own script, if at all, and reaches what the page reaches: the world's sites",
    trace="the request among what the record tells as refused, wherever the script ran",
)
def test_a_script_in_an_address_reaches_nothing(lab: Agent, outside: Outside) -> None:
    for how in ("link", "form", "script", "window", "frame", "refresh"):
        to = f"http://127.0.0.2:{outside.port}/{how}"
        lab.way(how, f"javascript:void fetch('{to}', {{mode: 'no-cors'}})")
        assert lab.now.error == ""
        lab.act("wait(500)")
        assert any(to in line or (how == "refresh" and "javascript:" in line) for line in lab.refused), lab.refused
    lab.rests()
    assert outside.seen == []


@attack(
    "addresses",
    tried="links to programs of the system (`mailto:`, `tel:`, unknown schemes), by every way",
    against="there is no such program, nothing is opened, and the page is not waited for in vain",
    trace="the address among what the record tells as refused, where the browser tried to open it",
)
def test_no_program_of_the_system_is_started(lab: Agent) -> None:
    for how in ("link", "tab", "form", "script", "window", "refresh"):
        lab.way(how, f"mailto:{how}@elsewhere.example")
        assert (lab.now.error, lab.now.settled, len(lab.now.tabs)) == ("", True, 1)
        assert any(line.startswith(f"mailto:{how}@") for line in lab.refused)
    lab.rests()


@attack(
    "secrets",
    tried="reading the baseline, the verifier's sources and the world's database as files: by address, by link, by "
    "upload, as a download",
    against="`file:` opens nowhere; upload and download know files by the names that the task or the page gave",
    trace="the step's error; the address among what the record tells as refused",
)
def test_no_file_of_the_harness_can_be_read(lab: Agent, lab_world: World) -> None:
    verifier = Path(sitegym.__file__).parent / "verifiers" / "grade.py"
    for path in (lab_world.baseline.path, verifier, lab_world.server.folder):
        assert path.exists()
        now = lab.act({"action": "navigate", "url": path.as_uri()})
        assert "file: addresses are not part of this world" in now.error
        lab.way("link", path.as_uri())
        assert any(line.startswith(path.as_uri()) for line in lab.refused)
    field = lab.act({"action": "navigate", "url": HOME}).find("textbox", "Text")
    for name in (str(verifier), f"../../../../../..{verifier}", verifier.as_uri(), f"{verifier}\0.txt"):
        assert "was downloaded" in lab.act({"action": "read_download", "name": name}).error
        assert lab.act({"action": "upload", "ref": field, "files": [name]}).error
    lab.rests()


def test_every_way_that_a_page_has_is_tried() -> None:
    elsewhere = {"picture", "fetch", "beacon", "socket", "connect"}  # load something into a page, see test_hosts.py
    assert set(WAYS) | {"redirect"} == {*LEADING, *ALIKE, *elsewhere, "drag"}
