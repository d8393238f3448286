"""The browser draws with sitegym's fonts and sees no other, whatever the machine and the caller's environment have."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import ImageFont
from sitegym.envs import fonts
from sitegym.envs.candidates import candidates
from sitegym.envs.diagnosis import examine
from sitegym.envs.discovery import find_browser
from sitegym.envs.host import BrowserHost

SYSTEM = "Aileron"
"""A font that these tests give to the machine; Pillow brings it."""
LOOKS = {
    "no family": ("<p>Hello", {"Tinos"}),
    "sans-serif": ("<p style='font-family: sans-serif'>Hello", {"Arimo"}),
    "serif": ("<p style='font-family: serif'>Hello", {"Tinos"}),
    "monospace": ("<p style='font-family: monospace'>Hello", {"Cousine"}),
    "system-ui": ("<p style='font-family: system-ui'>Hello", {"Arimo"}),
    "Arial": ("<p style='font-family: Arial, monospace'>Hello", {"Arimo"}),
    "Courier New": ("<p style='font-family: \"Courier New\", serif'>Hello", {"Cousine"}),
    "button": ("<button>Hello</button>", {"Arimo"}),
    "input": ("<input value=Hello>", {"Arimo"}),
    "select": ("<select><option>Hello</select>", {"Arimo"}),
    "arrow": ("<p style='font-family: sans-serif'>→ ↓", {"Arimo"}),
    "signs": ("<p style='font-family: sans-serif'>✓✗★☆☰⏎", {"Noto Sans Symbols2"}),
    "emoji": ("<p>🙂🛒", {"Noto Emoji"}),
    "Chinese": ("<p>娜李", {"Noto Sans CJK JP"}),
    "Korean and Japanese": ("<p>한국어 ひらがな", {"Noto Sans CJK JP", "Tinos"}),
    "Vietnamese, bold": ("<b style='font-family: sans-serif'>Nguyễn Thị Zoë</b>", {"Arimo"}),
    "a font of the system": (f"<p style='font-family: {SYSTEM}, monospace'>Hello", {"Cousine"}),
}
PAGE = "".join(f"<section>{html}</section>" for html, _ in LOOKS.values())


def used(host: BrowserHost) -> list[set[str]]:
    """The families that each section of the page was really drawn with."""

    async def ask() -> list[set[str]]:
        page = await host.browser.new_page()
        await page.set_content(PAGE)
        session = await page.context.new_cdp_session(page)
        await session.send("DOM.enable")
        await session.send("CSS.enable")
        root = (await session.send("DOM.getDocument"))["root"]["nodeId"]
        found = await session.send("DOM.querySelectorAll", {"nodeId": root, "selector": "section > *"})
        families = []
        for node in found["nodeIds"]:
            drawn = await session.send("CSS.getPlatformFontsForNode", {"nodeId": node})
            families.append({font["familyName"] for font in drawn["fonts"]})
        await page.close()
        return families

    return host.run(ask())


def picture(executable: Path) -> bytes:
    async def draw() -> bytes:
        page = await host.browser.new_page()
        await page.set_content(PAGE)
        return await page.screenshot()

    with BrowserHost(executable=str(executable)) as host:
        return host.run(draw())


def browsers() -> list[object]:
    """The headless shell and the full browser, as far as they are there and can be told their fonts."""
    if not fonts.available():
        return []
    found = {name: next(iter(candidates(headless=name == "shell")), None) for name in ("shell", "full")}
    return [pytest.param(browser.path, id=name) for name, browser in found.items() if browser is not None]


@pytest.fixture
def other_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another home, language and set of fonts, told in every way that fontconfig knows."""
    find_browser()  # where Playwright keeps its browsers hangs on the home
    home = tmp_path / "home"
    (home / ".fonts").mkdir(parents=True)
    font = ImageFont.load_default(10)
    assert isinstance(font, ImageFont.FreeTypeFont)
    assert font.getname()[0] == SYSTEM
    (home / ".fonts" / "system.ttf").write_bytes(font.font_bytes)
    conf = home / ".config" / "fontconfig" / "fonts.conf"
    conf.parent.mkdir(parents=True)
    wish = f"<match target='pattern'><edit name='family' mode='prepend_first'><string>{SYSTEM}</string></edit></match>"
    conf.write_text(f"<fontconfig><dir>{home}/.fonts</dir><cachedir>{home}/cache</cachedir>{wish}</fontconfig>")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("FONTCONFIG_FILE", str(conf))
    monkeypatch.setenv("FONTCONFIG_PATH", str(conf.parent))
    monkeypatch.setenv("FC_LANG", "ja")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("SITEGYM_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("executable", browsers())
@pytest.mark.usefixtures("other_machine")
def test_what_is_drawn_is_drawn_with_sitegym_fonts(executable: Path) -> None:
    with BrowserHost(executable=str(executable)) as host:
        assert dict(zip(LOOKS, used(host), strict=True)) == {name: families for name, (_, families) in LOOKS.items()}


@pytest.mark.parametrize("executable", browsers()[:1])
@pytest.mark.usefixtures("other_machine")
def test_with_the_callers_environment_the_system_font_is_seen(
    executable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fonts, "available", lambda: False)
    with BrowserHost(executable=str(executable)) as host:
        assert used(host)[-1] == {SYSTEM}  # so the test above could fail


@pytest.mark.parametrize("executable", browsers())
def test_two_machines_draw_the_same_bytes(executable: Path, request: pytest.FixtureRequest) -> None:
    here = picture(executable)
    request.getfixturevalue("other_machine")
    assert picture(executable) == here
    request.getfixturevalue("monkeypatch").setattr(fonts, "available", lambda: False)
    assert picture(executable) != here  # so the comparison could fail


def test_the_configuration_is_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITEGYM_CACHE", str(tmp_path))
    file = fonts.configuration()
    assert file.is_relative_to(tmp_path)
    before = file.stat().st_mtime_ns, file.stat().st_ino
    assert fonts.configuration() == file
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == before


def test_many_processes_may_write_it_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITEGYM_CACHE", str(tmp_path))
    script = "from sitegym.envs import fonts; file = fonts.configuration(); print(file); print(file.read_text())"
    command = [sys.executable, "-P", "-c", script]
    some = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    said = {process.communicate()[0] for process in some}
    assert len(said) == 1
    assert [file.name for file in (tmp_path / "fonts").iterdir()] == [fonts.configuration().name]


@pytest.mark.parametrize("executable", browsers()[:1])
def test_a_cache_that_can_not_be_written_does_not_matter(
    executable: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find_browser()  # its proof is kept in the cache
    monkeypatch.setenv("SITEGYM_CACHE", str(tmp_path))
    (tmp_path / "fonts").touch()  # no folder can be made here, not even by root
    assert not fonts.configuration().is_relative_to(tmp_path)
    with BrowserHost(executable=str(executable)) as host:
        assert used(host)[1] == {"Arimo"}


def test_elsewhere_the_environment_is_the_callers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "available", lambda: False)
    monkeypatch.setenv("FONTCONFIG_FILE", "/mine")
    assert fonts.environment()["FONTCONFIG_FILE"] == "/mine"


def test_every_family_has_its_files_and_the_licence_is_there() -> None:
    told = {file.name.split("-")[0].lower() for file in fonts.files()}
    families = {family.replace(" ", "").lower() for family in (*fonts.FAMILIES, *fonts.FALLBACKS)}
    assert told == families
    assert "SIL OPEN FONT LICENSE" in (fonts.FOLDER / "OFL.txt").read_text("utf-8")


def test_the_doctor_names_the_fonts() -> None:
    fact = next(fact for fact in examine() if fact.what == "fonts")
    assert fact.ok is (True if fonts.available() else None)
    assert all(family in fact.found for family in fonts.FAMILIES) or not fact.ok
