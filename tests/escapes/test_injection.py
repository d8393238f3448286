"""Scripts, SQL and file names through every free field and every parameter that the shop's pages have."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import pytest
from sitegym.sites.world import World
from visiting import Form, Page, Visitor, pattern

from .attacks import attack
from .conftest import Agent

HOST = "admin.shop.localhost"
MARK = "esc"
LONG = (
    """{mark}'"></textarea></title></style></script><esc-x escaped="1"><script>escaped=1</script>"""
    "{{{{7*7}}}}' OR 1=1 --"
)
SHORT = "{mark}'\"><esc-x>"
MAIL = '"{mark}\'><esc-x>"@b.example'
WEBISH = "javascript:escaped=1//{mark}"
RICH = (
    '<p>{mark} <a href="javascript:escaped=1">a</a> <a href="data:text/html,b">b</a> <a href="file:///etc/passwd">c</a>'
    '<img src="x" onerror="escaped=1"><iframe src="data:text/html,e"></iframe><svg onload="escaped=1"></svg>'
    '<form action="http://127.0.0.2/"><button>f</button></form><style>p{{color:red}}</style><esc-x></esc-x></p>'
)
FIRST_PAGES = ("/", "/orders", "/products", "/customers", "/reviews", "/inventory", "/audit", "/movements", "/staff")


class Fields:
    """Every field of the shop, found on its pages: where its form is, and the form."""

    def __init__(self, visitor: Visitor) -> None:
        self.found: dict[tuple[str, str, str], tuple[str, Form]] = {}
        self.tokens: dict[str, str] = {}
        self.paths: list[str] = []
        for path, _, page in visitor.walk():
            self.paths.append(path)
            for form in page.forms:
                for name in form.free:
                    self.found.setdefault((form.method, pattern(form.action), pattern(name)), (path, form))

    def by_method(self, method: str) -> Iterator[tuple[str, Form, str]]:
        """Path of the page, form, and name of a field."""
        for (found, _, wanted), (path, form) in self.found.items():
            if found == method:
                yield path, form, next(name for name in form.free if pattern(name) == wanted)


@pytest.fixture
def visitor(shop_world: World) -> Iterator[Visitor]:
    """An owner, who may do everything, on a world of its own."""
    with shop_world.server.open("store", "tiny", 1) as world:
        visitor = Visitor(world, HOST, "owner")
        visitor.world = world  # type: ignore[attr-defined]
        yield visitor
        visitor.close()


@pytest.fixture
def owner(shop: Callable[..., Agent]) -> Iterator[tuple[Agent, Visitor]]:
    """An agent who is the owner, and a visitor to the same world."""
    agent = shop("owner")
    visitor = Visitor(agent.episode.world, HOST, "owner")
    yield agent, visitor
    visitor.close()


def fresh(visitor: Visitor, path: str, form: Form) -> tuple[Form | None, str]:
    """The same form as its page shows it now, and the token of its session."""
    _, page = visitor.page(path)
    tokens = [one.fields["csrf"] for one in page.forms if one.fields.get("csrf")]
    same = [one for one in page.forms if one.sort == form.sort]
    return (same[0] if same else None), (tokens[0] if tokens else "")


def payloads(form: Form, name: str, mark: str) -> list[str]:
    """What is sent in a field, until something of it is taken."""
    kinds = [LONG, SHORT, WEBISH]
    if "html" in name:
        kinds.insert(0, RICH)
    if form.kinds[name] == "email":
        kinds.insert(0, MAIL)
    return [kind.format(mark=mark) for kind in kinds]


def send_everywhere(visitor: Visitor, fields: Fields) -> tuple[set[str], list[str]]:
    """Send each field of each form that changes something; the marks that were sent, and strange elements."""
    sent, strange = set(), []
    for number, (path, form, name) in enumerate(fields.by_method("post")):
        mark = f"{MARK}{number}z"
        now, token = fresh(visitor, path, form)
        for payload in payloads(form, name, mark) if now else ():  # a form may be gone with what was sent before
            body = {**now.fields, "csrf": token, name: payload}
            answer = visitor.ask("POST", now.action, body)
            assert answer.status < 500, (now.action, name, answer.status)
            sent.add(f"{now.action} {name}")
            strange += [f"{now.action} {name}: {one}" for one in Page(path, answer.text).strange]
            if answer.status < 400:
                break
    return sent, strange


def stored(path: Path) -> dict[str, set[str]]:
    """Columns that hold a mark, with the marks."""
    found: dict[str, set[str]] = {}
    with closing(sqlite3.connect(path)) as db:
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in (cursor := db.execute(f'SELECT * FROM "{table}"')):
                for column, value in zip(cursor.description, row, strict=True):
                    if isinstance(value, str) and (marks := re.findall(rf"{MARK}\d+z", value)):
                        found.setdefault(f"{table}.{column[0]}", set()).update(marks)
    return found


