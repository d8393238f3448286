"""A PostgreSQL server that was killed and comes back: what it was set up to forget is not forgotten, or made anew."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from own_server import OwnServer
from plain_http import ask
from sitegym.sites.world import World, WorldServer

PAGE = "http://notes.localhost/"


@pytest.fixture(scope="module")
def forgetful() -> Iterator[OwnServer]:
    """Tells that things are done long before they are kept."""
    server = OwnServer(synchronous_commit="off", wal_writer_delay="10s")
    yield server
    server.close()


@pytest.fixture
def there(forgetful: OwnServer) -> Iterator[World]:
    """A world on it."""
    with WorldServer(database=forgetful.url()) as server:
        yield server.open("micro", "tiny")
    assert forgetful.ours() == []


def clones(server: OwnServer, count: int) -> list[str]:
    """The databases of worlds, once there are so many that admit connections: the spare is made in the background."""
    query = "SELECT datname, pg_sleep(0.05) FROM pg_database WHERE datallowconn AND datname ~ '^sitegym_[0-9]+_'"
    with server.superuser() as connection:
        while len(found := connection.execute(query).fetchall()) < count:
            pass
    return [name for name, _ in found]


def test_what_was_done_before_a_server_was_killed_is_there_after_it(forgetful: OwnServer, there: World) -> None:
    clones(forgetful, 2)
    there.call("notes.add", text="before it was killed")
    forgetful.kill()
    forgetful.start()
    assert "before it was killed" in ask(there, PAGE).text
    for _ in range(2):
        there.reset()
        answer = ask(there, PAGE)
        assert (answer.status, there.errors()) == (200, [])
        assert "before it was killed" not in answer.text


def test_a_spare_that_admits_nobody_is_made_anew(forgetful: OwnServer, there: World) -> None:
    before = clones(forgetful, 2)
    with forgetful.superuser() as connection:
        for name in before:
            connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
    assert ask(there, PAGE).status == 500
    there.reset()
    assert (ask(there, PAGE).status, there.errors()) == (200, [])
    assert set(before).isdisjoint(clones(forgetful, 2))
