"""Who may do what on the server: the site's role its own world's rows, the verdict's role nothing but read them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from own_server import OwnServer
from psycopg import errors
from sitegym import sites
from sitegym.sites.world import baseline
from sitegym.sites.world.postgresql import Address, Clones, Cluster, Server
from sitegym.sites.world.postgresql.cluster import Login
from sitegym.sites.world.postgresql.database import Database


class Two:
    """Two worlds of one server, each with a database."""

    def __init__(self, url: str, folder: Path) -> None:
        self.cluster = Cluster(Address.parse(url))
        start = baseline("micro", "tiny")
        server = Server(self.cluster, folder)
        self.clones = [Clones(server, sites.get("micro").metadata, start.path, start.hash) for _ in range(2)]
        self.databases: list[Database] = [clones.fresh() for clones in self.clones]

    def try_out(self, login: Login, database: str, statement: str) -> None:
        """One statement as somebody, in some database."""
        with closing(self.cluster.connect(database, login)) as connection:
            connection.execute(statement)


@pytest.fixture(scope="module")
def two(postgresql: OwnServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    """Two worlds."""
    made = Two(postgresql.url(), tmp_path_factory.mktemp("two"))
    yield made
    for database in made.databases:
        database.dispose()
    made.cluster.close()


ALLOWED = "SELECT count(*) FROM notes"
REFUSED = (
    "CREATE DATABASE mine", "CREATE ROLE me", "CREATE TABLE mine (id int)", "CREATE TEMPORARY TABLE mine (id int)",
    "CREATE SCHEMA mine", "TRUNCATE notes", "ALTER TABLE notes DROP COLUMN text", "DROP TABLE notes",
    "COPY notes TO PROGRAM 'cat'", "COPY notes FROM '/etc/passwd'", "SELECT pg_read_file('/etc/passwd')",
    "ALTER ROLE CURRENT_USER CREATEDB",
)  # fmt: skip
WRITES = (
    "INSERT INTO people VALUES (9, 'Eve', 'manager')", "UPDATE notes SET text = 'x'", "DELETE FROM notes",
    "SELECT * FROM notes FOR UPDATE",
)  # fmt: skip


@pytest.mark.parametrize("statement", REFUSED)
@pytest.mark.parametrize("who", ["site", "reader"])
def test_neither_role_gets_beyond_the_rows_of_its_world(two: Two, who: str, statement: str) -> None:
    login = two.clones[0].login if who == "site" else two.cluster.reader
    with pytest.raises((errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction)):
        two.try_out(login, two.databases[0].name, statement)


@pytest.mark.parametrize("statement", WRITES)
def test_the_verdicts_role_can_only_read(two: Two, statement: str) -> None:
    two.try_out(two.cluster.reader, two.databases[0].name, ALLOWED)
    for before in ("", "BEGIN READ WRITE; "):
        with pytest.raises((errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction)):
            two.try_out(two.cluster.reader, two.databases[0].name, before + statement)


def test_the_sites_role_reads_its_own_world_and_no_other(two: Two) -> None:
    first, second = two.databases
    two.try_out(two.clones[0].login, first.name, ALLOWED)
    for database in (second.name, two.clones[0].template.name):
        for who in (two.clones[0].login, None):
            if who is None and database == second.name:
                continue  # the owner of all may, of course
            with pytest.raises(psycopg.OperationalError, match=r"permission denied|not currently accepting"):
                psycopg.connect(**_parameters(two.cluster, database, who))


def test_pages_are_served_by_the_sites_role_and_verdicts_read_by_the_other(
    two: Two, tmp_path: Path, postgresql: OwnServer
) -> None:
    with two.databases[0].writing() as session:
        assert session.connection().exec_driver_sql("SELECT current_user").scalar() == two.clones[0].login.role
    with postgresql.superuser() as connection:  # as if the verdict's role had lost its right
        connection.execute(f'REVOKE CONNECT ON DATABASE "{two.databases[0].name}" FROM "{two.cluster.reader.role}"')
        with pytest.raises(Exception, match="permission denied"):
            two.databases[0].copy_to(tmp_path / "rows.sqlite")
        connection.execute(f'GRANT CONNECT ON DATABASE "{two.databases[0].name}" TO "{two.cluster.reader.role}"')
    two.databases[0].copy_to(tmp_path / "rows.sqlite")


def _parameters(cluster: Cluster, database: str, login: Login | None) -> dict[str, object]:
    if login is None:
        return {**cluster.address.parameters, "dbname": database}
    return cluster.address.login(database, login.role, login.password)
