"""The page on the proof tells what a summary holds, and never rounds a hole away."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from sitegym.sweeps.proof import InstanceProof, Tried
from sitegym.sweeps.proof_folder import ProvenOf
from sitegym.sweeps.proof_summary import failures, summary

DOCS = Path(__file__).parents[2] / "docs"
SETTINGS = {"data": "tiny", "data_seed": 1, "mutations": False, "instances": 1}


def proven(kept: int) -> InstanceProof:
    counts = {"refused": kept, "survived": 20_000 - kept, "allowed": 7, "unnamed": 0}
    detail = {sort: {f"one {sort}": counts} for sort in ("table", "kind", "class", "near")}
    tried = [Tried(kind="oracle", name="in the browser", wanted="1", found="1")]
    tried.append(Tried(kind="mutation", name="all", wanted="all", found="", count=20_000, kept=kept, detail=detail))
    return InstanceProof(id="x", task="store.admin/cancel-order", task_seed=0, tried=tuple(tried), seconds=90.0)


@pytest.fixture(scope="module")
def proof() -> ModuleType:
    spec = importlib.util.spec_from_file_location("proof_page", DOCS / "proof.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CANCEL = "store.admin/cancel-order"


def told(*instances: InstanceProof, content: str = "abc", mutations: bool = False) -> dict[str, Any]:
    of = ProvenOf(templates={CANCEL: content}, code="def")
    return summary(instances, {}, {**SETTINGS, "mutations": mutations}, of, workers=2, seconds=61)


def test_everything_kept_is_100_percent(proof: ModuleType) -> None:
    page = proof.page(told(proven(20_000), proven(20_000)), today={CANCEL: "abc"})
    assert "| cancel-order | 2 | 2/2 | 100 % of 40,000 | `abc` |" in page
    assert "| one table | 40,000 | 40,000 | 100 % | 14 |" in page
    assert "the same as this documentation" in page
    assert "other content" not in page
    assert "| took | 1 min 1 s with 2 workers: 2 instances of one template (" in page


def test_one_survivor_is_seen(proof: ModuleType) -> None:
    page = proof.page(told(proven(19_999)), today={CANCEL: "another"})
    assert "99.99 % of 20,000" in page
    assert "| one kind | 20,000 | 19,999 | 99.99 % | 7 |" in page
    assert page.index("other content than today's:** `store.admin/cancel-order`") < page.index("99.99 %"), "at once"
    assert "0 of 1 templates are today as they were then" in page
    assert "| `abc` (older) |" in page
    assert "- store.admin/cancel-order, seed 0: mutations" in page


def test_a_template_that_nobody_has_proven_is_named(proof: ModuleType) -> None:
    page = proof.page(told(proven(20_000)), today={CANCEL: "abc", "store.admin/new": "xyz"})
    assert "**Not proven yet:** `store.admin/new`." in page
    assert "1 of 2 templates are today as they were then" in page


def test_the_published_summary_makes_a_page_without_failures(proof: ModuleType) -> None:
    found = json.loads((DOCS / "data" / "proof.json").read_text())
    assert failures(found) == []
    assert found["constants"]["failures"] == []
    assert len(found["templates"]) >= 35
    assert "## Constant policies" in proof.page(found, today={})
    counts = [one["instances"] for one in found["templates"].values()]
    assert max(counts) == 20
    assert sum(counts) >= 600


def test_mutations_alone_are_told_by_template_with_their_own_date(proof: ModuleType) -> None:
    alone = told(proven(19_999), content="older", mutations=True)
    page = proof.page(told(proven(20_000)), alone, today={CANCEL: "abc"})
    assert "| cancel-order | 1 | 20,000 | 99.99 % |" in page
    assert page.count("other content than today's:** `store.admin/cancel-order`") == 1
    assert "Broken promises: 1." in page
    assert "| one table | 20,000 | 19,999 | 99.99 % | 7 |" in page


def test_every_published_mutation_is_refused(proof: ModuleType) -> None:
    found = json.loads((DOCS / "data" / "mutations.json").read_text())
    assert found["only_mutations"]
    assert failures(found) == []
    assert {one["instances"] for one in found["templates"].values()} & {20}
    for one in found["templates"].values():
        kept, count = one["kept"]["mutation"]
        assert kept == count > 0
