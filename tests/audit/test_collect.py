"""What is collected of an audit: counts, the attempts to be judged, and the rate once they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from sitegym.audit.collecting import JUDGED
from sitegym.audit.packing import make_pack
from sitegym.audit.places import Pack
from sitegym.audit.record import recorded, spec_of
from sitegym.audit.table import page
from sitegym.envs.host import BrowserHost
from sitegym.sites.world import WorldServer
from sitegym.sweeps.files import read_json, write_json

from .conftest import TASKS, Typed, names, right_answer


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    """Four attempts of six: two right, a wrong answer, a wrong outcome with damage before it."""
    pack = make_pack(tmp_path_factory.mktemp("audited") / "pack", tasks=TASKS, data="tiny")
    says = {}
    for name in (*names(pack, TASKS[0]), names(pack, TASKS[1])[0]):
        answer, outcome = right_answer(pack, name)
        says[name] = {"action": "finish", "answer": answer, "outcome": outcome}
    says[names(pack, TASKS[1])[0]]["answer"] = "about 5"
    says[names(pack, TASKS[2])[0]] = {"action": "finish", "outcome": "INVALID_INPUT"}
    with BrowserHost() as host, WorldServer() as server, server.open(data="tiny") as world:
        for name, move in says.items():
            recorded(pack, spec_of(pack, name, "ann"), host, world, Says(move))
    return pack


class Says:
    """Finishes at once."""

    version = "1"

    def __init__(self, move: dict[str, str]) -> None:
        self.move = move

    def start(self, task: object, episode: object) -> None:
        """Nothing to prepare."""

    def act(self, observation: object) -> dict[str, str]:
        """The end."""
        return self.move


def test_the_table_counts_and_each_refusal_waits_for_its_judge(audited: Pack, typed: Typed, tmp_path: Path) -> None:
    code, said, _ = typed("collect", audited.path, "--out", tmp_path)
    assert code == 0
    assert "6 attempts: 4 made (2 earned 1, 2 earned 0), 0 abandoned, 0 faults, 2 open." in said
    assert "2 not judged yet" in said
    found = read_json(tmp_path / "audit.json")
    assert (found["made"], found["to_judge"], found["rate"]) == (4, 2, 0.0)
    assert found["upper_bound_95"] == pytest.approx(0.9024, abs=1e-4), "2 of 4, as long as nobody has judged"
    refused = read_json(audited.results / JUDGED)
    assert [one["judgement"] for one in refused] == ["", ""]
    wrong = next(one for one in refused if one["task"] == TASKS[1])
    assert wrong["said"] == {"answer": "about 5", "outcome": "DONE"}
    assert wrong["failed"][0]["what"] == "answer"
    assert (audited.results / wrong["record"] / "changes.json").is_file()
    assert "### " in (tmp_path / "audit.md").read_text()


def test_judgements_stay_and_make_the_rate(audited: Pack, typed: Typed, tmp_path: Path) -> None:
    typed("collect", audited.path, "--out", tmp_path)
    refused = read_json(audited.results / JUDGED)
    refused[0].update(judgement="wrongly refused", note="Five is right, too.")
    refused[1].update(judgement="solver's mistake")
    write_json(audited.results / JUDGED, refused)
    code, said, _ = typed("collect", audited.path, "--out", tmp_path)
    assert code == 0
    assert "Wrongly refused: 1 of 4, 25.0%; 95 % upper bound 75.1%." in said
    found = read_json(tmp_path / "audit.json")
    assert (found["wrongly_refused"], found["mistakes"], found["to_judge"]) == (1, 1, 0)
    assert found["disagreements"][0]["note"] == "Five is right, too."
    assert "judged: wrongly refused. Five is right, too." in (tmp_path / "audit.md").read_text()
    refused[0]["judgement"] = "who knows"
    write_json(audited.results / JUDGED, refused)
    code, _, error = typed("collect", audited.path, "--out", tmp_path)
    assert code == 2
    assert "'who knows'" in error
    refused[0]["judgement"] = ""
    write_json(audited.results / JUDGED, refused)


def test_several_packs_become_one_table(audited: Pack, typed: Typed, tmp_path: Path) -> None:
    more = make_pack(tmp_path / "more", tasks=TASKS[0], seed=2, data="tiny")
    assert typed("collect", audited.path, more.path)[0] == 2, "where the table goes is not known"
    code, said, _ = typed("collect", audited.path, more.path, "--out", tmp_path)
    assert code == 0
    assert f"{len(audited.names) + len(more.names)} attempts: 4 made" in said
    found = read_json(tmp_path / "audit.json")
    assert found["contents"] == {**audited.key()["contents"], **more.key()["contents"]}
    assert set(found["contents"]) == set(TASKS)
    assert found["templates"][TASKS[0]]["planned"] == len(names(audited, TASKS[0])) + len(more.names)
    assert {one["attempt"].partition("/")[0] for one in found["disagreements"]} == {"pack"}


def test_packs_of_other_data_are_not_counted_together(audited: Pack, typed: Typed, tmp_path: Path) -> None:
    other = make_pack(tmp_path / "other", tasks=TASKS[0], data="tiny", data_seed=2)
    code, _, wrong = typed("collect", audited.path, other.path, "--out", tmp_path)
    assert code == 2
    assert "collect them apart" in wrong


def test_the_page_says_so_where_it_was_made_of_other_content(audited: Pack, typed: Typed, tmp_path: Path) -> None:
    typed("collect", audited.path, "--out", tmp_path)
    found = read_json(tmp_path / "audit.json")
    now = found["contents"]
    assert page(found) == page(found, today=now) == (tmp_path / "audit.md").read_text()
    told = page(found, today={**now, TASKS[0]: "0" * 64})
    assert told.index("Made of other content than today's: 1 template, marked as older") < told.index("attempts: ")
    assert f"`{now[TASKS[0]][:8]}` (older)" in told
    assert told.count("(older)") == 1
    assert "today's: all templates" in page(found, today={})
