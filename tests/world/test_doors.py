"""The next stretch of a world's life, made ready behind its other address and turned into the present."""

from __future__ import annotations

import http.client
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from plain_http import Answer, ask
from sitegym.errors import UnknownName
from sitegym.sites.world import World
from sitegym.sites.world.client import Ready

NOTES = "http://notes.localhost/"


def count(path: Path) -> int:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return int(connection.execute("SELECT count(*) FROM notes").fetchone()[0])


def behind(address: str, url: str = NOTES, method: str = "GET", body: str | None = None, **headers: str) -> Answer:
    """What an address of a world answers, the present's or the other one."""

    there = SimpleNamespace(port=urlsplit(address).port)
    return ask(there, url, method, body, **headers)  # type: ignore[arg-type]


def signed(ready: Ready) -> dict[str, str]:
    assert ready.cookie is not None
    return {"cookie": f"{ready.cookie.name}={ready.cookie.value}"}


def test_what_is_ready_has_rows_and_sessions_of_its_own(world: World) -> None:
    world.call("notes.add", text="of the present")
    ready = world.make_ready("manager")
    there = behind(ready.address, **signed(ready))
    assert "<p id=who>Ada</p>" in there.text
    assert "of the present" not in there.text
    behind(ready.address, f"{NOTES}notes", "POST", "text=ahead")
    assert "ahead" not in ask(world, NOTES).text
    assert (count(world.freeze()), len(world.views())) == (21, 1)


def test_a_turn_makes_it_the_present_with_all_that_was_done_there(world: World) -> None:
    before = world.address
    world.call("notes.add", text="of the past")
    ready = world.make_ready("manager")
    behind(ready.address, f"{NOTES}notes", "POST", "text=ahead")
    opened = behind(ready.address, **signed(ready))
    assert world.turn(ready)
    assert (world.address, world.now(), world.writes()) == (ready.address, ready.now, 2)
    now = ask(world, NOTES, **signed(ready))
    assert now.text == opened.text
    assert now.headers["x-view"] == str(int(opened.headers["x-view"]) + 1)
    assert world.address != before
    assert count(world.freeze()) == 21


def test_the_address_of_the_past_answers_nothing_until_it_is_made_ready_again(world: World) -> None:
    past, cookie = world.address, world.sign_in("manager")
    world.turn(world.make_ready())
    late = behind(past, f"{NOTES}notes", "POST", "text=too late", cookie=f"{cookie.name}={cookie.value}")
    assert late.status == 503
    assert (world.writes(), count(world.freeze())) == (0, 20)
    ready = world.make_ready()
    assert ready.address == past
    assert "<p id=who>nobody</p>" in behind(past, cookie=f"{cookie.name}={cookie.value}").text


def test_a_connection_from_before_does_not_reach_what_is_ready(world: World) -> None:
    old = world.make_ready()
    port = urlsplit(old.address).port
    connection = http.client.HTTPConnection("127.0.0.1", port or 0, timeout=30)
    connection.request("GET", NOTES)
    assert connection.getresponse().read()
    new = world.make_ready()
    assert new.address == old.address
    with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
        _late(connection)
    connection.close()
    world.turn(new)
    assert count(world.freeze()) == 20


def _late(connection: http.client.HTTPConnection) -> None:
    connection.request("POST", f"{NOTES}notes", "text=late")
    connection.getresponse()


def test_only_what_is_still_ready_can_be_turned_to(world: World) -> None:
    old = world.make_ready("manager")
    new = world.make_ready("clerk")
    world.call("notes.add", text="still here")
    address = world.address
    assert not world.turn(old)
    assert not world.turn(replace(new, ticket=0))
    assert (world.address, count(world.freeze())) == (address, 21)
    assert world.turn(new)
    assert not world.turn(new)


def test_a_plain_reset_keeps_the_address_and_what_is_ready(world: World) -> None:
    ready, address = world.make_ready("manager"), world.address
    world.call("notes.add", text="gone")
    world.reset()
    assert (world.address, count(world.freeze()), world.views()) == (address, 20, [])
    assert world.turn(ready)
    assert "<p id=who>Ada</p>" in ask(world, NOTES, **signed(ready)).text


def test_checkpoints_and_forks_outlive_a_turn(world: World) -> None:
    world.call("notes.add", text="kept")
    kept = world.checkpoint()
    world.turn(world.make_ready())
    world.restore(kept)
    assert count(world.freeze()) == 21
    with world.fork() as fork:
        assert "kept" in ask(fork, NOTES).text


def test_nobody_can_be_made_ready_with_a_role_that_nobody_has(world: World) -> None:
    with pytest.raises(UnknownName, match="did you mean 'manager'"):
        world.make_ready("manger")
    assert world.turn(world.make_ready("manager"))


def test_what_failed_ahead_is_on_the_record_of_the_episode_that_it_is_for(world: World) -> None:
    ready = world.make_ready()
    assert behind(ready.address, f"{NOTES}bug").status == 500
    assert world.errors() == []
    world.turn(ready)
    assert len(world.errors()) == 1
