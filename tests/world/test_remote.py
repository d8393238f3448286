"""Worlds that are served elsewhere: the same hold on them, and nothing for who has no token or listens on the way."""

from __future__ import annotations

import json
import os
import pickle
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from certificates import Certificates, made
from plain_http import ask
from sitegym.errors import EnvironmentFault, SitegymError, UnknownName, UsageError
from sitegym.sites.kit.rules import Refused
from sitegym.sites.world import World, WorldServer
from sitegym.sites.world.content import version
from sitegym.sites.world.errors_plain import from_plain, to_plain
from sitegym.sites.world.listener import Listener
from sitegym.sites.world.remote import RemoteServer
from sitegym.sites.world.remote_address import Address, client_tls, read_token, server_tls
from sitegym.sites.world.runtime import Runtime, as_runtime

TOKEN = "a-token-that-nobody-could-guess-0123456789"
LOOPBACK = Address(host="127.0.0.1", port=0)


def texts(path: Path) -> list[str]:
    """What the notes say, newest first."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return [text for (text,) in connection.execute("SELECT text FROM notes ORDER BY id DESC")]


@pytest.fixture(scope="module")
def listener(micro: object) -> Iterator[Listener]:
    """Worlds served without TLS, which on loopback a test may allow."""
    with Listener(LOOPBACK, TOKEN, plain=True) as serving:
        yield serving


@pytest.fixture(scope="module")
def remote(listener: Listener) -> Iterator[RemoteServer]:
    """A harness that is connected to it."""
    with RemoteServer(listener.address, TOKEN, plain=True) as server:
        yield server


@pytest.fixture
def there(remote: RemoteServer) -> Iterator[World]:
    """A world over there."""
    with remote.open("micro", "tiny") as opened:
        yield opened


def test_a_world_elsewhere_gives_the_same_pages_as_one_here(there: World, world: World) -> None:
    for path in ("/", "/notes/1", "/nowhere"):
        far, near = (ask(one, f"http://notes.localhost{path}") for one in (there, world))
        assert (far.status, far.text) == (near.status, near.text)


def test_it_is_controlled_like_one_here(there: World) -> None:
    before = texts(there.freeze())
    kept = there.checkpoint()
    there.advance(61_000)
    there.call("notes.add", actor="clerk", text="far away")
    frozen = there.freeze()
    assert texts(frozen) == ["far away", *before]
    with there.fork() as fork:
        assert texts(fork.freeze()) == ["far away", *before]
        assert fork.address != there.address
    there.restore(kept)
    assert texts(there.freeze()) == before
    assert not frozen.exists()


def test_its_state_can_be_carried_to_a_world_here_and_back(there: World, world: World, tmp_path: Path) -> None:
    there.call("notes.add", actor="clerk", text="carried")
    state = there.capture(tmp_path / "rows")
    world.adopt(state, tmp_path / "rows")
    assert texts(world.freeze())[0] == "carried"
    there.reset()
    back = world.capture(tmp_path / "back")
    there.adopt(back, tmp_path / "back")
    assert texts(there.freeze())[0] == "carried"


def test_what_is_made_ready_there_is_reached_by_an_address_here(there: World) -> None:
    ready = there.make_ready()
    assert ready.address != there.address
    assert there.turn(ready)
    assert there.address == ready.address
    assert ask(there, "http://notes.localhost/").status == 200


def test_errors_keep_class_and_fields(there: World) -> None:
    with pytest.raises(UnknownName) as unknown:
        there.restore("c999")
    assert unknown.value.name == "c999"
    with pytest.raises(UsageError, match="no use case"):
        there.call("notes.ad")


def test_an_error_is_read_without_running_anything(tmp_path: Path) -> None:
    error = EnvironmentFault("the disk", cause="out_of_disk", retry=False)
    back = from_plain(json.loads(json.dumps(to_plain(error, "writing"))))
    assert (type(back), str(back), vars(back)) == (EnvironmentFault, "the disk", vars(error))

    class Trap:
        def __reduce__(self) -> tuple[object, ...]:
            return Path.touch, (tmp_path / "ran",)

    assert isinstance(from_plain(pickle.dumps(Trap()).decode("latin-1")), EnvironmentFault)
    assert isinstance(from_plain({"kinds": ["Popen", "SystemExit"], "message": "x", "fields": {}}), EnvironmentFault)
    assert not (tmp_path / "ran").exists()


def test_an_error_of_a_class_that_is_not_known_here_becomes_the_nearest_that_is() -> None:
    plain = to_plain(Refused.__new__(Refused), "asking")
    plain["kinds"].insert(0, "Invented")
    assert type(from_plain(plain)) is Refused
    assert type(from_plain({"kinds": ["Invented", "SitegymError"], "message": "m", "fields": {}})) is SitegymError


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        pytest.param({"want": "control", "version": version()}, "token", id="no-token"),
        pytest.param({"token": TOKEN[:-1], "want": "control", "version": version()}, "token", id="wrong-token"),
        pytest.param({"token": [TOKEN], "want": "control"}, "token", id="a-list"),
        pytest.param({"token": TOKEN, "want": "shell"}, "there is no", id="something-else"),
        pytest.param({"token": TOKEN, "want": "control", "version": {"version": "0.0.1"}}, "same", id="other-version"),
        pytest.param(
            {"token": TOKEN, "want": "door", "session": "x", "world": "w1", "port": 22}, "door", id="any-port"
        ),
    ],
)
def test_who_has_not_what_is_needed_gets_a_refusal_and_nothing_else(
    listener: Listener, there: World, line: dict[str, object], answer: str
) -> None:
    with socket.create_connection((listener.address.host, listener.address.port), timeout=30) as connection:
        connection.sendall(json.dumps(line).encode() + b"\nGET / HTTP/1.1\r\n\r\n")
        said = b"".join(iter(lambda: connection.recv(4096), b""))
    assert answer in from_plain(json.loads(said)["error"]).args[0]


@pytest.mark.parametrize(
    "sent", [b"\n", b"GET / HTTP/1.1\r\n\r\n", b"{}" * 100_000, b"\x16\x03\x01\x02\x00", b"null\n"]
)
def test_what_is_no_greeting_is_dropped(listener: Listener, sent: bytes) -> None:
    with socket.create_connection((listener.address.host, listener.address.port), timeout=30) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        try:
            said = connection.recv(4096)
        except ConnectionResetError:
            said = b""
    assert b"ok" not in said


def test_a_session_reaches_no_door_of_another(listener: Listener, remote: RemoteServer, there: World) -> None:
    (session,) = (one for one in listener._sessions.values() if one.id == remote._gate.session)
    port = next(port for _, port in remote._doors)
    with RemoteServer(listener.address, TOKEN, plain=True) as other:
        line = {"token": TOKEN, "want": "door", "session": other._gate.session, "world": there.id, "port": port}
        with socket.create_connection((listener.address.host, listener.address.port), timeout=30) as connection:
            connection.sendall(json.dumps(line).encode() + b"\n")
            assert b"no such door" in connection.recv(4096)
        with pytest.raises(UnknownName):
            other.ask("reset", world=there.id)
    assert session.serves(there.id, port)


@pytest.mark.parametrize("op", ["database", "shutdown", "__class__", "do", ""])
def test_only_what_worlds_need_can_be_asked_for(remote: RemoteServer, op: str) -> None:
    with pytest.raises(UsageError, match="no operation"):
        remote.ask(op)


def test_worlds_end_with_the_harness_however_it_ends(listener: Listener) -> None:
    before = set(listener._sessions)  # a session of another test may be about to end
    script = (
        "import os, signal, sys; from sitegym.sites.world.remote import RemoteServer\n"
        "from sitegym.sites.world.remote_address import Address\n"
        f"server = RemoteServer(Address.parse({str(listener.address)!r}), {TOKEN!r}, plain=True)\n"
        "print('connected', flush=True); signal.pause()"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as harness:
        try:
            assert harness.stdout is not None
            assert harness.stdout.readline() == "connected\n"
            (session,) = (one for id, one in dict(listener._sessions).items() if id not in before)
            assert session._server is not None
            process = session._server._process
        finally:
            harness.kill()  # else it would be waited for without end
    process.wait(30)
    assert not session._server.folder.exists()


def test_a_connection_that_is_lost_is_a_fault(micro: object) -> None:
    with Listener(LOOPBACK, TOKEN, plain=True) as listener:
        server = RemoteServer(listener.address, TOKEN, plain=True)
        world = server.open("micro", "tiny")
    with pytest.raises(EnvironmentFault, match="was lost") as fault:
        world.reset()
    assert fault.value.cause == "server_lost"
    assert not server.alive
    server.close()


def test_a_world_process_that_dies_there_is_a_fault_here(listener: Listener) -> None:
    with RemoteServer(listener.address, TOKEN, plain=True) as server:
        world = server.open("micro", "tiny")
        session = listener._sessions[server._gate.session]
        assert session._server is not None
        os.kill(session._server.pid, signal.SIGKILL)
        with pytest.raises(EnvironmentFault) as fault:
            world.reset()
    assert fault.value.cause == "server_died"


# ---- encryption and addresses


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """Valid ones."""
    return made(tmp_path_factory.mktemp("certificates"))


def test_worlds_are_served_over_tls(certificates: Certificates, micro: object) -> None:
    tls = server_tls(certificates.cert, certificates.key)
    with (
        Listener(LOOPBACK, TOKEN, tls=tls) as listener,
        RemoteServer(listener.address, TOKEN, tls=client_tls(certificates.authority)) as server,
        server.open("micro", "tiny") as world,
    ):
        assert ask(world, "http://notes.localhost/").status == 200
        assert len(texts(world.freeze())) == 20
        with pytest.raises(UsageError, match="not trusted"):
            RemoteServer(listener.address, TOKEN, tls=client_tls(None))
        with pytest.raises(EnvironmentFault, match="both with TLS or both without") as plain:
            RemoteServer(listener.address, TOKEN, plain=True)
        assert plain.value.cause == "server_unreachable"


@pytest.mark.parametrize("days", [(1, 2), (-3, -2)], ids=["a-clock-that-is-slow", "a-clock-that-is-fast"])
def test_clocks_that_differ_are_named_where_a_certificate_does_not_hold(tmp_path: Path, days: tuple[int, int]) -> None:
    skewed = made(tmp_path, days=days)
    with (
        Listener(LOOPBACK, TOKEN, tls=server_tls(skewed.cert, skewed.key)) as listener,
        pytest.raises(UsageError, match="are the clocks of both machines right"),
    ):
        RemoteServer(listener.address, TOKEN, tls=client_tls(skewed.authority))


@pytest.mark.parametrize(
    ("address", "plain"),
    [
        ("127.0.0.1:0", False),
        ("localhost:0", False),
        ("0.0.0.0:0", True),
        ("192.0.2.1:7000", True),
        ("worlds:7000", True),
    ],
)
def test_without_tls_nothing_is_served_nor_connected_to(address: str, plain: bool) -> None:
    with pytest.raises(UsageError, match="needs TLS"):
        Listener(Address.parse(address), TOKEN, plain=plain)
    with pytest.raises(UsageError, match="needs TLS"):
        RemoteServer(Address.parse(address), TOKEN, plain=plain)


def test_nobody_there_is_a_fault(free_port: int) -> None:
    with pytest.raises(EnvironmentFault, match="no world server can be reached") as fault:
        RemoteServer(Address(host="127.0.0.1", port=free_port), TOKEN, plain=True)
    assert fault.value.cause == "server_unreachable"


def test_a_port_that_is_taken_is_named(listener: Listener) -> None:
    with pytest.raises(UsageError, match=f"can't listen at {listener.address}"):
        Listener(listener.address, TOKEN, plain=True)


@pytest.fixture
def free_port() -> Iterator[int]:
    """A port that nobody listens at."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@pytest.mark.parametrize("text", ["", "worlds", ":7000", "worlds:", "worlds:http", "worlds:65536", "unix:"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="no address"):
        Address.parse(text)


