"""What an agent is: two methods, what it may answer, and what it may tell of how it came to that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from ..envs.actions import Action, InvalidAction
    from ..envs.episode import Episode
    from ..envs.observation import Observation
    from ..tasks import Task

    Move = Action | str | Mapping[str, Any]
    """What an agent may do: an action, its string form `click("e12")`, or its dict form."""
    Answer: TypeAlias = "Move | InvalidAction | Stop | Decision"
    """What an agent may answer: a move, alone or in a decision; where its model said what is no action, the error that
    says why, which costs a step and comes back as `observation.error`; or the end of the episode."""


@dataclass(frozen=True, kw_only=True)
class Stop:
    """The agent ends the episode without finishing: graded as one that ran out of steps, with an outcome of its own."""

    outcome: str
    """Machine-readable, such as `budget_tokens`."""
    reason: str
    """The same in a sentence."""


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens of one call of a model, as its server counted them."""

    prompt_tokens: int = 0
    """All that was read, `cached_tokens` included."""
    completion_tokens: int = 0
    """All that was written, `reasoning_tokens` included."""
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    """Of those read, the ones that were put into the server's cache for later calls, where the server tells and charges
    that apart."""
    reasoning_tokens: int = 0


@dataclass(frozen=True, kw_only=True)
class Retry:
    """One try at a call that failed for a reason that passes: no fault of the agent's."""

    cause: str
    """`429`, `503`, `timeout`, `connection` …"""
    waited_s: float


@dataclass(frozen=True, kw_only=True)
class ModelCall:
    """One call of a model that was answered, exactly as it was made: what a recorder keeps and a trainer needs."""

    model: str
    messages: Sequence[Mapping[str, Any]] = ()
    """All that was sent, in the form of the vendor; pictures as data URLs or base64."""
    answer: Mapping[str, Any] = field(default_factory=dict)
    """What came back, in the form of the vendor."""
    finish: str = ""
    """Why the model stopped, as the server says it."""
    usage: Usage | None = None
    """None where the server told none."""
    cost_usd: float | None = None
    """None where no prices were given."""
    seconds: float = 0.0
    """Wall clock of the try that was answered."""
    retries: tuple[Retry, ...] = ()
    """The tries before it."""
    prompt_token_ids: Sequence[int] | None = None
    completion_token_ids: Sequence[int] | None = None
    logprobs: Sequence[float] | None = None
    """One a token of the completion. All three as the server gave them, never tokenised anew."""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """A move together with what led to it, for the record. An agent may return it instead of the bare move."""

    move: Move | InvalidAction | Stop
    message: str = ""
    """What was said beside the move."""
    reasoning: str = ""
    """What was thought before, where it is told apart."""
    calls: Sequence[ModelCall] = ()
    """The calls of models that this move took; none where it follows from an earlier one."""


@runtime_checkable
class Agent(Protocol):
    """Chooses one action for each observation.

    A fresh agent is made for every episode, so it may keep what it likes on itself. Both methods may be coroutines.
    Optional attributes: `version` (str) and `model_name` (str), recorded with the episode, as are `tools` (schemas of
    what the model may call) and `about` (a mapping); `thought` (str), the reasoning behind the last action;
    `observations` (a list of kinds, see `envs.kinds`), what a sweep is to show it beside tree and picture; `pending`
    (a list of `ModelCall`), calls made since the last decision, which are recorded where no decision comes of them any
    more; and a method `close()`, called when the episode is over, whatever became of it.
    """

    def start(self, task: Task, episode: Episode) -> None:
        """Called once, after the episode was reset and before the first `act`."""

    def act(self, observation: Observation) -> Answer:
        """The next action. An action that can't be read comes back as `observation.error`, and counts as a step."""


class FunctionAgent:
    """A plain function `observation -> action` as an agent."""

    def __init__(self, function: Callable[[Observation], Answer]) -> None:
        self.function = function

    def start(self, task: Task, episode: Episode) -> None:
        """Nothing to prepare."""

    def act(self, observation: Observation) -> Answer:
        """What the function answers."""
        return self.function(observation)


def decision_of(answer: Any) -> Decision:
    """What an agent's `act` returned, as a decision."""
    return answer if isinstance(answer, Decision) else Decision(move=answer)
