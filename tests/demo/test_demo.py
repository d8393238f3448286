"""A demo shows everything and changes nothing: the agent's episode is the same, byte for byte, on a stage or off it."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat
from sitegym.cli import main
from sitegym.demo import demo, recording, show, stage
from sitegym.demo.webm import elements
from sitegym.envs import session
from sitegym.envs.host import BrowserHost
from sitegym.envs.look import Eyes
from sitegym.sweeps import evaluate
from sitegym.sweeps.plan import EpisodeSpec
from sitegym.sweeps.run_folder import RunFolder

TASK = "store.admin/cancel-order"

# What a page can notice: its whole document, shadow roots, and every change and event from its first moment on.
WITNESS = """(() => {
  const seen = [];
  const note = (record) => seen.push(`${record.type} ${record.target.nodeName} ${record.attributeName ?? ""}`);
  new MutationObserver((records) => records.forEach(note)).observe(document, {
    childList: true, subtree: true, attributes: true, characterData: true,
  });
  for (const kind of ["focusin", "mouseover", "mousemove", "click", "keydown", "scroll", "resize"]) {
    addEventListener(kind, (event) => seen.push(`${kind} ${event.target.nodeName ?? "window"}`), true);
  }
  window.witness = () => JSON.stringify([document.documentElement.outerHTML, innerWidth, innerHeight, devicePixelRatio,
    document.visibilityState, document.hasFocus(), Object.keys(window).sort(), seen]);
})();"""


def trace(run: RunFolder) -> list[Any]:
    """What an agent was given at each step, and what came of it, without the times on the wall."""
    folder = run.episode(run.plan.episodes[0].id)
    steps = json.loads((folder / "trajectory.json").read_text())["steps"]
    told = [(step.get("tool_calls"), step.get("observation"), seen(step.get("extra", {}))) for step in steps]
    pictures = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (folder / "screens").iterdir()}
    evidence = [json.loads((folder / name).read_text()) for name in ("changes.json", "verdict.json")]
    return [told, pictures, evidence]


def seen(extra: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in extra.items() if name != "seconds"}


@pytest.fixture
def witnessed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Eyes, str]]:
    """Has every page of an episode note what it can notice; gives what they noted at each look, by whose it was."""
    notes: list[tuple[Eyes, str]] = []
    init, look = session.init_script, Eyes.look

    async def looking(self: Eyes, kinds: Any) -> None:
        notes.append((self, str(await self._tabs.active.evaluate("window.witness()"))))
        await look(self, kinds)

    monkeypatch.setattr(session, "init_script", lambda: f"{init()};\n{WITNESS}")
    monkeypatch.setattr(Eyes, "look", looking)
    return notes


def test_an_episode_on_a_stage_is_the_same_byte_for_byte(
    witnessed: list[tuple[Eyes, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(name: str) -> tuple[list[Any], list[str]]:
        folder = RunFolder.open(tmp_path / name)
        first = witnessed[0][0]  # the looks of others are taken ahead, at what nobody plays
        noted = [note for eyes, note in witnessed if eyes is first]
        witnessed.clear()
        return trace(folder), noted

    plain = show.Show._played

    def unwatched(self: show.Show, spec: EpisodeSpec, audience: Any) -> Any:
        from sitegym.sweeps.play import NOBODY

        return plain(self, spec, NOBODY)  # type: ignore[arg-type]

    assert demo(TASK, data="tiny", headless=True, pace=0.2, quiet=True, out=tmp_path / "on") == 0
    on = run("on")
    monkeypatch.setattr(show.Show, "_played", unwatched)
    assert demo(TASK, data="tiny", headless=True, pace=0, quiet=True, out=tmp_path / "off") == 0
    off = run("off")
    assert len(on[1]) == len(on[0][0]) - 2 > 4  # one look a page, the goal and the finish aside
    assert on[1] == off[1]
    assert on[0] == off[0]


def test_the_stage_tells_goal_step_pointer_and_verdict_and_the_film_shows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], canceled: str
) -> None:
    told: list[tuple[str, Any]] = []
    call = stage.Stage._call

    def noting(self: stage.Stage, name: str, given: Any) -> None:
        call(self, name, given)
        shown = self.host.run(self.page.evaluate("stageShows()"))
        told.append((name, shown))

    script = """globalThis.stageShows = () => {
      const { left, top, right, bottom } = document.querySelector("#goal").getBoundingClientRect();
      return [document.body.innerText, document.querySelector("#pointer").style.transform, [left, top, right, bottom]];
    }"""
    write, kept = recording.Recording.write, list[Image.Image]()

    def writing(self: recording.Recording, path: Path, host: BrowserHost) -> None:
        kept.extend(Image.open(self.frames[number][0]).convert("RGB") for number in (0, len(self.frames) // 2))
        write(self, path, host)

    opened = stage.Stage._open

    async def opening(self: stage.Stage, headless: bool) -> Any:
        page = await opened(self, headless)
        await page.evaluate(script)
        return page

    monkeypatch.setattr(stage.Stage, "_open", opening)
    monkeypatch.setattr(stage.Stage, "_call", noting)
    monkeypatch.setattr(recording.Recording, "write", writing)
    film = tmp_path / "film.webm"
    words = ["demo", f"{TASK}:0", "--data", "tiny", "--headless", "--pace", "0.1", "--record", str(film)]
    assert main([*words, "--out", str(tmp_path / "run")]) == 0
    names = [name for name, _ in told]
    assert names[:5] == ["open", "begin", "page", "settle", "look"]
    assert names[-2:] == ["verdict", "linger"]
    doing = [shown for name, shown in told if name == "intend"]
    assert "Click button “Cancel order”" in " ".join(text for text, *_ in doing)
    assert len({pointer for _, pointer, _ in doing}) > 3
    end = told[-1][1][0]
    for words_ in ("Success", "reward 1", canceled, "The goal is met and nothing else changed."):
        assert words_ in end
    said = capsys.readouterr().out
    assert "Click button “Cancel order”" in said
    assert f"status: {canceled}" in said
    assert f"Report: {tmp_path / 'run'}" in said
    assert "Recorded" in said
    first, later = (picture.crop(told[2][1][2]) for picture in kept)
    assert ImageStat.Stat(ImageChops.difference(first, later)).mean == pytest.approx([0, 0, 0], abs=2)  # the goal
    assert ImageStat.Stat(first).stddev[0] > 10  # and it is written there
    assert max(ImageStat.Stat(kept[0].crop((30, 140, 1290, 900))).stddev) > 30  # beside the first page

    found = elements(film.read_bytes())
    assert found[0][1].endswith(b"\x42\x85" + (2).to_bytes(1, "big")) or b"webm" in found[0][1]
    ids = [id for id, _ in found]
    assert ids.count(0xA3) > 20  # frames
    assert (0x86, b"V_VP9") in found
    assert {int.from_bytes(content, "big") for id, content in found if id in (0xB0, 0xBA)} == {1696, 960}


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, float]]:
    """Three pictures, 1.2 s apart."""
    folder = tmp_path_factory.mktemp("frames")
    made = []
    for number, colour in enumerate(("#102030", "#405060", "#a0b0c0")):
        path = folder / f"{number}.jpg"
        Image.new("RGB", (321, 200), colour).save(path)
        made.append((path, number * 1.2))
    return made


def test_a_gif_shows_each_picture_as_long_as_the_stage_did(frames: list[tuple[Path, float]], tmp_path: Path) -> None:
    path = tmp_path / "film.gif"
    recording.write_gif(frames, 5.0, path)
    durations = []
    with Image.open(path) as film:
        assert film.n_frames == 3  # type: ignore[attr-defined]
        for number in range(3):
            film.seek(number)
            durations.append(film.info["duration"])
            assert film.convert("RGB").getpixel((5, 5)) == pytest.approx(
                ((16, 32, 48), (64, 80, 96), (160, 176, 192))[number], abs=4
            )
    assert durations == [1200, 1200, 2600]


PLAY = """async (data) => {
  const video = document.createElement("video");
  video.src = `data:video/webm;base64,${data}`;
  await new Promise((ready, failed) => {
    video.onloadeddata = ready;
    video.onerror = () => failed(new Error(video.error.message));
  });
  const colour = async (second) => {
    await new Promise((there) => { video.onseeked = there; video.currentTime = second; });
    const pen = Object.assign(document.createElement("canvas"), { width: 20, height: 20 }).getContext("2d");
    pen.drawImage(video, 0, 0, 20, 20);
    return [...pen.getImageData(10, 10, 1, 1).data].slice(0, 3);
  };
  return [video.duration, video.videoWidth, video.videoHeight, await colour(0.6), await colour(4.5)];
}"""


async def played(host: BrowserHost, film: bytes) -> list[Any]:
    """What a browser says of a film: seconds, size, and its colour early and late."""
    page = await host.browser.new_page()
    found: list[Any] = await page.evaluate(PLAY, base64.b64encode(film).decode())
    await page.close()
    return found


def test_a_webm_plays_in_a_browser_for_as_long_and_can_be_sought_in(frames: list[tuple[Path, float]]) -> None:
    with BrowserHost() as host:
        film = host.run(recording.encode(host, frames, 5.0))
        seconds, width, height, early, late = host.run(played(host, film))
    assert seconds == pytest.approx(5.0, abs=0.05)
    assert (width, height) == (320, 200)
    assert early == pytest.approx([16, 32, 48], abs=12)
    assert late == pytest.approx([160, 176, 192], abs=12)


def test_an_agent_that_raises_is_a_fault_and_the_stage_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken.py").write_text("def agent(observation):\n    raise RuntimeError('out of ideas')\n")
    monkeypatch.syspath_prepend(tmp_path)
    ends: list[Any] = []
    monkeypatch.setattr(stage.Stage, "verdict", lambda self, end: ends.append(end))
    options: dict[str, Any] = {"data": "tiny", "headless": True, "pace": 0, "quiet": True, "out": tmp_path / "run"}
    assert demo(TASK, agent="broken:agent", **options) == 1
    assert (ends[0]["title"], ends[0]["kind"]) == ("Fault", "fault")
    assert "out of ideas" in ends[0]["reason"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        pytest.param(["store.admin/cancel-ordr"], "did you mean 'store.admin/cancel-order'?", id="task"),
        pytest.param([TASK, "--agent", "humn"], "did you mean 'human'?", id="agent"),
        pytest.param([TASK, "--pace", "brisk"], "slow, normal, fast, or seconds a step", id="pace"),
        pytest.param([TASK, "--pace", "-1"], "seconds a step from 0 to 60", id="pace-below-zero"),
        pytest.param([TASK, "--record", "film.mp4"], "its name ends in .webm or .gif", id="film-of-another-kind"),
        pytest.param([TASK, "--record", "/nowhere/film.gif"], "/nowhere/film.gif can't be written", id="film-nowhere"),
        pytest.param([f"{TASK}:3", "--seed", "4"], "names seed 3, and --seed 4", id="two-seeds"),
        pytest.param([TASK, "--data", "bse"], "bse", id="data"),
        pytest.param([TASK, "--agent", "human", "--headless"], "a person needs a window", id="nobody-can-see"),
        pytest.param([TASK], "xvfb-run -a sitegym demo store.admin/cancel-order", id="no-display"),
        pytest.param([TASK], "--record demo.webm", id="no-display-but-a-film"),
        pytest.param([TASK, "--agent", "human"], "a person needs a window", id="no-display-for-a-person"),
    ],
)
def test_a_mistake_earns_one_sentence_and_nothing_is_begun(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(show, "has_display", lambda: False)
    given = words if "--data" in words else [*words, "--data", "tiny"]
    assert main(["demo", *given]) == 2
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""
    assert list(tmp_path.iterdir()) == []


def test_hints_name_the_command_that_was_typed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(show, "has_display", lambda: False)
    monkeypatch.setenv("SITEGYM_COMMAND", "./run")
    assert main(["demo", TASK, "--data", "tiny"]) == 2
    said = capsys.readouterr().err
    assert f"`xvfb-run -a ./run demo {TASK} --data tiny`" in said
    assert f"`./run demo {TASK} --data tiny --record demo.webm`" in said
    assert main(["demo", TASK, "--data", "tiny", "--seed", "3", "--agent", "random", "--pace", "fast"]) == 2
    assert f"`xvfb-run -a ./run demo {TASK} --agent random --seed 3 --data tiny --pace fast`" in capsys.readouterr().err
    assert main(["demo", "--colour"]) == 2
    assert "(see `./run demo --help`)" in capsys.readouterr().err


def test_people_play_in_demos_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "--agent", "human"]) == 2
    assert "sitegym demo TASK --agent human" in capsys.readouterr().err
    with pytest.raises(Exception, match="a person plays in a window"):
        evaluate(agents=("human",), quiet=True)


@pytest.mark.parametrize(("pattern", "count"), [("store.admin/cancel-order", 1), ("store.admin/*", None)])
def test_a_pattern_is_a_show_of_all_that_match(pattern: str, count: int | None) -> None:
    from sitegym import tasks

    plan = show.plan_of(pattern, agent="oracle", seed=1, data="tiny", data_seed=1, split=None)
    assert [spec.task for spec in plan.episodes] == tasks.match(pattern)
    assert count is None or len(plan.episodes) == count
    assert {spec.task_seed for spec in plan.episodes} == {1}
