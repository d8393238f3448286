"""The report opens from disk, in a real browser, without a network, and shows why an episode earned what it did."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from sitegym.errors import UsageError
from sitegym.sweeps import write_report
from sitegym.sweeps.run_folder import RunFolder

ORACLE = "store.admin.cancel-order-0-oracle"
NOOP = "store.admin.cancel-order-0-noop"


@pytest.fixture
def offline(browser: Browser) -> Iterator[Page]:
    """A page that fails the test where it asks for anything but files, or logs an error."""
    trouble: list[str] = []
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.on("request", lambda request: trouble.append(request.url) if not request.url.startswith("file:") else None)
    page.on("requestfailed", lambda request: trouble.append(f"failed: {request.url}"))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    yield page
    context.close()
    assert [one for one in trouble if not one.startswith("data:")] == []


def episode(sweep: RunFolder, id: str) -> str:
    return (sweep.path / "report" / "episodes" / f"{id}.html").resolve().as_uri()


def test_the_overview_lists_every_episode_and_filters_them(sweep: RunFolder, offline: Page) -> None:
    offline.goto((sweep.path / "report" / "index.html").resolve().as_uri())
    rows = offline.locator("#episodes tbody tr:visible")
    expect(rows).to_have_count(len(sweep.plan.episodes))
    offline.get_by_label("Agent", exact=True).select_option("oracle")
    expect(rows).to_have_count(len(sweep.plan.tasks))
    offline.get_by_label("Find in id or reason").fill("cancel-order")
    expect(rows).to_have_count(1)
    expect(rows.get_by_text("Success")).to_be_visible()
    rows.get_by_role("link").click()
    expect(offline.get_by_text("goal met")).to_be_visible()


def test_filters_by_kind_and_tag_live_in_the_address(sweep: RunFolder, offline: Page) -> None:
    offline.goto((sweep.path / "report" / "index.html").resolve().as_uri())
    rows = offline.locator("#episodes tbody tr:visible")
    kinds = {task: about["kind"] for task, about in sweep.manifest["templates"].items()}
    changes = [spec for spec in sweep.plan.episodes if kinds[spec.task] == "change"]
    offline.get_by_label("Kind", exact=True).select_option("change")
    expect(rows).to_have_count(len(changes))
    assert offline.url.endswith("#kind=change")
    offline.get_by_label("Tag", exact=True).select_option("P48")
    tagged = [spec for spec in changes if "P48" in sweep.manifest["templates"][spec.task]["tags"]]
    assert 0 < len(tagged) < len(changes)
    expect(rows).to_have_count(len(tagged))
    offline.reload()
    expect(rows).to_have_count(len(tagged))
    offline.get_by_role("button", name="Clear").click()
    expect(rows).to_have_count(len(sweep.plan.episodes))
    offline.get_by_label("Find in id or reason").fill("no such words")
    expect(offline.get_by_text("No episode fits all of this.")).to_be_visible()


def test_a_figure_leads_to_its_episodes(sweep: RunFolder, offline: Page) -> None:
    offline.goto((sweep.path / "report" / "index.html").resolve().as_uri())
    row = offline.get_by_role("row", name="P07 dialog")
    row.get_by_role("link", name="/").first.click()
    expect(offline.get_by_label("Agent", exact=True)).to_have_value("oracle")
    expect(offline.get_by_label("Tag", exact=True)).to_have_value("P07")
    wanted = [one for one, about in sweep.manifest["templates"].items() if "P07" in about["tags"]]
    expect(offline.locator("#episodes tbody tr:visible")).to_have_count(len(wanted))


def test_the_keyboard_finds_opens_and_walks_the_list(sweep: RunFolder, offline: Page) -> None:
    offline.goto((sweep.path / "report" / "index.html").resolve().as_uri())
    offline.keyboard.press("/")
    offline.keyboard.type("noop")
    rows = offline.locator("#episodes tbody tr:visible")
    expect(rows).to_have_count(len(sweep.plan.tasks))
    offline.evaluate("document.activeElement.blur()")
    for key in ("j", "j", "k", "Enter"):
        offline.keyboard.press(key)
    first, second = (spec.id for spec in sweep.plan.episodes[:6] if spec.agent == "noop")
    expect(offline).to_have_url(re.compile(re.escape(f"{first}.html")))
    offline.keyboard.press("n")
    expect(offline).to_have_url(re.compile(re.escape(f"{second}.html")))
    offline.keyboard.press("?")
    expect(offline.get_by_role("dialog", name="Keys")).to_be_visible()
    offline.keyboard.press("Escape")
    offline.keyboard.press("u")
    expect(offline).to_have_url(re.compile("index.html"))


def test_arrow_keys_walk_through_the_steps_with_each_action_drawn(sweep: RunFolder, offline: Page) -> None:
    offline.goto(episode(sweep, ORACLE))
    steps = offline.locator("#film button")
    expect(offline.locator("#number")).to_have_text(f"1 of {steps.count() - 1}")
    drawn = 0
    for number in range(1, steps.count()):
        expect(offline.locator("#number")).to_have_text(f"{number} of {steps.count() - 1}")
        assert (
            offline.locator("#picture").evaluate("picture => picture.decode().then(() => picture.naturalWidth)") == 1280
        )
        drawn += offline.locator("#overlay .d-box").count()
        offline.keyboard.press("ArrowRight")
    expect(offline.locator("#words")).to_have_text("The end")
    assert drawn >= 3
    offline.keyboard.press("Home")
    expect(offline.locator("#previous")).to_be_disabled()


def test_the_drawn_box_lies_on_the_element_that_was_acted_on(sweep: RunFolder, offline: Page) -> None:
    offline.goto(episode(sweep, ORACLE))
    offline.locator("#overlay .d-box").first.wait_for()
    box = offline.locator("#overlay .d-box").first.bounding_box()
    screen = offline.locator("#screen").bounding_box()
    assert box is not None
    assert screen is not None
    assert screen["x"] <= box["x"]
    assert box["x"] + box["width"] <= screen["x"] + screen["width"]
    assert screen["y"] <= box["y"]
    assert box["y"] + box["height"] <= screen["y"] + screen["height"]


def test_the_tree_marks_the_element_that_was_acted_on(sweep: RunFolder, offline: Page) -> None:
    offline.goto(episode(sweep, ORACLE))
    expect(offline.locator("#tree .target")).to_have_count(1)
    seen = offline.locator("#tree .target").evaluate(
        "line => { const [a, b] = [line, line.parentElement].map((e) => e.getBoundingClientRect());"
        " return a.top >= b.top && a.bottom <= b.bottom; }"
    )
    assert seen


def test_a_failure_names_what_is_missing_beside_what_was_wanted(sweep: RunFolder, offline: Page) -> None:
    offline.goto(episode(sweep, NOOP))
    expect(offline.locator(".verdict .badge")).to_have_text("Failed")
    assert offline.locator(".changes.missing .change").count() >= 1
    expect(offline.get_by_text("Nothing changed that should not have.")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground_in_both_themes(sweep: RunFolder, offline: Page, scheme: str) -> None:
    offline.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    offline.goto(episode(sweep, ORACLE))
    for selector in (".goal", ".is-quiet", ".facts", "#raw", ".checks dd", ".badge.pass"):
        assert offline.locator(selector).first.evaluate(CONTRAST) >= 4.5, selector


def test_the_theme_can_be_chosen(sweep: RunFolder, offline: Page) -> None:
    offline.emulate_media(color_scheme="light")
    offline.goto(episode(sweep, ORACLE))
    light = offline.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    offline.get_by_role("button", name="Light or dark").click()
    assert offline.locator("body").evaluate("body => getComputedStyle(body).backgroundColor") != light


class Links(HTMLParser):
    """Collects what a page points to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note every href and src."""
        self.found |= {value for name, value in attrs if name in {"href", "src"} and value}


def test_every_link_leads_to_a_file_of_the_run(sweep: RunFolder) -> None:
    pages = list((sweep.path / "report").rglob("*.html"))
    assert len(pages) == len(sweep.plan.episodes) + 1
    for page in pages:
        links = Links()
        links.feed(page.read_text(encoding="utf-8"))
        missing = [
            link
            for link in links.found
            if link != "data:," and not link.startswith("#") and not (page.parent / link).exists()
        ]
        assert missing == []


def test_a_folder_without_a_run_gets_a_sentence_and_no_report(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a run folder"):
        write_report(tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_trajectory_that_was_cut_short_is_named_and_the_rest_is_shown(sweep: RunFolder, tmp_path: Path) -> None:
    run = Path(shutil.copytree(sweep.path, tmp_path / "run"))
    trajectory = run / "episodes" / ORACLE / "trajectory.json"
    whole = trajectory.read_bytes()
    trajectory.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(
        UsageError, match=r"trajectory\.json is not whole JSON .* The report was written and shows"
    ) as caught:
        write_report(run)
    assert str(run / "report" / "index.html") in str(caught.value)
    page = (run / "report" / "episodes" / f"{ORACLE}.html").read_text()
    assert "was cut short" in page
    assert "the goal is met" in page
    assert trajectory.read_bytes() == whole[: len(whole) // 2]


CONTRAST = """element => {
  const channels = (text) => text.match(/[\\d.]+/g).map(Number);
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const [r, g, b, a = 1] = channels(getComputedStyle(at).backgroundColor);
      if (a === 1) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const light = (rgb) => rgb.slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, index) => sum + c * [0.2126, 0.7152, 0.0722][index], 0);
  const [one, two] = [light(channels(getComputedStyle(element).color)), light(ground(element))];
  return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
}"""
