"""Documents that are no HTML page, or have lost their body: they are seen and left like any other, at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import Player

Open = Callable[..., Player]

KINDS = (
    "axtree", "axtree_full", "axtree_viewport", "axtree_interactive", "axtree_changes",
    "screenshot", "screenshot_marked", "text", "html", "boxes",
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("drawing.svg", "Sales"), ("drawn.svg", ""), ("feed.xml", "Sales"), ("plain.txt", "Sales"),
        ("data.json", "Sales"), ("picture.png", ""), ("frameset", "Echo"), ("framed-drawing", "Before"),
        ("object-drawing", "Before"),
    ],
)  # fmt: skip
def test_what_is_no_page_is_seen_and_left(player: Open, name: str, words: str) -> None:
    one = player("plain")
    one.kinds = KINDS
    assert one.play(f'navigate("http://micro.localhost/other/{name}")').error == ""
    assert one.now.url.endswith(name)
    assert words in one.now.axtree_full
    assert words in one.now.text
    assert words in one.now.html
    assert one.now.settled
    assert one.play('press("Tab")').error == ""
    assert one.play("mouse_click(30, 30)").error == ""
    one.play("back()")
    assert one.now.find("button", "Press me")


@pytest.mark.parametrize(
    "emptied",
    [
        # it counts as loading, and what loads is waited for
        pytest.param("document.open()", marks=pytest.mark.long),
        "document.documentElement.remove()",
        "document.body.remove()",
        "document.body.outerHTML = ''",
    ],
)
def test_a_document_that_was_emptied_is_seen_and_left(player: Open, emptied: str) -> None:
    one = player("plain")
    one.kinds = KINDS
    one.eval(f"setTimeout(() => {{ {emptied}; }}, 50)")
    one.play("wait(100)")
    assert one.now.error == ""
    assert "Press me" not in one.now.axtree_full + one.now.text
    assert one.play('press("Enter")').error == ""
    one.play('navigate("http://micro.localhost/plain")')
    assert one.now.find("button", "Press me")
