"""Server-sent events: told at once, in order, once; a stream holds nothing that a reset or another page needs."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from plain_http import ask
from sitegym.sites.world import World

EVENTS = "http://notes.localhost/events?after=20"
LOOK_S = 15


class Listener:
    """A page's open stream, read line by line."""

    def __init__(self, world: World, url: str = EVENTS, **headers: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", world.port, timeout=LOOK_S)
        self.connection.putrequest("GET", url, skip_host=True)
        for name, value in {"Host": "notes.localhost", **headers}.items():
            self.connection.putheader(name.replace("_", "-"), value)
        self.connection.endheaders()
        self.answer = self.connection.getresponse()
        assert self.block() == "retry: 2000"

    def block(self) -> str:
        """The next message; empty where the stream has ended."""
        lines = []
        while line := self.answer.readline().decode().rstrip("\n"):
            lines.append(line)
        return "\n".join(lines)

    def close(self) -> None:
        """Leave the page."""
        if self.connection.sock is not None:
            self.connection.sock.shutdown(socket.SHUT_RDWR)
        self.answer.close()
        self.connection.close()


@contextmanager
def listening(world: World, **headers: str) -> Iterator[Listener]:
    listener = Listener(world, **headers)
    try:
        yield listener
    finally:
        listener.close()


def test_a_page_is_told_of_each_note_once_and_in_order(world: World) -> None:
    with listening(world) as page:
        world.call("notes.add", text="one")
        assert page.block() == 'id: 21\nevent: note\ndata: "one"'
        world.call("notes.add", text="two\nlines")
        assert page.block() == 'id: 22\nevent: note\ndata: "two\\nlines"'


def test_a_page_that_comes_back_is_told_what_it_missed(world: World) -> None:
    for text in ("one", "two"):
        world.call("notes.add", text=text)
    with listening(world, Last_Event_ID="21") as page:
        assert page.block() == 'id: 22\nevent: note\ndata: "two"'


def test_a_refused_write_tells_nobody(world: World) -> None:
    with listening(world) as page:
        with pytest.raises(Exception, match="bug"):
            world.call("notes.break")
        world.call("notes.add", text="after")
        assert page.block() == 'id: 21\nevent: note\ndata: "after"'


def test_the_harness_gets_what_is_there_and_the_answer_ends(world: World) -> None:
    world.call("notes.add", text="one")
    answer = ask(world, EVENTS, X_Events="pending")
    assert (answer.headers["content-type"].split(";")[0], answer.text) == (
        "text/event-stream",
        'id: 21\nevent: note\ndata: "one"\n\n',
    )
    assert ask(world, EVENTS, X_Events="pending", Last_Event_ID="21").text == ""


def test_an_open_stream_is_no_request_in_flight_and_no_view(world: World) -> None:
    with listening(world, Last_Event_ID="19") as page:
        assert page.block().startswith("id: 20")
        assert world.requests() == 0
        assert world.views() == []


def test_a_reset_ends_the_streams_of_the_old_world(world: World) -> None:
    with listening(world) as page:
        world.reset()
        assert page.block() == ""
        world.call("notes.add", text="new world")
    with listening(world) as page:
        assert page.block() == 'id: 21\nevent: note\ndata: "new world"'


def test_many_open_streams_leave_room_for_pages(world: World) -> None:
    pages = [Listener(world) for _ in range(8)]
    try:
        assert ask(world, "http://notes.localhost/").status == 200
        world.call("notes.add", text="one")
        assert pages[-1].block() == 'id: 21\nevent: note\ndata: "one"'
        assert pages[0].block() == ""
    finally:
        for page in pages:
            page.close()


def test_time_moves_on_and_says_how_often_the_bell_rang(world: World) -> None:
    assert (world.advance(100), world.rings) == ("2026-03-18T10:00:00Z", 0)
    world.call("notes.add", text="one")
    world.advance(100)
    assert world.rings == 1
    world.reset()
    assert world.rings == 0
