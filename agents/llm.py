"""The agent that asks a language model on any OpenAI-compatible endpoint, by tool calls over the table of actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..envs.actions import InvalidAction, specs
from ..envs.kinds import KINDS, check_kinds
from ..errors import UsageError
from . import pages, reading
from .base import Decision, Stop
from .completions import Completions, Endpoint
from .retries import Patience, TooLong
from .spending import Prices, Spending
from .transcript import Transcript, Turn

if TYPE_CHECKING:
    from ..envs.episode import Episode
    from ..envs.observation import Observation
    from ..tasks import Task

PROMPT = Path(__file__).parent / "prompts" / "llm.md"
_BY_POINT = frozenset(name for name in specs() if name.startswith("mouse_"))


@dataclass(frozen=True, kw_only=True)
class LlmOptions:
    """What `llm:…` takes. Raises `UsageError` for what can't be."""

    model: str
    """The model's name, as its server knows it."""
    base_url: str = ""
    """Address of the server, such as `http://127.0.0.1:8000/v1`; else that in `OPENAI_BASE_URL`, else OpenAI's."""
    key_env: str = "OPENAI_API_KEY"
    """The environment variable with the key: keys are not options, since options are recorded."""
    see: tuple[str, ...] = ("axtree",)
    """Kinds of observation that the model is shown, with `+` between: `axtree`, `axtree+screenshot_marked`."""
    history: int = 3
    """Pages shown in full; earlier ones are a line each."""
    actions: tuple[str, ...] = ()
    """Actions offered as tools, with `+` between; all without it, those by coordinates only with a picture."""
    prompt: str = ""
    """A file in place of `agents/prompts/llm.md`."""
    stream: bool = False
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    """The longest answer, reasoning included."""
    reasoning_effort: str | None = None
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the request, as JSON: `extra_body={"top_k": 20}`."""
    token_ids: bool = False
    """Ask for the ids of all tokens and their log probabilities, as vLLM gives them."""
    logprobs: bool = False
    """Ask for log probabilities of the answer's tokens."""
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

    def __post_init__(self) -> None:
        check_kinds(self.see)
        if self.history < 1:
            raise UsageError(f"history is at least 1, not {self.history}")
        if self.retries < 0 or self.backoff_s < 0 or self.timeout_s <= 0:
            raise UsageError("retries and backoff_s are not negative, and timeout_s is more than 0")
        for name in self.actions:
            if name not in specs():
                raise UsageError(f"no action {name!r}: there are {', '.join(specs())}")
        if self.prompt and not Path(self.prompt).is_file():
            raise UsageError(f"prompt names {self.prompt!r}, which is no file")

    @property
    def pictures(self) -> bool:
        """Whether the model sees any."""
        return any(KINDS[kind].form == "picture" for kind in self.see)

    def offered(self) -> tuple[str, ...]:
        """The names of the tools; `finish` is always one."""
        chosen = self.actions or tuple(name for name in specs() if self.pictures or name not in _BY_POINT)
        return chosen if "finish" in chosen else (*chosen, "finish")

    def spending(self) -> Spending:
        """An account of an episode's own."""
        prices = Prices(prompt=self.price_in, completion=self.price_out, cached=self.price_cached)
        return Spending(prices, tokens=self.budget_tokens, cost=self.budget_cost)

    def endpoint(self) -> Endpoint:
        """Where the model is. Raises `UsageError` where there is no key, or the SDK is not installed."""
        return Endpoint(base_url=self.base_url, key_env=self.key_env)

    def request(self) -> dict[str, Any]:
        """What every request says beside its messages."""
        own_server = self.endpoint().url
        longest = "max_tokens" if own_server else "max_completion_tokens"  # OpenAI's newer models know the second alone
        said = {
            "temperature": self.temperature, "top_p": self.top_p, "seed": self.seed, longest: self.max_tokens,
            "reasoning_effort": self.reasoning_effort, "logprobs": (self.logprobs or self.token_ids) or None,
        }  # fmt: skip
        body = dict(self.extra_body) | ({"return_token_ids": True} if self.token_ids else {})
        return {
            "model": self.model,
            "tools": reading.tools(self.offered()),
            **{name: value for name, value in said.items() if value is not None},
            **({"extra_body": body} if body else {}),
        }


class LlmAgent:
    """Shows a model the page and takes the one tool call that it answers with.

    What is no call of one action costs a step, and the model is told what is wrong with it. What fails on the way to
    the model is tried again; if that does not help, it is a fault (`model_unreachable`), never a reward of 0.
    """

    version = "1"
    Options = LlmOptions

    def __init__(self, options: LlmOptions) -> None:
        self.options = options
        self.model_name = options.model
        self.observations = options.see
        self._request = options.request()
        self.tools = self._request["tools"]
        self.about = {
            "history": options.history,
            "see": list(options.see),
            "request": {name: value for name, value in self._request.items() if name not in ("model", "tools")},
        }
        self._spending = options.spending()
        patience = Patience(retries=options.retries, backoff_s=options.backoff_s)
        self._model = Completions(
            options.endpoint(), self._request, patience=patience, timeout_s=options.timeout_s, stream=options.stream
        )

    def start(self, task: Task, episode: Episode) -> None:
        """Begin the conversation."""
        self._transcript = Transcript(_prompt(self.options), task.goal, self.options.history)

    def act(self, observation: Observation) -> Decision:
        """Ask the model what to do about the page."""
        if (over := self._spending.over()) is not None:
            return Decision(move=over)
        see = self.options.see
        seen = pages.pictures(observation, see)
        self._transcript.show(Turn(pages.full(observation, see), pages.line(observation), seen))
        try:
            answer, call = self._model.ask(self._transcript.messages())
        except TooLong as error:
            return Decision(move=Stop(outcome="context_length", reason=f"the prompt no longer fits: {error}"))
        self._transcript.answered(*reading.echo(answer))
        call = replace(call, cost_usd=self._spending.add(call.usage))
        move = reading.move_of(answer, self.options.offered())
        said = answer.text
        if isinstance(move, InvalidAction):
            said = "\n".join([answer.text, *(f"{one.name} {one.arguments}" for one in answer.calls)]).strip()
        return Decision(move=move, message=said, reasoning=answer.reasoning, calls=(call,))

    def close(self) -> None:
        """Close the connections to the model."""
        self._model.close()


def _prompt(options: LlmOptions) -> str:
    """The system prompt, with what depends on what the model sees."""
    from jinja2 import Template

    template = Template(Path(options.prompt or PROMPT).read_text("utf-8"), trim_blocks=True)
    rendered = template.render(
        refs=any(KINDS[kind].refs for kind in options.see),
        pictures=options.pictures,
        marked="screenshot_marked" in options.see,
        points=bool(_BY_POINT & set(options.offered())),
        history=options.history,
        actions=options.offered(),
    )
    return "\n".join(_without_gaps(rendered))


def _without_gaps(text: str) -> list[str]:
    """Lines with at most one empty one between two."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    return [line for number, line in enumerate(lines) if line or lines[number - 1]]
