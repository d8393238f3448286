"""The agent that drives a vendor's computer-use model: it looks at pictures and calls the vendor's own tools."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..envs import formats
from ..envs.actions import InvalidAction, specs
from ..envs.formats import Format, View
from ..envs.formats.rounds import Looking, turn
from ..errors import UsageError
from .base import Decision, ModelCall, Stop
from .cua_anthropic import AnthropicChat
from .cua_chat import CuaChat, Said
from .cua_google import GoogleChat
from .cua_openai import OpenAIChat
from .model_options import ModelOptions
from .retries import TooLong

if TYPE_CHECKING:
    from ..envs.episode import Episode
    from ..envs.observation import Observation
    from ..tasks import Task

PROMPT = Path(__file__).parent / "prompts" / "cua.md"
CHATS: dict[str, type[CuaChat]] = {"openai": OpenAIChat, "anthropic": AnthropicChat, "google": GoogleChat}
_ALSO = ("finish", "accept_dialog", "dismiss_dialog", "read_download", "navigate", "back", "new_tab", "switch_tab")
"""Actions of ours that are offered as functions, where the vendor has no call of this name."""
MOST_LOOKS = 10
"""Calls in a row that only look; the next one costs a step."""
NO_CALL = "your answer holds no call of a tool: go on with one, or call finish"
LOOKS = f"you have looked {MOST_LOOKS} times without doing anything: act, or call finish"


@dataclass(frozen=True, kw_only=True)
class CuaOptions(ModelOptions):
    """What `cua:…` takes. The key stands in `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` or `GEMINI_API_KEY`."""

    vendor: Literal["openai", "anthropic", "google"]
    """Whose API it is; `base_url` may name another server that speaks it."""
    format: str = ""
    """The calls that the model knows, one of `sitegym.envs.formats`; the vendor's newest that this agent drives without
    it."""
    history: int = 5
    """Pictures that are sent again with each request; earlier ones are left out. OpenAI's server keeps its own."""
    width: int | None = None
    """Pixels across that pictures are scaled down to."""
    cache: bool = True
    """Have Anthropic's server keep what is sent again with each request; other vendors do so by themselves."""
    also: tuple[str, ...] = ()
    """Actions of ours offered as functions, with `+` between; without it `finish` and some that the vendor lacks."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.form().name not in CHATS[self.vendor].formats:
            raise UsageError(
                f"{self.vendor} has the formats {', '.join(CHATS[self.vendor].formats)}, not {self.format}"
            )
        if self.history < 1:
            raise UsageError(f"history is at least 1, not {self.history}")
        if self.width is not None and self.width < 100:
            raise UsageError(f"width is at least 100 pixels, not {self.width}")

    def form(self) -> Format:
        """The translation of the vendor's calls."""
        return formats.get(self.format or CHATS[self.vendor].formats[0])

    def functions(self) -> tuple[str, ...]:
        """The names of our actions beside the vendor's calls."""
        chosen = self.also or tuple(name for name in _ALSO if name not in self.form().members)
        return chosen if "finish" in chosen else (*chosen, "finish")

    def view(self, size: tuple[int, int]) -> View:
        """What the model sees of a window of this size."""
        if self.width is None or self.width >= size[0]:
            return View(viewport=size)
        return View(viewport=size, picture=(self.width, round(size[1] * self.width / size[0])))


class CuaAgent:
    """Plays the calls of a model one action at a time; a call that stands for several actions takes as many steps.

    A call that can't be read and an answer without a call cost a step, and the model is told; calls that only look
    cost none up to `MOST_LOOKS` in a row.
    """

    version = "1"
    observations = ("axtree", "screenshot")
    Options = CuaOptions

    def __init__(self, options: CuaOptions) -> None:
        self.options = options
        self.model_name = options.model
        self._form = options.form()
        self._form.own(options.functions())  # refuses names that there are not, or that are the vendor's
        self._chat = CHATS[options.vendor](options, self._form)
        self.address = self._chat.address
        """Where the model is; empty for the vendor's own server."""
        self._spending = options.spending()
        self.tools = [_declared(name) for name in options.functions()]
        self.about = {"vendor": options.vendor, "format": self._form.name, "history": options.history}
        self.pending: list[ModelCall] = []
        """Calls since the last decision: what is thrown away in the middle of a turn would be lost with them."""
        self._said = Said()

    def start(self, task: Task, episode: Episode) -> None:
        """Take the episode, for looks that cost no step."""
        self._episode, self._goal = episode, task.goal
        self._playing: Generator[Decision, Observation, None] | None = None

    def act(self, observation: Observation) -> Decision:
        """The next action of the call that is being played, or of the next one."""
        if self._playing is None:
            self._playing = self._play(observation)
            return next(self._playing)
        return self._playing.send(observation)

    def close(self) -> None:
        """Close the connections to the model."""
        self._chat.close()

    def _play(self, observation: Observation) -> Generator[Decision, Observation, None]:
        assert observation.screenshot is not None
        height, width = observation.screenshot.shape[:2]
        view = replace(self.options.view((width, height)), observation=observation)
        self._chat.begin(self.options.system_prompt(PROMPT), self._goal, view, self.options.functions())
        looks = 0
        while True:
            stop = self._ask()
            if stop is not None:
                yield self._decided(stop)
                return
            if not self._said.calls or looks >= MOST_LOOKS:
                why = LOOKS if self._said.calls else NO_CALL
                view = replace(view, observation=(yield self._decided(InvalidAction(why))))
                self._chat.told(why, view)
                looks = 0
                continue
            steps = self._episode.steps
            for call in self._said.calls:
                result, view = yield from self._turn(call, view)
                if result is None:
                    return
                self._chat.give(call, result)
            looks = looks + 1 if self._episode.steps == steps else 0

    def _turn(self, call: Any, view: View) -> Generator[Decision, Observation, tuple[Any, View]]:
        """One call, played; looks are taken here, since they are no moves."""
        playing = turn(self._form, call, view, self._episode.observations, over=lambda: self._episode.done)
        todo: Any = next(playing)
        while True:
            if isinstance(todo, Looking):
                seen = self._episode.observe(todo.kinds)
            else:
                seen = yield self._decided(todo)
            try:
                todo = playing.send(seen)
            except StopIteration as end:
                result, view = end.value
                return result, view

    def _ask(self) -> Stop | None:
        """Ask for the next calls; why that is the end, where it is."""
        if (over := self._spending.over()) is not None:
            return over
        try:
            self._said, made = self._chat.ask()
        except TooLong as error:
            return Stop(outcome="context_length", reason=f"the prompt no longer fits: {error}")
        self.pending.append(made)
        self.pending[-1] = replace(made, cost_usd=self._spending.add(made.usage))
        return None

    def _decided(self, move: Any) -> Decision:
        """A move with the calls of the model since the last one; what it said goes with the first of its moves."""
        calls, self.pending = self.pending, []
        said = self._said if calls else Said()
        text = said.text
        if isinstance(move, InvalidAction) and calls:
            text = "\n".join([said.text, *map(str, said.calls)]).strip()
        return Decision(move=move, message=text, reasoning=said.reasoning, calls=tuple(calls))


def _declared(name: str) -> dict[str, Any]:
    spec = specs()[name]
    function = {"name": name, "description": spec.doc, "parameters": spec.parameters()}
    return {"type": "function", "function": function}
