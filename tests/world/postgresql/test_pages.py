"""One site, two databases: every page has the same bytes, every use case leaves the same rows, every verdict is one."""

from __future__ import annotations

import difflib
import http.client
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import closing

import pytest
from own_server import OwnServer
from sitegym import sites, tasks
from sitegym.sites.world import World, WorldServer
from sitegym.verifiers import Snapshot, diff, grade

STORE = sites.get("store")
HOST = "admin.shop.localhost"
ROLES = ("owner", "manager", "clerk", "analyst")
STARTS = (
    "/", "/orders", "/orders?sort=customer", "/orders?sort=-total,customer", "/orders?sort=ship_city", "/orders?q=ann",
    "/orders?q=ANN", "/orders?f=status:in:pending|processing&f=total:gte:100.00&sort=-placed_at", "/orders?page=2",
    "/orders?f=placed_at:between:2026-02-01..2026-02-28", "/orders?sort=assigned_to", "/orders?sort=-assigned_to",
    "/orders?f=customer:contains:an", "/orders?f=coupon:empty", "/orders?q=%25", "/orders?q=_", "/orders?q=%5C",
    "/customers", "/customers?sort=-spend", "/customers?sort=-orders_count", "/customers?sort=last_order",
    "/customers?q=li", "/customers?f=group:in:vip&sort=-last_order", "/products", "/products?sort=name",
    "/products?q=pack", "/products?f=status:in:active", "/inventory", "/movements", "/brands", "/categories",
    "/options", "/reviews", "/reviews?sort=rating", "/reviews?q=zip", "/invoices", "/shipments", "/refunds", "/returns",
    "/audit", "/staff", "/settings", "/profile", "/search?q=ridge", "/search?q=a", "/notifications", "/nowhere",
)  # fmt: skip
"""Where links are followed from: lists in all orders, with conditions and searches."""
FEW = (
    "/", "/orders?sort=-total,customer", "/orders?sort=assigned_to", "/orders?q=ANN", "/orders?q=%25",
    "/customers?sort=last_order", "/products?sort=name", "/inventory", "/reviews?sort=rating", "/search?q=a",
)  # fmt: skip
SAMPLE = ("store.admin/cancel-order", "store.admin/ship-part", "store.admin/change-shipping-address")


class Visitor:
    """Somebody signed in to a world, over one kept-alive connection."""

    def __init__(self, world: World, role: str) -> None:
        cookie = world.sign_in(role)
        self._connection = http.client.HTTPConnection("127.0.0.1", world.port, timeout=120)
        self._headers = {"Host": HOST, "Cookie": f"{cookie.name}={cookie.value}"}

    def get(self, path: str) -> tuple[int, list[tuple[str, str]], bytes]:
        self._connection.request("GET", f"http://{HOST}{path}", headers=self._headers)  # as a browser asks a proxy
        response = self._connection.getresponse()
        body = response.read()
        return response.status, sorted(response.getheaders()), body

    def close(self) -> None:
        self._connection.close()


@pytest.fixture(scope="module")
def pair(server: WorldServer, elsewhere: WorldServer) -> Iterator[tuple[World, World]]:
    """The shop on files and on PostgreSQL."""
    with server.open("store", "tiny") as here, elsewhere.open("store", "tiny") as there:
        yield here, there


def compare(pair: tuple[World, World], role: str, starts: Iterable[str], most_of_a_kind: int) -> int:
    """Open the same pages in both, and those that they link to; how many were shown. Fails where one differs."""
    todo = deque(starts)
    seen = set(todo)
    kinds: Counter[str] = Counter()
    shown = 0
    with closing(Visitor(pair[0], role)) as here, closing(Visitor(pair[1], role)) as there:
        while todo:
            path = todo.popleft()
            expected, got = here.get(path), there.get(path)
            assert got == expected, f"{path} as {role}: {difference(expected, got)}\n{there_failed(pair[1])}"
            shown += expected[0] == 200
            for link in re.findall(r'href="(/[^"#]*)"', expected[2].decode(errors="replace")):
                target = link.replace("&amp;", "&")
                kind = re.sub(r"\d+", "0", re.sub(r"=[^&]*", "", target))
                if target not in seen and not target.startswith("/assets/") and kinds[kind] < most_of_a_kind:
                    kinds[kind] += 1
                    seen.add(target)
                    todo.append(target)
    return shown


