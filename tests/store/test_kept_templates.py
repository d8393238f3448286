"""Compiled templates are kept: the next process need not compile them, and nothing wrong with them is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment
from markupsafe import Markup
from sitegym.sites.kit import templates

PAGE = "<p>{{ name }}</p>{% include 'part.html' %}"


def environment(cache: Path, page: str = PAGE) -> Environment:
    """As an application makes one, with two templates."""
    made = Environment(loader=DictLoader({"page.html": page, "part.html": "<b>{{ name }}</b>"}), autoescape=True)
    templates.install(made, cache)
    return made


def written(made: Environment) -> str:
    return made.get_template("page.html").render(name=Markup("A &amp; ") + "<B>")


WRITTEN = "<p>A &amp; &lt;B&gt;</p><b>A &amp; &lt;B&gt;</b>"


def kept(cache: Path) -> list[Path]:
    return [file for file in cache.rglob("*") if file.is_file()]


def test_what_was_compiled_once_is_not_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert written(environment(tmp_path)) == WRITTEN
    assert len(kept(tmp_path)) == 2
    monkeypatch.setattr(Environment, "compile", None)
    assert written(environment(tmp_path)) == WRITTEN


def test_a_template_that_was_changed_is_compiled_anew(tmp_path: Path) -> None:
    written(environment(tmp_path))
    assert written(environment(tmp_path, "<i>{{ name }}</i>")) == "<i>A &amp; &lt;B&gt;</i>"


def test_another_way_of_compiling_never_meets_what_this_one_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(environment(tmp_path))
    changed = tmp_path / "templates.py"
    changed.write_bytes(Path(templates.__file__).read_bytes() + b"\n")
    monkeypatch.setattr(templates, "__file__", str(changed))
    written(environment(tmp_path))
    assert len({file.parent for file in kept(tmp_path) if file != changed}) == 2


@pytest.mark.parametrize("length", [0, 1, 12, 30, 60, 200])
def test_what_was_cut_short_is_compiled_anew(tmp_path: Path, length: int) -> None:
    written(environment(tmp_path))
    for file in kept(tmp_path):
        file.write_bytes(file.read_bytes()[:length])
    assert written(environment(tmp_path)) == WRITTEN


def test_no_folder_to_keep_them_in_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "cache"
    blocked.write_text("not a folder")
    assert written(environment(blocked)) == WRITTEN
    made = environment(tmp_path / "gone")
    for folder in (tmp_path / "gone").iterdir():
        folder.rmdir()
    assert written(made) == WRITTEN
