"""The agent that asks a language model on any OpenAI-compatible endpoint, by tool calls over the table of actions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..envs.actions import InvalidAction, specs
from ..envs.kinds import KINDS, check_kinds
from ..errors import UsageError
from . import pages, reading
from .base import Decision, ModelCall, Stop
from .completions import Completions, Endpoint
from .model_options import ModelOptions
from .retries import TooLong
from .transcript import Transcript, Turn

if TYPE_CHECKING:
    from ..envs.episode import Episode
    from ..envs.observation import Observation
    from ..tasks import Task

PROMPT = Path(__file__).parent / "prompts" / "llm.md"
_BY_POINT = frozenset(name for name in specs() if name.startswith("mouse_"))


@dataclass(frozen=True, kw_only=True)
class LlmOptions(ModelOptions):
    """What `llm:…` takes. `base_url` may stand in the environment's `OPENAI_BASE_URL`, the key in `OPENAI_API_KEY`."""

    see: tuple[str, ...] = ("axtree",)
    """Kinds of observation that the model is shown, with `+` between: `axtree`, `axtree+screenshot_marked`."""
    history: int = 3
    """Pages shown in full; earlier ones are a line each."""
    actions: tuple[str, ...] = ()
    """Actions offered as tools, with `+` between; all without it, those by coordinates only with a picture."""
    stream: bool = False
    """Have answers sent piece by piece: then `timeout_s` is the longest wait for the next piece."""
    seed: int | None = None
    reasoning_effort: str | None = None
    token_ids: bool = False
    """Ask for the ids of all tokens and their log probabilities, as vLLM gives them."""
    logprobs: bool = False
    """Ask for log probabilities of the answer's tokens."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_kinds(self.see)
        if self.history < 1:
            raise UsageError(f"history is at least 1, not {self.history}")
        for name in self.actions:
            if name not in specs():
                raise UsageError(f"no action {name!r}: there are {', '.join(specs())}")

    @property
    def pictures(self) -> bool:
        """Whether the model sees any."""
        return any(KINDS[kind].form == "picture" for kind in self.see)

    def offered(self) -> tuple[str, ...]:
        """The names of the tools; `finish` is always one."""
        chosen = self.actions or tuple(name for name in specs() if self.pictures or name not in _BY_POINT)
        return chosen if "finish" in chosen else (*chosen, "finish")

    def endpoint(self) -> Endpoint:
        """Where the model is. Raises `UsageError` where there is no key, or the SDK is not installed."""
        return Endpoint(base_url=self.base_url, key_env=self.key_env or "OPENAI_API_KEY")

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

    def system(self) -> str:
        """The system prompt."""
        return self.system_prompt(
            PROMPT,
            tree=any(KINDS[kind].refs and KINDS[kind].form == "text" for kind in self.see),
            pictures=self.pictures,
            marked="screenshot_marked" in self.see,
            points=bool(_BY_POINT & set(self.offered())),
            history=self.history,
            actions=self.offered(),
        )


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
        self.pending: list[ModelCall] = []
        self._spending = options.spending()
        self.address = options.endpoint().url
        """Where the model is; empty for the vendor's own server."""
        request = options.request()
        self.tools = request["tools"]
        asked = {name: value for name, value in request.items() if name not in ("model", "tools")}
        self.about = {"history": options.history, "see": list(options.see), "request": asked}
        self._model = Completions(
            options.endpoint(), request, patience=options.patience(), timeout_s=options.timeout_s, stream=options.stream
        )

    def start(self, task: Task, episode: Episode) -> None:
        """Begin the conversation."""
        self._transcript = Transcript(self.options.system(), task.goal, self.options.history)

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
        self.pending = [call]
        self._transcript.answered(*reading.echo(answer))
        call = replace(call, cost_usd=self._spending.add(call.usage))
        move = reading.move_of(answer, self.options.offered())
        said = answer.text
        if isinstance(move, InvalidAction):
            said = "\n".join([answer.text, *(f"{one.name} {one.arguments}" for one in answer.calls)]).strip()
        self.pending = []
        return Decision(move=move, message=said, reasoning=answer.reasoning, calls=(call,))

    def close(self) -> None:
        """Close the connections to the model."""
        self._model.close()