@pytest.mark.parametrize("text", ["worlds.example:7000", "[::1]:7000", "127.0.0.1:1", "unix:/run/control.sock"])
def test_an_address_is_written_as_it_is_read(text: str) -> None:
    assert str(Address.parse(text)) == text


def test_a_token_that_could_be_guessed_or_is_missing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "short").write_text("12345678\n")
    (tmp_path / "good").write_text(f"{TOKEN}\n")
    assert read_token(tmp_path / "good") == TOKEN
    for file, why in ((tmp_path / "short", "guessed"), (tmp_path / "none", "can't be read"), (None, "needs a token")):
        with pytest.raises(UsageError, match=why):
            read_token(file)


# ---- choosing


def test_a_runtime_is_named_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert as_runtime(None) == as_runtime("process") == Runtime()
    assert as_runtime("remote:worlds:7000") == Runtime(kind="remote", control="worlds:7000")
    with pytest.raises(UsageError, match="did you mean 'docker'"):
        as_runtime("doker")
    with pytest.raises(UsageError, match="for the runtime 'remote'"):
        Runtime(kind="docker", control="worlds:7000")
    for name in ("SITEGYM_CONTROL", "SITEGYM_TOKEN_FILE"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UsageError, match="SITEGYM_CONTROL"):
        Runtime(kind="remote").check()
    with pytest.raises(UsageError, match="needs a token"):
        Runtime(kind="remote", control="worlds:7000").check()


def test_a_runtime_finds_address_and_token_in_the_environment(
    listener: Listener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "token").write_text(TOKEN)
    monkeypatch.setenv("SITEGYM_CONTROL", str(listener.address))
    monkeypatch.setenv("SITEGYM_TOKEN_FILE", str(tmp_path / "token"))
    with Runtime(kind="remote", plain=True).start() as server, server.open("micro", "tiny") as world:
        assert len(texts(world.freeze())) == 20


def test_the_server_of_other_machines_says_where_it_is_and_ends_in_order(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN)
    at = f"unix:{tmp_path / 'control.sock'}"
    command = [sys.executable, "-m", "sitegym.sites.world.serving", "--control", at, "--token-file", tmp_path / "token"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == f"Serving worlds at {at}.\n"
            with RemoteServer(Address.parse(at), TOKEN) as server, server.open("store", "tiny") as world:
                assert isinstance(server, WorldServer)
                assert world.now().startswith("2026-")
        finally:
            process.terminate()
        assert process.wait(30) == 0
