"""Races with the end of an episode: what is written after the freeze does not count, and what was under way is told."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from lab_site import HOME, LAB
from sitegym.errors import UsageError
from sitegym.sites.world import World
from sitegym.verifiers import PRESENT, Expectation, Inserted, Snapshot
from visiting import Visitor

from .attacks import attack
from .conftest import Agent, Look


def notes(path: Path) -> list[str]:
    """The notes in a database."""
    with Snapshot(path, LAB.metadata) as snapshot:
        return [row.text for row in snapshot.rows("notes")]


@attack(
    "races",
    tried="a write that begins before `finish` and commits after it",
    against="the database is frozen at the first `finish`, and the copy is graded",
    trace="the request as under way when the database was frozen; the copy, which differs from the world",
)
def test_a_write_that_comes_after_the_freeze_does_not_count(lab: Agent, lab_world: World, tmp_path: Path) -> None:
    reached, go_on = tmp_path / "reached", tmp_path / "go_on"
    for pipe in (reached, go_on):
        os.mkfifo(pipe)

    def write() -> None:
        with Visitor(lab_world, "lab.localhost") as visitor:
            visitor.ask("POST", "/hold", {"reached": str(reached), "go_on": str(go_on)})

    late = threading.Thread(target=write)
    late.start()
    assert reached.read_text() == "here"
    verdict = lab.episode.finish()
    go_on.write_text("now")
    late.join(30)
    assert not late.is_alive()
    assert (verdict.reward, verdict.damage) == (1.0, ())
    assert lab.episode.frozen is not None
    assert notes(lab.episode.frozen) == ["the first"]
    assert notes(lab_world.freeze(tmp_path / "after.sqlite")) == ["the first", "late"]
    assert lab.refused[-1].startswith("1 request was under way as the database was frozen")


@attack(
    "races",
    tried="writers that write without pause while an episode finishes",
    against="the freeze waits for the write lock, so the copy is of one instant",
    trace="damage in the verdict: exactly the notes that the frozen copy holds",
)
def test_a_freeze_among_writers_is_of_one_instant(lab: Agent, lab_world: World) -> None:
    stop = threading.Event()

    def write() -> None:
        with Visitor(lab_world, "lab.localhost") as visitor:
            while not stop.is_set():
                visitor.ask("POST", "/notes", {"text": "again"})

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    try:
        lab.act("wait(10)")
        verdict = lab.episode.finish()
    finally:
        stop.set()
        for writer in writers:
            writer.join(30)
    assert lab.episode.frozen is not None
    kept = notes(lab.episode.frozen)
    assert verdict.reward == 0.0
    assert len([one for one in verdict.damage if one.table == "notes"]) == len(kept) - 1
    assert len(notes(lab_world.freeze())) >= len(kept)


@attack(
    "races",
    tried="a write that a page puts off to a timer, then `finish` at once",
    against="world time stands still when the episode is over; what is due later never happens",
    trace="the goal as not met in the verdict",
)
def test_a_write_that_a_page_puts_off_is_not_credited(lab: Agent) -> None:
    wanted = Expectation(must=(Inserted("notes", {"id": PRESENT, "text": "late"}),))
    again = Agent(lab.episode, Look(expected=wanted))
    again.act({"action": "navigate", "url": f"{HOME}page/late"})
    again.on("click", "button", "Go")
    assert again.now.error == ""
    verdict = again.episode.finish()
    assert again.episode.frozen is not None
    assert notes(again.episode.frozen) == ["the first"]
    assert (verdict.reward, verdict.goal_met, verdict.clean) == (0.0, False, True)
    again.episode.reset(again.task)  # type: ignore[arg-type]
    again.act({"action": "navigate", "url": f"{HOME}page/late"})
    again.on("click", "button", "Go")
    again.act("wait(3000)")
    assert again.episode.finish().goal_met, "who waits for it gets it"


@attack(
    "races",
    tried="a second `finish` with another answer, and actions after the first",
    against="an episode ends once",
    trace="the first answer in the record; the call is refused as a mistake of its caller",
)
def test_nobody_finishes_twice(shop: Callable[..., Agent]) -> None:
    agent = shop("manager")
    agent.act('finish(answer="first")')
    verdict = agent.episode.verdict
    for move in ('finish(answer="second")', "wait(1)", {"action": "navigate", "url": "/orders"}):
        with pytest.raises(UsageError, match="over"):
            agent.act(move)
    assert (agent.episode.answer, agent.episode.verdict) == ("first", verdict)