def difference(expected: tuple[int, object, bytes], got: tuple[int, object, bytes]) -> str:
    """What differs, short enough to read."""
    if expected[:2] != got[:2]:
        return f"{got[:2]} instead of {expected[:2]}"
    lines = ([*answer[2].decode(errors="replace").splitlines()] for answer in (expected, got))
    return "\n".join(list(difflib.unified_diff(*lines, lineterm="", n=0))[:12])


def there_failed(world: World) -> str:
    """The last lines of the last traceback."""
    errors = world.errors()
    return "\n".join(errors[-1].strip().splitlines()[-8:]) if errors else ""


def test_pages_have_the_same_bytes(pair: tuple[World, World]) -> None:
    for world in pair:
        world.reset()
    assert compare(pair, "manager", FEW, 0) == len(FEW)


@pytest.mark.long
@pytest.mark.parametrize("role", ROLES)
def test_every_page_has_the_same_bytes_for_every_role(pair: tuple[World, World], role: str) -> None:
    for world in pair:
        world.reset()
    assert compare(pair, role, STARTS, 3) > 150


@pytest.mark.long
def test_no_page_depends_on_where_rows_lie(pair: tuple[World, World], postgresql: OwnServer) -> None:
    for world in pair:
        world.reset()
    for database in postgresql.ours():
        if "_d" in database:
            shuffle(postgresql, database)
    assert compare(pair, "manager", STARTS, 1) > 100


def shuffle(postgresql: OwnServer, database: str) -> None:
    """Write all rows of a clone anew, in an order that nobody chose."""
    with postgresql.superuser(database) as connection, connection.transaction():
        connection.execute("SET CONSTRAINTS ALL DEFERRED")
        for table in STORE.metadata.sorted_tables:
            if connection.execute("SELECT to_regclass(%s)", [table.name]).fetchall()[0][0] is None:
                return  # another site's
            connection.execute(f"CREATE TEMPORARY TABLE moved AS SELECT * FROM {table.name} ORDER BY random()")
            connection.execute(f"DELETE FROM {table.name}")
            connection.execute(f"INSERT INTO {table.name} SELECT * FROM moved")
            connection.execute("DROP TABLE moved")


@pytest.mark.long
def test_lists_of_the_large_data_set_have_the_same_bytes(server: WorldServer, elsewhere: WorldServer) -> None:
    with server.open("store", "base") as here, elsewhere.open("store", "base") as there:
        assert compare((here, there), "owner", STARTS, 1) > 60


def served(world: World, task: tasks.Task) -> Snapshot:
    """What the task's right way on the service layer leaves."""
    world.reset()
    for call in task.service_oracle:
        world.call(call.use_case, actor=call.actor, **call.fields)
    return Snapshot(world.freeze(), STORE.metadata)


def alike(pair: tuple[World, World], task: tasks.Task) -> None:
    """The same difference and the same verdict on both; pages afterwards, too."""
    with Snapshot(pair[0].baseline.path, STORE.metadata) as before:
        expectation, said = task.expectation(before), task.service_finish
        with served(pair[0], task) as here, served(pair[1], task) as there:
            expected = diff(before, here)
            assert diff(before, there).to_json() == expected.to_json()
            verdicts = [
                grade(expectation, before, after, said, None, STORE.recompute).to_json() for after in (here, there)
            ]
            assert verdicts[0] == verdicts[1]


@pytest.mark.parametrize("task_id", SAMPLE)
def test_use_cases_leave_the_same_rows_and_the_same_verdict(pair: tuple[World, World], task_id: str) -> None:
    alike(pair, tasks.task(task_id, 0, data="tiny"))


@pytest.mark.long
@pytest.mark.parametrize("task_id", sorted(tasks.templates()))
def test_every_task_is_graded_alike_on_both(pair: tuple[World, World], task_id: str) -> None:
    for seed in range(2):
        alike(pair, tasks.task(task_id, seed, data="tiny"))
    compare(pair, "manager", FEW, 0)