def shape(path: Path) -> tuple[list[tuple[str]], dict[str, int]]:
    """The schema, and how many rows each table has."""
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        schema = db.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return schema, {name: db.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables}


@attack(
    "injection",
    tried="markup, scripts, template expressions and SQL in every free or hidden field of every form of the shop, "
    "found "
    "on its pages (stored); then every page again, and the busiest in the browser, search and bell included",
    against="values are bound, templates escape, rich text is cleaned; nothing of what was sent is an element or runs",
    trace="damage in the verdict, naming table, row and column; refused values among the refused requests",
)
def test_no_field_takes_more_than_text(owner: tuple[Agent, Visitor]) -> None:
    agent, visitor = owner
    world = agent.episode.world
    before = shape(world.baseline.path)
    fields = Fields(visitor)
    sent, strange = send_everywhere(visitor, fields)
    assert len(sent) > 80, sorted(sent)
    assert strange == []
    frozen = world.freeze()
    kept, after = stored(frozen), shape(frozen)
    assert after[0] == before[0]
    lost = {name: count for name, count in before[1].items() if after[1][name] < count - 3}
    assert lost == {}
    marks = set().union(*kept.values())
    assert len(marks) > 30, kept
    shown: set[str] = set()
    for path in dict.fromkeys([*fields.paths, *(path for path, *_ in visitor.walk())]):
        answer = visitor.get(path)
        assert Page(path, answer.text).strange == [], path
        shown |= set(re.findall(rf"{MARK}\d+z", answer.text))
    assert len(shown & marks) > 20, sorted(marks - shown)
    for path in FIRST_PAGES:
        agent.act({"action": "navigate", "url": path})
        harmless(agent)
    agent.on("type", "combobox", "Search everything", text=MARK)
    harmless(agent)
    agent.act({"action": "click", "ref": agent.now.find_all("button", re.compile("^Notifications"))[0]})
    assert agent.now.error == ""
    harmless(agent)
    assert world.errors() == []
    refused = [line for line in world.refusals() if line.status in (409, 422)]
    assert refused
    verdict = agent.episode.finish()
    assert (verdict.reward, verdict.clean) == (0.0, False)
    told = " ".join(f"{one.table}.{one.column} {one.new}" for one in verdict.damage)
    damaged = set(re.findall(rf"{MARK}\d+z", told))
    assert len(damaged) > 20


def harmless(agent: Agent) -> None:
    """Nothing that was sent is an element of the page, leads anywhere, or has run."""
    script = """() => [
      document.querySelectorAll("esc-x, [escaped], main [onerror], main [onload]").length,
      [...document.querySelectorAll("a[href], [src]")].filter(
        one => /^(javascript|file|data:text)/.test(one.href || one.src)).length,
      typeof escaped,
    ]"""
    active = agent.episode.session.tabs.active
    assert agent.episode.host.run(active.evaluate(script)) == [0, 0, "undefined"], agent.now.url


@attack(
    "injection",
    tried="the same in every parameter of every address and of every form that only asks (search, filters, sort, "
    "columns, "
    "pages, `next`), and in the path itself (reflected)",
    against="parameters are parsed into known columns and bound values, and are escaped where they are shown",
    trace="the server's record of views; refused ones among the refused requests",
)
def test_no_parameter_becomes_more_than_text(visitor: Visitor) -> None:
    world: World = visitor.world  # type: ignore[attr-defined]
    before = shape(world.freeze())
    asked = 0
    fields = Fields(visitor)
    known = {
        (pattern(urlsplit(path).path), name) for path in fields.paths for name, _ in parse_qsl(urlsplit(path).query)
    }
    queries = [(urlsplit(form.action).path, name) for _, form, name in fields.by_method("get")]
    parameters = dict.fromkeys([*queries, *known, *((path, "next") for path in ("/login", "/orders"))])
    for number, (path, name) in enumerate(parameters):
        if "N" in path:
            continue
        for payload in (LONG, SHORT, f"{{mark}}:in:{SHORT}", f"status:in:{SHORT}", f"total:between:1..{SHORT}"):
            text = payload.format(mark=f"{MARK}{number}z")
            answer = visitor.get(f"{path}?{urlencode({name: text})}")
            assert answer.status < 500, (path, name, text)
            assert Page(path, answer.text).strange == [], (path, name)
            asked += 1
    for path in fields.paths:
        broken = f"{urlsplit(path).path.rstrip('/')}/{quote(LONG.format(mark=MARK))}"
        answer = visitor.get(broken)
        assert answer.status < 500
        assert Page(path, answer.text).strange == []
        asked += 1
    assert asked > 300
    assert (world.errors(), shape(world.freeze())) == ([], before)
    assert any(MARK in (view.q or "") for view in world.views())
    assert [line for line in world.refusals() if line.status == 404 and MARK in line.url]


