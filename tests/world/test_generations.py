"""Generations: a request ends on the rows it began with, whatever happens to the world meanwhile."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sitegym import sites
from sitegym.sites.kit.ids import next_id
from sitegym.sites.kit.world import WorldContext
from sitegym.sites.world import baseline
from sitegym.sites.world.errors import UnknownCheckpoint
from sitegym.sites.world.hosted import HostedWorld
from sitegym.sites.world.keeper import Keeper
from sqlalchemy import func, select
from sqlalchemy.exc import InvalidRequestError, OperationalError

site = importlib.import_module("micro_site")


@pytest.fixture
def keeper() -> Iterator[Keeper]:
    running = Keeper()
    yield running
    running.close()


@pytest.fixture
def hosted(tmp_path: Path, keeper: Keeper) -> Iterator[HostedWorld]:
    """A world in this process, so that a test can stop a request in its middle."""
    start = baseline("micro", "tiny", 1)
    world = HostedWorld(sites.get("micro"), start.path, start.secret, tmp_path, keeper)
    keeper.wait()
    yield world
    world.close()


def add(context: WorldContext, text: str) -> int:
    with context.write() as db:
        id = next_id(db, site.Note)
        db.add(site.Note(id=id, author_id=1, text=text, created_at=context.now()))
    return id


def add_and_fail(context: WorldContext) -> None:
    """A write inside a write: one transaction, which fails."""
    with context.write():
        before = count(context)
        add(context, "inner")
        assert count(context) == before + 1, "a read inside a write sees what it wrote"
        raise ZeroDivisionError


def count(context: WorldContext) -> int:
    with context.read() as db:
        return db.scalar(select(func.count()).select_from(site.Note)) or 0


def test_a_request_under_way_keeps_its_rows_and_its_writes_do_not_reach_the_new_world(hosted: HostedWorld) -> None:
    with hosted.context() as old:
        add(old, "before the reset")
        hosted.reset()
        with hosted.context() as new:
            assert count(new) == 20
            assert count(old) == 21
            add(old, "after the reset")
            assert (count(old), count(new)) == (22, 20)


def test_views_and_time_of_a_request_under_way_stay_with_its_generation(hosted: HostedWorld) -> None:
    with hosted.context() as old, hosted.pinned() as generation:
        hosted.reset()
        generation.advance(60_000)
        old.record_view(path="/late")
        with hosted.pinned() as new:
            assert new.views.all() == []
            assert new.now_ms == generation.now_ms - 60_000


def test_the_last_request_to_leave_removes_the_old_file(hosted: HostedWorld, keeper: Keeper) -> None:
    with ExitStack() as requests:
        first = requests.enter_context(hosted.pinned())
        with hosted.pinned() as second:
            assert first is second
            hosted.reset()
        keeper.wait()
        assert first.database.path.exists()
    keeper.wait()
    assert not first.database.path.exists()


def test_resets_leave_one_file_in_use_and_one_spare(hosted: HostedWorld, keeper: Keeper, tmp_path: Path) -> None:
    for _ in range(10):
        hosted.reset()
    keeper.wait()
    assert len(list(tmp_path.glob("*.sqlite"))) == 2


def test_a_reset_without_a_spare_gives_the_same_rows(hosted: HostedWorld) -> None:
    for _ in range(3):  # the second comes before a spare can be there
        with hosted.context() as context:
            add(context, "x")
        hosted.reset()
    with hosted.context() as context:
        assert count(context) == 20


def test_a_reading_session_refuses_to_write(hosted: HostedWorld) -> None:
    with hosted.context() as context, context.read() as db, pytest.raises(OperationalError, match="readonly"):
        db.execute(site.Note.__table__.delete())


def test_a_failed_write_leaves_no_rows_and_its_id_is_free_again(hosted: HostedWorld) -> None:
    with hosted.context() as context:
        with pytest.raises(ZeroDivisionError):
            add_and_fail(context)
        assert count(context) == 20
        assert add(context, "first to be kept") == 21


def test_an_id_is_never_given_again_after_its_row_was_deleted(hosted: HostedWorld) -> None:
    with hosted.context() as context:
        id = add(context, "short-lived")
        with context.write() as db:
            db.delete(db.get_one(site.Note, id))
        assert add(context, "next") == id + 1


def test_a_write_inside_a_read_goes_through_and_the_read_sees_it(hosted: HostedWorld) -> None:
    with hosted.context() as context, context.read() as db:
        note = db.get_one(site.Note, 20)
        with context.write() as inner:
            inner.get_one(site.Note, 20).text = "changed"
        assert note.text == "changed"
        assert count(context) == 20


def test_a_session_kept_after_its_end_can_not_be_used(hosted: HostedWorld) -> None:
    with hosted.context() as context:
        with context.write() as kept:
            pass
        with pytest.raises(InvalidRequestError, match="closed"):
            kept.scalar(select(site.Note.id))


def test_a_reader_sees_one_state_while_a_writer_waits(hosted: HostedWorld) -> None:
    entered = threading.Event()

    def write() -> None:
        with hosted.context() as other:
            entered.set()
            add(other, "waits")

    writer = threading.Thread(target=write)
    with hosted.context() as context:
        with context.read() as db:
            first = db.scalar(select(func.count()).select_from(site.Note))
            writer.start()
            entered.wait()
            assert db.scalar(select(func.count()).select_from(site.Note)) == first
        writer.join()
        assert count(context) == 21


def test_a_new_generation_compiles_no_query_again(hosted: HostedWorld) -> None:
    with hosted.context() as context:
        count(context)
    with hosted.pinned() as old:
        hosted.reset()
        with hosted.pinned() as new:
            assert new is not old
            with hosted.context() as context, context.read() as db:
                statement = select(func.count()).select_from(site.Note)
                result = db.connection().execute(statement)
                assert result.context.cache_hit.name == "CACHE_HIT"


def test_a_checkpoint_brings_back_rows_time_and_views_as_often_as_asked(hosted: HostedWorld) -> None:
    with hosted.context() as context:
        add(context, "kept")
        context.record_view(path="/a")
    id = hosted.checkpoint()
    for _ in range(2):
        with hosted.context() as context, hosted.pinned() as generation:
            add(context, "lost")
            context.record_view(path="/b")
            generation.advance(5_000)
        hosted.restore(id)
        with hosted.context() as context, hosted.pinned() as generation:
            assert count(context) == 21
            assert context.now() == "2026-03-18T10:00:00Z"
            assert [view.path for view in generation.views.all()] == ["/a"]


def test_a_forgotten_checkpoint_is_gone_from_the_disk(hosted: HostedWorld, tmp_path: Path) -> None:
    id = hosted.checkpoint()
    file = tmp_path / f"{id}.sqlite"
    assert file.exists()
    hosted.forget(id)
    assert not file.exists()
    with pytest.raises(UnknownCheckpoint):
        hosted.restore(id)


def test_a_frozen_copy_of_ours_goes_with_the_reset_and_one_asked_for_stays(hosted: HostedWorld, tmp_path: Path) -> None:
    ours, theirs = hosted.freeze(None), hosted.freeze(tmp_path / "mine.sqlite")
    assert ours.exists()
    hosted.reset()
    assert not ours.exists()
    assert theirs.exists()


def test_an_untouched_world_is_its_baseline_byte_for_byte(hosted: HostedWorld) -> None:
    assert hosted.freeze(None).read_bytes() == baseline("micro", "tiny", 1).path.read_bytes()


def test_a_write_changes_only_the_pages_it_touches(hosted: HostedWorld) -> None:
    with hosted.context() as context:
        add(context, "one row")
    before = baseline("micro", "tiny", 1).path.read_bytes()
    after = hosted.freeze(None).read_bytes()
    changed = [at for at in range(0, len(before), 4096) if before[at : at + 4096] != after[at : at + 4096]]
    assert 1 <= len(changed) <= 4, "header, one leaf of notes, the counters"
    assert len(after) - len(before) in (0, 4096)
