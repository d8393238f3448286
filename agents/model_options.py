"""Options that all agents on models share: how long the answers may be, how patient calls are, what may be spent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .retries import Patience
from .spending import Prices, Spending


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """Raises `UsageError` for what can't be."""

    model: str
    """The model's name, as its server knows it."""
    base_url: str = ""
    """Address of the server; the vendor's own without it."""
    key_env: str = ""
    """The environment variable with the key, if not the usual one: keys are no options, since options are recorded."""
    prompt: str = ""
    """A file in place of the built-in system prompt."""
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    """The longest answer, reasoning included."""
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the request, as JSON: `extra_body={"top_k": 20}`."""
    timeout_s: float = 300.0
    """How long one request may take."""
    retries: int = 8
    """Tries after the first at a request that fails for a reason that passes (429, 5xx, time out, no connection)."""
    backoff_s: float = 1.0
    """Wait before the first of them, doubled each time up to a minute."""
    budget_tokens: int | None = None
    """Tokens (prompt and completion) that an episode may use."""
    budget_cost: float | None = None
    """US dollars that an episode may cost."""
    price_in: float | None = None
    """US dollars per million prompt tokens."""
    price_out: float | None = None
    """The same for completion tokens."""
    price_cached: float | None = None
    """The same for prompt tokens from the server's cache; `price_in` without it."""
    price_cache_write: float | None = None
    """The same for prompt tokens that Anthropic's server puts into its cache; 1.25 times `price_in` without it."""

    def __post_init__(self) -> None:
        if self.retries < 0 or self.backoff_s < 0 or self.timeout_s <= 0:
            raise UsageError("retries and backoff_s are not negative, and timeout_s is more than 0")
        if self.prompt and not Path(self.prompt).is_file():
            raise UsageError(f"prompt names {self.prompt!r}, which is no file")

    def patience(self) -> Patience:
        """How calls are tried again."""
        return Patience(retries=self.retries, backoff_s=self.backoff_s)

    def spending(self) -> Spending:
        """An account of an episode's own."""
        prices = Prices(
            prompt=self.price_in, completion=self.price_out, cached=self.price_cached,
            cache_write=self.price_cache_write,
        )  # fmt: skip
        return Spending(prices, tokens=self.budget_tokens, cost=self.budget_cost)

    def system_prompt(self, built_in: Path, **about: Any) -> str:
        """The system prompt: a Jinja template, filled in with what depends on the other options."""
        from jinja2 import Template

        template = Template(Path(self.prompt or built_in).read_text("utf-8"), trim_blocks=True)
        lines = [line.rstrip() for line in template.render(**about).strip().splitlines()]
        return "\n".join(line for number, line in enumerate(lines) if line or lines[number - 1])
