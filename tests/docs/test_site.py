"""The documentation builds without a warning, and says of every action, command and task what the code says."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from sitegym import tasks
from sitegym.cli import cli
from sitegym.envs import actions, formats
from sitegym.tasks import tags
from sitegym.verifiers.answers import Answer

from .conftest import DOCS, PAGES, ROOT


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built pages."""
    target = tmp_path_factory.mktemp("docs")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(target)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return target


class Sources(HTMLParser):
    """Collects what a page loads by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note scripts, pictures and style sheets."""
        told = dict(attrs)
        if tag in ("script", "img"):
            self.found.add(told.get("src") or "")
        elif tag == "link" and told.get("rel") in ("stylesheet", "icon"):
            self.found.add(told.get("href") or "")


def test_every_page_is_there_and_loads_nothing_from_elsewhere(built: Path) -> None:
    wanted = {page.relative_to(DOCS).with_suffix(".html") for page in PAGES}
    assert {path for path in wanted if not (built / path).is_file()} == set()
    for page in built.rglob("*.html"):
        sources = Sources()
        sources.feed(page.read_text(encoding="utf-8"))
        assert [one for one in sources.found if re.match(r"(https?:)?//", one)] == [], page.name


def test_every_action_has_its_entry(built: Path) -> None:
    text = (built / "reference/actions.html").read_text()
    for spec in actions.specs().values():
        assert spec.name in text
        assert all(param.doc.split(";")[0].replace("'", "&#39;")[:20] in text for param in spec.params[:1])


def test_every_command_has_its_help(built: Path) -> None:
    text = (built / "reference/command-line.html").read_text()
    assert [name for name in cli.commands if f"sitegym {name}" not in text] == []


@pytest.mark.parametrize("task_id", sorted(tasks.templates()))
def test_every_task_has_a_card(built: Path, task_id: str) -> None:
    name = re.sub("[^a-z0-9-]+", "-", task_id)
    text = (built / f"tasks/{name}.html").read_text()
    assert tasks.template(task_id).kind in text
    assert "An instance" in text
    assert name in (built / "tasks/index.html").read_text()


def test_every_tag_of_a_template_has_a_meaning() -> None:
    for one in tasks.templates().values():
        assert one.tags, one.id
        assert [tag for tag in one.tags if tag not in tags.PATTERNS | tags.TRAPS] == [], one.id


def test_every_field_of_an_observation_is_in_the_reference(built: Path) -> None:
    from sitegym.envs.observation import Observation

    text = (built / "reference/observations.html").read_text()
    known = set(Observation.__dataclass_fields__)
    assert {name for name in known if f"<code>{name}</code>" not in text} == set()


def test_every_kind_of_observation_is_shown_on_one_screen(built: Path) -> None:
    from sitegym.envs.kinds import KINDS

    text = (built / "concepts/observation.html").read_text()
    for kind in KINDS.values():
        assert f"<code>{kind.name}</code>" in text
        assert kind.form != "picture" or f"observed-{kind.name}.png" in text


def test_every_call_of_other_vendors_is_told(built: Path) -> None:
    text = (built / "reference/formats.html").read_text(encoding="utf-8")
    for form in formats.FORMATS.values():
        assert f"<code>{form.name}</code>" in text
        assert [one.name for one in form.members.values() if f"<code>{one.name}</code>" not in text] == []


def test_every_type_of_answer_is_told_with_what_is_refused_and_why(built: Path) -> None:
    text = (built / "reference/answers.html").read_text(encoding="utf-8")
    for kind in (one for one in Answer.__subclasses__() if one.__module__.startswith("sitegym.")):
        assert f'<h2 id="{kind.__name__.lower()}">' in text
    assert "several candidates; one answer was asked for" in text
    assert "<em>" not in text, "what is said is no Markdown"
    said = re.findall(r"<code>(.*?)</code>", text)
    assert {"$\\xa01,234.50", "1001*, 1002*"} <= set(map(html.unescape, said))


def test_every_link_of_the_pages_as_they_lie_in_the_checkout_leads_to_a_file() -> None:
    broken = []
    for page in [*PAGES, *ROOT.glob("*.md")]:
        prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", prose)
        near = [link for link in links if not re.match(r"[a-z]+:", link)]
        broken += [f"{page.relative_to(ROOT)}: {link}" for link in near if not (page.parent / link).exists()]
    assert broken == []


def test_no_stand_in_is_left_in_the_built_pages(built: Path) -> None:
    for name in ("reference/command-line", "tasks/index"):
        assert "when the documentation is built" in (DOCS / f"{name}.md").read_text(encoding="utf-8")
        assert "when the documentation is built" not in (built / f"{name}.html").read_text(encoding="utf-8")


def test_pages_that_lie_in_the_checkout_too_say_what_the_code_says(tmp_path: Path) -> None:
    subprocess.run([sys.executable, DOCS / "hooks.py", tmp_path], check=True, capture_output=True, timeout=120)
    made = [page.relative_to(tmp_path) for page in tmp_path.rglob("*.md")]
    assert len(made) == 3
    old = [page for page in made if (DOCS / page).read_text("utf-8") != (tmp_path / page).read_text("utf-8")]
    assert old == [], "python docs/hooks.py writes them anew"


def test_the_table_of_formats_names_every_call_that_is_not_refused(built: Path) -> None:
    glance = (DOCS / "reference/formats.md").read_text("utf-8").split("## At a glance")[1].split("\n## ")[0]
    for form in formats.FORMATS.values():
        taken = {one.name for one in form.members.values() if not one.refusal}
        assert {name for name in taken if f"`{name}`" not in glance} == set()
