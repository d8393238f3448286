"""A PostgreSQL that can't be used, or goes away, is a named fault with the next step, and never a reward."""

from __future__ import annotations

import builtins
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from own_server import OwnServer
from plain_http import ask
from sitegym.envs import grading
from sitegym.errors import EnvironmentFault, UsageError
from sitegym.sites.world import WorldServer
from sitegym.sites.world.postgresql import Address, driver
from sitegym.sites.world.postgresql.dialect import Dialect
from sitegym.sites.world.postgresql.pool import Budget, Pool
from sitegym.sweeps.faults import CAUSES, fault_of


@pytest.mark.parametrize(
    ("url", "message"),
    [
        pytest.param("mysql://somewhere/x", "named like postgresql://", id="another-database"),
        pytest.param("worlds", "named like postgresql://", id="a-name"),
        pytest.param("postgresql://u:p@host:5432", "names no database", id="no-database"),
        pytest.param("postgresql://u:p@host:54x2/d", "can't be read", id="no-port"),
        pytest.param("postgresql://u:p@host/d?sitegym_connections=2", "whole number from 6", id="too-few"),
        pytest.param("postgresql://u:p@host/d?colour=red", "can't be read", id="unknown-option"),
    ],
)
def test_an_address_that_is_none_is_the_callers_mistake(url: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as told:
        WorldServer(database=url)
    assert ":p@" not in str(told.value)


def test_without_the_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "psycopg":
            raise ImportError("no module named psycopg")
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UsageError, match=r"-m pip install .*psycopg.*sitegym\[postgresql\]"):
        WorldServer(database="postgresql://u:p@host/d")


@pytest.fixture
def weak(postgresql: OwnServer) -> Iterator[str]:
    """A role that may do nothing but sign in."""
    with postgresql.superuser() as connection:
        connection.execute("CREATE ROLE weak LOGIN PASSWORD 'weak'")
        yield "weak"
        connection.execute("DROP ROLE weak")


def test_what_the_server_refuses_is_told_with_the_next_step(postgresql: OwnServer, weak: str) -> None:
    wrong = {
        postgresql.url(password="wrong"): ("database_refused", "password"),
        postgresql.url(database="nowhere"): ("database_refused", "does not exist"),
        postgresql.url(user=weak, password=weak): ("database_refused", 'ALTER ROLE "weak" CREATEDB CREATEROLE'),
        "postgresql://u:p@127.0.0.1:1/d": ("database_lost", "Is the server running"),
    }
    for url, (cause, message) in wrong.items():
        with pytest.raises(EnvironmentFault, match=message) as told:
            WorldServer(database=url)
        assert told.value.cause == cause
        assert "wrong" not in str(told.value)
        assert str(told.value).lower().count("is the server running") <= 1
        assert fault_of(told.value)["cause"] in CAUSES


def test_a_server_that_admits_too_few_says_so() -> None:
    small = OwnServer(connections=8)  # three of them are a superuser's
    try:
        with pytest.raises(EnvironmentFault, match="raise max_connections") as told:
            WorldServer(database=small.url())
        assert (told.value.cause, told.value.retry) == ("database_crowded", False)
    finally:
        small.close()


def test_a_server_that_dies_in_mid_episode_is_a_fault_and_not_a_reward() -> None:
    mortal = OwnServer()
    try:
        with WorldServer(database=mortal.url()) as server:
            world = server.open("micro", "tiny")
            world.call("notes.add", text="before")
            mortal.kill()
            assert ask(world, "http://notes.localhost/").status == 500
            with pytest.raises(EnvironmentFault, match=r"(?i)is the server running") as told:
                grading.sound(world.errors())
            assert told.value.cause == "database_lost"
            for act in (world.freeze, world.checkpoint, lambda: world.call("notes.add", text="after")):
                with pytest.raises(EnvironmentFault) as told:
                    act()
                assert told.value.cause == "database_lost"
            mortal.start()
            world.reset()
            assert ask(world, "http://notes.localhost/").status == 200
            assert world.errors() == []
            world.checkpoint()
        assert mortal.ours() == []
    finally:
        mortal.close()


@pytest.mark.parametrize(
    ("state", "cause"),
    [
        pytest.param("53100", "out_of_disk", id="disk-full"),
        pytest.param("53300", "database_crowded", id="crowded"),
        pytest.param("57P01", "database_lost", id="shut-down"),
        pytest.param("42501", "database_refused", id="no-right"),
        pytest.param("23505", "database_failed", id="twice-the-same-key"),
    ],
)
def test_the_servers_own_complaints_have_causes(postgresql: OwnServer, state: str, cause: str) -> None:
    with pytest.raises(EnvironmentFault) as told, driver.complaints("trying"), postgresql.superuser() as connection:
        connection.execute(f"DO $$ BEGIN RAISE EXCEPTION 'so it is' USING ERRCODE = '{state}'; END $$")
    assert told.value.cause == cause
    assert cause in CAUSES


def test_who_waits_too_long_for_a_connection_is_told_what_helps(postgresql: OwnServer) -> None:
    address = Address.parse(postgresql.url())
    budget = Budget(1, wait_s=0.1)
    pools = [Pool(lambda: driver.connect(address.parameters, address), budget, Dialect(dbapi=psycopg)) for _ in "ab"]
    held = pools[0].connect()
    with pytest.raises(EnvironmentFault, match="raise sitegym_connections") as told:
        pools[1].connect()
    assert told.value.cause == "database_crowded"
    threading.Timer(0.02, held.close).start()
    budget.wait_s = 30
    taken = pools[1].connect()  # waits for the other, and takes its place
    assert budget.open == 1
    taken.close()
    for pool in pools:
        pool.dispose()
    assert budget.open == 0


def test_a_full_disk_of_the_server_stops_the_sweep(tmp_path: Path) -> None:
    fault = driver.fault(psycopg.errors.DiskFull("could not extend file: No space left on device"), "writing")
    assert fault_of(fault)["cause"] == "out_of_disk"
    assert CAUSES["out_of_disk"].stops
