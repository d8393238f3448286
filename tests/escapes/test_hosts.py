"""Hosts and ports beside the world's own: other worlds, the harness, loopback in every spelling, somewhere else."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest
from lab_site import HOME
from sitegym.sites.world import World, WorldServer

from .attacks import attack
from .conftest import Agent, Outside

WAYS_OUT = ("link", "post", "window", "frame", "picture", "fetch", "beacon", "connect", "refresh")


@pytest.fixture(scope="module")
def listeners() -> Iterator[dict[str, Outside]]:
    """Somebody listens on every loopback address that an agent could spell."""
    found = {"127.0.0.1": Outside("127.0.0.1"), "127.0.0.2": Outside("127.0.0.2")}
    if socket.has_ipv6:
        with suppress(OSError):  # a machine without IPv6 has nobody there either
            found["::1"] = Outside("::1", socket.AF_INET6)
    yield found
    for one in found.values():
        one.close()


def spellings(port: int, port6: int) -> list[str]:
    """Addresses of the same few listeners."""
    hosts = [
        "127.0.0.1", "127.0.0.2", "localhost", "foo.localhost", "LOCALHOST.", "127.1", "0.0.0.0", "2130706433",
        "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.1.", "user:secret@127.0.0.1", "lab.localhost@127.0.0.1",
        "１２７.0.0.1", "lab.localhost",
    ]  # fmt: skip
    six = ["[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:0:0:1]", "[::]"]
    return [f"http://{host}:{port}/" for host in hosts] + [f"http://{host}:{port6}/" for host in six]


@attack(
    "hosts",
    tried="`navigate` to listeners on the machine: loopback by name, by number, decimal, octal, hexadecimal, IPv6, "
    "IPv4 in IPv6, with a user's name in front, full-width digits; the world's own name with another port; no port",
    against="the action knows the world's hosts and their one port",
    trace="the step's error",
)
def test_no_spelling_of_another_host_is_opened_by_an_action(lab: Agent, listeners: dict[str, Outside]) -> None:
    port = listeners["127.0.0.1"].port
    port6 = listeners.get("::1", listeners["127.0.0.1"]).port
    urls = spellings(port, port6)
    bare = [url.replace(f":{port}/", "/") for url in urls if "lab.localhost:" not in url]
    for url in (*urls, *bare, "http://elsewhere.invalid/", "//127.0.0.2/", "http:\\\\127.0.0.2\\", "http:127.0.0.2"):
        now = lab.act({"action": "navigate", "url": url})
        assert now.error, url
        assert now.url == HOME, url
    lab.rests()
    assert [listener.seen for listener in listeners.values()] == [[]] * len(listeners)


@attack(
    "hosts",
    tried="a link of a page to each of these",
    against="the browser's only way out is the world's proxy, which serves the world's hosts and nothing else",
    trace="the request among what the record tells as refused; a page that says that there is no such site",
)
def test_no_spelling_of_another_host_is_reached_by_a_page(lab: Agent, listeners: dict[str, Outside]) -> None:
    port = listeners["127.0.0.1"].port
    urls = spellings(port, listeners.get("::1", listeners["127.0.0.1"]).port)
    for url in (*urls, "http://elsewhere.invalid/", "https://elsewhere.invalid/", f"https://127.0.0.1:{port}/"):
        known = len(lab.refused)
        lab.way("link", url)
        assert lab.now.error == "", url
        assert len(lab.refused) > known, url
        assert lab.now.title == "This site can’t be reached" or lab.now.url.startswith("chrome-error:"), url
    assert "Chrom" not in lab.now.axtree
    lab.rests()
    assert lab.episode.view is None
    assert [listener.seen for listener in listeners.values()] == [[]] * len(listeners)


@attack(
    "hosts",
    tried="another host by form, pop-up, redirect, refresh, frame, picture, fetch, beacon, prefetch, preconnect, "
    "WebSocket, and by https",
    against="the same proxy, which also grants no tunnel",
    trace="the request among what the record tells as refused",
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_no_way_of_a_page_leads_out(lab: Agent, outside: Outside, scheme: str) -> None:
    host = f"127.0.0.2:{outside.port}"
    for how in (*WAYS_OUT, "redirect", "socket"):
        to = f"{scheme}://{host}/{how}"
        known = len(lab.refused)
        if how == "redirect":
            lab.only_tab()
            lab.act({"action": "navigate", "url": f"{HOME}redirect?to={to}"})
        else:
            lab.way(how, to)
        lab.act("wait(100)")
        told = lab.refused[known:]
        assert any((f"/{how}" in line and scheme == "http") or f"CONNECT {host}" in line for line in told), (how, told)
    lab.rests()
    assert outside.seen == []


@attack(
    "hosts",
    tried="the port of another world, and of one's own world, by their numbers",
    against="a world's port is a proxy for its own sites; asked for through another it is just another host",
    trace="the request among what the record tells as refused",
)
def test_no_world_is_reached_from_another(lab: Agent, server: WorldServer, lab_world: World) -> None:
    with server.open("lab", "tiny", 1) as other:
        other.call("notes.add", actor="owner", text="of the other world")
        for port in (other.port, lab_world.port):
            for host in ("127.0.0.1", "lab.localhost", "[::1]"):
                url = f"http://{host}:{port}/"
                assert "names a port" in lab.act({"action": "navigate", "url": url}).error
                lab.way("link", url)
                assert any(line.startswith(f"GET {url}: 502") for line in lab.refused), lab.refused
                assert "of the other world" not in lab.now.axtree
        assert other.views() == []
        assert other.refusals() == []
    lab.rests()


@attack(
    "hosts",
    tried="datagrams past the proxy: a peer connection (WebRTC) that asks a STUN server",
    against="the browser is told to send no UDP that no proxy carries",
    trace="nothing leaves; the page and the click are in the trajectory",
)
def test_no_datagram_leaves_the_browser(lab: Agent) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outside:
        outside.bind(("127.0.0.1", 0))
        outside.setblocking(False)
        lab.act({"action": "navigate", "url": f"{HOME}page/udp?to=127.0.0.1:{outside.getsockname()[1]}"})
        lab.on("click", "button", "Go")
        gathered = "new Promise(done => { const look = () => peer.iceGatheringState === 'complete' ? done(1) : 0;"
        gathered += " peer.addEventListener('icegatheringstatechange', look); look(); })"
        lab.episode.host.run(lab.episode.session.tabs.active.evaluate(gathered))
        lab.rests()
        with pytest.raises(BlockingIOError):
            outside.recv(1000)


@attack(
    "hosts",
    tried="the control channel of the world server, from every port it listens on",
    against="it is a socket pair between two processes, with no address at all",
    trace="requests to the ports themselves are among the world's refused ones",
)
def test_a_port_controls_nothing(lab_world: World) -> None:
    lab_world.reset()
    before = lab_world.now()
    message = b'{"id": 1, "op": "advance", "world": "w1", "ms": 1000}'
    for sent in (
        message,
        len(message).to_bytes(4, "big") + message,
        b"POST /reset HTTP/1.1\r\nHost: a\r\nConnection: close\r\n",
    ):
        with socket.create_connection(("127.0.0.1", lab_world.port), timeout=10) as connection:
            connection.sendall(sent + b"\r\n\r\n")
            connection.settimeout(10)
            while connection.recv(1000):
                pass
    assert lab_world.now() == before
    assert len(lab_world.refusals()) >= 3
