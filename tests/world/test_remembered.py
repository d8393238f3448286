"""What requests keep of the rows is read once, and again after every write, whoever made it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from micro_site import MICRO, Note, add_note
from sitegym.sites.kit.world import WorldContext, milliseconds
from sitegym.sites.world.baseline import fill
from sitegym.sites.world.generations import Generation
from sqlalchemy import func, select
from sqlalchemy.orm import Session


@pytest.fixture
def moment(tmp_path: Path) -> Iterator[Generation]:
    fill(MICRO, tmp_path / "notes.sqlite", "tiny", 1)
    start = milliseconds(MICRO.start)
    generation = Generation(tmp_path / "notes.sqlite", secret=b"x", now_ms=start, dispose=lambda g: None)
    yield generation
    generation.database.dispose()


class Counter:
    """Counts notes, and how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, db: Session) -> int:
        """How many notes there are."""
        self.asked += 1
        return db.scalar(select(func.count()).select_from(Note)) or 0


def test_it_is_read_once_by_all_requests_and_again_after_a_write(moment: Generation) -> None:
    one, other, count = WorldContext(moment), WorldContext(moment), Counter()
    assert [world.remembered("notes", count) for world in (one, other, one)] == [20, 20, 20]
    assert count.asked == 1
    add_note(other, MICRO.actor(other, "manager"), "one more")
    assert one.remembered("notes", count) == 21
    assert count.asked == 2
    assert one.remembered("others", count) == 21
    assert count.asked == 3


def test_inside_a_write_it_is_read_afresh_and_what_is_rolled_back_is_never_kept(moment: Generation) -> None:
    world, count = WorldContext(moment), Counter()

    def fail_half_way() -> None:
        with world.write() as db:
            db.add(Note(id=99, author_id=1, text="half", created_at=world.now(), pad=""))
            db.flush()
            assert world.remembered("notes", count) == 21
            raise KeyError

    with pytest.raises(KeyError):
        fail_half_way()
    assert world.remembered("notes", count) == 20