@attack(
    "injection",
    tried="conditions that are always true, unions, comments, `LIKE` wildcards and stacked statements in searches and "
    "filters, compared with a search that finds nothing",
    against="a search has words, never SQL",
    trace="the server's record of views",
)
@pytest.mark.parametrize("grid", ["/orders", "/customers", "/products", "/reviews", "/staff"])
def test_no_condition_finds_more_than_its_words(visitor: Visitor, grid: str) -> None:
    def rows(text: str) -> int:
        answer = visitor.get(f"{grid}?{urlencode({'q': text})}")
        assert answer.status == 200
        return len(re.findall(r"<tr\b", answer.text.partition("<tbody")[2].partition("</tbody")[0]))

    nothing = rows("zzzqqq")
    assert rows("") > nothing
    for tail in ("' OR '1'='1", "' OR 1=1 --", '" OR ""="', "%' OR 'a' LIKE '%", "' UNION SELECT 1 --",
                 "'; DELETE FROM x", "%", "_", "\\", "\0"):  # fmt: skip
        assert rows(f"zzzqqq{tail}") == nothing, tail
    assert [view for view in visitor.world.views() if "UNION" in (view.q or "")]  # type: ignore[attr-defined]


TRAVERSALS = (
    "../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..%5c", "..\\", "....//", "..;/", "%252e%252e%252f", "..%c0%af", "%00../",
    "/",
)  # fmt: skip


@attack(
    "secrets",
    tried="path traversal (plain, encoded once and twice, with backslashes, NUL and overlong dots) from every folder "
    "that "
    "serves files, for the machine's files and the site's own sources",
    against="files are found by name below a folder; everything else is no page",
    trace="each among the world's refused requests",
)
def test_no_path_leads_to_a_file(visitor: Visitor) -> None:
    page = visitor.get("/").text
    files = re.findall(r'(?:href|src)="(/[^"]+\.(?:css|js|svg|png))"', page)
    folders = {
        "/",
        *(f"{path.rpartition('/')[0]}/" for path in files),
        "/pictures/",
        "/products/",
        "/static/",
        "/assets/",
    }
    assert len(folders) > 5
    tried = 0
    for folder in sorted(folders):
        for dots in TRAVERSALS:
            for target in ("etc/passwd", "frame.py", "app.py", "world.sqlite"):
                answer = visitor.ask("GET", f"{folder}{dots * 8}{target}")
                assert 300 <= answer.status < 500, (folder, dots, target)
                assert not re.search(r"root:|def enter|SQLite format", answer.text)
                tried += 1
    assert len(visitor.world.refusals()) == min(tried, 200)  # type: ignore[attr-defined]


@attack(
    "secrets",
    tried="uploads named like paths, with line breaks, quotes and markup, and uploads that are no pictures",
    against="a file's name is a text of its row and never a path; a picture must be one",
    trace="damage in the verdict, or the refused request",
)
def test_no_name_of_an_upload_is_a_path(visitor: Visitor, tmp_path: Path) -> None:
    world: World = visitor.world  # type: ignore[attr-defined]
    folder = world.server.folder
    before = {path.relative_to(folder) for path in folder.rglob("*") if path.suffix not in (".sqlite", ".log")}
    page = next(path for path, _, _ in visitor.walk() if re.fullmatch(r"/products/\d+/images", path))
    csrf = re.search(r'name="csrf" value="([^"]+)"', visitor.get(page).text)
    assert csrf
    for name in (
        "../../../../escaped.png",
        "/tmp/escaped.png",
        "..\\escaped.png",
        '"><esc-x>.png',
        "a\\r\\nb.png",
        "x" * 5000,
    ):
        body = (
            f'--cut\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n{csrf[1]}\r\n'
            f'--cut\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            f"Content-Type: image/png\r\n\r\n<script>escaped=1</script>\r\n--cut--\r\n"
        )
        answer = visitor.ask("POST", page, body.encode(), Content_Type="multipart/form-data; boundary=cut")
        assert answer.status < 500, name
        assert Page(page, answer.text).strange == []
    after = {path.relative_to(folder) for path in folder.rglob("*") if path.suffix not in (".sqlite", ".log")}
    assert after == before
    assert not Path("/tmp/escaped.png").exists()
    assert world.errors() == []
    assert [line for line in world.refusals() if line.method == "POST"]
