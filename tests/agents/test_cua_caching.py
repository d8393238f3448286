"""Anthropic's server is told what it may keep, what it keeps is found again, and both are counted and paid for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fake_vendors import Answers, FakeAnthropic
from playing import Room
from sitegym.agents.base import Usage
from sitegym.agents.spending import Prices

LOOK = ("computer", {"action": "screenshot"})
CLICK = ("computer", {"action": "left_click", "coordinate": [600, 400]})
STOP = ("finish", {"outcome": "NOT_FOUND"})


class Caching(FakeAnthropic):
    """Keeps what stands before each mark, finds the longest of it again, and counts a character as a token."""

    def __init__(self, turns: int) -> None:
        answers = iter([LOOK, CLICK] * turns)
        super().__init__(lambda request: Answers([next(answers) if self.count < turns else STOP]))
        self.kept: set[str] = set()

    def response(self, body: dict[str, Any], answers: Answers) -> dict[str, Any]:
        prefixes = _marked_prefixes(body)
        assert 1 <= len(prefixes) <= 4, "the server takes four marks at most"
        found = max((len(one) for one in self.kept & set(_all_prefixes(body))), default=0)
        whole = len(_all_prefixes(body)[-1])
        written = max(0, max(map(len, prefixes)) - found)
        self.kept |= set(prefixes)
        usage = {
            "input_tokens": whole - found - written, "cache_read_input_tokens": found,
            "cache_creation_input_tokens": written, "output_tokens": 7,
        }  # fmt: skip
        return {**super().response(body, answers), "usage": usage}


def _blocks(body: dict[str, Any]) -> list[dict[str, Any]]:
    """All of a request in the order in which the server reads it."""
    said = [{"role": message["role"], **block} for message in body["messages"] for block in message["content"]]
    return [*body["tools"], *body["system"], *said]


def _all_prefixes(body: dict[str, Any]) -> list[str]:
    texts, found = "", []
    for block in _blocks(body):
        texts += json.dumps({name: value for name, value in block.items() if name != "cache_control"})
        found.append(texts)
    return found


def _marked_prefixes(body: dict[str, Any]) -> list[str]:
    return [text for text, block in zip(_all_prefixes(body), _blocks(body), strict=True) if "cache_control" in block]


@pytest.mark.parametrize("history", [2, 20], ids=["pictures-are-left-out", "all-pictures-are-sent"])
def test_what_is_sent_again_is_found_in_the_cache_and_counted(room: Room, history: int) -> None:
    with Caching(turns=6) as server:
        options = f"model=fake,base_url={server.address},history={history},price_in=2,price_out=10,price_cached=0.2"
        episode = room.play(f"cua:vendor=anthropic,{options}")
    told = [call["usage"] for call in episode.calls]
    assert server.refused == []
    assert len(told) == len(server.requests) == 7
    cached = [one["cached_tokens"] for one in told]
    assert all(cached[1:])
    assert cached[-1] > min(cached[1:]) > 0  # more than tools and system prompt: what was said before, too
    if history == 20:
        assert cached[1:] == [one["cached_tokens"] + one["cache_write_tokens"] for one in told[:-1]]
    usage, cost = episode.result.usage, 0.0
    for one in told:
        plain = one["prompt_tokens"] - one["cached_tokens"] - one["cache_write_tokens"]
        cost += (plain * 2 + one["cached_tokens"] * 0.2 + one["cache_write_tokens"] * 2.5 + 7 * 10) / 1e6
    assert usage["cost_usd"] == pytest.approx(cost)
    assert usage["cached_tokens"] == sum(cached)
    assert "cache_control" not in (episode.folder / "calls.jsonl").read_text()


def test_it_can_be_left_out(room: Room) -> None:
    with FakeAnthropic(lambda request: Answers([STOP])) as server:
        room.play(f"cua:vendor=anthropic,model=fake,base_url={server.address},cache=false")
    assert "cache_control" not in json.dumps(server.requests)


def test_putting_into_the_cache_has_a_price_of_its_own() -> None:
    usage = Usage(prompt_tokens=1000, cached_tokens=300, cache_write_tokens=200, completion_tokens=10)
    assert Prices(prompt=2, completion=10, cached=0.2, cache_write=4).cost(usage) == pytest.approx(
        (500 * 2 + 300 * 0.2 + 200 * 4 + 10 * 10) / 1e6
    )
