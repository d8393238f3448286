"""What an episode's calls of a model have used, what that costs, and whether it is over a budget."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import EnvironmentFault, UsageError
from .base import Stop, Usage

MILLION = 1_000_000
CACHE_WRITE = 1.25
"""What a token costs that is kept for five minutes, as a multiple of the price of one that is only read."""


@dataclass(frozen=True, kw_only=True)
class Prices:
    """US dollars per million tokens; None where they were not given."""

    prompt: float | None = None
    completion: float | None = None
    cached: float | None = None
    """Of prompt tokens that came from the server's cache; the price of others without it."""
    cache_write: float | None = None
    """Of prompt tokens that were put into it; 1.25 times the price of others without it, as the vendor that charges
    them apart does."""

    def cost(self, usage: Usage | None) -> float | None:
        """What a call costs; None where that is not known."""
        if usage is None or self.prompt is None or self.completion is None:
            return None
        cached = self.prompt if self.cached is None else self.cached
        written = CACHE_WRITE * self.prompt if self.cache_write is None else self.cache_write
        plain = usage.prompt_tokens - usage.cached_tokens - usage.cache_write_tokens
        read = plain * self.prompt + usage.cached_tokens * cached + usage.cache_write_tokens * written
        return (read + usage.completion_tokens * self.completion) / MILLION


class Spending:
    """Counts calls against a budget of tokens (prompt and completion together) and one of US dollars.

    A budget is looked at before a call, so an episode goes over it by one call at most. Raises `UsageError` for a
    budget that can't be kept.
    """

    def __init__(self, prices: Prices, *, tokens: int | None = None, cost: float | None = None) -> None:
        if cost is not None and (prices.prompt is None or prices.completion is None):
            raise UsageError("budget_cost needs price_in and price_out, US dollars per million tokens")
        for name, budget in (("budget_tokens", tokens), ("budget_cost", cost)):
            if budget is not None and budget <= 0:
                raise UsageError(f"{name} is more than 0, not {budget}")
        self.prices = prices
        self.tokens, self.cost = 0, 0.0
        self._most_tokens, self._most_cost = tokens, cost

    def add(self, usage: Usage | None) -> float | None:
        """Count a call; what it costs, where that is known. Raises `EnvironmentFault` where a budget needs its usage
        and the server tells none."""
        cost = self.prices.cost(usage)
        if usage is None:
            if self._most_tokens is not None or self._most_cost is not None:
                raise EnvironmentFault(
                    "the model's server tells no usage, so that no budget can be kept", cause="no_usage", retry=False
                )
            return cost
        self.tokens += usage.prompt_tokens + usage.completion_tokens
        self.cost += cost or 0.0
        return cost

    def over(self) -> Stop | None:
        """The end of the episode, where a budget is used up."""
        if self._most_tokens is not None and self.tokens >= self._most_tokens:
            return Stop(
                outcome="budget_tokens", reason=f"{self.tokens:,} tokens were used of a budget of {self._most_tokens:,}"
            )
        if self._most_cost is not None and self.cost >= self._most_cost:
            return Stop(
                outcome="budget_cost", reason=f"${self.cost:.4f} were spent of a budget of ${self._most_cost:.4f}"
            )
        return None
