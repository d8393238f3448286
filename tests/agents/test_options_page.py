"""The guide names every option of the agents on models, and no other."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from sitegym.agents.cua import CuaOptions
from sitegym.agents.llm import LlmOptions

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "llm.md"


def test_the_guide_names_each_option_and_no_other() -> None:
    text = PAGE.read_text(encoding="utf-8")
    llm, cua = (re.findall(r"^\| (`.*?) \|", part, re.M) for part in text.split("## Computer-use models"))
    named = set(re.findall(r"`(\w+)`", " ".join(llm[: len(fields(LlmOptions))])))
    rest = {one.name for one in fields(LlmOptions)}
    assert named == rest
    own = {one.name for one in fields(CuaOptions)} - {one.name for one in fields(LlmOptions)} | {"history"}
    assert set(re.findall(r"`(\w+)`", " ".join(cua))) == own
    shared = text.partition("pixels across")[2].partition("are those above")[0]
    assert all(
        f"`{name}`" in shared for name in ("model", "base_url", "key_env", "prompt", "temperature", "max_tokens")
    )
