"""Attempts by short commands: a browser behind each, a record in the results, and no word of a verdict."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from sitegym.audit.places import OPEN, OVER, UNDER_WAY, Pack
from sitegym.sweeps.files import read_json
from sitegym.sweeps.trajectory import read_trajectory

from .conftest import Typed, names, right_answer, wait_for_its_end

VERDICT = re.compile(r"reward|verdict|goal.met|damage|wanted|score|correct|wrong", re.IGNORECASE)


def test_an_attempt_from_its_sheet_to_its_record(
    pack: Pack, typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = names(pack, "store.admin/order-field")[0]
    code, said, _ = typed("attempt", pack.path, name, "--solver", "ann")
    assert code == 0
    assert said.startswith(pack.text(name))
    assert '- link "Orders" [ref=' in said
    assert f"audit act {pack.path} {name} 'finish()'" in said
    assert pack.state(name) == UNDER_WAY

    orders = re.search(r'link "Orders" \[ref=(\w+)\]', said)
    assert orders
    code, said, _ = typed("act", pack.path, name, f'click("{orders[1]}")')
    assert (code, said.count("Page: Orders")) == (0, 1)
    assert "299 steps left" in said

    code, said, _ = typed("act", pack.path, name, "back()", 'click("e99999")', "reload()")
    assert code == 3
    assert "Refused: " in said
    assert "The 1 action after it was not taken." in said
    assert said.count("Page: ") == 1
    code, said, _ = typed("act", pack.path, name, "--changes", 'scroll("down")')
    assert (code, "# nothing changed" in said) == (0, True)

    code, said, _ = typed("act", pack.path, name, "press")
    assert (code, "an action is one call such as" in said) == (3, True)

    picture = tmp_path / "page.png"
    code, said, _ = typed("look", pack.path, name, "--kind", "text", "--picture", picture)
    assert code == 0
    assert "\nDashboard\n" in said
    with Image.open(picture) as seen:
        assert seen.size == (1280, 800)
    code, said, _ = typed("look", pack.path, name, "--picture", tmp_path / "nowhere" / "page.png")
    assert "No such file" in said
    _, said, _ = typed("attempt", pack.path, name)
    assert "295 steps left" in said, "coming back and looking cost nothing"

    with monkeypatch.context() as patched:
        patched.setattr("sys.stdin", io.StringIO("scroll('up')\n\nreload()\n"))
        code, said, _ = typed("act", pack.path, name, "-")
    assert (code, "293 steps left" in said) == (0, True)

    answer, outcome = right_answer(pack, name)
    code, said, _ = typed("act", pack.path, name, f"finish({json.dumps(answer)}, {json.dumps(outcome)})")
    assert (code, said) == (
        0,
        f"The attempt {name} is over; what was done and said is recorded. There is nothing more to do in it.\n",
    )
    assert not VERDICT.search(said)
    assert pack.state(name) == OVER
    code, _, error = typed("reopen", pack.path, name)
    assert (code, "was finished, and counts" in error) == (2, True)
    code, _, error = typed("act", pack.path, name, "back()")
    assert (code, "is over" in error) == (2, True)

    folder = pack.attempt(name)
    result = read_json(folder / "result.json")
    assert (result["reward"], result["agent"], result["abandoned"], result["answer"]) == (1.0, "ann", False, answer)
    steps = read_json(folder / "trajectory.json")["steps"]
    assert [step["message"] for step in steps[3:5]] == ["back()", 'click("e99999")']
    assert (folder / "changes.json").is_file()
    assert any((folder / "screens").iterdir())
    _, said, _ = typed("list", pack.path)
    assert f"{name}  over\n" in said
    assert not VERDICT.search(said)


def test_what_the_browser_asks_is_not_passed_over_by_actions_sent_before_it_asked(pack: Pack, typed: Typed) -> None:
    name = names(pack, "store.admin/units-ordered")[1]
    _, said, _ = typed("attempt", pack.path, name)
    _, said, _ = typed("act", pack.path, name, "navigate('http://admin.shop.localhost/reviews/1')")
    delete = re.search(r'button "Delete[^"]*" \[ref=(\w+)\]', said)
    assert delete
    code, said, _ = typed("act", pack.path, name, f'click("{delete[1]}")', "finish()")
    assert code == 3
    assert "A dialog waits (confirm)" in said
    assert "The 1 action after it was not taken." in said
    code, said, _ = typed("act", pack.path, name, "dismiss_dialog()", f'click("{delete[1]}")', "dismiss_dialog()")
    assert (code, "A dialog waits" in said) == (0, False)
    typed("act", pack.path, name, "finish()")
    assert pack.state(name) == OVER


def test_a_wrong_answer_looks_the_same_to_its_solver(pack: Pack, typed: Typed) -> None:
    name = names(pack, "store.admin/units-ordered")[0]
    for command in (("act", "back()"), ("look",)):
        code, _, error = typed(command[0], pack.path, name, *command[1:])
        assert (code, f"nobody has begun the attempt {name}: begin it first" in error) == (2, True)
    assert pack.state(name) == OPEN
    typed("attempt", pack.path, name, "--solver", "bob")
    code, said, _ = typed("act", pack.path, name, 'finish(answer="several or none")')
    assert (code, VERDICT.search(said)) == (0, None)
    assert f"The attempt {name} is over" in said
    assert read_json(pack.attempt(name) / "result.json")["reward"] == 0.0


def test_an_attempt_whose_process_died_begins_anew_and_what_it_left_is_kept(pack: Pack, typed: Typed) -> None:
    name = names(pack, "store.admin/cancel-order")[0]
    typed("attempt", pack.path, name, "--solver", "cleo")
    os.kill(read_json(pack.door(name))["pid"], signal.SIGKILL)
    wait_for_its_end(pack, name)
    assert pack.state(name) == OPEN
    code, said, _ = typed("act", pack.path, name, 'scroll("down")')
    assert code == 0
    assert said.startswith("This attempt was interrupted before; it begins anew.")
    assert (pack.results / "set-aside" / f"{name}.1" / "trajectory.json").is_file()
    os.kill(read_json(pack.door(name))["pid"], signal.SIGTERM)
    wait_for_its_end(pack, name)
    assert not pack.door(name).exists()
    assert read_trajectory(pack.attempt(name) / "trajectory.json")["agent"]["name"] == "cleo"


def test_an_attempt_that_nobody_goes_on_with_is_given_up_and_can_be_opened_again(pack: Pack, typed: Typed) -> None:
    name = names(pack, "store.admin/cancel-order")[1]
    typed("attempt", pack.path, name, "--idle", 0.5)
    wait_for_its_end(pack, name)
    result = read_json(pack.attempt(name) / "result.json")
    assert (result["status"], result["reward"], result["abandoned"]) == ("truncated", 0.0, True)
    assert typed("reopen", pack.path, name)[0] == 0
    assert pack.state(name) == OPEN
    assert typed("reopen", pack.path, name)[0] == 2


def test_what_is_not_there_is_told_with_what_is(pack: Pack, typed: Typed, tmp_path: Path) -> None:
    assert "this pack has no attempt '99': 01 to 06" in typed("attempt", pack.path, "99")[2]
    assert "is not an audit pack" in typed("list", tmp_path)[2]
    assert "is not one of" in typed("look", pack.path, "01", "--kind", "smell")[2]
    assert "click(ref, modifiers=null)\n    Click an element." in typed("actions")[1]


def test_the_exit_code_reaches_the_shell(pack: Pack) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "sitegym", "audit", "act", pack.path, "99", "back()"], capture_output=True
    )
    assert done.returncode == 2
