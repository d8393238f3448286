"""Downloads: listed when the step ends that began them, and read as text, a part at a time."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable
from pathlib import Path

import pytest
from sitegym.envs import pdf
from sitegym.envs.candidates import candidates
from sitegym.envs.downloads import PART, decode
from sitegym.envs.host import BrowserHost

from .conftest import BILL, PageServer, Player
from .pdfs import make_pdf

Open = Callable[..., Player]


KEYS = "/Filter /Standard /V 1 /R 2 /P -4 /O <" + "11" * 32 + "> /U <" + "22" * 32 + ">"
LOCKED = make_pdf([["Secret"]], trailer=f"/Encrypt << {KEYS} >> /ID [<00> <00>] ")


def read(page: Player, name: str, offset: int = 0) -> str:
    return page.play({"action": "read_download", "name": name, "offset": offset}).result


@pytest.mark.parametrize(
    ("role", "label", "names"),
    [
        pytest.param("link", "Short", ("a.csv",), id="an answer with a file"),
        pytest.param("button", "By a form", ("given.txt",), id="the answer to a form"),
        pytest.param("link", "In a tab", ("tab.txt",), id="a link for a new tab"),
        pytest.param("button", "By script", ("blob.txt",), id="made by script"),
        pytest.param("button", "Two", ("one.txt", "two.txt"), id="two at once"),
    ],
)
def test_a_download_is_listed_as_soon_as_the_step_is_over(
    player: Open, role: str, label: str, names: tuple[str, ...]
) -> None:
    page = player("downloads")
    now = page.on("click", role, label)
    assert now.error == ""
    assert now.downloads == names
    assert now.settled
    assert [tab.url for tab in now.tabs] == ["http://micro.localhost/downloads"]


def test_names_that_are_taken_get_a_number(player: Open) -> None:
    page = player("downloads")
    page.on("click", "link", "Short")
    now = page.on("click", "link", "Again")
    assert now.downloads == ("a.csv", "a (1).csv")
    assert (
        read(page, "a.csv")
        == f"a.csv: {mimetypes.types_map['.csv']}, 9 bytes, UTF-8, characters 0 to 9 of 9\n\n" + "x" * 9
    )
    assert read(page, "a (1).csv").endswith("x" * 12)


def test_long_files_are_read_part_by_part(player: Open) -> None:
    page = player("downloads")
    page.on("click", "link", "Long")
    first = read(page, "long.txt")
    assert f'read_download("long.txt", offset={PART}) reads on' in first.partition("\n\n")[0]
    text, offset = "", 0
    while offset < 20_000:
        head, _, part = read(page, "long.txt", offset).partition("\n\n")
        text, offset = text + part, offset + len(part)
    assert text == "x" * 20_000
    assert "reads on" not in head
    error = page.play('read_download("long.txt", offset=20000)').error
    assert error == "long.txt has 20000 characters, so that nothing is at 20000"


@pytest.mark.parametrize(
    ("label", "name", "said"),
    [
        ("Picture", "picture.png", "picture.png: image/png, 256 bytes, no text"),
        ("Old", "old.txt", "5 bytes, Windows-1252 (a guess), characters 0 to 5 of 5\n\nGröße"),
        ("Wide", "wide.txt", "12 bytes, UTF-16, characters 0 to 5 of 5\n\nGröße"),
    ],
)
def test_what_a_file_is_is_said_honestly(player: Open, label: str, name: str, said: str) -> None:
    page = player("downloads")
    page.on("click", "link", label)
    assert said in read(page, name)


TEXT = "[page 1 of 2]\nBill 100124\nTotal 41.50 €\n\n[page 2 of 2]\nThank you"


@pytest.mark.parametrize("label", ["Bill", "Bill to look at", "Bill in a tab"])
def test_a_pdf_is_read_page_by_page(player: Open, label: str) -> None:
    page = player("downloads")
    now = page.on("click", "link", label)
    assert now.error == ""
    assert now.downloads == ("bill.pdf",)
    assert [tab.url for tab in now.tabs] == ["http://micro.localhost/downloads"]
    head, _, text = read(page, "bill.pdf").partition("\n\n")
    assert head.startswith(f"bill.pdf: application/pdf, {len(BILL):,} bytes, PDF of 2 pages, characters 0 to ")
    assert text == TEXT
    assert read(page, "bill.pdf", 14).endswith(TEXT[14:])


@pytest.mark.parametrize("executable", [str(full.path) for full in candidates(headless=False)][:1])
def test_a_pdf_that_the_full_browser_shows_in_its_viewer_is_read_as_well(executable: str, pages: PageServer) -> None:
    with BrowserHost(executable=executable) as host:
        page = Player(host, pages, "downloads")
        now = page.on("click", "link", "Bill in a tab")
        assert [tab.url for tab in now.tabs][1:] == ["http://micro.localhost/bill.pdf"]
        assert page.play("reload()").downloads == ("bill.pdf",)
        assert read(page, "bill.pdf").endswith(TEXT)
        page.play('navigate("/plain")')
        assert page.play('read_download("bill.pdf")').error == (
            "bill.pdf is no longer shown in a tab; open it again, or download it"
        )


def test_an_address_that_gives_a_pdf_is_downloaded(player: Open) -> None:
    page = player("downloads")
    assert "gave no page (a download" in page.play('navigate("/bill.pdf")').error
    assert page.now.downloads == ("bill.pdf",)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (make_pdf([[]]), "PDF of 1 page without text (pictures of it, perhaps)"),
        (BILL[:60], "PDF that cannot be read ("),
        (b"%PDF-1.7", "PDF that cannot be read ("),
        (LOCKED, "PDF, locked with a password"),
    ],
    ids=["blank", "cut", "nothing", "locked"],
)
def test_a_pdf_without_text_says_why(data: bytes, said: str) -> None:
    what, text = pdf.read(data)
    assert what.startswith(said)
    assert text == ""


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"", "utf-8"),
        ("é\r\n\t".encode(), "utf-8"),
        (b"\xef\xbb\xbfa", "utf-8-sig"),
        (b"\xff\xfea\x00", "utf-16"),
        (b"\xff\xfea", ""),
        (b"%PDF-1.4\x00", ""),
        (b"caf\xe9", "cp1252"),
        (b"\x81", ""),
    ],
)
def test_text_is_told_from_bytes(data: bytes, encoding: str) -> None:
    assert decode(data)[1] == encoding


def test_a_file_that_did_not_come_whole_is_said_so(player: Open) -> None:
    page = player("downloads")
    page.on("click", "link", "Broken")
    error = page.play('read_download("broken.txt")').error
    assert error.startswith("broken.txt did not arrive (")
    assert error.endswith("; download it again")


def test_files_are_gone_once_the_episode_is_closed(player: Open) -> None:
    page = player("downloads")
    page.on("click", "link", "Short")
    download = page.session.tabs.downloads._files["a.csv"]  # the only one who knows where the file is
    path = Path(page.host.run(download.path()))
    assert path.is_file()
    page.host.run(page.session.close())
    assert not path.exists()
